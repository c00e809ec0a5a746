# SPDX-License-Identifier: MIT
"""Taking back, and doing again: one entry of the undo stack at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from memory_gui.domain.changes import ChangeSet, joined
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.clashes import Choice, Clash, Clashes
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
        try:
            for number, step in enumerate(entry.steps):
                if cancel is not None and cancel.cancelled:
                    return ChangeSet()
                self._acts.check(step)
                tick("check", number + 1, len(entry.steps))
        except UserError:
            turned(entry, ())
            raise
        open_ones = [one for one in self.clashes(entry) if one.ref not in choices]
        if open_ones:
            raise UserError("undo.clash", count=len(open_ones))
        return self._take(entry, turned, choices, tick, cancel)

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
            for step in entry.steps:
                if cancel is not None and cancel.cancelled:
                    break
                for part in self._chosen(step, choices):
                    result = self._acts.take(part)
                    made.append(result.changes)
                    opposite.add(tuple(reversed(result.steps)))
                    if result.moved is not None:
                        moved.append(result.moved)
                taken += 1
                tick("turn", taken, len(entry.steps))
        finally:
            turned(entry, opposite.steps(), rest(entry.steps, taken))
            for old, new in moved:
                self._stack.rename(old, new)
        return joined(made)

    def _chosen(self, step: Step, choices: Choices) -> tuple[Step, ...]:
        chosen = choices.get(step.ref)
        return (step,) if chosen is None else self._clashes.settled(step, *chosen)
