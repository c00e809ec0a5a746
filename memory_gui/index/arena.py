# SPDX-License-Identifier: MIT
"""Folded texts, one after another in a few large pieces of memory, and finding substrings in them.

Texts are UTF-8. ``GAP`` ends each field and each text: no UTF-8 has that byte, so no needle can
reach from one into the next. A text that is taken out is overwritten with zeros at once.

Figures (16 MB of mixed English and Chinese, one core): the library of ``stringzilla`` passes over
it in 0.8 ms where ``bytes.find`` takes 9 ms, and hands out 66,000 places in 8 ms (24 ms). It holds
the interpreter's lock for the length of a call, so a call sees at most ``_SLICE`` bytes. Where a
needle is nearly everywhere ("e": 1.5 million places) a loop over places takes 140 ms and numpy,
byte by byte, 2 ms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import stringzilla as sz

from memory_gui.index.blocks import Blocks, Hashes, hashes_of
from memory_gui.index.memory import pages

GAP: Final = b"\xff"
LARGEST: Final = 16 << 20
"""Bytes of a segment, taken from the system as they are filled; only a single text that is larger
has a larger one."""

_SLICE: Final = 4 << 20
_CROWDED: Final = 1 / 400
"""From so many places per byte on, numpy is the faster way."""
_LOOK: Final = 64
"""After so many places, and each time they are twice as many, one looks how dense they lie."""
_PIECE: Final = 256 << 10
"""Bytes that it is given at a time: what it makes of them fits into a near memory."""
_SHORT: Final = 8
"""Bytes of the longest needle that numpy is given."""
_SOME: Final = 4_096
"""In more places than so many a needle is not looked for block by block."""
_SETTLED: Final = 32
"""So many blocks at most have their signs made anew at a time: a millisecond or two."""
_DEAD: Final = np.uint32(0xFFFFFFFF)

Bools = npt.NDArray[np.bool_]
Ordinals = npt.NDArray[np.uint32]
Slots = npt.NDArray[np.intp]


class _Segment:
    """One piece of memory. ``starts`` and ``owners`` say whose text begins where, in order."""

    def __init__(self, size: int) -> None:
        room = np.frombuffer(pages(size + 7), np.uint8)
        self.data = room[:size]
        self.words = np.ndarray((size,), ">u8", room.data, strides=(1,))
        """The eight bytes from each place on."""
        self.used = 0
        self.dead = 0
        self.starts = np.zeros(256, np.uint32)
        self.owners = np.zeros(256, np.uint32)
        self.count = 0
        self.text = sz.Str(self.data.data)
        self.blocks = Blocks(self.data)

    @property
    def room(self) -> int:
        return len(self.data) - self.used

    def add(self, joined: memoryview, starts: npt.NDArray[np.int64], owners: Ordinals) -> None:
        """Texts of some ordinals; ``starts`` are their places in ``joined``."""
        number = len(starts)
        if self.count + number > len(self.starts):
            size = max(2 * len(self.starts), self.count + number)
            self.starts = np.concatenate([self.starts, np.zeros(size - len(self.starts), "u4")])
            self.owners = np.concatenate([self.owners, np.zeros(size - len(self.owners), "u4")])
        at = slice(self.count, self.count + number)
        self.starts[at] = starts + self.used
        self.owners[at] = owners
        self.data[self.used : self.used + len(joined)] = np.frombuffer(joined, np.uint8)
        self.used += len(joined)
        self.count += number
        self.blocks.follow(self.starts[: self.count], self.used)

    def blank(self, start: int, length: int) -> None:
        """Overwrite one text; its place belongs to nobody then."""
        self.data[start : start + length] = 0
        slot = int(np.searchsorted(self.starts[: self.count], start))
        self.owners[slot] = _DEAD
        self.blocks.wipe(slot)
        self.dead += length + 1

    def slices(self, first: int, last: int, size: int) -> Iterator[tuple[int, int]]:
        """Slots from, to: of those given whole texts, together about so many bytes."""
        while first < last:
            after, limit = last, int(self.starts[first]) + size
            if self.end_of(last) > limit:
                after = int(self.starts[:last].searchsorted(np.uint32(limit)))
                after = max(first + 1, after)
            yield first, after
            first = after

    def end_of(self, slot: int) -> int:
        """Where the text before a slot ends."""
        return int(self.starts[slot]) if slot < self.count else self.used

    def holding(self, needle: bytes, hashes: Hashes | None) -> Iterator[Ordinals]:
        """The ordinals whose texts hold a needle, slice by slice, some more than once.

        ``hashes`` are the needle's.
        """
        left = None if hashes is None else self.blocks.left(hashes, self.count)
        some = None if left is None else self._slots_in(needle, left)
        if some is not None:
            owners = self.owners[some]
            yield owners[owners != _DEAD]
            return
        for first, after in self.slices(0, self.count, _SLICE):
            slots = self._slots(needle, first, after)
            owners = self.owners[first:after][slots]
            yield owners[owners != _DEAD]

    def _slots_in(self, needle: bytes, runs: Sequence[tuple[int, int]]) -> Slots | None:
        """Which slots of some runs of them hold the needle; None where it is in very many."""
        find, found, step = self.text.find, list[int](), len(needle)
        for first, after in runs:
            at, end = int(self.starts[first]), self.end_of(after)
            at = find(needle, at, end)
            while at >= 0:
                found.append(at)
                at = find(needle, at + step, end) if at + step < end else -1
            if len(found) > _SOME:
                return None
        return _slots_of(self.starts[: self.count], found)

    def _slots(self, needle: bytes, first: int, after: int) -> Slots | Bools:
        """Which of the slots' texts hold the needle: as numbers from ``first``, or as a mask."""
        start, end = int(self.starts[first]), self.end_of(after)
        find, found = self.text.find, []
        at, step = find(needle, start, end), len(needle)
        enough = _LOOK if step <= _SHORT else end
        while at >= 0:
            found.append(at)
            if len(found) == enough:
                if enough > (at - start) * _CROWDED:
                    pieces = self.slices(first, after, _PIECE)
                    return np.concatenate([self._crowded(needle, *piece) for piece in pieces])
                enough *= 2
            at = find(needle, at + step, end) if at + step < end else -1
        return _slots_of(self.starts[first:after], found)

    def _crowded(self, needle: bytes, first: int, after: int) -> Bools:
        start = int(self.starts[first])
        data = self.data[start : self.end_of(after)]
        places = np.zeros(len(data), np.bool_)
        size = max(0, len(data) - len(needle) + 1)
        hits = np.equal(data[:size], needle[0], out=places[:size])
        for n, byte in enumerate(needle[1:], 1):
            hits &= data[n : n + size] == byte
        return np.logical_or.reduceat(places, self.starts[first:after].astype(np.int64) - start)


