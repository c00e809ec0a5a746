# SPDX-License-Identifier: MIT
"""Which of very many byte strings stand in some data: all of them at once, exactly, by numpy.

A match of 32 bytes always holds a whole block of 24 at a multiple of 8 of the data, one of 15 a
block of 12 at a multiple of 4, one of 8 a block of 7 at a multiple of 2. So a hash is taken of each
such block, looked up in a small table, and only where it is there are the bytes compared. No hash
decides anything: what is told was compared byte by byte, and nothing that is there is passed over.

Loaded on first use (``lazy.needles``). For the formats, which look for what else carries a text,
and for the prover, which looks for what is left of it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memory_gui.domain.work import nobody_asks

WINDOW: Final = 32
"""No run of so many bytes of a long string may stand anywhere; a shorter one counts as a whole."""
_PAD: Final = WINDOW + 8
"""Zeros behind the data, at the least, so that words may be read beyond its end."""
_TABLE_BITS: Final = range(12, 25)
_AT_ONCE: Final = 1 << 17
"""Possible matches that are compared together (about 8 MB)."""
_CLASSES: Final = ((15, 12, 4), (8, 7, 2), (4, 4, 1), (3, 3, 1), (2, 2, 1), (1, 1, 1))
"""For strings of at least so many bytes: blocks of how many, at multiples of what."""

Check = Callable[[], object]
Numbers = NDArray[np.int64]
Hashes = NDArray[np.uint64]
_NONE: Final = np.empty(0, np.int64)
_NO_HASHES: Final = np.empty(0, np.uint64)


class Hits(NamedTuple):
    """Matches, in no order. ``groups`` is for ``Needles.owners``."""

    starts: Numbers
    ends: Numbers
    groups: Numbers

    def at(self, places: Sequence[int]) -> Hits:
        """Some of them."""
        some = np.array(places, np.int64)
        return Hits(self.starts[some], self.ends[some], self.groups[some])


class Needles:
    """Strings that are looked for. Immutable once made; any thread may use it.

    Of ``long`` every window of WINDOW bytes is looked for (none is shorter), of ``whole`` the
    string itself (none is empty).
    """

    def __init__(
        self, long: Sequence[bytes], whole: Sequence[bytes], check: Check = nobody_asks
    ) -> None:
        """``check`` may raise to end it: the windows of 10,000 records take half a second."""
        self._windows = _Windows(long, check) if long else None
        self._first_whole = self._windows.groups if self._windows is not None else 0
        self._long = len(long)
        self._whole: list[_Whole] = []
        self._pad = max(map(len, whole), default=0) + _PAD
        least = self._pad
        for shortest, size, step in _CLASSES:
            mine = [(n, one) for n, one in enumerate(whole) if shortest <= len(one) < least]
            if mine:
                self._whole.append(_Whole(mine, size, step))
            least = shortest

    def find(self, data: bytes) -> Hits:
        """Every place at which the data has one of them."""
        buffer = _Buffer(data, self._pad)
        found = [self._windows.find(buffer)] if self._windows is not None else []
        for one in self._whole:
            starts, ends, numbers = one.find(buffer)
            found.append(Hits(starts, ends, numbers + self._first_whole))
        if not found:
            return Hits(_NONE, _NONE, _NONE)
        return Hits(*(np.concatenate(parts) for parts in zip(*found, strict=True)))

    def owners(self, groups: Iterable[int]) -> set[int]:
        """Numbers of the strings that have what was found: first the long ones, then the whole."""
        groups = np.unique(np.fromiter(groups, np.int64))
        whole = groups[groups >= self._first_whole] - self._first_whole + self._long
        found = {int(number) for number in whole}
        windows = groups[groups < self._first_whole]
        if self._windows is not None and len(windows):
            found |= self._windows.owners(windows)
        return found


class _Buffer:
    """Data, and the words of eight bytes that begin at each of its bytes."""

    def __init__(self, data: bytes, pad: int = _PAD) -> None:
        self.size = len(data)
        self.bytes = np.frombuffer(data + bytes(pad), np.uint8)
        self._raw = self.bytes.data

    def words(self, first: int, step: int, count: int) -> Hashes:
        """Words at ``first``, ``first + step`` and so on."""
        view: Hashes = np.ndarray((count,), "<u8", self._raw, first, (step,))
        return view

    def words_at(self, places: Numbers) -> Hashes:
        """Words at these places."""
        found: Hashes = self.words(0, 1, len(self.bytes) - 7)[places]
        return found


class _Hash:
    """Numbers that are drawn anew in each process: no text can be made that collides on purpose."""

    def __init__(self) -> None:
        self._odd = [np.uint64(secrets.randbits(64) | 1) for _ in range(4)]

    def of(self, words: Sequence[Hashes], size: int) -> Hashes:
        """One number for blocks of so many bytes, whose words these are."""
        mask = np.uint64((1 << 8 * size) - 1 if size < 8 else (1 << 64) - 1)
        total = (words[0] & mask) * self._odd[0]
        for word, odd in zip(words[1:], self._odd[1:], strict=False):
            total ^= total >> np.uint64(32)
            total += word
            total *= odd
        total ^= total >> np.uint64(32)
        total *= self._odd[0]
        return total


def _offsets(size: int) -> tuple[int, ...]:
    """Where the words of a block begin."""
    if size <= 8:
        return (0,)
    return (*range(0, size - 8, 8), size - 8)


class _Keys:
    """Hashes, looked up first in a small table, and then among all of them."""

    def __init__(self, keys: Hashes) -> None:
        """Take different ones, in order."""
        self._keys = keys
        bits = min(max(len(keys).bit_length() + 4, _TABLE_BITS[0]), _TABLE_BITS[-1])
        self._shift, self._mask = np.uint64(64 - bits), np.uint64((1 << bits) - 1)
        self._high = np.zeros(1 << bits, np.bool_)
        self._high[(keys >> self._shift).view(np.int64)] = True
        self._low = np.zeros(1 << bits, np.bool_)
        self._low[(keys & self._mask).view(np.int64)] = True

    def find(self, hashes: Hashes) -> tuple[Numbers, Numbers]:
        """(places of those that are among them, which one each is)."""
        places = self.sift(hashes)
        true, numbers = self.which(hashes[places])
        return places[true], numbers

    def sift(self, hashes: Hashes) -> Numbers:
        """Places of all that are among them, and of a few that are not."""
        places = np.flatnonzero(self._high[(hashes >> self._shift).view(np.int64)])
        some: Numbers = places[self._low[(hashes[places] & self._mask).view(np.int64)]]
        return some

    def which(self, hashes: Hashes) -> tuple[NDArray[np.bool_], Numbers]:
        """(which of these are among them, and which one each of those is)."""
        numbers = np.searchsorted(self._keys, hashes)
        numbers[numbers == len(self._keys)] = 0
        true = self._keys[numbers] == hashes
        return true, numbers[true]


class _Sieve:
    """Where data has, at a multiple of ``step``, one of some blocks of ``size`` bytes."""

    def __init__(self, size: int, step: int, hashes: _Hash, keys: Hashes) -> None:
        """Take the blocks' hashes, in order."""
        self.keys = keys[np.append([True], keys[1:] != keys[:-1])]
        self._size, self._step, self._hash = size, step, hashes
        self._known = _Keys(self.keys)

    def find(self, buffer: _Buffer) -> tuple[Numbers, Numbers]:
        """(places in order, each one's number among the keys)."""
        places, hashes = self.sift(buffer)
        true, numbers = self.which(hashes)
        return places[true], numbers

    def sift(self, buffer: _Buffer) -> tuple[Numbers, Hashes]:
        """(places in order, their hashes): all that there are, and a few blocks that are others."""
        count = (buffer.size - self._size) // self._step + 1
        if count <= 0:
            return _NONE, _NO_HASHES
        words = [buffer.words(at, self._step, count) for at in _offsets(self._size)]
        hashes = self._hash.of(words, self._size)
        places = self._known.sift(hashes)
        return places * self._step, hashes[places]

    def which(self, hashes: Hashes) -> tuple[NDArray[np.bool_], Numbers]:
        """(which of these hashes are those of blocks, each one's number among the keys)."""
        return self._known.which(hashes)


