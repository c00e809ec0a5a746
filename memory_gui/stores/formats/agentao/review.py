# SPDX-License-Identifier: MIT
"""Deciding on what Agentao proposes: what approving would do, and doing it.

Approving is Agentao's ``approve_review_item`` (0.5.17): the item's key becomes key and title, its
captured phrase the text, source ``crystallized``. Where Agentao would lose data we refuse: two
proposals whose keys differ only in letters that Agentao drops would overwrite each other.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Protocol

from memory_gui.domain.changes import (
    ChangeSet,
    Decision,
    Fields,
    NewRecord,
    Outcome,
    ReviewPreview,
    Verdict,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.hidden import has_hidden
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.agentao.adding import key_by_type
from memory_gui.stores.formats.agentao.clashes import WAITING
from memory_gui.stores.formats.agentao.drafts import (
    Draft,
    check_names,
    checked_scope,
    many,
    one,
)
from memory_gui.stores.formats.agentao.memories import Memories
from memory_gui.stores.formats.agentao.rows import list_of, record_of, ref_of, state_of
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.guard import first_secret
from memory_gui.stores.sql.cells import Cell, Row

NOTE_WIDTH: Final = 60


class Side(Protocol):
    """One store of the pair, as the queue needs it."""

    @property
    def id(self) -> StoreId:
        """The store's id."""
        ...

    @property
    def tables(self) -> Tables:
        """Its rows."""
        ...

    @property
    def memories(self) -> Memories:
        """Its memories."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """What approving an item would write, and over what."""

    draft: Draft
    lossy: bool
    existing: Row | None
    undecoded: int = 0
    """So many bytes of the item are no text: what would be saved is not what is stored."""

    @property
    def identical(self) -> bool:
        """The memory is saved already: approving only closes the item."""
        row, draft = self.existing, self.draft
        return row is not None and (
            row.cells["content"] == draft.text
            and row.cells["title"] == draft.title
            and row.cells["type"] == draft.type
            and list_of(row.cells["tags_json"]) == draft.tags
        )

    @property
    def loses_text(self) -> bool:
        """A different text would be overwritten."""
        return self.existing is not None and self.existing.cells["content"] != self.draft.text


class Queue:
    """The review queue of one store. ``home`` is that store; targets are the pair's."""

    def __init__(self, home: Side) -> None:
        self._home = home

    # ---- looking

    def preview(self, ref: Ref, target: Side | None, fields: Fields) -> ReviewPreview:
        """What approving would do, with the corrections in ``fields``."""
        row = self._home.tables.row(ref)
        if row is None or ref.kind != "review":
            raise UserError("record.gone", ref=ref.text)
        item = record_of(self._home.id, "review", row)
        try:
            draft, lossy = _drafted(row, fields, target)
        except UserError as error:
            key = error.params.get("proposed")
            shown: Fields = {"proposed_key": key} if isinstance(key, str) else {}
            refused = ReviewPreview(item, Outcome.REFUSED, shown, None, refusal=error.code)
            return replace(refused, cause=error)
        warnings = _warnings(row, draft)
        shown = draft.fields()
        if target is None:
            return ReviewPreview(
                item, Outcome.REFUSED, shown, None, None, warnings, "scope.partner_missing"
            )
        existing = target.memories.live(draft.scope, draft.key)
        plan = Plan(draft, lossy, existing, _undecoded(row, draft))
        if plan.loses_text:
            warnings = (*warnings, "conflict")
        refusal = self._refusal(row, plan, target)
        if plan.loses_text:
            shown["proposed_key"] = target.memories.free_key(draft.scope, draft.key)
        outcome = Outcome.REFUSED if refusal else _outcome(plan)
        old = None if existing is None else record_of(target.id, "memory", existing)
        code = None if refusal is None else refusal.code
        seen = ReviewPreview(item, outcome, shown, target.id, old, warnings, code, cause=refusal)
        return replace(seen, undecoded=plan.undecoded)

    def _refusal(self, row: Row, plan: Plan, target: Side) -> UserError | None:
        try:
            if state_of("review", row) is not State.PENDING:
                raise UserError("review.not_pending")
            target.memories.accept(plan.draft.scope)
            _guard(plan, target, frozenset())
        except UserError as error:
            return error
        return None

    # ---- deciding

    def decide(self, decision: Decision, target: Side | None) -> ChangeSet:
        """Do it: one transaction, or two of which the memory's comes first."""
        if decision.verdict is Verdict.APPROVE:
            return self._approve(decision, target)
        rejecting = decision.verdict is Verdict.REJECT
        with self._home.tables.writing():
            row = self._undecided(decision)
            self._set_status(row, State.REJECTED if rejecting else State.PENDING, decision)
        return ChangeSet(changed=(decision.target.ref,))

    def _approve(self, decision: Decision, target: Side | None) -> ChangeSet:
        with self._home.tables.writing():
            row = self._undecided(decision)
            target = _there(row, decision, target)
            # The other file is committed here, before the status is: a kill in between is found
            # as "pending, but identical to what is saved", and approving again finishes it.
            with target.tables.writing():
                changes = self._saved(row, decision, target)
            self._set_status(row, State.APPROVED)
        return changes | ChangeSet(changed=(decision.target.ref,))

    def _saved(self, row: Row, decision: Decision, target: Side) -> ChangeSet:
        """Write the memory, unless an approval that was stopped has written it."""
        if decision.memory:
            there = target.tables.row(Ref(target.id, "memory", (decision.memory,)))
            if there is not None:
                return ChangeSet()
        return _write(_plan(row, decision, target), target, decision.memory)

    def may(self, decision: Decision, target: Side | None) -> None:
        """What speaks against it, by the same checks; nothing is written."""
        row = self._undecided(decision)
        if decision.verdict is Verdict.APPROVE:
            _plan(row, decision, _there(row, decision, target))

    def _undecided(self, decision: Decision) -> Row:
        """The item, in the state that the verdict is for."""
        row = self._item(decision)
        pending = state_of("review", row) is State.PENDING
        if decision.verdict is not Verdict.REOPEN:
            if not pending:
                raise UserError("review.not_pending")
            return row
        if pending:
            raise UserError("review.is_pending")
        self._must_be_free(row, one(decision.fields, "key"))
        return row

    def _item(self, decision: Decision) -> Row:
        if decision.target.ref.kind != "review":
            raise UserError("record.gone", ref=decision.target.ref.text)
        return self._home.memories.wanted(decision.target)

    def _set_status(self, row: Row, state: State, decision: Decision | None = None) -> None:
        """Give an item its state; rejected or reopened it may get another key."""
        cells: dict[str, Cell] = {"status": str(state), "updated_at": self._home.memories.now()}
        if decision is not None and (key := one(decision.fields, "key")):
            cells["key_normalized"] = key
        self._home.tables.update("review", row, cells)

    def _must_be_free(self, row: Row, key: str | None = None) -> None:
        wanted = (row.cells["scope"], key or row.cells["key_normalized"])
        same = self._home.tables.select("review", WAITING, wanted)
        if same:
            raise UserError("review.proposed_again")

    # ---- proposing

    def propose(self, new: NewRecord) -> ChangeSet:
        """Put a proposal into the queue; one that waits already is refreshed, as Agentao does."""
        fields = new.fields
        check_names(fields, _PROPOSAL_FIELDS)
        text = rules.clean_text(one(fields, "text") or "")
        tags = rules.clean_tags(many(fields, "tags") or ())
        kind = rules.type_for(tags, one(fields, "type"))
        key = one(fields, "key") or _proposal_key(text, kind)
        scope = rules.scope_for(key, tags, checked_scope(one(fields, "scope")))
        title = rules.clean_title(one(fields, "title") or _proposal_title(text, kind))
        if "secret" not in new.despite and (found := first_secret((text, title, key, *tags))):
            raise UserError("record.secret", kind=found)
        cells: dict[str, Cell] = {
            "type": kind,
            "title": title,
            "content": text,
            "tags_json": rules.json_list(tags or (kind,)),
            "evidence": one(fields, "evidence") or "",
            "source_session": one(fields, "session") or "",
            "updated_at": self._home.memories.now(),
        }
        with self._home.tables.writing():
            same = self._home.tables.select("review", WAITING, (scope, key))
            if same:
                seen: dict[str, Cell] = {
                    "occurrences": same[0].next_number("occurrences"),
                    "confidence": "inferred",
                }
                self._home.tables.update("review", same[0], {**cells, **seen})
                return ChangeSet(changed=(ref_of(self._home.id, "review", same[0]),))
            first: dict[str, Cell] = {
                "id": secrets.token_hex(6),
                "scope": scope,
                "key_normalized": key,
                "occurrences": 1,
                "confidence": "auto_summary",
                "status": "pending",
                "created_at": self._home.memories.now(),
            }
            self._home.tables.insert("review", {**first, **cells})
        return ChangeSet(added=(Ref(self._home.id, "review", (str(first["id"]),)),))