def _slots_of(begins: Ordinals, found: Sequence[int]) -> Slots:
    """In which texts some places are; in its order, a text as often as there are places in it."""
    return begins.searchsorted(np.array(found, np.uint32), "right") - 1


class Arena:
    """The texts of one store by ordinal. Not for several threads at once.

    A place is ``segment << 32 | start``; who owns the arena keeps places and lengths.
    """

    def __init__(self) -> None:
        self._segments: list[_Segment] = []

    def add(self, texts: Sequence[bytes], owners: Ordinals) -> npt.NDArray[np.int64]:
        """Take the texts of some ordinals; gives their places."""
        if not texts:
            return np.zeros(0, np.int64)
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        return self.add_joined(GAP.join(texts) + GAP, lengths, owners)

    def add_joined(
        self, joined: bytes | memoryview, lengths: npt.NDArray[np.int64], owners: Ordinals
    ) -> npt.NDArray[np.int64]:
        """As ``add``, of texts that each end with ``GAP``; ``lengths`` are without it."""
        lengths = lengths + 1
        ends = np.cumsum(lengths)
        places = np.zeros(len(lengths), np.int64)
        whole = memoryview(joined)
        done = 0
        while done < len(lengths):
            before = int(ends[done - 1]) if done else 0
            segment = self._open(int(lengths[done]))
            fitting = int(np.searchsorted(ends, before + segment.room, "right"))
            starts = ends[done:fitting] - lengths[done:fitting] - before
            base = (len(self._segments) - 1) << 32 | segment.used
            places[done:fitting] = base + starts
            segment.add(whole[before : int(ends[fitting - 1])], starts, owners[done:fitting])
            done = fitting
        return places

    def _open(self, needed: int) -> _Segment:
        """The last segment, or a new one when that has no room."""
        if not self._segments or self._segments[-1].room < needed:
            self._segments.append(_Segment(max(LARGEST, needed)))
        return self._segments[-1]

    def blank(self, place: int, length: int) -> None:
        """Overwrite the text at a place with zeros."""
        self._segments[place >> 32].blank(place & 0xFFFFFFFF, length)

    def read(self, place: int, length: int) -> bytes:
        """The text at a place."""
        start = place & 0xFFFFFFFF
        return self._segments[place >> 32].data[start : start + length].tobytes()

    def holding(self, needle: bytes) -> Iterator[Ordinals]:
        """The ordinals whose texts hold a needle, in pieces; between two of them one may stop."""
        self.settle()
        hashes = self._hashes_of(needle)
        for segment in self._segments:
            yield from segment.holding(needle, hashes)

    def _hashes_of(self, needle: bytes) -> Hashes | None:
        """Those of a needle, if any signs are to be looked at."""
        return hashes_of(needle) if any(one.blocks.many for one in self._segments) else None

    def left(self, needle: bytes) -> int:
        """Bytes of the blocks that may hold a needle; all that are in use where no sign tells."""
        hashes = self._hashes_of(needle)
        found = 0
        for one in self._segments:
            runs = None if hashes is None else one.blocks.left(hashes, one.count)
            if runs is None:
                found += one.used
            else:
                found += sum(one.end_of(after) - int(one.starts[first]) for first, after in runs)
        return found

    def settle(self) -> None:
        """Sign some of those blocks anew of which a text was taken out."""
        most = _SETTLED
        for segment in self._segments:
            if most and segment.blocks.wiped:
                starts = segment.starts[: segment.count]
                most -= segment.blocks.settle(starts, segment.used, most)

    def among(
        self, needle: bytes, places: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]
    ) -> Bools:
        """Which of some texts hold a needle; for few of them, one call each."""
        texts = [segment.text for segment in self._segments]
        found = (
            texts[place >> 32].find(needle, place & 0xFFFFFFFF, (place & 0xFFFFFFFF) + length) >= 0
            for place, length in zip(places.tolist(), lengths.tolist(), strict=True)
        )
        return np.fromiter(found, np.bool_, len(places))

    def words(self, places: npt.NDArray[np.int64], offset: int) -> npt.NDArray[np.uint64]:
        """Eight bytes of memory from an offset into each text on; the numbers sort as they do."""
        found = np.zeros(len(places), np.uint64)
        numbers = places >> 32
        rising = bool((numbers[1:] >= numbers[:-1]).all())
        least, most = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, -1)
        for number, segment in enumerate(self._segments[least : most + 1], least):
            mine: slice | npt.NDArray[np.intp]
            if rising:  # as they were read; a slice is faster than a mask
                mine = slice(*np.searchsorted(numbers, (number, number + 1)).tolist())
            else:
                mine = np.flatnonzero(numbers == number)
            at = (places[mine] & 0xFFFFFFFF) + offset
            found[mine] = segment.words[np.minimum(at, len(segment.words) - 1)]
        return found

    @property
    def nbytes(self) -> int:
        """Bytes in memory: texts, their places, their blocks' signs."""
        return sum(one.used + 8 * len(one.starts) + one.blocks.nbytes for one in self._segments)

    @property
    def used(self) -> int:
        """Bytes in use, those that were overwritten included."""
        return sum(segment.used for segment in self._segments)

    @property
    def dead(self) -> int:
        """Bytes that were overwritten."""
        return sum(segment.dead for segment in self._segments)

    def clear(self) -> None:
        """Overwrite and give back everything."""
        for segment in self._segments:
            segment.data[: segment.used] = 0
            segment.blocks.clear()
        self._segments.clear()
