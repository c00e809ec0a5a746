# SPDX-License-Identifier: MIT
"""What was done and how it is taken back. Knows no store and no Qt; in memory only.

An entry is a list of steps. Each step names what it expects to find, what it then does, and gives
its own opposite, so redo is undo of the undo. Undo never writes old bytes back: it is a new edit.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from memory_gui.domain.changes import Snapshot, Verdict
from memory_gui.domain.records import Ref, State

Values = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SetFields:
    """Give a record other field values; ``expected`` are the ones it must have now."""

    ref: Ref
    expected: Values = field(repr=False)
    fields: Values = field(repr=False)


@dataclass(frozen=True, slots=True)
class SetTrash:
    """Trash a live record, or restore one from the trash."""

    ref: Ref
    trash: bool


@dataclass(frozen=True, slots=True)
class TakeOut:
    """Delete a record that was added; ``expected`` are the values it must still have."""

    ref: Ref
    expected: Values = field(repr=False)


@dataclass(frozen=True, slots=True)
class PutBack:
    """Put deleted rows back as they were.

    ``live`` are the values of a record that was live, ``key`` is another key for it.
    """

    ref: Ref
    snapshot: Snapshot = field(repr=False)
    live: Values = field(repr=False, default_factory=dict)
    key: str = field(repr=False, default="")


@dataclass(frozen=True, slots=True)
class Redecide:
    """Give a review item another verdict; ``expected`` is the state it must be in now."""

    ref: Ref
    expected: State
    verdict: Verdict
    fields: Values = field(repr=False, default_factory=dict)


OneStep = SetFields | SetTrash | TakeOut | PutBack | Redecide


@dataclass(frozen=True, slots=True)
class Together:
    """Steps of one store that are one transaction; ``ref`` is the record that it is done for."""

    ref: Ref
    steps: tuple[OneStep, ...]


Step = OneStep | Together


def refs_of(step: Step) -> frozenset[Ref]:
    """The records that a step is about."""
    if isinstance(step, Together):
        return frozenset(one.ref for one in step.steps)
    return frozenset({step.ref})


@dataclass(frozen=True, slots=True)
class Entry:
    """One act of a person. ``code`` names it (add, edit, trash, …); ``steps`` take it back."""

    code: str
    steps: tuple[Step, ...]
    count: int

    @property
    def refs(self) -> frozenset[Ref]:
        """The records it is about."""
        return frozenset(ref for step in self.steps for ref in refs_of(step))


LIMIT = 200
"""Acts that can be taken back; the oldest are forgotten first."""


class UndoStack:
    """Two stacks. Any thread may call."""

    def __init__(self) -> None:
        self._guard = threading.RLock()
        self._undo: list[Entry] = []
        self._redo: list[Entry] = []
        self._shut = False

    def record(self, code: str, steps: Iterable[Step], count: int) -> None:
        """Remember how to take back what was just done; what could be redone is forgotten."""
        entry = Entry(code, tuple(steps), count)
        if not entry.steps:
            return
        with self._guard:
            if self._shut:
                return
            self._undo.append(entry)
            del self._undo[:-LIMIT]
            self._redo.clear()

    def next_undo(self) -> Entry | None:
        """What would be taken back."""
        with self._guard:
            return self._undo[-1] if self._undo else None

    def next_redo(self) -> Entry | None:
        """What would be done again."""
        with self._guard:
            return self._redo[-1] if self._redo else None

    def undone(self, entry: Entry, opposite: tuple[Step, ...], left: tuple[Step, ...] = ()) -> None:
        """``entry`` was taken back but for the steps ``left``; ``opposite`` does it again."""
        self._turned(self._undo, self._redo, entry, opposite, left)

    def redone(self, entry: Entry, opposite: tuple[Step, ...], left: tuple[Step, ...] = ()) -> None:
        """``entry`` was done again but for the steps ``left``; ``opposite`` takes it back."""
        self._turned(self._redo, self._undo, entry, opposite, left)

    def _turned(
        self,
        source: list[Entry],
        target: list[Entry],
        entry: Entry,
        opposite: tuple[Step, ...],
        left: tuple[Step, ...],
    ) -> None:
        with self._guard:
            # The last one: the same act may have been done twice.
            at = next((i for i in reversed(range(len(source))) if source[i] == entry), None)
            if at is not None:
                source[at : at + 1] = [replace(entry, steps=left)] if left else []
            if opposite and not self._shut:
                target.append(replace(entry, steps=opposite))

    def rename(self, old: Ref, new: Ref) -> None:
        """A record moved to the pair's other database: follow it."""
        self._rewrite(lambda step: _renamed(step, old, new))

    def refs(self, store: object) -> list[Ref]:
        """The records of a store that any step is about."""
        with self._guard:
            entries = [*self._undo, *self._redo]
        refs = dict.fromkeys(ref for entry in entries for ref in entry.refs)
        return [ref for ref in refs if ref.store == store]

    def drop(self, refs: Iterable[Ref]) -> None:
        """Forget every step about these records (they were erased)."""
        gone = frozenset(refs)
        self._rewrite(lambda step: None if refs_of(step) & gone else step)

    def drop_stores(self, stores: Iterable[object]) -> None:
        """Forget every step about records of these stores (they were closed)."""
        gone = frozenset(stores)
        self._rewrite(lambda step: None if step.ref.store in gone else step)

    def clear(self) -> None:
        """Forget everything."""
        with self._guard:
            self._undo.clear()
            self._redo.clear()

    def shut(self) -> None:
        """Locked: forget everything, and what acts that are still ending would have kept."""
        with self._guard:
            self._shut = True
            self.clear()

    def reopen(self) -> None:
        """Unlocked: what is done from now on can be taken back."""
        self._shut = False

    def _rewrite(self, change: Callable[[Step], Step | None]) -> None:
        with self._guard:
            for stack in (self._undo, self._redo):
                kept = []
                for entry in stack:
                    steps = tuple(s for s in map(change, entry.steps) if s is not None)
                    if steps:
                        kept.append(replace(entry, steps=steps))
                stack[:] = kept


def _renamed(step: Step, old: Ref, new: Ref) -> Step:
    if not isinstance(step, Together):
        return replace(step, ref=new) if step.ref == old else step
    steps = tuple(replace(one, ref=new) if one.ref == old else one for one in step.steps)
    return Together(new if step.ref == old else step.ref, steps)