_PROPOSAL_FIELDS: Final = frozenset(
    {"title", "key", "text", "scope", "type", "tags", "evidence", "session"}
)


def item_draft(row: Row, fields: Fields) -> tuple[Draft, bool]:
    """The memory that approving the item would save, and whether its key lost letters on the way.

    Fields that say the same as the item are no corrections: untouched, the title is the key, as
    Agentao saves it.
    """
    check_names(fields)
    own_key = row.text("key_normalized")
    given_key = _correction(one(fields, "key"), own_key)
    given_title = _correction(one(fields, "title"), row.text("title"))
    key = rules.chosen_key(given_key) if given_key else rules.normalize_key(own_key)
    title = (
        rules.clean_title(given_title or given_key or "")
        if given_title or given_key
        else own_key.strip()[: rules.TITLE_LIMIT]
    )
    given_tags = many(fields, "tags")
    tags = list_of(row.cells.get("tags_json")) or ()
    if given_tags is not None and given_tags != tags:
        tags = rules.clean_tags(given_tags)
    given_type = _correction(one(fields, "type"), row.text("type"))
    draft = Draft(
        key=key,
        title=title,
        text=rules.clean_text(one(fields, "text") or row.text("content")),
        scope=rules.scope_for(key, tags, checked_scope(one(fields, "scope")) or row.text("scope")),
        type=rules.type_for(tags, given_type) if given_type else row.text("type") or "note",
        tags=tags,
        source="crystallized",
        confidence=rules.confidence_for("crystallized"),
        typed=(given_key or own_key,),
    )
    return draft, given_key is None and key != own_key.strip().lower()


