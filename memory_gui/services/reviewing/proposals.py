# SPDX-License-Identifier: MIT
"""The queue of our own: proposals for stores whose agent has none, decided like the agent's."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Final

from memory_gui.domain.changes import (
    ChangeSet,
    Decision,
    Edit,
    Fields,
    NewRecord,
    Outcome,
    ReviewPreview,
    Target,
    Verdict,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.hidden import has_hidden
from memory_gui.domain.kinds import Kind, kind_for
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.erasure.plan import ErasePlan
from memory_gui.ledger.proposals import PENDING, Proposal, ProposalRows
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.deciding import OWN
from memory_gui.services.editing.ground import Done
from memory_gui.services.library.library import Library
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.reviewing.additions import Additions, Planned, given_of
from memory_gui.services.undo.steps import Redecide
from memory_gui.stores import jsontext

KIND: Final = OWN
_STATE_OF: Final = {Verdict.APPROVE: "approved", Verdict.REJECT: "rejected"}
_FILED: Final = frozenset({"title", "text", "key", "subject", "scope", "type", "tags", "source"})
"""Values that have a place of their own in a record."""
_TEXT_BYTES: Final = 4
"""Shorter words in JSON are looked for by no erasure."""
_BACK: Final = {State.APPROVED: Verdict.APPROVE, State.REJECTED: Verdict.REJECT}


class Proposals:
    """Any thread; the first call may ask the keychain. Without a ledger there are none."""

    def __init__(self, library: Library, acts: Acts, keeper: LedgerKeeper | None) -> None:
        self._library = library
        self._acts = acts
        self._additions = Additions(library, acts)
        self._keeper = keeper
        acts.deciding.own = self

    def propose(
        self,
        store: StoreId,
        fields: Fields,
        evidence: str = "",
        session: str = "",
        despite: frozenset[str] = frozenset(),
    ) -> Ref:
        """Keep a proposal.

        Raises:
            UserError: ``propose.no_text``, ``propose.nowhere``; what adding such a record would
                refuse, but not that one like it is saved: that is seen in review.
        """
        if not str(fields.get("text") or "").strip():
            raise UserError("propose.no_text")
        saved = self._additions.of(store, given_of(fields), despite).addition.fields.get("text")
        rows = self._rows()
        if rows is None:
            raise UserError("propose.nowhere")
        # Kept as it would be saved: an escape in JSON hides no letter from who reads, from the
        # search for secrets, from a rule's pattern, and an erasure finds the text again.
        kept = {**fields, "text": saved} if isinstance(saved, str) and saved else fields
        return Ref(store, KIND, (rows.propose(str(store), kept, evidence, session),))

    def items(
        self, stores: Collection[StoreId] = (), states: Collection[State] = (State.PENDING,)
    ) -> list[Record]:
        """Those of the open stores, the oldest first; looking for them makes no ledger."""
        kept = self._keeper is not None and self._keeper.is_kept
        rows = self._rows() if kept else None
        found: list[Record] = []
        for shelf in self._library.shelves(stores) if rows is not None else ():
            assert rows is not None  # noqa: S101 - looked at above
            kinds = shelf.info.declared
            found += [record_of(shelf.id, one, kinds) for one in rows.list(str(shelf.id))]
        return [one for one in found if one.state in states]

    @property
    def out_of_reach(self) -> bool:
        """Our own file is there and its key is not: what waits in it is not in ``items``."""
        return self._keeper is not None and self._keeper.is_kept and self._rows() is None

    def item(self, ref: Ref) -> Record:
        """One of them. Raises UserError ``record.gone``."""
        return self._record_of(ref, self._one(ref))

    def preview(self, ref: Ref, fields: Fields | None = None) -> ReviewPreview:
        """What approving would do."""
        return self._look(ref, fields or {}, frozenset())[0]

    def may(self, decision: Decision) -> ReviewPreview | None:
        """What speaks against a decision is raised; for an approval, what it would do."""
        ref = decision.target.ref
        item = self.item(ref)
        if decision.target.etag not in {None, item.etag}:
            raise UserError("record.changed", ref=ref.text)
        if decision.verdict is Verdict.REOPEN:
            if item.state is State.PENDING:
                raise UserError("review.is_pending")
            return None
        if item.state is not State.PENDING:
            raise UserError("review.not_pending")
        if decision.verdict is not Verdict.APPROVE:
            return None
        seen, _ = self._look(ref, decision.fields, decision.despite)
        if seen.refusal:
            raise seen.cause or UserError(seen.refusal)
        if "hidden" in seen.warnings and "hidden" not in decision.despite:
            raise UserError("review.hidden")
        shown = None if seen.existing is None else seen.existing.etag
        if seen.outcome is not Outcome.IDENTICAL and shown != decision.replaces:
            raise UserError("review.target_changed")
        return seen

    def decide(self, decision: Decision) -> Done:
        """The store is written first, then the proposal: a stopped one is closed at the next start.

        Raises:
            UserError: as ``may``; what adding or editing the record would refuse.
        """
        seen = self.may(decision)
        ref, before = decision.target.ref, self.item(decision.target.ref).state
        saved = Done(ChangeSet())
        if seen is not None and seen.outcome is not Outcome.IDENTICAL:
            _, plan = self._look(ref, decision.fields, decision.despite)
            if plan is None or plan.existing != seen.existing:
                raise UserError("review.target_changed")
            if decision.fields and (rows := self._rows()) is not None:
                rows.begin(ref.key[0], decision.fields)
            saved = self._save(plan, decision.despite)
        changes = saved.changes | self.turn(ref, decision.verdict)
        again = _BACK.get(before, Verdict.REOPEN)
        return Done(changes, (Redecide(ref, self.item(ref).state, again), *saved.steps))

    def turn(self, ref: Ref, verdict: Verdict) -> ChangeSet:
        """Give a proposal that state; no store is written.

        Raises:
            UserError: ``propose.nowhere``, ``record.gone``, ``record.changed``.
        """
        rows = self._rows()
        if rows is None:
            raise UserError("propose.nowhere")
        after = _STATE_OF.get(verdict, PENDING)
        if not rows.set_status(ref.key[0], str(self.item(ref).state), after):
            raise UserError("record.changed", ref=ref.text)
        return ChangeSet(changed=(ref,))

    def finish(self, ref: Ref) -> bool:
        """A stop came into its approval: close it when its memory is saved."""
        seen = self.preview(ref, self._one(ref).saving)
        if seen.item.state is not State.PENDING or seen.outcome is not Outcome.IDENTICAL:
            return False
        self.turn(ref, Verdict.APPROVE)
        return True

    def remove(self, refs: Collection[Ref]) -> int:
        """Take decided proposals out of our own file, which overwrites them; how many there were.

        What still waits stays.
        """
        rows, decided = self._rows(), (State.APPROVED, State.REJECTED)
        stores = {ref.store for ref in refs}
        there = {one.ref for one in self.items(stores, decided)} if stores else set()
        gone = [ref for ref in refs if ref in there]
        if rows is not None and gone:
            rows.remove(*(ref.key[0] for ref in gone))
        return len(gone)

    def erase_with(self, plan: ErasePlan) -> tuple[Record, ...]:
        """An erasure has taken texts out of the open stores: proposals of them go too; which."""
        rows, gone = self._rows(), frozenset(plan.texts)
        items = () if rows is None else self.items((), tuple(State))
        going = tuple(item for item in items if _consists_of(item.text, gone))
        if rows is not None and going:
            rows.remove(*(item.ref.key[0] for item in going))
        return going

    # ---- inside

    def _one(self, ref: Ref) -> Proposal:
        rows = self._rows() if self._keeper is not None and self._keeper.is_kept else None
        named = ref.key[0] if ref.kind == KIND and len(ref.key) == 1 else ""
        found = rows.one(str(ref.store), named) if rows is not None else None
        if found is None:
            raise UserError("record.gone", ref=ref.text)
        return found

    def _record_of(self, ref: Ref, one: Proposal) -> Record:
        return record_of(ref.store, one, self._library.shelf(ref.store).info.declared)

    def _look(
        self, ref: Ref, fields: Fields, despite: frozenset[str]
    ) -> tuple[ReviewPreview, Planned | None]:
        """What approving it so corrected would do; None where it cannot be done at all."""
        one = self._one(ref)
        item, given = self._record_of(ref, one), given_of(one.fields, fields)
        try:
            plan = self._additions.of(ref.store, given, despite, name=one.id)
        except UserError as error:
            free = error.params.get("proposed")
            shown = {**given, "proposed_key": free} if isinstance(free, str) else given
            refused = ReviewPreview(item, Outcome.REFUSED, shown, None, refusal=error.code)
            return replace(refused, cause=error), None
        saved = dict(plan.addition.fields)
        warnings = ["hidden"] if any(map(has_hidden, _texts(saved))) else []
        if plan.refusal is not None and plan.refusal.code == "record.secret":
            warnings.append("secret")
        if "text" in plan.changed:
            warnings.append("conflict")
            if plan.addition.free:
                what = "proposed_key" if "key" in saved else "proposed_title"
                saved[what] = plan.addition.free
        decided = item.state is not State.PENDING
        cause = UserError("review.not_pending") if decided else plan.refusal
        seen = ReviewPreview(
            item,
            plan.outcome if cause is None else Outcome.REFUSED,
            saved,
            plan.store,
            plan.existing,
            tuple(warnings),
            None if cause is None else cause.code,
            cause=cause,
        )
        return seen, plan

    def _save(self, plan: Planned, despite: frozenset[str]) -> Done:
        if plan.existing is None:
            new = NewRecord(plan.addition.kind, plan.given, "crystallized", despite)
            return self._acts.add(self._library.shelf(plan.store), new)
        target = Target(plan.existing.ref, plan.existing.etag)
        return self._acts.edit(Edit(target, plan.changed, despite))

    def _rows(self) -> ProposalRows | None:
        return None if self._keeper is None else self._keeper.ledger().proposals


def _texts(fields: Fields) -> tuple[str, ...]:
    return tuple(v for v in fields.values() if isinstance(v, str)) + tuple(fields.get("tags") or ())


def _consists_of(text: str, gone: frozenset[str]) -> bool:
    """Whether it is one of these texts, or JSON that says nothing else but short words."""
    if text in gone:
        return True
    if not text.lstrip().startswith(("{", "[")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    said = {one for one in jsontext.leaves(text)[0] if len(one.encode()) >= _TEXT_BYTES}
    return bool(said) and said <= gone


def record_of(store: StoreId, one: Proposal, kinds: Iterable[Kind]) -> Record:
    """One of them as a record of its store, whose ``kinds`` these are.

    JSON is told as it would be saved, however an agent has spelled it: an escape hides no letter
    from who reads, from the search for secrets and names, nor what was rejected before.
    """
    kinds = tuple(kinds)
    name_of_kind = kind_for(kinds, one.fields)
    json_in = next((kind.json for kind in kinds if kind.name == name_of_kind), frozenset())

    def text(name: str) -> str:
        value = one.fields.get(name, "")
        said = value if isinstance(value, str) else " ".join(value)
        return jsontext.laid_out(said) if name in json_in and jsontext.is_json(said) else said

    tags = one.fields.get("tags", ())
    told = json.dumps([one.id, one.status, dict(one.fields), one.seen], sort_keys=True)
    return Record(
        ref=Ref(store, KIND, (one.id,)),
        etag=sha256(told.encode()).hexdigest()[:16],
        state=State(one.status),
        title=text("title") or text("key") or text("text")[:60],
        text=text("text"),
        subject=text("key") or text("subject") or None,
        scope=text("scope") or None,
        type=text("type") or None,
        tags=(tags,) if isinstance(tags, str) else tags,
        created_at=one.created_at,
        updated_at=one.updated_at,
        created_at_utc=one.created_at,
        updated_at_utc=one.updated_at,
        zone="utc",
        source=text("source") or None,
        extra={
            **{name: text(name) for name in one.fields if name not in _FILED},
            "evidence": one.evidence,
            "source_session": one.session or None,
            "occurrences": str(one.seen),
        },
    )
