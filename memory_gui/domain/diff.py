# SPDX-License-Identifier: MIT
"""What changed between two texts, word by word; Chinese, Japanese and Korean by character.

The algorithm is E. W. Myers's "An O(ND) Difference Algorithm" (1986) over words, with a bounded
amount of work. What differs too much for it is compared by lines and sentences first, with those
that stand once in both texts as fixed points, and in the last resort given as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["same", "gone", "new"]

EFFORT: Final = 120_000
"""Comparisons at most, beside what reading the texts takes: about 30 ms of CPython."""
_WHOLE: Final = 40_000
"""Characters of both texts up to which words are compared at once."""

_MARKS: Final = "\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f"
"""What belongs to the character before it."""
_BY_CHARACTER: Final = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_WORD: Final = re.compile(
    rf"(?:(?!\d)[^\W{_BY_CHARACTER}]|[{_MARKS}])+|\d+|\n|[^\S\n]+|.(?:[{_MARKS}]|\u200d.)*",
    re.DOTALL,
)
_SENTENCE: Final = re.compile(r"[^\n。．.!?！？；;]*(?:[\n。．.!?！？；;]+|\Z)")
_LINE: Final = re.compile(r"[^\n]*(?:\n|\Z)")
_SPLITS: Final = (_LINE, _SENTENCE, _WORD)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text. ``same`` and ``gone`` make the old text, ``same`` and ``new`` the new."""

    kind: Kind
    text: str


@dataclass(slots=True)
class _Effort:
    """How much may still be compared."""

    left: int