def _drafted(row: Row, fields: Fields, target: Side | None) -> tuple[Draft, bool]:
    """As ``item_draft``; an empty key is refused with one that is free (``proposed``)."""
    try:
        return item_draft(row, fields)
    except UserError as error:
        if error.code != "record.key_empty" or target is None:
            raise
        scope, type_ = (one(fields, name) or row.text(name) for name in ("scope", "type"))
        known = type_ if type_ in rules.TYPES else "note"
        raise UserError(error.code, proposed=key_by_type(target.tables, scope, known)) from error


def _correction(given: str | None, own: str) -> str | None:
    return None if not given or given == own else given


def _outcome(plan: Plan) -> Outcome:
    if plan.existing is None:
        return Outcome.NEW
    return Outcome.IDENTICAL if plan.identical else Outcome.REPLACES


def _warnings(row: Row, draft: Draft) -> tuple[str, ...]:
    saved = (draft.title, draft.text, draft.key, *draft.tags, *draft.typed)
    around = (row.text("title"), row.text("content"), row.text("evidence"))
    found = []
    if _undecoded(row, draft) or any(map(has_hidden, (*saved, *around))):
        found.append("hidden")
    if first_secret((*saved, *around)):
        found.append("secret")
    return tuple(found)


def _undecoded(row: Row, draft: Draft) -> int:
    """How many bytes that are no text, such as half a character, would be saved as escapes."""
    odd = {name: _odd_bytes(cell) for name, cell in row.cells.items() if isinstance(cell, bytes)}
    saved = {
        "content": draft.text == rules.clean_text(row.text("content")),
        "key_normalized": draft.typed == (row.text("key_normalized"),),
        "tags_json": draft.tags == (list_of(row.cells.get("tags_json")) or ()),
    }
    return sum(odd.get(name, 0) for name, as_it_is in saved.items() if as_it_is)


def _odd_bytes(cell: bytes) -> int:
    return sum("\udc80" <= char <= "\udcff" for char in cell.decode(errors="surrogateescape"))


def _guard(plan: Plan, target: Side, despite: Collection[str]) -> None:
    draft = plan.draft
    if plan.identical:
        return
    hidden = plan.undecoded or any(map(has_hidden, (draft.title, draft.text, *draft.tags)))
    if hidden and "hidden" not in despite:
        raise UserError("review.hidden")
    draft.guard(despite)
    if plan.lossy and plan.loses_text and "conflict" not in despite:
        raise UserError(
            "review.key_clash", proposed=target.memories.free_key(draft.scope, draft.key)
        )


def _there(row: Row, decision: Decision, target: Side | None) -> Side:
    """The store that the memory goes to, which takes its scope."""
    draft, _lossy = _drafted(row, decision.fields, target)
    if target is None:
        raise UserError("scope.partner_missing", scope=draft.scope)
    target.memories.accept(draft.scope)
    return target


def _plan(row: Row, decision: Decision, target: Side) -> Plan:
    """What an approval writes, when nothing speaks against it."""
    draft, lossy = item_draft(row, decision.fields)
    existing = target.memories.live(draft.scope, draft.key)
    plan = Plan(draft, lossy, existing, _undecoded(row, draft))
    _guard(plan, target, decision.despite)
    found = None if plan.existing is None else plan.existing.etag
    if not plan.identical and found != decision.replaces:
        raise UserError("review.target_changed")
    return plan


def _write(plan: Plan, target: Side, ident: str) -> ChangeSet:
    if plan.identical:
        return ChangeSet()
    if plan.existing is None:
        return ChangeSet(added=(target.memories.create(plan.draft, ident),))
    target.memories.overwrite(plan.existing, plan.draft)
    return ChangeSet(changed=(ref_of(target.id, "memory", plan.existing),))


def _proposal_key(text: str, kind: str) -> str:
    words = re.findall(r"[A-Za-z\u4e00-\u9fff]+", text.lower())[:4]
    return f"{kind}_" + ("_".join(words) or "unknown")


def _proposal_title(text: str, kind: str) -> str:
    line = re.sub(r"\s+", " ", text.strip())
    if len(line) > NOTE_WIDTH:
        line = line[: NOTE_WIDTH - 3] + "…"
    return f"{kind.title()}: {line}"
