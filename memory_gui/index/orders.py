# SPDX-License-Identifier: MIT
"""The order in which a listing shows its records, in one store or in several at once.

Records of equal values are in the order of their slots. An order is made of nothing by sorting,
and after a change of the one before: what changed is taken out and put in again where it belongs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from memory_gui.domain.folding import fold
from memory_gui.domain.records import State
from memory_gui.domain.work import nobody_asks
from memory_gui.index.content import Content
from memory_gui.index.joined import Joined, Numbers, Slots
from memory_gui.index.names import ranks_of
from memory_gui.index.titles import Bools, Check, by_place, by_title, compared

_TIMES: Final = ("updated", "created")
_NAMED: Final = ("type", "scope", "source", "subject")

_SMALL: Final = 2
_FEW: Final = 512
_FEW_NAMES: Final = 1_024
"""So many texts, and an eighth of the number of records, are ranked without further thought."""

Values = npt.NDArray[Any]
Compare = Callable[[Slots, Slots], tuple[Bools, Bools]]
"""Which of some slots' values come before their partners', and which are the same."""


def ordered(joined: Joined, slots: Slots, name: str, check: Check = nobody_asks) -> Slots:
    """Ascending slots in the order of a property.

    Guards are held for moments only. What changes meanwhile may come anywhere, all else is right.
    ``check`` is called within the guards and may raise to end it.
    """
    if name == "title":
        places = by_title(joined, slots, check)
    elif name in _TIMES:
        places = _stable(_numbers(joined, slots, name, check))
    else:
        places = _stable(_ranks(joined, slots, name, check))
    return slots[places]


def merged(joined: Joined, order: Slots, changed: Slots, name: str) -> Slots:
    """An order as it is now that some slots, ascending, are new, changed or gone.

    Inside the guards. A thousandth of all takes some milliseconds.
    """
    stale = np.zeros(int(joined.begins[-1]), np.bool_)
    stale[changed] = True
    kept = order[~stale[order]]
    fresh = ordered(joined, changed[joined.alive_of(changed)], name)
    places = _places(kept, fresh, _comparing(joined, name, len(fresh)))
    places += np.arange(len(fresh))
    found = np.empty(len(kept) + len(fresh), np.uint32)
    others = np.ones(len(found), np.bool_)
    others[places] = False
    found[places], found[others] = fresh, kept
    return found


def _places(kept: Slots, fresh: Slots, compare: Compare) -> Numbers:
    """Before which of the kept each fresh one belongs: halving, for all of them at once."""
    low = np.zeros(len(fresh), np.int64)
    high = np.full(len(fresh), len(kept), np.int64)
    while len(left := np.flatnonzero(low < high)):
        middle = (low[left] + high[left]) >> 1
        mine, theirs = kept[middle], fresh[left]
        before, same = compare(mine, theirs)
        before |= same & (mine < theirs)
        low[left[before]] = middle[before] + 1
        high[left[~before]] = middle[~before]
    return low


def _comparing(joined: Joined, name: str, number: int) -> Compare:
    """How values are compared; ``number`` says how many are to be put in."""
    if name == "title":
        return lambda mine, theirs: compared(joined, mine, theirs, nobody_asks)
    values = _valued(joined, name, number)

    def compare(mine: Slots, theirs: Slots) -> tuple[Bools, Bools]:
        one, other = values(mine), values(theirs)
        return one < other, one == other

    return compare


def _valued(joined: Joined, name: str, number: int) -> Callable[[Slots], Values]:
    if name in _TIMES:
        return lambda slots: _numbers(joined, slots, name, nobody_asks)
    tables = [_TABLES[name](one, name) for one in joined.contents]
    folded = fold if name == "subject" else str
    if sum(len(texts) for texts, _ in tables) <= max(_FEW_NAMES, number):
        groups = ranks_of([list(map(folded, texts)) for texts, _ in tables])
        ranks = dict(zip(map(id, joined.contents), groups, strict=True))
        return lambda slots: _looked_up(joined, slots, name, ranks)

    def texts(slots: Slots) -> Values:
        found = np.empty(len(slots), np.object_)
        for content, at, ordinals in joined.parts(slots):
            told, column = _TABLES[name](content, name)
            found[at] = [folded(told[one]) for one in column[ordinals].tolist()]
        return found

    return texts


def _looked_up(
    joined: Joined, slots: Slots, name: str, ranks: Mapping[int, npt.NDArray[np.uint32]]
) -> Values:
    found = np.empty(len(slots), np.uint32)
    for content, at, ordinals in joined.parts(slots):
        found[at] = ranks[id(content)][_TABLES[name](content, name)[1][ordinals]]
    return found


def _numbers(joined: Joined, slots: Slots, name: str, check: Check) -> Numbers:
    found = np.empty(len(slots), np.int64)
    for content, at, ordinals in joined.parts(slots):
        with content.guard:
            check()
            found[at] = content.columns[name][ordinals]
    return found


def _ranks(joined: Joined, slots: Slots, name: str, check: Check) -> Values:
    """Numbers that sort as the texts do, in all stores alike."""
    groups, numbers, places = [], [], []
    for content, at, ordinals in joined.parts(slots):
        with content.guard:
            check()
            texts, column = _TABLES[name](content, name)
            mine = column[ordinals]
            if len(mine) * 8 < len(texts):
                used, mine = np.unique(mine, return_inverse=True)
                texts = [texts[one] for one in used.tolist()]
            groups.append(list(texts))
        numbers.append(mine)
        places.append(at)
    if name == "subject":
        groups = [list(map(fold, texts)) for texts in groups]
    ranked = ranks_of(groups)
    most = max((int(one.max(initial=0)) for one in ranked), default=0)
    found = np.empty(len(slots), np.uint16 if most < 1 << 16 else np.uint32)
    for at, rank, mine in zip(places, ranked, numbers, strict=True):
        found[at] = rank.astype(found.dtype)[mine]
    return found


def _stable(keys: Values) -> Numbers:
    """As a stable ``argsort``, but twice as fast: SIMD sorts 64 bits, without regard to places."""
    if keys.itemsize <= _SMALL or len(keys) <= _FEW:
        return np.argsort(keys, kind="stable")  # small numbers are sorted by counting
    order = np.argsort(keys)
    sorted_keys = keys[order]
    groups = np.zeros(len(keys), np.uint64)
    np.cumsum(sorted_keys[1:] != sorted_keys[:-1], out=groups[1:])
    return by_place(groups, order)


Table = tuple[Sequence[str], npt.NDArray[Any]]


def _names(content: Content, name: str) -> Table:
    return content.names[name].texts(), content.columns[name]


def _kinds(content: Content, _name: str) -> Table:
    return content.kinds.names, content.refs.kinds


def _states(content: Content, _name: str) -> Table:
    return [state.value for state in State], content.columns["state"]


_TABLES: Final[Mapping[str, Callable[[Content, str], Table]]] = {
    "kind": _kinds,
    "state": _states,
    **dict.fromkeys(_NAMED, _names),
}


def many_values(joined: Joined, name: str) -> bool:
    """Whether its order takes so long to make that it is better made before it is asked for."""
    if name == "title" or name in _TIMES:
        return True
    return sum(len(_TABLES[name](one, name)[0]) for one in joined.contents) > _FEW_NAMES
