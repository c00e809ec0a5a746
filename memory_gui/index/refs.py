# SPDX-License-Identifier: MIT
"""Which record an ordinal is, and which ordinal a record has, without an object for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from memory_gui.domain.records import EMPTY_PART, Ref, StoreId

Hashes = npt.NDArray[np.int64]

_ARRAYS: Final = ("_starts", "_lengths", "_hashes", "_kinds", "_befores")
_PIECE: Final = 65_536
"""So many are put into a larger table together."""
_KIND: Final = 56
"""At this bit of a hash the kind is mixed in."""


class Refs:
    """Kinds and keys by ordinal. Keys lie one after another in one piece of memory.

    Ordinals are found by a hash table of arrays, so that a whole batch is looked up or put there in
    a few calls: a hash has a place, the place has one of the ordinals whose hashes have it, and
    each has another (``_befores``) until there is none. Ordinals count from 1 there; 0 is none.
    """

    def __init__(self) -> None:
        self._text = bytearray()
        self._starts = np.zeros(256, np.uint64)
        self._lengths = np.zeros(256, np.uint32)
        self._hashes = np.zeros(256, np.int64)
        self._kinds = np.zeros(256, np.uint8)
        self._befores = np.zeros(256, np.uint32)
        self._lasts = np.zeros(256, np.uint32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(
        self, kinds: Sequence[int] | int, ids: Sequence[bytes], hashes: Hashes | None = None
    ) -> None:
        """Give records the next ordinals; each of them is new.

        ``kinds`` are numbers of the caller's, not 0; ``ids`` are as ``raw_id``; ``hashes`` are
        what ``unknown`` gave.
        """
        first, number = self._count, len(ids)
        self.expect(first + number)
        lengths = np.fromiter(map(len, ids), np.uint32, number)
        ends = np.cumsum(lengths, dtype=np.uint64)
        at = slice(first, first + number)
        self._starts[at] = ends - lengths + len(self._text)
        self._lengths[at] = lengths
        self._text += b"".join(ids)
        self._kinds[at] = kinds
        self._hashes[at] = _hashes(np.array(kinds, np.int64), ids) if hashes is None else hashes
        self._count += number
        self._enter(first, self._count)

    def expect(self, number: int) -> None:
        """Have room for so many, taken at once: what grows is copied, again and again."""
        have = len(self._starts)
        if number > have:
            more = max(number, 2 * have) - have
            for name in _ARRAYS:
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.zeros(more, old.dtype)]))
        if number > len(self._lasts):
            self._enter_all(number)

    def _enter_all(self, room: int) -> None:
        """Have all ordinals found in a new table with room for so many."""
        self._lasts = np.zeros(_places_for(room), np.uint32)
        for first in range(0, self._count, _PIECE):
            self._enter(first, min(first + _PIECE, self._count))

    def _enter(self, first: int, after: int) -> None:
        """Have ordinals found by their hashes."""
        left = np.arange(first + 1, after + 1, dtype=np.uint32)
        places = self._places(self._hashes[first:after])
        while len(left):
            before = self._lasts[places]
            self._lasts[places] = left  # of those with one place one stays, and has come in
            self._befores[left - 1] = before
            other = self._lasts[places] != left
            left, places = left[other], places[other]

    def _places(self, hashes: Hashes) -> Hashes:
        mixed = hashes ^ hashes >> _KIND  # the kind is in the highest bits only
        return mixed & (len(self._lasts) - 1)

    def _known(self, hashes: Hashes) -> npt.NDArray[np.bool_]:
        """Which of some hashes a record has or had."""
        found = np.zeros(len(hashes), np.bool_)
        ordinals = self._lasts[self._places(hashes)]
        left = ordinals.nonzero()[0]
        while len(left):
            some = ordinals[left] - 1
            found[left] |= self._hashes[some] == hashes[left]
            ordinals[left] = self._befores[some]
            left = left[(ordinals[left] != 0) & ~found[left]]
        return found

    def unknown(self, kind: int, ids: Sequence[bytes]) -> Hashes | None:
        """The hashes of keys of which none is there, and each is another.

        None where that is not certain.
        """
        hashes = _hashes(np.int64(kind), ids)
        ascending = np.sort(hashes)
        if (ascending[1:] == ascending[:-1]).any() or self._known(hashes).any():
            return None
        return hashes

    def maybe_known(self, kind: int, ids: Sequence[bytes]) -> list[int]:
        """The places of keys that may be there; the others certainly are not."""
        places: list[int] = np.flatnonzero(self._known(_hashes(np.int64(kind), ids))).tolist()
        return places

    def fit(self) -> None:
        """Give back what was taken for more records than there are."""
        for name in _ARRAYS:
            setattr(self, name, getattr(self, name)[: self._count].copy())
        if len(self._lasts) > _places_for(self._count):
            self._enter_all(self._count)

    def find(self, kind: int, ref: Ref) -> int | None:
        """The ordinal of a record; None when it has none or lost it."""
        raw = raw_id(ref)
        hashes = _hashes(np.int64(kind), [raw])
        place = int(self._lasts[self._places(hashes)[0]])
        while place:
            if self._hashes[place - 1] == hashes[0] and self._is(place - 1, kind, raw):
                return place - 1
            place = int(self._befores[place - 1])
        return None

    def _is(self, ordinal: int, kind: int, raw: bytes) -> bool:
        return self._kinds[ordinal] == kind and self._raw_of(ordinal) == raw

    def _raw_of(self, ordinal: int) -> bytes:
        start = int(self._starts[ordinal])
        return bytes(self._text[start : start + int(self._lengths[ordinal])])

    @property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The kind of each ordinal; 0 for one that is gone."""
        return self._kinds[: self._count]

    def kind(self, ordinal: int) -> int:
        """The kind of an ordinal; 0 when it is gone or was never given."""
        return int(self._kinds[ordinal]) if 0 <= ordinal < self._count else 0

    def ref(self, store: StoreId, kind: str, ordinal: int) -> Ref:
        """The name of a record that is not gone."""
        parts = self._raw_of(ordinal).decode("utf-8", "surrogatepass").split("/")
        return Ref(store, kind, tuple("" if one == EMPTY_PART else _plain(one) for one in parts))

    def drop(self, ordinal: int) -> None:
        """Forget a record: its key is overwritten, its ordinal is given to no other."""
        start, length = int(self._starts[ordinal]), int(self._lengths[ordinal])
        self._text[start : start + length] = bytes(length)
        self._kinds[ordinal] = 0

    def clear(self) -> None:
        """Forget every record."""
        self._text[:] = bytes(len(self._text))
        self.__init__()  # type: ignore[misc]  # the same object, as new


def _hashes(kinds: npt.NDArray[np.int64] | np.int64, ids: Sequence[bytes]) -> npt.NDArray[np.int64]:
    found: npt.NDArray[np.int64] = np.fromiter(map(hash, ids), np.int64, len(ids)) ^ kinds << _KIND
    return found


def _places_for(number: int) -> int:
    """A power of 2."""
    return 1 << max(8, (number - 1).bit_length())


def raw_id(ref: Ref) -> bytes:
    """``Ref.id`` in UTF-8."""
    return ref.id.encode("utf-8", "surrogatepass")


def _plain(part: str) -> str:
    return unquote(part) if "%" in part else part
