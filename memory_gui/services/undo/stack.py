# SPDX-License-Identifier: MIT
"""What was done and how it is taken back. Knows no store and no Qt.

An entry has steps (``undo.steps``). Those of a large act are packed; what of all entries is more
than 20 MB lies in the ledger (``undo.parts``), sealed with keys that are in memory only.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakSet

from memory_gui.domain.records import Ref
from memory_gui.services.undo.parts import (
    Change,
    Gathering,
    Keeps,
    NoSpill,
    Packed,
    Part,
    Spill,
    Steps,
    parts_of,
)
from memory_gui.services.undo.steps import Step, refs_of, renamed

LIMIT: Final = 200
"""Acts that can be taken back; the oldest are forgotten first."""
MOST: Final = 20_000_000
"""Bytes of packed steps that are kept in memory, of all entries together."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One act of a person. ``code`` names it (add, edit, trash, …); ``steps`` take it back."""

    code: str
    steps: Steps
    count: int

    @property
    def refs(self) -> frozenset[Ref]:
        """The records it is about."""
        return frozenset(ref for step in self.steps for ref in refs_of(step))

    @property
    def parts(self) -> tuple[Part, ...]:
        """The pieces of its steps, where they are packed."""
        return parts_of(self.steps)


class UndoStack:
    """Two stacks. Any thread may call; only what reads or drops packed steps may wait for a file.

    ``spill`` is where packed steps go that are more than ``most`` bytes (MOST).
    """

    def __init__(
        self, spill: Spill | None = None, most: int | None = None, *, large: bool = True
    ) -> None:
        """With ``large`` false acts of more than one piece cannot be taken back."""
        self._spill = spill or NoSpill()
        self._most = MOST if most is None else most
        self._large = large
        self._gathering: WeakSet[Gathering] = WeakSet()
        self._guard = threading.RLock()
        self._turns = threading.RLock()
        """Held by whoever rewrites packed steps: first this one, then the guard."""
        self._undo: list[Entry] = []
        self._redo: list[Entry] = []
        self._parts: dict[int, Part] = {}
        self._shut = False

    def gathering(self) -> Gathering:
        """Takes the steps of one act over many records, one record at a time."""
        gathering = Gathering(self._spill, self._most, large=self._large)
        with self._guard:
            self._gathering.add(gathering)
            if self._shut:
                gathering.drop()
        return gathering

    def record(self, code: str, steps: Iterable[Step], count: int) -> None:
        """Remember how to take back what was just done; what could be redone is forgotten."""
        kept = steps if isinstance(steps, Packed) else tuple(steps)
        if not kept:
            return
        with self._guard:
            if not self._shut:
                self._undo.append(Entry(code, kept, count))
                del self._undo[:-LIMIT]
                self._redo.clear()
        self._settle(kept)

    def next_undo(self) -> Entry | None:
        """What would be taken back."""
        with self._guard:
            return self._undo[-1] if self._undo else None

    def next_redo(self) -> Entry | None:
        """What would be done again."""
        with self._guard:
            return self._redo[-1] if self._redo else None

    def undone(self, entry: Entry, opposite: Steps, left: Steps = ()) -> None:
        """``entry`` was taken back but for the steps ``left``; ``opposite`` does it again."""
        self._turned(self._undo, self._redo, entry, opposite, left)

    def redone(self, entry: Entry, opposite: Steps, left: Steps = ()) -> None:
        """``entry`` was done again but for the steps ``left``; ``opposite`` takes it back."""
        self._turned(self._redo, self._undo, entry, opposite, left)

    def _turned(
        self, source: list[Entry], target: list[Entry], entry: Entry, opposite: Steps, left: Steps
    ) -> None:
        with self._guard:
            # The last one: the same act may have been done twice.
            at = next((i for i in reversed(range(len(source))) if source[i] == entry), None)
            if at is not None:
                source[at : at + 1] = [replace(entry, steps=left)] if left else []
            if opposite and not self._shut:
                target.append(replace(entry, steps=opposite))
        self._settle(opposite)

    def rename(self, old: Ref, new: Ref) -> None:
        """A record moved to the pair's other database: follow it."""
        self._rewrite(lambda step: renamed(step, old, new), _unless_about(frozenset({old})))

    def refs(self, store: object) -> list[Ref]:
        """The records of a store that any step is about.

        Raises:
            UserError: ``undo.lost``, ``store.*``: a packed step cannot be read.
        """
        with self._guard:
            entries = [*self._undo, *self._redo]
        refs = dict.fromkeys(ref for entry in entries for ref in entry.refs)
        return [ref for ref in refs if ref.store == store]

    def drop(self, refs: Iterable[Ref]) -> bool:
        """Forget every step about these records (they were erased).

        Whether any of them was in the ledger; it is on no page of it any more.
        """
        gone = frozenset(refs)
        return self._rewrite(
            lambda step: None if refs_of(step) & gone else step, _unless_about(gone)
        )

    def drop_stores(self, stores: Iterable[object]) -> None:
        """Forget every step about records of these stores (they were closed)."""
        gone = frozenset(stores)

        def keeps(part: Part) -> bool | None:
            if gone.issuperset(part.stores):
                return False
            return gone.isdisjoint(part.stores) or None

        self._rewrite(lambda step: None if step.ref.store in gone else step, keeps)

    def clear(self) -> None:
        """Forget everything."""
        self._forget()
        self._settle(())

    def shut(self) -> None:
        """Locked: forget everything, and what acts that are still ending would have kept.

        No file is waited for: with their keys the pieces in the ledger are gone, and the next one
        who opens it removes them.
        """
        with self._guard:
            self._shut = True
            self._forget()
            for part in self._parts.values():
                part.forget()
            for gathering in self._gathering:
                gathering.drop()
            self._parts.clear()
            self._spill.end()

    def reopen(self) -> None:
        """Unlocked: what is done from now on can be taken back."""
        self._shut = False

    # ---- inside

    def _forget(self) -> None:
        with self._guard:
            self._undo.clear()
            self._redo.clear()

    def _rewrite(self, change: Change, keeps: Keeps) -> bool:
        """Change every step; packed ones of those pieces that must be looked into."""
        with self._turns:
            with self._guard:
                packed = [one.steps for one in (*self._undo, *self._redo)
                          if isinstance(one.steps, Packed)]  # fmt: skip
            # Reading and writing a file takes its time: the stacks stay open to others meanwhile.
            new = {one: one.changed(change, keeps) for one in packed}
            with self._guard:
                for stack in (self._undo, self._redo):
                    stack[:] = [
                        one if one.steps is steps else replace(one, steps=steps)
                        for one in stack
                        if (steps := _changed(one.steps, change, new))
                    ]
            return self._settle(*new.values())

    def _settle(self, *added: Steps) -> bool:
        """Take what nobody needs any more out of the ledger, and put there what is too much.

        Whether anything was taken out.
        """
        with self._guard:
            held = [part for one in (*self._undo, *self._redo) for part in one.parts]
            known = {**self._parts, **{id(part): part for one in added for part in parts_of(one)}}
            self._parts = {id(part): part for part in held}
            gone = [part for name, part in known.items() if name not in self._parts]
            room, much = self._most, []
            for part in reversed(held):
                room -= part.size if part.in_memory else 0
                if room < 0 and part.in_memory:
                    much.append(part)
        for part in much:
            part.spill(self._spill)
        return self._spill.remove([number for part in gone if (number := part.forget())])


def _unless_about(refs: frozenset[Ref]) -> Keeps:
    return lambda part: None if part.may_name(refs) else True


def _changed(steps: Steps, change: Change, new: dict[Packed, Packed]) -> Steps:
    if isinstance(steps, Packed):
        return new.get(steps, steps)
    changed = tuple(one for one in map(change, steps) if one is not None)
    return steps if changed == steps else changed
