# SPDX-License-Identifier: MIT
"""Changing records, with undo."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Final

from memory_gui.domain.changes import (
    ChangeSet,
    Decision,
    Edit,
    Fields,
    KeyHolder,
    NewRecord,
    Target,
    Verdict,
    joined,
)
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken, Tick, let_go, no_tick
from memory_gui.ledger.begun import BegunActs
from memory_gui.services.activity.journal import Journal
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.chunks import Asked, Outcome, retag, retagged, set_trash
from memory_gui.services.editing.clashes import AT_ONCE, REVIEW, Choice, Clash, Clashes, Way
from memory_gui.services.editing.ground import Done
from memory_gui.services.editing.stopped import (
    UNAPPROVE,
    Following,
    StoppedAct,
    forget_stopped,
    stopped_acts,
)
from memory_gui.services.editing.turning import Choices, Turning
from memory_gui.services.library.library import Library
from memory_gui.services.undo.stack import UndoStack
from memory_gui.services.values import BulkResult

_TOLD: Final = 500
"""So many records are looked up between two ticks."""
_VERDICTS: Final = frozenset(str(verdict.value) for verdict in Verdict)

_Came = tuple[Ref, Outcome]
_Way = Callable[[Sequence[Target], Callable[[], object]], Iterator[_Came]]
"""How the records are come to; the second one is called after each."""


def tried(
    targets: Iterable[Target], look: Callable[[Target], None], cancel: CancelToken | None
) -> BulkResult:
    """How an act would end for each record, when ``look`` raises what the act would."""
    failed: list[tuple[Ref, UserError]] = []
    done = 0
    for target in targets:
        if cancel is not None:
            cancel.check()
        try:
            look(target)
        except UserError as error:
            failed.append((target.ref, error))
        else:
            done += 1
    return BulkResult(done=done, failed=tuple(failed))


class Editing:
    """Adds, edits, trashes, restores, deletes; each record whole or not at all. Any thread.

    Where a Ref is given the etag is that of the record as the app last read it; a Target names
    its own. ``add`` and ``edit`` raise their failure; an act over several records lists failures.
    """

    def __init__(
        self,
        library: Library,
        acts: Acts,
        stack: UndoStack,
        begun: BegunActs | None = None,
        journal: Journal | None = None,
    ) -> None:
        """``begun`` is where acts over several records are written down first.

        ``journal`` keeps what was done.
        """
        self._begun = begun
        self._journal = journal
        self._library = library
        self._acts = acts
        self._stack = stack
        self._clashes = Clashes(library, acts)
        self._turning = Turning(acts, self._clashes, stack)
        self._taken_back: list[Callable[[ChangeSet], object]] = []
        library.when_closed(stack.drop_stores)

    def when_taken_back(self, call: Callable[[ChangeSet], object]) -> None:
        """Have something told what an undo has changed, in the thread that took it back."""
        self._taken_back.append(call)

    def add(self, store: StoreId, new: NewRecord, *, instead: Target | None = None) -> BulkResult:
        """Add a record, in the database of the pair that its scope belongs to.

        ``instead`` is the record that has its key, and goes to the trash for it.

        Raises:
            UserError: ``record.*``, ``pair.needed``.
        """
        with self._library.changing():
            return self.one_done("add", self._acts.add(self._library.shelf(store), new, instead))

    def edit(self, edit: Edit, *, instead: Target | None = None) -> BulkResult:
        """Change fields. A new scope moves the record to the pair's other database.

        ``instead`` is the record that has its new key, and goes to the trash for it.

        Raises:
            UserError: ``record.changed``, ``record.gone``, ``record.*``, ``pair.needed`` when the
                other database is not open.
        """
        with self._library.changing():
            return self.one_done("edit", self._acts.edit(edit, instead))

    def trash(
        self,
        records: Sequence[Ref | Target],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Out of the agent's sight."""
        return self._together(
            "trash", records, ("trash", partial(set_trash, trash=True)), tick, cancel
        )

    def restore(
        self,
        records: Sequence[Ref | Target],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Back into the agent's sight."""
        return self._together(
            "restore", records, ("restore", partial(set_trash, trash=False)), tick, cancel
        )

    def delete(
        self,
        records: Sequence[Ref | Target],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Take the rows out; bytes may remain in the file.

        A live record of an agent that has a trash goes there first: ``record.trash_first``.
        """
        return self.each("delete", records, self._acts.delete_trashed, tick, cancel)

    def tag(
        self,
        records: Sequence[Ref | Target],
        *,
        add: Collection[str] = (),
        remove: Collection[str] = (),
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """Add and remove tags."""
        act = partial(retag, add=add, remove=remove)
        return self._together("tag", records, ("edit", act), tick, cancel)

    def would(
        self,
        act: str,
        records: Sequence[Ref | Target],
        *,
        add: Collection[str] = (),
        remove: Collection[str] = (),
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """What trash, restore, delete or tag would do, by their own checks; nothing is written.

        Each record is looked at as it is now, not as the records before it would leave it.
        """

        def look(target: Target) -> None:
            if act != "tag":
                self._acts.may(act, target)
                return
            record = self._acts.current(target.ref)
            self._acts.may("edit", target, {"tags": retagged(record, add, remove)})

        targets = self._targets(tuple(dict.fromkeys(records)), no_tick, cancel)
        return tried(targets, look, cancel)

    def each(
        self,
        code: str,
        records: Sequence[Ref | Target],
        act: Callable[[Target], Done],
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkResult:
        """One act over several records, as one entry of the undo stack."""

        def way(targets: Sequence[Target], told: Callable[[], object]) -> Iterator[_Came]:
            for target in targets:
                if cancel is not None and cancel.cancelled:
                    return
                try:
                    result: Outcome = act(target)
                except UserError as error:
                    result = error
                yield target.ref, result
                told()

        with self._library.changing():
            return self._each(code, records, way, tick, cancel)

    def _together(
        self,
        code: str,
        records: Sequence[Ref | Target],
        asked: tuple[str, Asked],
        tick: Tick,
        cancel: CancelToken | None,
    ) -> BulkResult:
        """As ``each``, many records of a store in one transaction."""

        def way(targets: Sequence[Target], told: Callable[[], object]) -> Iterator[_Came]:
            for at in range(0, len(targets), AT_ONCE):
                some = targets[at : at + AT_ONCE]
                for store in dict.fromkeys(target.ref.store for target in some):
                    if cancel is not None and cancel.cancelled:
                        return
                    mine = [target for target in some if target.ref.store == store]
                    yield from self._acts.do_together(store, mine, asked, cancel, told)

        with self._library.changing():
            return self._each(code, records, way, tick, cancel)

    def _each(
        self,
        code: str,
        records: Sequence[Ref | Target],
        way: _Way,
        tick: Tick,
        cancel: CancelToken | None,
    ) -> BulkResult:
        try:
            targets = self._targets(tuple(dict.fromkeys(records)), tick, cancel)
            following = Following(self._begun, code, [one.ref for one in targets], cancel)
        except Cancelled:
            return BulkResult(stopped=True)
        began = time.monotonic()
        made: list[ChangeSet] = []
        steps = self._stack.gathering()
        failed: list[tuple[Ref, UserError]] = []
        done, numbers = 0, count(1)
        try:
            with following:
                for ref, result in way(targets, lambda: tick(code, next(numbers), len(targets))):
                    if isinstance(result, UserError):
                        failed.append((ref, result))
                    else:
                        done += 1
                        made.append(result.changes)
                        steps.add(result.steps)
                        self._follow(result)
                    following.reached(ref)
            following.end()
        finally:  # whatever ends it: what was done can be taken back
            changes = joined(made)
            self._stack.record(code, steps.steps(), done)
            self._keep(code, changes, time.monotonic() - began)
        ended = BulkResult(changes, done, tuple(failed), done + len(failed) < len(targets))
        let_go(targets)
        let_go(made)
        return ended

    def _targets(
        self, records: Sequence[Ref | Target], tick: Tick, cancel: CancelToken | None
    ) -> list[Target]:
        """The records with their etags. Raises Cancelled."""
        targets: list[Target] = []
        for at in range(0, len(records), _TOLD):
            if cancel is not None:
                cancel.check()
            targets += self._acts.targets(records[at : at + _TOLD])
            if len(targets) % _TOLD == 0:
                tick("prepare", len(targets), len(records))
        return targets

    def stopped(self, store: StoreId, acts: Collection[str] = ()) -> tuple[StoppedAct, ...]:
        """The acts over several records of a store that a kill stopped in their middle."""

        def look(act: str, ref: Ref) -> UserError | None:
            try:
                if act in _VERDICTS or act == UNAPPROVE:
                    insist = frozenset({"secret", "hidden", "conflict", "foreign"})
                    verdict = Verdict.REOPEN if act == UNAPPROVE else Verdict(act)
                    self._acts.deciding.may_decide(Decision(Target(ref), verdict, {}, insist))
                else:
                    self._acts.may(act, Target(ref), despite=frozenset({"foreign"}))
            except UserError as error:
                return error
            return None

        return stopped_acts(self._begun, store, look, acts)

    def forget_stopped(self, store: StoreId, stopped: StoppedAct) -> None:
        """Tell of a stopped act no more: it was taken back, or is left as it is."""
        forget_stopped(self._begun, store, stopped)

    def one_done(self, code: str, result: Done) -> BulkResult:
        """Remember an act over one record: how it is taken back, and that it was done."""
        self._follow(result)
        self._stack.record(code, result.steps, 1)
        self._keep(code, result.changes)
        return BulkResult(result.changes, 1)

    def _keep(self, code: str, changes: ChangeSet, seconds: float = 0.0) -> ChangeSet:
        """Write down that it was done."""
        refs = tuple(dict.fromkeys(changes.refs))
        if self._journal is not None and refs:
            self._journal.done(code, refs, seconds=seconds)
        return changes

    def _follow(self, result: Done) -> None:
        if result.moved is not None:
            self._stack.rename(*result.moved)

    # ---- keys that another record has now

    def clashes(self, refs: Iterable[Ref]) -> tuple[Clash, ...]:
        """Of records in the trash, or decided proposals: those whose key another one has now."""
        return self._clashes.of_all(tuple(map(self._clashes.step_for, refs)))

    def settle(self, chosen: Sequence[tuple[Clash, Choice]]) -> BulkResult:
        """Restore, or reopen, in the ways that were chosen; one entry of the undo stack.

        Each is one transaction, or (an approved proposal) two of which the first makes room.
        Failures are listed: ``clash.changed`` where the other record is another one now.
        """
        choices = {clash.ref: (clash, choice) for clash, choice in chosen}
        targets = [Target(ref) for ref, (_, one) in choices.items() if one.way is not Way.LEAVE]

        def act(target: Target) -> Done:
            step = self._clashes.step_for(target.ref)
            done = Done(ChangeSet())
            for part in self._clashes.settled(step, *choices[target.ref]):
                result = self._acts.take(part)
                done = Done(done.changes | result.changes, (*result.steps, *done.steps))
            return done

        code = "reopen" if any(one.ref.kind == REVIEW for one in targets) else "restore"
        return self.each(code, targets, act)

    def key_holder(
        self, store: StoreId, fields: Fields, but: Ref | None = None, kind: str = "memory"
    ) -> KeyHolder | None:
        """Which live record has the key that these values give, in the database of their scope.

        Raises:
            UserError: ``pair.needed``.
        """
        shelf = self._library.shelf(store)
        scope = fields.get("scope")
        there = self._acts.home_of(shelf, scope if isinstance(scope, str) else None)
        return there.screen(lambda opened: opened.key_holder(kind, fields, but))

    # ---- undo

    def undo(
        self,
        choices: Choices | None = None,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> ChangeSet:
        """Take the last act back by a new edit. Stopped in its middle, the rest can be later.

        Raises:
            UserError: ``undo.nothing``; ``undo.changed`` when a record was changed since: then
                nothing is written and that act can no longer be taken back; ``undo.clash`` when
                the key of one lives again: ``undo_clashes`` has what ``choices`` may be made of.
        """
        with self._library.changing():
            stack, began = self._stack, time.monotonic()
            changes = self._turning.turn(
                stack.next_undo(), stack.undone, choices or {}, tick=tick, cancel=cancel
            )
            for call in self._taken_back:
                call(changes)
            return self._keep("undo", changes, time.monotonic() - began)

    def redo(
        self,
        choices: Choices | None = None,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> ChangeSet:
        """Do again what was taken back. Raises as ``undo``."""
        with self._library.changing():
            stack, began = self._stack, time.monotonic()
            changes = self._turning.turn(
                stack.next_redo(), stack.redone, choices or {}, tick=tick, cancel=cancel
            )
            return self._keep("redo", changes, time.monotonic() - began)

    def undo_clashes(self) -> tuple[Clash, ...]:
        """The records that ``undo`` would bring back and whose key another one has now."""
        return self._turning.clashes(self._stack.next_undo())

    def redo_clashes(self) -> tuple[Clash, ...]:
        """As ``undo_clashes``, for ``redo``."""
        return self._turning.clashes(self._stack.next_redo())

    def undo_text(self) -> tuple[str, int] | None:
        """What ``undo`` would take back: a code (add, edit, trash, …) and how many records."""
        entry = self._stack.next_undo()
        return None if entry is None else (entry.code, entry.count)

    def redo_text(self) -> tuple[str, int] | None:
        """What ``redo`` would do again."""
        entry = self._stack.next_redo()
        return None if entry is None else (entry.code, entry.count)

    def check_field(self, store: StoreId, kind: str, name: str, value: str) -> None:
        """Raise what speaks against a value while it is typed (fields of ``Kind.checked``)."""
        self._library.shelf(store).screen(lambda opened: opened.check_field(kind, name, value))

    def classify(self, store: StoreId, fields: Fields) -> Fields:
        """The fields as the agent would save them (scope, type, key, title), for a live preview.

        Raises:
            UserError: what ``add`` would refuse.
        """
        shelf = self._library.shelf(store)
        return shelf.screen(lambda opened: opened.classify(fields))