def words_diff(old: str, new: str, *, effort: int = EFFORT) -> tuple[Piece, ...]:
    """The pieces in reading order; where something is replaced, what is gone comes first.

    No piece is empty and no two neighbours are of one kind. Pure; any thread. Time grows with the
    lengths of the texts, never with their product: 1 MB takes about a second.
    """
    if old == new:
        return (Piece("same", old),) if old else ()
    left = _Effort(effort + (len(old) + len(new)) // 2)
    level = 2 if len(old) + len(new) <= _WHOLE else 0
    return tuple(_pieces(_settled(_Runs.of(_compare(old, new, level, left)))))


# ---- comparing


_Change = tuple[str, str, str]
"""(same, gone, new): a stretch that is in both, then what takes the place of what."""


def _compare(old: str, new: str, level: int, effort: _Effort) -> Iterator[_Change]:
    """By the units of a level (lines, sentences, words), then what differs by finer ones."""
    before, after = _units(old, level), _units(new, level)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    yield "".join(before[:head]), "", ""
    inner = before[head : len(before) - tail], after[head : len(after) - tail]
    yield from _compare_inner(*inner, level, effort)
    yield "".join(before[len(before) - tail :]), "", ""


def _compare_inner(
    before: Sequence[str], after: Sequence[str], level: int, effort: _Effort
) -> Iterator[_Change]:
    if not before or not after:
        yield "", "".join(before), "".join(after)
        return
    found = _myers(before, after, effort)
    if found is not None:
        blocks: Iterable[_Block] = found
    elif level == 2 and len(before) + len(after) > 8:
        # Too different word by word: look for whole sentences that stayed.
        yield from _compare_by(1, "".join(before), "".join(after), effort)
        return
    else:
        blocks = _anchors(before, after)
    for same, gone, come in _between(blocks, before, after):
        yield from _finer(gone, come, level, effort)
        yield same, "", ""


def _between(
    blocks: Iterable[_Block], before: Sequence[str], after: Sequence[str]
) -> Iterator[_Change]:
    """Each block's text, with what stands before it in either text."""
    at = there = 0
    for block in (*blocks, _Block(len(before), len(after), 0)):
        end = block.old + block.size
        gone, come = "".join(before[at : block.old]), "".join(after[there : block.new])
        yield "".join(before[block.old : end]), gone, come
        at, there = end, block.new + block.size


def _compare_by(level: int, old: str, new: str, effort: _Effort) -> Iterator[_Change]:
    """By sentences; the differing ones word by word only while there is effort left."""
    before, after = _units(old, level), _units(new, level)
    found = _myers(before, after, effort) if effort.left > 0 else None
    blocks = found if found is not None else _anchors(before, after)
    for same, gone, come in _between(blocks, before, after):
        yield from _words(gone, come, effort)
        yield same, "", ""


def _finer(gone: str, come: str, level: int, effort: _Effort) -> Iterator[_Change]:
    if level == 0 and gone and come and effort.left > 0:
        yield from _compare(gone, come, 1, effort)
    elif level == 1:
        yield from _words(gone, come, effort)
    else:
        yield "", gone, come


def _words(gone: str, come: str, effort: _Effort) -> Iterator[_Change]:
    """Word by word, or as a whole when that is too much work."""
    if not gone or not come or effort.left <= 0:
        yield "", gone, come
        return
    before, after = _units(gone, 2), _units(come, 2)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    yield "".join(before[:head]), "", ""
    one, other = before[head : len(before) - tail], after[head : len(after) - tail]
    for same, goes, comes in _between(_myers(one, other, effort) or (), one, other):
        yield "", goes, comes
        yield same, "", ""
    yield "".join(before[len(before) - tail :]), "", ""


def _units(text: str, level: int) -> list[str]:
    found = _SPLITS[level].findall(text)
    if found and not found[-1]:
        found.pop()  # what ends with its separator has nothing after it
    return found


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many units both begin with."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


@dataclass(frozen=True, slots=True)
class _Block:
    """``size`` units that are the same, from these places on."""

    old: int
    new: int
    size: int


def _myers(before: Sequence[str], after: Sequence[str], effort: _Effort) -> list[_Block] | None:
    """The longest common subsequence as blocks; None when that would take too much work."""
    numbers: dict[str, int] = {}
    a = [numbers.setdefault(unit, len(numbers)) for unit in before]
    b = [numbers.setdefault(unit, len(numbers)) for unit in after]
    n, m = len(a), len(b)
    ends = {1: 0}
    trail: list[dict[int, int]] = []
    for d in range(n + m + 1):
        effort.left -= d + 1
        if effort.left < 0:
            return None
        trail.append(dict(ends) if d else {1: 0})
        # Diagonals beyond the edges of the table lead nowhere.
        for k in range(-d + 2 * max(0, d - m), d - 2 * max(0, d - n) + 1, 2):
            down = k == -d or (k != d and ends.get(k - 1, -1) < ends.get(k + 1, -1))
            x = ends.get(k + 1, 0) if down else ends[k - 1] + 1
            y = x - k
            start = x
            while x < n and y < m and a[x] == b[y]:
                x += 1
                y += 1
            effort.left -= (x - start) // 4  # a step along what is the same costs less
            ends[k] = x
            if x >= n and y >= m:
                return _way_back(trail, n, m)
    return None


def _way_back(trail: list[dict[int, int]], x: int, y: int) -> list[_Block]:
    blocks: list[_Block] = []
    for d in range(len(trail) - 1, -1, -1):
        ends = trail[d]
        k = x - y
        down = k == -d or (k != d and ends.get(k - 1, -1) < ends.get(k + 1, -1))
        before = k + 1 if down else k - 1
        start_x = ends.get(before, 0) if d else 0
        start_y = start_x - before if d else 0
        into = start_x + (0 if down or not d else 1)
        if x > into:
            blocks.append(_Block(into, y - (x - into), x - into))
        x, y = start_x, start_y
    blocks.reverse()
    return blocks


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[_Block]:
    """Units that stand once in both, the most of them that keep their order (patience)."""
    there = _once(after)
    pairs = [(at, there[unit]) for unit, at in _once(before).items() if unit in there]
    pairs.sort()
    tops: list[int] = []
    holds: list[int] = []
    behind: list[int] = []
    for number, (_at, other) in enumerate(pairs):
        pile = bisect_left(tops, other)
        behind.append(holds[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [other]
        holds[pile : pile + 1] = [number]
    blocks: list[_Block] = []
    number = holds[-1] if holds else -1
    while number >= 0:
        blocks.append(_Block(*pairs[number], 1))
        number = behind[number]
    blocks.reverse()
    return blocks


def _once(units: Sequence[str]) -> dict[str, int]:
    seen: dict[str, int] = {}
    twice: set[str] = set()
    for at, unit in enumerate(units):
        if unit in seen:
            twice.add(unit)
        seen[unit] = at
    return {unit: at for unit, at in seen.items() if unit not in twice and unit.strip()}


# ---- making it readable


@dataclass(slots=True)
class _Runs:
    """What is the same, and then what takes the place of what."""

    same: str
    gone: str
    new: str

    @staticmethod
    def of(changes: Iterable[_Change]) -> list[_Runs]:
        """Neighbours of one kind joined."""
        parts: list[tuple[list[str], list[str], list[str]]] = []
        for same, gone, new in changes:
            if same:
                if not parts or parts[-1][1] or parts[-1][2]:
                    parts.append(([], [], []))
                parts[-1][0].append(same)
            if gone or new:
                if not parts:
                    parts.append(([], [], []))
                parts[-1][1].append(gone)
                parts[-1][2].append(new)
        return [_Runs(*map("".join, part)) for part in parts]

    @property
    def size(self) -> int:
        """How much is changed here."""
        return max(len(self.gone), len(self.new))


def _settled(runs: list[_Runs]) -> list[_Runs]:
    """A lone blank, or one character between two long changes, is no part that stayed."""
    settled: list[_Runs] = []
    for run in runs:
        last = settled[-1] if settled else None
        if last is not None and last.size and run.size and _is_chance(run.same, last, run):
            last.gone += run.same + run.gone
            last.new += run.same + run.new
        else:
            settled.append(run)
    return settled


def _is_chance(same: str, before: _Runs, after: _Runs) -> bool:
    if "\n" in same or len(same) > 12:
        return False
    if not any(map(str.isalnum, same)):
        return bool(before.gone and after.gone) or bool(before.new and after.new)
    return 2 * len(same) <= min(before.size, after.size)


def _pieces(runs: Iterable[_Runs]) -> Iterator[Piece]:
    for run in runs:
        if run.same:
            yield Piece("same", run.same)
        if run.gone:
            yield Piece("gone", run.gone)
        if run.new:
            yield Piece("new", run.new)
