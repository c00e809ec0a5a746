# SPDX-License-Identifier: MIT
"""Which blocks of an arena's segment may hold a needle, so that most of them are not looked at.

A block is some whole texts, together ``BLOCK`` bytes or a little more. Its sign is a bit for each
hash of three bytes that follow one another in it. What has a needle has all the needle's hashes; of
a word that is in few records few blocks are left. The last texts of a segment, which do not fill a
block yet, have no sign and are always looked at; so is a block of which a text was taken out, whose
sign is wiped at once and made anew by ``settle``. A segment of few blocks has no signs.

Figures (one core): a sign takes 50 µs, a seventeenth of its block's memory; 100,000 records 0.1 s
and 2 MB. A needle of seven digits takes 0.2 ms then, where passing over all texts takes 4 ms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from memory_gui.index.memory import pages

BLOCK: Final = 16 << 10
"""Bytes of texts from which on a block is full."""

FEW: Final = 64
"""Fewer blocks than these are passed over sooner (20 µs) than their signs are looked at."""

_BITS: Final = 8_192
"""Of a sign; the hashes of mixed English and Chinese take up a fifth of them."""
_BYTES: Final = 3
"""That are hashed together: one Chinese character."""
_FACTOR: Final = (2_654_435_761 << 8) & 0xFFFFFFFF
"""Of a word of four bytes it pushes the fourth out, so that three count."""
_SHIFT: Final = 32 - 13
_FACTOR_32: Final = np.uint32(_FACTOR)
_SHIFT_32: Final = np.uint32(_SHIFT)
_MOST: Final = 24
"""So many hashes of a needle are looked at."""
PIECE: Final = BLOCK
"""So many bytes, or up to twice as many, are hashed in one call: what fits into a near memory."""
_MANY: Final = 4
"""Where more than one in so many blocks is left, passing over all of them is as quick."""

Starts = npt.NDArray[np.uint32]
Data = npt.NDArray[np.uint8]
Hashes = npt.NDArray[np.intp]


def hashes_of(needle: bytes) -> Hashes | None:
    """Those that whatever holds a needle has; None where it is too short for any."""
    words = {
        (int.from_bytes(needle[at : at + _BYTES], "little") * _FACTOR & 0xFFFFFFFF) >> _SHIFT
        for at in range(len(needle) - _BYTES + 1)
    }
    if not words:
        return None
    found = sorted(words)
    return np.array(found[:: -(-len(found) // _MOST)], np.intp)


class Blocks:
    """The signs of one segment. The slots of its texts are counted from 0, in the order of places.

    Eight blocks share a row: bit ``n`` of its byte ``h`` says whether block ``n`` has hash ``h``.
    """

    def __init__(self, data: Data) -> None:
        self._words = np.ndarray((max(0, len(data) - 3),), "<u4", data.data, strides=(1,))
        """The four bytes from each place on."""
        rows = len(data) // BLOCK // 8 + 1
        self._signs = np.frombuffer(pages(rows * _BITS), np.uint8).reshape(rows, _BITS)
        self._few = FEW
        self._firsts = [0]
        """The first slot of each block, and of what is no block yet."""
        self._signed = 0
        """So many blocks have signs: none as long as they are few."""
        self._wiped: set[int] = set()

    def __len__(self) -> int:
        return len(self._firsts) - 1

    @property
    def many(self) -> bool:
        """Whether there are so many that looking at their signs is worth it."""
        return len(self) >= self._few

    def follow(self, starts: Starts, used: int) -> None:
        """Texts were added: make blocks of those that fill one, and sign them if they are many."""
        first = self._firsts[-1]
        while first < len(starts) and (full := int(starts[first]) + BLOCK) <= used:
            first += int(starts[first:].searchsorted(np.uint32(full)))
            self._firsts.append(first)
        while self.many and self._signed < len(self):
            self._sign(self._signed, starts, used)
            self._signed += 1

    def wipe(self, slot: int) -> None:
        """A text is no longer there: nothing tells any more what was in its block."""
        block = bisect_right(self._firsts, slot) - 1
        if block < self._signed and block not in self._wiped:
            self._signs[block >> 3] &= np.uint8(~(1 << (block & 7)) & 0xFF)
            self._wiped.add(block)

    def settle(self, starts: Starts, used: int, most: int) -> int:
        """Make at most so many signs anew that were wiped; how many were made."""
        some = sorted(self._wiped)[:most]
        for block in some:
            self._sign(block, starts, used)
        self._wiped.difference_update(some)
        return len(some)

    def _sign(self, block: int, starts: Starts, used: int) -> None:
        begin, after = int(starts[self._firsts[block]]), self._firsts[block + 1]
        end = int(starts[after]) if after < len(starts) else used
        flags = np.zeros(_BITS, np.bool_)
        # The byte before ``end`` is no text's: the last three that count end before it.
        cuts = [*range(begin, max(begin + 1, end - PIECE), PIECE), end]
        for first, last in pairwise(cuts):
            self._mark(flags, first, min(end, last + 3))
        self._signs[block >> 3] |= flags.view(np.uint8) << np.uint8(block & 7)

    def _mark(self, flags: npt.NDArray[np.bool_], first: int, last: int) -> None:
        """Mark the hashes of all three bytes from ``first`` on whose fourth is before ``last``."""
        hashed = self._words[first : max(first, last - 3)] * _FACTOR_32
        hashed >>= _SHIFT_32
        flags[hashed.astype(np.intp)] = True  # which is quicker than with 32 bits

    def left(self, hashes: Hashes, count: int) -> Sequence[tuple[int, int]] | None:
        """The slots, from and to, that may hold a needle; None where those are too many.

        ``count`` is the number of slots.
        """
        if not self.many:
            return None
        number = len(self)
        rows = self._signs[: self._rows].take(hashes, axis=1)
        having = np.bitwise_and.reduce(rows, axis=1)
        met: npt.NDArray[Any] = np.unpackbits(having, bitorder="little")[:number]
        if self._wiped:
            met[list(self._wiped)] = 1
        blocks = np.flatnonzero(met).tolist()
        if len(blocks) * _MANY > number:
            return None
        firsts = self._firsts
        runs = [(firsts[block], firsts[block + 1]) for block in blocks]
        return [*runs, (firsts[-1], count)] if firsts[-1] < count else runs

    @property
    def wiped(self) -> int:
        """How many signs wait to be made anew."""
        return len(self._wiped)

    @property
    def nbytes(self) -> int:
        """Bytes in memory: of the rows that are in use."""
        return self._rows * _BITS

    @property
    def _rows(self) -> int:
        """How many rows are in use."""
        return (self._signed + 7) // 8

    def clear(self) -> None:
        """Overwrite all signs."""
        self._signs[: self._rows] = 0
        self._firsts = [0]
        self._signed = 0
        self._wiped.clear()
