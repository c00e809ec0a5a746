# SPDX-License-Identifier: MIT
"""Taking back, and doing again: one entry of the undo stack at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, groupby
from typing import Protocol

from memory_gui.domain.changes import ChangeSet, joined
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken, Tick, let_go, no_tick
from memory_gui.services.editing.acts import Acts, SmallStep, is_small
from memory_gui.services.editing.clashes import Choice, Clash, Clashes, pieces
from memory_gui.services.editing.ground import Done
from memory_gui.services.undo.parts import Steps, rest
from memory_gui.services.undo.stack import Entry, UndoStack
from memory_gui.services.undo.steps import Step

Choices = Mapping[Ref, tuple[Clash, Choice]]
"""What a person chose for the records whose key another one has."""


class Turned(Protocol):
    """What the stack is told afterwards."""

    def __call__(self, entry: Entry, opposite: Steps, left: Steps = ()) -> None:
        """``opposite`` takes back what was done of ``entry``; ``left`` was not done."""


class Turning:
    """Takes an entry's steps. Any thread may call; one at a time."""

    def __init__(self, acts: Acts, clashes: Clashes, stack: UndoStack) -> None:
        self._acts = acts
        self._clashes = clashes
        self._stack = stack

    def clashes(self, entry: Entry | None) -> tuple[Clash, ...]:
        """The clashes that an entry would meet now."""
        return () if entry is None else self._clashes.of_all(entry.steps)

    def turn(
        self,
        entry: Entry | None,
        turned: Turned,
        choices: Choices,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> ChangeSet:
        """Do an entry's steps; of one that fails or is stopped in its middle the rest stays.

        Raises:
            UserError: ``undo.nothing``; ``undo.changed``, then the entry is dropped;
                ``undo.lost`` when its steps cannot be read any more, then too; ``undo.clash`` when
                a key is another record's now and no choice was made of it: nothing is written, and
                the entry stays.
        """
        if entry is None:
            raise UserError("undo.nothing")
        met = self._checked(entry, turned, tick, cancel)
        if met is None:
            return ChangeSet()
        open_ones = [one for one in met if one.ref not in choices]
        if open_ones:
            raise UserError("undo.clash", count=len(open_ones))
        return self._take(entry, turned, choices, tick, cancel)

    def _checked(
        self, entry: Entry, turned: Turned, tick: Tick, cancel: CancelToken | None
    ) -> tuple[Clash, ...] | None:
        """The clashes that it meets, of which all is as expected; None when it was cancelled."""
        found: list[Clash] = []
        seen = 0
        some: tuple[Step, ...]
        looking = pieces(entry.steps)
        while True:
            if cancel is not None and cancel.cancelled:
                return None
            try:
                some = next(looking, ())
                self._acts.check(some)
            except UserError:
                turned(entry, ())
                raise
            if not some:
                return self._clashes.but_among(found, entry.steps)
            found += self._clashes.met(some)
            seen += len(some)
            tick("check", seen, len(entry.steps))

    def _take(
        self,
        entry: Entry,
        turned: Turned,
        choices: Choices,
        tick: Tick,
        cancel: CancelToken | None,
    ) -> ChangeSet:
        made: list[ChangeSet] = []
        opposite = self._stack.gathering()
        moved: list[tuple[Ref, Ref]] = []
        taken = 0
        try:
            for result, steps in self._results(entry.steps, choices, tick, cancel):
                taken += steps
                if result is None:
                    continue
                made.append(result.changes)
                opposite.add(tuple(reversed(result.steps)))
                if result.moved is not None:
                    moved.append(result.moved)
        finally:
            turned(entry, opposite.steps(), rest(entry.steps, taken))
            for old, new in moved:
                self._stack.rename(old, new)
        changes = joined(made)
        let_go(made)
        return changes

    def _results(
        self, steps: Steps, choices: Choices, tick: Tick, cancel: CancelToken | None
    ) -> Iterator[tuple[Done | None, int]]:
        """What was done, in its order, and how many steps came to their end by it.

        Raises:
            UserError: what the first one raises that fails.
        """
        told, total = count(1), len(steps)

        def tell() -> None:
            tick("turn", next(told), total)

        def place(step: Step) -> tuple[StoreId, bool]:
            return step.ref.store, step.ref not in choices and is_small(step)

        for some in pieces(steps):
            for (store, small), run in groupby(some, place):
                alike = tuple(run)
                if small:
                    yield from self._together(store, [*filter(is_small, alike)], tell, cancel)
                    continue
                for step in alike:
                    if cancel is not None and cancel.cancelled:
                        return
                    for part in self._chosen(step, choices):
                        yield self._acts.take(part), 0
                    yield None, 1
                    tell()

    def _together(
        self,
        store: StoreId,
        steps: Sequence[SmallStep],
        tell: Callable[[], object],
        cancel: CancelToken | None,
    ) -> Iterator[tuple[Done, int]]:
        for results in self._acts.take_together(store, steps, cancel, tell):
            for result in results:
                if isinstance(result, UserError):
                    raise result
                yield result, 1

    def _chosen(self, step: Step, choices: Choices) -> tuple[Step, ...]:
        chosen = choices.get(step.ref)
        return (step,) if chosen is None else self._clashes.settled(step, *chosen)
