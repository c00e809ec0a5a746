# SPDX-License-Identifier: MIT
"""The order of titles: by their bytes, some at a time, and only where those before are equal.

Figures (one core): 100,000 titles take 35 ms, 1,000,000 half a second. Memory is looked at in
pieces of less than a millisecond, each within its content's guard: between them others search and
change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from memory_gui.index.joined import Joined, Numbers, Slots

_BITS: Final = 64
_REST: Final = 4
"""Bits that say how many of a title's bytes are among those taken, or that it has more."""
_FIRST: Final = 7
"""Bytes that are taken first, while no rank needs room beside them."""
_WORD: Final = 8
_PIECE: Final = 1 << 14
"""So many titles are looked at in one piece: what is made of them fits into a near memory."""

Check = Callable[[], object]
Keys = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]


def by_title(joined: Joined, slots: Slots, check: Check) -> Numbers:
    """Places in ``slots``, which are ascending; of equal titles the earlier one first.

    A title that changes meanwhile may come anywhere; the others are ordered as they should be.
    ``check`` is called within the guards and may raise to end it.
    """
    total = len(slots)
    ranks = np.zeros(total, np.uint64)
    left = np.ones(total, np.bool_)
    at, offset, width = np.arange(total, dtype=np.uint32), 0, _FIRST
    while len(at):
        keys = _pieces(joined, slots[at] if offset else slots, offset, width, check)
        if offset:
            keys |= ranks[at] << np.uint64(8 * width + _REST)
        order = np.argsort(keys)
        keys, mine = keys[order], at[order]
        del order  # of a million titles eight megabytes
        ranks[mine], alone = _ranked(keys, ranks[mine])
        keys &= np.uint64((1 << _REST) - 1)
        left[mine] = (keys == width + 1) & ~alone
        at = at[left[at]]
        offset += width
        width = (_BITS - _REST - total.bit_length()) // 8
    return by_place(ranks, np.arange(total))


def by_place(groups: Keys, places: Numbers) -> Numbers:
    """The places in the order of their groups, and in one group in their own."""
    both = groups << np.uint64(32)
    both |= places.view(np.uint64)
    both.sort()
    both &= np.uint64(0xFFFFFFFF)
    return both.view(np.int64)


def _ranked(keys: Keys, ranks: Keys) -> tuple[Keys, Bools]:
    """Sorted keys' ranks, made of those that they had, and which have theirs for themselves."""
    starts = np.concatenate([[True], keys[1:] != keys[:-1]])
    begins, groups = np.flatnonzero(starts), np.cumsum(starts)
    groups -= 1
    sizes = np.diff(begins, append=len(keys))
    before = ranks[begins]
    outer = np.concatenate([[True], before[1:] != before[:-1]])
    within = begins - begins[outer][np.cumsum(outer) - 1]
    before += within.view(np.uint64)
    return before[groups], (sizes == 1)[groups]  # np.repeat would not let go of the interpreter


def _pieces(joined: Joined, slots: Slots, offset: int, width: int, check: Check) -> Keys:
    """So many bytes of each title, and behind them how many it has: one more where there are more.

    The slots are ascending.
    """
    found = np.empty(len(slots), np.uint64)
    masks = _masks(width) >> np.uint64(_BITS - 8 * width) << np.uint64(_REST)
    for at in range(0, len(slots), _PIECE):
        words, rest = _read(joined, slots[at : at + _PIECE], offset, check)
        np.minimum(rest, width + 1, out=rest)
        words >>= np.uint64(_BITS - 8 * width - _REST)
        words &= masks[rest]
        words |= rest.view(np.uint64)
        found[at : at + _PIECE] = words
    return found


def _masks(width: int) -> Keys:
    """Of the words of titles that have 0, 1, … bytes left, and of those that have very many."""
    whole = (1 << _BITS) - 1
    masks = [whole ^ (whole >> 8 * min(rest, width)) for rest in range(width + 2)]
    return np.array(masks, np.uint64)


_WHOLE: Final = _masks(_WORD)


def _read(joined: Joined, slots: Slots, offset: int, check: Check) -> tuple[Keys, Numbers]:
    """Eight bytes of memory from an offset into each title on; how many of the title are left.

    Bytes behind its end mean nothing; of one that has ended there are none left.
    """
    words, rest = np.empty(len(slots), np.uint64), np.empty(len(slots), np.int64)
    for content, at, ordinals in joined.parts(slots):
        with content.guard:
            check()
            rest[at] = content.columns["title"][ordinals]
            words[at] = content.arena.words(content.columns["place"][ordinals], offset)
    rest -= offset
    np.maximum(rest, 0, out=rest)
    return words, rest


def compared(joined: Joined, some: Slots, others: Slots, check: Check) -> tuple[Bools, Bools]:
    """Which of some titles come before their partners, and which are the same."""
    less, same = np.zeros(len(some), np.bool_), np.ones(len(some), np.bool_)
    at, offset = np.arange(len(some)), 0
    while len(at):
        mine, my_rest = _read(joined, some[at], offset, check)
        theirs, their_rest = _read(joined, others[at], offset, check)
        np.minimum(my_rest, _WORD + 1, out=my_rest)
        np.minimum(their_rest, _WORD + 1, out=their_rest)
        mine &= _WHOLE[my_rest]
        theirs &= _WHOLE[their_rest]
        equal = mine == theirs  # then the shorter one comes first: zeros may be a title's, too
        less[at] = np.where(equal, my_rest < their_rest, mine < theirs)
        same[at] = equal & (my_rest == their_rest)
        at = at[same[at] & (my_rest > _WORD)]
        offset += _WORD
    return less, same