class _Windows:
    """The windows of long strings. Equal ones are one group."""

    _SIZE: Final = 24
    _STEP: Final = 8
    _BACK: Final = np.arange(_STEP - 1, -1, -1)

    def __init__(self, long: Sequence[bytes], check: Check) -> None:
        self._corpus = _Buffer(b"".join(long))
        sizes = np.array([len(one) for one in long], np.int64)
        self._ends = np.cumsum(sizes)
        places = _places(sizes, self._ends, WINDOW)
        check()
        self._sort(places, check)
        self._amid = np.zeros(len(self._corpus.bytes), np.bool_)
        self._amid[
            _ranges(np.minimum(self._ends - sizes + self._STEP, self._ends), self._ends)[0]
        ] = True
        check()
        places = _places(sizes, self._ends, self._SIZE)
        words = [self._corpus.words_at(places + at) for at in _offsets(self._SIZE)]
        check()
        keys = np.sort(self._hash.of(words, self._SIZE))
        check()
        self._sieve = _Sieve(self._SIZE, self._STEP, self._hash, keys)

    @property
    def groups(self) -> int:
        """How many different windows there are."""
        return len(self._first)

    def _sort(self, places: Numbers, check: Check) -> None:
        """By hash; drawn anew in the unheard-of case that two different windows share one."""
        words = [self._corpus.words_at(places + at) for at in _offsets(WINDOW)]
        while True:
            self._hash = _Hash()
            hashes = self._hash.of(words, WINDOW)
            check()
            order = np.argsort(hashes)
            check()
            hashes = hashes[order]
            same = hashes[1:] == hashes[:-1]
            unlike = [np.any(same & (word[order[1:]] != word[order[:-1]])) for word in words]
            check()
            if not any(unlike):
                break
        self._first = np.flatnonzero(np.concatenate(([True], ~same)))
        self._known = _Keys(hashes[self._first])
        self._places = places[order]
        self._group_of = np.zeros(len(self._corpus.bytes), np.int32)
        sizes = np.diff(np.append(self._first, len(places)))
        self._group_of[self._places] = np.repeat(np.arange(len(sizes)), sizes)

    def find(self, buffer: _Buffer) -> Hits:
        """Every place with one of the windows."""
        blocks, hashes = self._sieve.sift(buffer)
        found = []
        for at in range(0, len(blocks), _AT_ONCE // 8):
            part = slice(at, at + _AT_ONCE // 8)
            found += self._around(buffer, blocks[part], hashes[part])
        if not found:
            return Hits(_NONE, _NONE, _NONE)
        starts, groups = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Hits(starts, starts + WINDOW, groups)

    def _around(
        self, buffer: _Buffer, blocks: Numbers, hashes: Hashes
    ) -> list[tuple[Numbers, Numbers]]:
        """Of the windows that hold these blocks (which are in order) those that are there.

        In the midst of a text one of eight is enough: its neighbours are what stands beside it.
        No two of all are the same, for blocks lie at least as far apart as their step.
        """
        last = buffer.size - WINDOW
        starts, groups = self._compare(buffer, blocks[(blocks >= self._STEP) & (blocks <= last)])
        places = self._places[self._first[groups]]
        before = self._corpus.words_at(places - self._STEP)
        amid = self._amid[places] & (before == buffer.words_at(starts - self._STEP))
        beside = self._group_of[(places[amid, None] - self._BACK).ravel()]
        rest = np.ones(len(blocks), np.bool_)
        rest[np.searchsorted(blocks, starts[amid])] = False
        alone = blocks[rest][self._sieve.which(hashes[rest])[0]]
        around = (alone[:, None] - self._BACK).ravel()
        return [
            ((starts[amid, None] - self._BACK).ravel(), beside.astype(np.int64)),
            self._compare(buffer, around[(around >= 0) & (around <= last)]),
        ]

    def _compare(self, buffer: _Buffer, starts: Numbers) -> tuple[Numbers, Numbers]:
        words = [buffer.words_at(starts + at) for at in _offsets(WINDOW)]
        some, groups = self._known.find(self._hash.of(words, WINDOW))
        places = self._places[self._first[groups]]
        same = np.ones(len(some), np.bool_)
        for at, word in zip(_offsets(WINDOW), words, strict=True):
            same &= self._corpus.words_at(places + at) == word[some]
        return starts[some[same]], groups[same]

    def owners(self, groups: Numbers) -> set[int]:
        """Numbers of the strings that have these windows."""
        ends = np.append(self._first, len(self._places))[groups + 1]
        places = self._places[_ranges(self._first[groups], ends)[0]]
        return {int(one) for one in np.unique(np.searchsorted(self._ends, places, "right"))}


class _Whole:
    """Strings that are looked for as a whole, found by a block of theirs."""

    def __init__(self, strings: Iterable[tuple[int, bytes]], size: int, step: int) -> None:
        numbers, texts = zip(*strings, strict=True)
        self._numbers = np.array(numbers, np.int64)
        self._sizes = np.array([len(one) for one in texts], np.int64)
        self._width = max(int(self._sizes.max()), 8)
        self._texts = np.zeros((len(texts), self._width), np.uint8)
        for row, text in zip(self._texts, texts, strict=True):
            row[: len(text)] = np.frombuffer(text, np.uint8)
        flat = _Buffer(self._texts.tobytes())
        rows = np.arange(len(texts), dtype=np.int64)
        # The block may begin at any of ``step`` bytes of the string.
        places = np.concatenate([rows * self._width + at for at in range(step)])
        hashes = _Hash()
        keys = hashes.of([flat.words_at(places + at) for at in _offsets(size)], size)
        order = np.argsort(keys)
        self._places = places[order]
        self._sieve = _Sieve(size, step, hashes, keys[order])
        self._first = np.searchsorted(keys[order], self._sieve.keys)
        self._after = np.append(self._first[1:], len(places))

    def find(self, buffer: _Buffer) -> Hits:
        """Every place with one of the strings."""
        blocks, keys = self._sieve.find(buffer)
        found = []
        for at in range(0, len(blocks), _AT_ONCE):
            some = keys[at : at + _AT_ONCE]
            which, of = _ranges(self._first[some], self._after[some])
            for start in range(0, len(which), _AT_ONCE):
                part = slice(start, start + _AT_ONCE)
                places = self._places[which[part]]
                row = places // self._width
                starts = blocks[at + of[part]] - places % self._width
                found.append(self._compare(buffer, starts, row))
        if not found:
            return Hits(_NONE, _NONE, _NONE)
        starts, row = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Hits(starts, starts + self._sizes[row], self._numbers[row])

    def _compare(self, buffer: _Buffer, starts: Numbers, row: Numbers) -> tuple[Numbers, Numbers]:
        inside = (starts >= 0) & (starts + self._sizes[row] <= buffer.size)
        starts, row = starts[inside], row[inside]
        columns = np.arange(self._width)
        same = buffer.bytes[starts[:, None] + columns] == self._texts[row]
        whole = np.all(same | (columns >= self._sizes[row][:, None]), axis=1)
        return starts[whole], row[whole]


def runs(hits: Hits, starts: Sequence[int]) -> list[tuple[int, int, int]]:
    """Matches made one where they overlap or touch: (part, start, end), in order.

    The parts begin at ``starts``, a byte behind the one before; the last number ends them all.
    Matches over the end of a part are left out. However often a phrase is there, it costs no
    step of Python's: only the runs that are left do.
    """
    order = np.argsort(hits.starts, kind="stable")
    begins, ends = hits.starts[order], hits.ends[order]
    bounds = np.asarray(starts, np.int64)
    over = _over(begins, ends, bounds[1:])
    if len(over):
        begins, ends = np.delete(begins, over), np.delete(ends, over)
    if not len(begins):
        return []
    tops = np.maximum.accumulate(ends)
    new = np.flatnonzero(begins[1:] > tops[:-1])
    firsts, lasts = begins[np.append(0, new + 1)], tops[np.append(new, len(tops) - 1)]
    parts = np.searchsorted(bounds, firsts, "right") - 1
    columns = (parts, firsts - bounds[parts], lasts - bounds[parts])
    return list(zip(*(one.tolist() for one in columns), strict=True))


def _over(begins: Numbers, ends: Numbers, bounds: Numbers) -> Numbers:
    """Places of matches, which are in order, that go over one of the bounds."""
    longest = int((ends - begins).max(initial=0))
    near, at = _ranges(np.searchsorted(begins, bounds - longest), np.searchsorted(begins, bounds))
    return np.unique(near[ends[near] >= bounds[at]])


def parts_of(places: Numbers, starts: Sequence[int]) -> list[int]:
    """In which parts of the data places lie, each once; the parts begin at ``starts``."""
    found: list[int] = np.unique(np.searchsorted(starts, places, "right") - 1).tolist()
    return found


def _places(sizes: Numbers, ends: Numbers, size: int) -> Numbers:
    """Where a block of so many bytes begins in strings that lie one behind the other."""
    starts = ends - sizes
    return _ranges(starts, starts + np.maximum(sizes - size + 1, 0))[0]


def _ranges(starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """The numbers of many ranges one behind the other, and which range each one is of."""
    sizes = ends - starts
    of = np.repeat(np.arange(len(sizes)), sizes)
    return np.arange(len(of)) + (starts - (np.cumsum(sizes) - sizes))[of], of
