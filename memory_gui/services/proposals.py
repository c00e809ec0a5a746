# SPDX-License-Identifier: MIT
"""The queue of our own: proposals for stores whose agent has none, decided like the agent's."""

from __future__ import annotations

import json
from collections.abc import Collection
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
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.erasure.plan import ErasePlan
from memory_gui.ledger.proposals import PENDING, Proposal, ProposalRows
from memory_gui.services.acts import OWN, Acts, Done
from memory_gui.services.editing import Editing
from memory_gui.services.known import LedgerKeeper
from memory_gui.services.library import Library
from memory_gui.services.undo import Redecide

KIND: Final = OWN
_STATE_OF: Final = {Verdict.APPROVE: "approved", Verdict.REJECT: "rejected"}
_BACK: Final = {State.APPROVED: Verdict.APPROVE, State.REJECTED: Verdict.REJECT}


class Proposals:
    """Any thread; the first call may ask the keychain. Without a ledger there are none."""

    def __init__(
        self, library: Library, editing: Editing, acts: Acts, keeper: LedgerKeeper | None
    ) -> None:
        self._library = library
        self._editing = editing
        self._acts = acts
        self._keeper = keeper
        acts.own = self

    def propose(self, store: StoreId, fields: Fields, evidence: str = "", session: str = "") -> Ref:
        """Keep a proposal.

        Raises:
            UserError: ``propose.no_text``, ``propose.nowhere``.
        """
        rows = self._rows()
        if not str(fields.get("text") or "").strip():
            raise UserError("propose.no_text")
        if rows is None:
            raise UserError("propose.nowhere")
        return Ref(store, KIND, (rows.propose(str(store), fields, evidence, session),))

    def items(
        self, stores: Collection[StoreId] = (), states: Collection[State] = (State.PENDING,)
    ) -> list[Record]:
        """Those of the open stores, the oldest first; looking for them makes no ledger."""
        kept = self._keeper is not None and self._keeper.is_kept
        rows = self._rows() if kept else None
        found: list[Record] = []
        for shelf in self._library.shelves(stores) if rows is not None else ():
            assert rows is not None  # noqa: S101 - looked at above
            found += [record_of(shelf.id, one) for one in rows.list(str(shelf.id))]
        return [one for one in found if one.state in states]

    @property
    def out_of_reach(self) -> bool:
        """Our own file is there and its key is not: what waits in it is not in ``items``."""
        return self._keeper is not None and self._keeper.is_kept and self._rows() is None

    def item(self, ref: Ref) -> Record:
        """One of them. Raises UserError ``record.gone``."""
        found = [one for one in self.items((ref.store,), tuple(State)) if one.ref == ref]
        if not found:
            raise UserError("record.gone", ref=ref.text)
        return found[0]

    def preview(self, ref: Ref, fields: Fields | None = None) -> ReviewPreview:
        """What approving would do."""
        item = self.item(ref)
        given = {**_fields(item), **(fields or {})}
        try:
            saved = dict(self._editing.classify(ref.store, given))
            holder = self._editing.key_holder(ref.store, saved)
        except UserError as error:
            return ReviewPreview(item, Outcome.REFUSED, given, None, None, (), error.code)
        existing = None if holder is None else self._library.record(holder.ref)
        warnings = ("hidden",) if any(map(has_hidden, _texts(saved))) else ()
        outcome = Outcome.NEW
        if existing is not None and holder is not None:
            same = existing.text == saved.get("text")
            outcome = Outcome.IDENTICAL if same else Outcome.REPLACES
            if not same:
                saved["proposed_key"] = holder.free
                warnings = (*warnings, "conflict")
        refusal = None if item.state is State.PENDING else "review.not_pending"
        return ReviewPreview(
            item,
            Outcome.REFUSED if refusal else outcome,
            saved,
            ref.store,
            existing,
            warnings,
            refusal,
        )

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
        seen = self.preview(ref, decision.fields)
        if seen.refusal:
            raise UserError(seen.refusal, **_params(seen.refusal, seen))
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
            saved = self._save(seen, decision)
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
        seen = self.preview(ref)
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

    def erase_with(self, plan: ErasePlan) -> None:
        """An erasure has taken texts out of the open stores: proposals of them go too."""
        rows, gone = self._rows(), set(plan.texts)
        if rows is None:
            return
        for item in self.items((), tuple(State)):
            if item.text in gone:
                rows.remove(item.ref.key[0])

    # ---- inside

    def _save(self, seen: ReviewPreview, decision: Decision) -> Done:
        ref = seen.item.ref
        given = {**_fields(seen.item), **decision.fields}
        despite = decision.despite
        if seen.existing is None:
            kind = self._library.shelf(ref.store).info.kinds[0]
            new = NewRecord(kind, given, "crystallized", despite)
            return self._acts.add(self._library.shelf(ref.store), new)
        changed = {name: given[name] for name in ("text", "type", "tags") if given.get(name)}
        target = Target(seen.existing.ref, seen.existing.etag)
        return self._acts.edit(Edit(target, changed, despite))

    def _rows(self) -> ProposalRows | None:
        return None if self._keeper is None else self._keeper.ledger().proposals


def _params(code: str, seen: ReviewPreview) -> dict[str, object]:
    return {"ref": seen.item.ref.text} if code == "record.gone" else {}


def _texts(fields: Fields) -> tuple[str, ...]:
    return tuple(v for v in fields.values() if isinstance(v, str)) + tuple(fields.get("tags") or ())


def _fields(item: Record) -> dict[str, str | tuple[str, ...]]:
    """As they were proposed."""
    told: dict[str, str | tuple[str, ...]] = {
        "title": item.title,
        "text": item.text,
        "key": item.subject or "",
        "scope": item.scope or "",
        "type": item.type or "",
        "tags": item.tags,
    }
    return {name: value for name, value in told.items() if value}


def record_of(store: StoreId, one: Proposal) -> Record:
    """One of them as a record of its store."""

    def text(name: str) -> str:
        value = one.fields.get(name, "")
        return value if isinstance(value, str) else " ".join(value)

    tags = one.fields.get("tags", ())
    told = json.dumps([one.id, one.status, dict(one.fields), one.seen], sort_keys=True)
    return Record(
        ref=Ref(store, KIND, (one.id,)),
        etag=sha256(told.encode()).hexdigest()[:16],
        state=State(one.status),
        title=text("title") or text("key") or text("text")[:60],
        text=text("text"),
        subject=text("key") or None,
        scope=text("scope") or None,
        type=text("type") or None,
        tags=(tags,) if isinstance(tags, str) else tags,
        created_at=one.created_at,
        updated_at=one.updated_at,
        created_at_utc=one.created_at,
        updated_at_utc=one.updated_at,
        zone="utc",
        extra={
            "evidence": one.evidence,
            "source_session": one.session or None,
            "occurrences": str(one.seen),
        },
    )
