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

_ARRAYS: Final = ("_starts", "_lengths", "_hashes", "_kinds")
_UNSORTED: Final = 4_096
"""So many new ones are kept in a dict before they are sorted in with the others."""


class Refs:
    """Kinds and keys by ordinal. Keys lie one after another in one piece of memory."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._starts = np.zeros(256, np.uint64)
        self._lengths = np.zeros(256, np.uint32)
        self._hashes = np.zeros(256, np.int64)
        self._kinds = np.zeros(256, np.uint8)
        self._count = 0
        self._sorted = np.zeros(0, np.int64)
        self._order = np.zeros(0, np.uint32)
        self._recent: dict[int, int | tuple[int, ...]] = {}

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
        while first + number > len(self._starts):
            self._grow()
        lengths = np.fromiter(map(len, ids), np.uint32, number)
        ends = np.cumsum(lengths, dtype=np.uint64)
        at = slice(first, first + number)
        self._starts[at] = ends - lengths + len(self._text)
        self._lengths[at] = lengths
        self._text += b"".join(ids)
        self._kinds[at] = kinds
        self._count += number
        if hashes is None:
            self._hashes[at] = hashes = _hashes(np.array(kinds, np.int64), ids)
            self._remember(hashes.tolist(), first)
        else:
            self._hashes[at] = hashes
            self._recent.update(zip(hashes.tolist(), range(first, first + number), strict=True))
        if len(self._recent) > max(_UNSORTED, len(self._sorted) // 4):
            self._sort()

    def _remember(self, hashes: Sequence[int], first: int) -> None:
        recent = self._recent
        fresh = dict(zip(hashes, range(first, first + len(hashes)), strict=True))
        if len(fresh) == len(hashes) and recent.keys().isdisjoint(fresh):
            recent.update(fresh)
            return
        for ordinal, one in enumerate(hashes, first):
            known = recent.get(one, ())
            known = (known,) if isinstance(known, int) else known
            recent[one] = (*known, ordinal) if known else ordinal

    def unknown(self, kind: int, ids: Sequence[bytes]) -> Hashes | None:
        """The hashes of keys of which none is there, and each is another.

        None where that is not certain.
        """
        numbers = _hashes(np.int64(kind), ids)
        wanted = np.sort(numbers)  # in their order they are looked up in a nearer memory
        if (wanted[1:] == wanted[:-1]).any():
            return None
        if not self._recent.keys().isdisjoint(numbers.tolist()):
            return None
        if len(self._sorted):
            at = np.minimum(np.searchsorted(self._sorted, wanted), len(self._sorted) - 1)
            if (self._sorted[at] == wanted).any():
                return None
        return numbers

    def maybe_known(self, kind: int, ids: Sequence[bytes]) -> list[int]:
        """The places of keys that may be there; the others certainly are not."""
        numbers = _hashes(np.int64(kind), ids)
        found = np.fromiter(map(self._recent.__contains__, numbers.tolist()), bool, len(ids))
        if len(self._sorted):
            at = np.minimum(np.searchsorted(self._sorted, numbers), len(self._sorted) - 1)
            found |= self._sorted[at] == numbers
        places: list[int] = np.flatnonzero(found).tolist()
        return places

    def fit(self) -> None:
        """Give back what was taken for more records than there are."""
        self._sort()
        for name in _ARRAYS:
            setattr(self, name, getattr(self, name)[: self._count].copy())

    def _grow(self) -> None:
        for name in _ARRAYS:
            old = getattr(self, name)
            setattr(self, name, np.concatenate([old, np.zeros(max(256, len(old)), old.dtype)]))

    def _sort(self) -> None:
        """All that are known now in the order of their hashes."""
        hashes = self._hashes[: self._count]
        self._order = np.argsort(hashes).astype(np.uint32)
        self._sorted = hashes[self._order]
        self._recent.clear()

    def find(self, kind: int, ref: Ref) -> int | None:
        """The ordinal of a record; None when it has none or lost it."""
        raw = raw_id(ref)
        number = int(_hashes(np.int64(kind), [raw])[0])
        recent = self._recent.get(number, ())
        for ordinal in (recent,) if isinstance(recent, int) else recent:
            if self._is(ordinal, kind, raw):
                return ordinal
        at = int(np.searchsorted(self._sorted, number))
        while at < len(self._sorted) and self._sorted[at] == number:
            ordinal = int(self._order[at])
            if self._is(ordinal, kind, raw):
                return ordinal
            at += 1
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
    found: npt.NDArray[np.int64] = np.fromiter(map(hash, ids), np.int64, len(ids)) ^ kinds << 56
    return found


def raw_id(ref: Ref) -> bytes:
    """``Ref.id`` in UTF-8."""
    return ref.id.encode("utf-8", "surrogatepass")


def _plain(part: str) -> str:
    return unquote(part) if "%" in part else part
