# SPDX-License-Identifier: MIT
"""Approvals that write two files, never half: written down first, finished at the next start.

Two files are the project's and the person's database; or a store and our own queue.

The memory is written first, then the state of the item. What is written down is opaque: the item's
id and the id of the memory, no text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from memory_gui.domain.changes import ChangeSet, Decision, Outcome, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State, StoreId
from memory_gui.ledger.begun import BegunAct, BegunActs
from memory_gui.services.activity.journal import Journal
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.deciding import OWN
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf

APPROVING: Final = "approving"
APPROVING_OWN: Final = "approving-own"
_BULK: Final = "approve"
_EVERYTHING: Final = frozenset({"secret", "hidden", "conflict", "personal", "foreign"})


class Halves:
    """Writes down and finishes. Any thread."""

    def __init__(
        self,
        library: Library,
        acts: Acts,
        begun: BegunActs | None,
        finish_own: Callable[[Ref], object],
        journal: Journal | None = None,
    ) -> None:
        """``finish_own`` closes an item of our own queue whose memory is saved.

        ``journal`` keeps that it was approved.
        """
        self._journal = journal
        self._library = library
        self._acts = acts
        self._begun = begun
        self._finish_own = finish_own

    @contextmanager
    def written_down(self, decision: Decision) -> Iterator[Decision]:
        """An approval into another file, with the id that its memory will have.

        Raises:
            UserError: ``acts.not_written``; ``record.gone``, ``pair.needed``.
        """
        ref = decision.target.ref
        if self._begun is not None and ref.kind == OWN and decision.verdict is Verdict.APPROVE:
            entry = self._begun.begin(str(ref.store), APPROVING_OWN, [(ref.kind, ref.key)])
            try:
                yield decision
            finally:
                self._begun.remove(entry)
            return
        there = None if ref.kind == OWN else self._elsewhere(decision)
        if self._begun is None or there is None:
            yield decision
            return
        existing = self._acts.deciding.preview(ref, decision.fields).existing
        ident = there.screen(lambda store: store.fresh_id()) if existing is None else ""
        memory = ("added", (ident,)) if existing is None else ("replaced", existing.ref.key)
        entry = self._begun.begin(str(ref.store), APPROVING, [(ref.kind, ref.key), memory])
        try:
            yield replace(decision, memory=ident)
        finally:
            self._begun.remove(entry)

    def finish(self, store: StoreId) -> int:
        """Finish what a stop left between two files; how many items. Raises nothing."""
        done = 0
        for entry in self._begun.list(str(store)) if self._begun is not None else ():
            if entry.is_held() or entry.act not in {APPROVING, APPROVING_OWN, _BULK}:
                continue
            with suppress(UserError):  # locked, lent, without its partner: at the next start
                if entry.act == APPROVING:
                    done += self._finish_one(entry, store)
                    self._forget(entry)
                elif entry.act == APPROVING_OWN:
                    kind, key = entry.records[0]
                    done += bool(self._finish_own(Ref(store, kind, key)))
                    self._forget(entry)
                else:
                    done += self._finish_several(entry, store)
        return done

    # ---- inside

    def _elsewhere(self, decision: Decision) -> Shelf | None:
        if decision.verdict is not Verdict.APPROVE:
            return None
        ref = decision.target.ref
        shelf = self._library.shelf(ref.store)
        scope = decision.fields.get("scope") or self._acts.current(ref).scope
        there = self._acts.home_of(shelf, scope if isinstance(scope, str) else None)
        return None if there is shelf else there

    def _finish_one(self, entry: BegunAct, store: StoreId) -> int:
        (kind, key), (how, memory) = entry.records
        item = self._library.record(Ref(store, kind, key))
        if item is None or item.state is not State.PENDING:
            return 0
        there = self._library.partner_of(self._library.shelf(store))
        if there is None:
            raise UserError("pair.needed", scope=item.scope or "", reason="")
        saved = self._library.record(Ref(there.id, there.info.kinds[0], memory))
        if saved is None or saved.source != "crystallized":
            return 0
        if how == "replaced" and (saved.updated_at or "") < _local(entry.started_at):
            return 0  # it was stopped before the memory was written
        # The store that the memory is in is the one of its scope, whatever the item says.
        fields = {"scope": saved.scope or ""}
        decision = Decision(
            Target(item.ref, item.etag), Verdict.APPROVE, fields, _EVERYTHING, memory=memory[0]
        )
        self._note(entry, self._acts.deciding.decide(decision, insist=True).changes, saved.ref)
        return 1

    def _finish_several(self, entry: BegunAct, store: StoreId) -> int:
        """Of an act over several: the items whose very memory is saved."""
        refs = [Ref(store, kind, key) for kind, key in entry.records[entry.done :]]
        done = 0
        for seen in self._acts.deciding.previews(refs):
            if seen.outcome is Outcome.IDENTICAL and seen.item.state is State.PENDING:
                target = Target(seen.item.ref, seen.item.etag)
                self._acts.deciding.decide(Decision(target, Verdict.APPROVE, {}, _EVERYTHING))
                done += 1
        return done

    def _note(self, entry: BegunAct, changes: ChangeSet, memory: Ref) -> None:
        """Keep that it was approved: the act that was stopped has not kept it."""
        if self._journal is not None:
            began = datetime.fromisoformat(entry.started_at)
            seconds = (datetime.now(UTC) - began).total_seconds()
            refs = tuple(dict.fromkeys((*changes.refs, memory)))
            self._journal.done(_BULK, refs, seconds=max(0.0, seconds))

    def _forget(self, entry: BegunAct) -> None:
        remove: Callable[[BegunAct], None] | None = self._begun.remove if self._begun else None
        if remove is not None:
            remove(entry)


def _local(utc: str) -> str:
    """A moment in the words of Agentao: local time, no zone, whole seconds."""
    return datetime.fromisoformat(utc).astimezone().strftime("%Y-%m-%dT%H:%M:%S")
