# SPDX-License-Identifier: MIT
"""What waits for a decision, where in it the person is, and what failed. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref


@dataclass(frozen=True, slots=True)
class Failure:
    """A decision that did not go through. It is listed once and never tried again by itself."""

    ref: Ref
    title: str
    error: UserError


class ReviewQueue:
    """Pending items in order, with a place in them that survives decisions and refreshes.

    All are known by name; those around the place are there themselves.
    """

    def __init__(self) -> None:
        self._refs: list[Ref] = []
        self._records: dict[Ref, Record] = {}
        self._at = 0
        self._failures: dict[Ref, Failure] = {}
        self._skipped: list[Ref] = []
        self._places: list[tuple[Ref, int]] = []

    def load(
        self, refs: Sequence[Ref], records: Mapping[Ref, Record], start: Ref | None = None
    ) -> None:
        """Take the items anew; stay on the same one, or where it was when it is gone."""
        here = start or self.ref
        last = {ref: at for at, ref in enumerate(self._skipped)}
        self._refs = sorted(refs, key=lambda ref: last.get(ref, -1))
        self._records = dict(records)
        places = {ref: at for at, ref in enumerate(self._refs)}
        self._at = places.get(here, self._at) if here is not None else 0
        self._at = max(0, min(self._at, len(self._refs) - 1))
        self._failures = {ref: fail for ref, fail in self._failures.items() if ref in places}

    @property
    def current(self) -> Record | None:
        """The item on screen; None when nothing waits, or it is not fetched yet."""
        return self._records.get(self._refs[self._at]) if self._refs else None

    @property
    def ref(self) -> Ref | None:
        """Its name."""
        return self._refs[self._at] if self._refs else None

    @property
    def place(self) -> tuple[int, int]:
        """(3, 9): the third of nine; (0, 0) when nothing waits."""
        return (self._at + 1, len(self._refs)) if self._refs else (0, 0)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """What did not go through, oldest first."""
        return tuple(self._failures.values())

    def move(self, by: int) -> bool:
        """Forward or back, not around the ends; whether it moved."""
        wanted = self._at + by
        if not 0 <= wanted < len(self._refs):
            return False
        self._at = wanted
        return True

    def skip(self) -> bool:
        """The one on screen goes to the end; whether another one took its place."""
        if len(self._refs) < 2:
            return False
        ref = self._refs.pop(self._at)
        self._places.append((ref, self._at))
        self._refs.append(ref)
        self._skipped = [one for one in self._skipped if one != ref] + [ref]
        if self._at == len(self._refs) - 1:
            self._at = 0
        return True

    @property
    def has_skipped(self) -> bool:
        """Whether a skip can be taken back."""
        return bool(self._places)

    def unskip(self) -> bool:
        """The one that was skipped last comes back to where it stood; whether there was one."""
        while self._places:
            ref, at = self._places.pop()
            if ref in self._refs:
                self._refs.remove(ref)
                self._at = min(at, len(self._refs))
                self._refs.insert(self._at, ref)
                self._skipped = [one for one in self._skipped if one != ref]
                return True
        return False

    def decided(self, ref: Ref) -> None:
        """One is done: it leaves, and the next one takes its place."""
        self._refs = [one for one in self._refs if one != ref]
        self._records.pop(ref, None)
        self._failures.pop(ref, None)
        self._at = max(0, min(self._at, len(self._refs) - 1))

    def failed(self, ref: Ref, error: UserError) -> None:
        """One stays, with its cause; the view goes on to the next."""
        known = self._records.get(ref)
        self._failures[ref] = Failure(ref, known.title if known else "", error)
        if self.ref == ref:
            self.move(1)

    def clear(self) -> None:
        """Forget everything."""
        self._refs, self._at, self._failures, self._skipped = [], 0, {}, []
        self._places = []
        self._records = {}
