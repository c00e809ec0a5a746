# SPDX-License-Identifier: MIT
"""Deciding what the agent proposed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from memory_gui.domain.changes import (
    Capability,
    ChangeSet,
    Decision,
    Fields,
    NewRecord,
    ReviewPreview,
    Target,
    Verdict,
    Why,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.erasure.plan import ErasePlan
from memory_gui.findings.personal import has_personal
from memory_gui.findings.secrets import has_secret, secrets_in
from memory_gui.ledger.begun import BegunActs
from memory_gui.services.activity.journal import Journal
from memory_gui.services.agent.outlook import Outlook, Outlooks
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.editing import Editing, tried
from memory_gui.services.editing.ground import Done
from memory_gui.services.library.library import Library
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.reviewing.alike import Likenesses
from memory_gui.services.reviewing.halves import Halves
from memory_gui.services.reviewing.proposals import KIND as OWN
from memory_gui.services.reviewing.proposals import Proposals
from memory_gui.services.reviewing.rejections import Rejections
from memory_gui.services.values import BulkResult

KIND = "review"


_AT_ONCE: Final = 50
"""So many previews are one piece of work; between two of them the list gets its turn."""


_SOON_S: Final = 0.03
_AROUND: Final = 40
"""So many items are fetched at once; the others when a person comes near them."""


@dataclass(frozen=True, slots=True)
class Queued:
    """The queue: all names in order, some of the items, and whether more is being read."""

    refs: tuple[Ref, ...]
    records: Mapping[Ref, Record] = field(repr=False)
    partial: bool = False


def odd_in(texts: Collection[str]) -> tuple[str, ...]:
    """Codes of what a person has to look at twice: ``secret``, ``personal``."""
    found = ["secret"] if any(map(has_secret, texts)) else []
    return (*found, "personal") if any(map(has_personal, texts)) else tuple(found)


def _texts(item: Record, fields: Fields) -> tuple[str, ...]:
    """What would be saved, as corrected."""
    own = {"text": item.text, "title": item.title, "subject": item.subject, "source": item.source}
    one = [fields.get(name, value) for name, value in own.items()]
    tags = fields.get("tags", item.tags)
    return (*(text for text in one if isinstance(text, str)), *tags)


class Review:
    """The queue. Any thread may call."""

    def __init__(
        self,
        library: Library,
        acts: Acts,
        editing: Editing,
        *,
        likenesses: Likenesses | None = None,
        begun: BegunActs | None = None,
        keeper: LedgerKeeper | None = None,
        journal: Journal | None = None,
    ) -> None:
        """``begun`` is where approvals that write two files are written down first.

        ``journal`` keeps those that were stopped and are finished at the next start.
        """
        self._library = library
        self._acts = acts
        self._editing = editing
        self._likenesses = likenesses or Likenesses(library)
        self.rejections = Rejections(library, keeper)
        self.proposals = Proposals(library, acts, keeper)
        self._outlooks = Outlooks(library)
        self._halves = Halves(library, acts, begun, self.proposals.finish, journal)
        self._reopened: list[Callable[[Sequence[Ref]], object]] = []
        self._begun = begun
        library.when_opened(self._note_stopped)
        library.when_opened(self._halves.finish)

    def items(
        self, stores: Collection[StoreId] = (), states: Collection[State] = (State.PENDING,)
    ) -> list[Record]:
        """The review items, oldest first."""
        query = Query(stores=frozenset(stores), kinds=frozenset({KIND}), states=frozenset(states))
        found = self._library.window(self._library.search(query, "created").ids)
        own = self.proposals.items(stores, states)
        return [*(record for record in found if record is not None), *own]

    def queue(
        self,
        states: Collection[State] = (State.PENDING,),
        near: Ref | None = None,
        store: StoreId | None = None,
    ) -> Queued:
        """The names of all items (of one store), oldest first, and the items around one of them.

        While a store is still being read this gives what was read so far (``partial``) and does
        not wait: the first item is there long before the last.
        """
        stores = frozenset() if store is None else frozenset({store})
        query = Query(stores=stores, kinds=frozenset({KIND}), states=frozenset(states))
        listing = self._library.search(query, "created", patience=_SOON_S)
        own = {one.ref: one for one in self.proposals.items(stores, states)}
        if listing.partial and not listing.ids:
            first = self._first(states, stores)
            return Queued((*first, *own), {**first, **own}, partial=True)
        refs = (*self._library.refs(listing.ids), *own)
        at = max(0, refs.index(near) - _AROUND // 2) if near in refs else 0
        around = refs[at : at + _AROUND]
        found = self._library.records([ref for ref in around if ref.kind != OWN])
        records = {ref: one for ref, one in found.items() if one is not None}
        return Queued(refs, {**records, **own}, listing.partial)

    def _first(self, states: Collection[State], stores: Collection[StoreId]) -> dict[Ref, Record]:
        """Some items as their tables begin: for the moment in which nothing else is known."""
        found: dict[Ref, Record] = {}
        for shelf in self._library.shelves(stores):
            if Capability.REVIEW in shelf.info.capabilities:
                batch = shelf.screen(lambda store: next(store.scan([KIND]), ()))
                some = [one for one in batch if one.state in states][:_AROUND]
                found.update((one.ref, one) for one in some)
        return found

    def preview(self, ref: Ref, fields: Fields | None = None) -> ReviewPreview:
        """What approving would do, with what it would replace and what it is like.

        ``fields`` are corrections; a corrected scope is looked up in that scope's database.
        """
        if ref.kind == OWN:
            return self._compared(self.proposals.preview(ref, fields))
        return self._compared(self._acts.deciding.preview(ref, fields))

    def outlook(self, seen: ReviewPreview) -> Outlook | None:
        """What the agent will see of it once it is approved; None where its rules are not known."""
        return self._outlooks.of(seen)

    def sight(self, record: Record) -> Outlook | None:
        """What the agent sees of a record as it is; None where its rules are not known."""
        return self._outlooks.of_record(record)

    def previews_of(
        self,
        refs: Sequence[Ref],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> list[ReviewPreview]:
        """As ``preview``, of several; those that are gone are left out."""
        found: dict[Ref, ReviewPreview] = {}
        for at in range(0, len(refs), _AT_ONCE):
            if cancel is not None:
                cancel.check()
            some = refs[at : at + _AT_ONCE]
            found.update((ref, self.preview(ref)) for ref in some if ref.kind == OWN)
            for store in dict.fromkeys(ref.store for ref in some):
                mine = [ref for ref in some if ref.store == store and ref.kind != OWN]
                for seen in self._acts.deciding.previews(mine):
                    if cancel is not None:
                        cancel.check()
                    found[seen.item.ref] = self._compared(seen)
            tick("preview", at + len(some), len(refs))
        return [found[ref] for ref in refs if ref in found]

    def _compared(self, seen: ReviewPreview) -> ReviewPreview:
        """With the records that are like it: of the stores that the agent reads together."""
        text = seen.fields.get("text") or seen.item.text
        group = {seen.item.ref.store, seen.target_store or seen.item.ref.store}
        partner = self._library.shelf(seen.item.ref.store).partner
        group |= {partner} if partner is not None else set()
        but = () if seen.existing is None else (seen.existing.ref,)
        alike = self._likenesses.of(str(text), group, but)
        warnings = dict.fromkeys((*seen.warnings, *odd_in(_texts(seen.item, seen.fields))))
        if any(one.why is Why.OPPOSITE for one in alike):
            warnings["opposite"] = None
        pending = seen.item.state is State.PENDING
        before = self.rejections.before(seen.item) if pending else None
        return replace(seen, alike=alike, warnings=tuple(warnings), rejected_at=before)

    def decide(self, decision: Decision) -> BulkResult:
        """Approve, reject or reopen one item. Undoable.

        Raises:
            UserError: ``record.changed``, ``review.*``, ``pair.needed``.
        """
        result = self.decide_all([decision])
        if result.failed:
            raise result.failed[0][1]
        return result

    def decide_all(
        self,
        decisions: Sequence[Decision],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Several, each on its own; failures are listed."""
        by_ref = {decision.target.ref: decision for decision in decisions}
        verdict = decisions[0].verdict.value if decisions else "review"

        def decide(target: Target) -> Done:
            decision = replace(by_ref[target.ref], target=target)
            self._guard(decision)
            if len(targets) > 1 and target.ref.kind != OWN:
                return self.take(decision)  # written down as one act, before the first of them
            with self._halves.written_down(decision) as known:
                return self.take(known)

        targets = [decision.target for decision in decisions]
        result = self._editing.each(verdict, targets, decide, tick, cancel)
        kept = self._remember(verdict, [one.ref for one in targets], result)
        return replace(result, remembered=kept)

    def _note_stopped(self, store: StoreId) -> None:
        """What a kill came after: rejected in a bulk act, and not yet noted as that."""
        for entry in self._begun.list(str(store)) if self._begun is not None else ():
            if entry.act == Verdict.REJECT.value and not entry.is_held():
                with suppress(UserError):
                    items = self.look_up(Ref(store, kind, key) for kind, key in entry.records)
                    gone = [one for one in items.values() if one.state is State.REJECTED]
                    self.rejections.note(gone)

    def take(self, decision: Decision) -> Done:
        """Do one decision, and how it is taken back. For the parts of the services."""
        if decision.target.ref.kind == OWN:
            return self.proposals.decide(decision)
        return self._acts.deciding.decide(decision)

    def decide_by_rule(self, decision: Decision) -> ChangeSet:
        """As ``decide``, but no act of a person: it is taken back in the list of its rule.

        Raises:
            UserError: as ``decide``.
        """
        self._guard(decision)
        with self._library.changing(), self._halves.written_down(decision) as known:
            changes = self.take(known).changes
        ref = decision.target.ref
        self._remember(decision.verdict.value, [ref], BulkResult(changes, 1))
        return changes

    def when_reopened(self, call: Callable[[Sequence[Ref]], object]) -> None:
        """Have something told which items a person opened again, in that thread."""
        self._reopened.append(call)

    def opened_again(self, refs: Sequence[Ref]) -> None:
        """These wait again because a person wants it so."""
        self.rejections.lift(self.look_up(refs).values())
        for call in self._reopened:
            call(refs)

    def look_up(self, refs: Iterable[Ref]) -> dict[Ref, Record]:
        """The items as they are now; those that are gone are left out."""
        wanted = list(refs)
        found = self._library.records([ref for ref in wanted if ref.kind != OWN])
        items = {ref: one for ref, one in found.items() if one is not None}
        for ref in (one for one in wanted if one.kind == OWN):
            with suppress(UserError):
                items[ref] = self.proposals.item(ref)
        return items

    def _remember(self, verdict: str, refs: Sequence[Ref], result: BulkResult) -> bool:
        """What was rejected stays so when it is proposed again; what was opened again does not.

        False where a rejection is not kept: there is no keychain for its mark.
        """
        failed, reached = dict(result.failed), result.done + len(result.failed)
        done = [ref for ref in refs[:reached] if ref not in failed]
        if verdict == Verdict.APPROVE.value or not done:
            return True
        if verdict == Verdict.REJECT.value:
            return self.rejections.note(self.look_up(done).values())
        self.opened_again(done)
        return True

    def would(
        self, decisions: Sequence[Decision], *, cancel: CancelToken | None = None
    ) -> BulkResult:
        """What ``decide_all`` would do, by its own checks; nothing is written."""
        by_ref = {decision.target.ref: decision for decision in decisions}
        targets = [one.target for one in by_ref.values()]

        def look(target: Target) -> None:
            self._guard(by_ref[target.ref])
            if target.ref.kind == OWN:
                self.proposals.may(by_ref[target.ref])
                return
            self._acts.deciding.may_decide(by_ref[target.ref])

        return tried(targets, look, cancel)

    def waiting(
        self,
        text: str = "",
        *,
        rejected_before: bool = False,
        store: StoreId | None = None,
        states: Collection[State] = (State.PENDING,),
    ) -> list[Ref]:
        """Those that wait and match a query of the list's language, the oldest first.

        Raises:
            UserError: ``query.*``.
        """
        stores = frozenset() if store is None else frozenset({store})
        query = Query(text, stores, frozenset({KIND}), frozenset(states))
        found = list(self._library.refs(self._library.search(query, "created").ids))
        own = self.proposals.items(stores, states)
        wanted = Query(text)
        refs = [*found, *(one.ref for one in own if wanted.matches(one))]
        if not rejected_before:
            return refs
        items = self.look_up(refs).values()
        return [one.ref for one in items if self.rejections.before(one)]

    def with_evidence(self, store: StoreId | None = None) -> tuple[Ref, ...]:
        """The decided items that still keep words of the talk which they come from."""
        decided = self.waiting(store=store, states=(State.APPROVED, State.REJECTED))
        items = self.look_up(decided)
        return tuple(ref for ref, one in items.items() if (one.extra.get("evidence") or "").strip())

    def item(self, ref: Ref) -> Record:
        """One item as it is now. Raises UserError ``record.gone``."""
        return self.proposals.item(ref) if ref.kind == OWN else self._acts.current(ref)

    def _guard(self, decision: Decision) -> None:
        """Refuse to save what a person has to look at twice, unless they insist."""
        if decision.verdict is not Verdict.APPROVE:
            return
        item = self.item(decision.target.ref)
        texts = _texts(item, decision.fields)
        if item.ref.kind == OWN and any("\\" in text for text in texts):
            # An escape in JSON can stand for any letter: what would be saved is looked at too.
            saved = self.proposals.preview(item.ref, decision.fields).fields
            texts = (*texts, *_texts(item, saved))
        found = odd_in(texts)
        if "secret" in found and "secret" not in decision.despite:
            kinds = (one.kind for text in texts for one in secrets_in(text))
            raise UserError("record.secret", kind=next(kinds))
        if "personal" in found and not {"secret", "personal"} & decision.despite:
            raise UserError("review.personal")

    def erase_with(self, plan: ErasePlan) -> None:
        """An erasure has taken texts out of the open stores: proposals and marks of them go too."""
        self.rejections.erase_with(plan)
        self.rejections.lift(self.proposals.erase_with(plan))

    def propose(self, store: StoreId, new: NewRecord) -> BulkResult:
        """Put a record in the queue instead of among the memories.

        The agent's own queue, where it has one; else ours.

        Raises:
            UserError: ``record.*``, ``propose.*``.
        """
        if Capability.REVIEW not in self._library.shelf(store).info.capabilities:
            fields = {k: v for k, v in new.fields.items() if k not in {"evidence", "session"}}
            evidence, session = (str(new.fields.get(k) or "") for k in ("evidence", "session"))
            ref = self.proposals.propose(store, fields, evidence, session, new.despite)
            return BulkResult(ChangeSet(added=(ref,)), 1)
        return self._editing.add(store, replace(new, kind=KIND))
