# SPDX-License-Identifier: MIT
"""Whether what lies behind a page's array of pointers are pointers to cells that were moved.

When SQLite divides a page, the pointers to the cells that go to the next pages stay behind the
array as they were (``editPage`` in btree.c; measured in VACUUM, with ``secure_delete`` too). Two
letters of UTF-16 may look like one. But such pointers tell how long the cells were: from one to the
next higher one. Those lengths are found again, in this order, where the cells are now, one behind
the other in the same tree. Letters do not tell lengths of cells, and no two cells overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from memory_gui.engine.pages.btree import INDEX_INTERIOR, LARGEST_FRAGMENT, PageMap

_PLACEHOLDER: Final = 8
"""The length of the row that stands in the schema while a table is being made: its shortest."""
_PLACES: Final = 8
"""So far behind the array the pointer to such a row was found (300 random schemas: at most 5)."""
_FEW: Final = 4
"""So few pointers of the schema, which holds no records, need only lie apart."""


@dataclass(slots=True)
class Moved:
    """The doubted pointers of one tree's pages. Of one walk, in one thread."""

    _noted: list[tuple[PageMap, int]] = field(default_factory=list)

    def note(self, page: bytes, found: PageMap) -> None:
        """Remember a page's; those bytes that count as fragments anyway are not asked about."""
        if found.doubted:
            start, end = found.fragments[0]
            more = page[start + 2 + LARGEST_FRAGMENT : end]
            self._noted.append((found, len(more) - more.count(0)))

    def judged(
        self, usable: int, lengths: Callable[[], Sequence[int]], *, schema: bool
    ) -> Iterator[int]:
        """For each page whose are none: how many of their bytes are. Forgets them."""
        noted, self._noted = [one for one in self._noted if one[1]], []
        sizes = lengths() if noted else ()
        for found, number in noted:
            first = min((cell.start for cell in found.cells), default=usable)
            if not are_of_moved(found.doubted, first, usable, sizes, schema=schema):
                yield number


def stood_for(page: bytes, found: PageMap, gap: tuple[int, int]) -> int:
    """How many bytes of a gap of the schema are the pointer to a row that stood for another one.

    Such a row lay just before the page's first cell. Its pointer stays a few places behind the
    array, with zeros between; nothing else there leads to exactly that place.
    """
    start, end = gap
    starts = [cell.start for cell in found.cells]
    if not starts or end != min(starts):
        return 0
    pointer = (min(starts) - _PLACEHOLDER).to_bytes(2, "big")
    places = (found.array_end + 2 * place for place in range(_PLACES))
    at = next((at for at in places if page[at : at + 2] == pointer and at + 2 <= end), end)
    return sum(page[one] != 0 for one in range(max(start, at), min(at + 2, end)))


def lengths(root: int, read: Callable[[int], PageMap | None]) -> list[int]:
    """How long the cells of a tree are, in their order. ``read`` knows its pages only, each once.

    Of an index also those between its leaves, which were taken out of one.
    """
    found: list[int] = []
    todo: list[int] = [-root]
    while todo:  # a page's number with a minus, or the length of a cell
        number = todo.pop()
        page = read(-number) if number < 0 else None
        if number >= 0:
            found.append(number)
        elif page is not None and page.right:
            inner: list[int] = []
            for cell in page.cells:
                own = [cell.end - cell.start - 4] if page.kind == INDEX_INTERIOR else []
                inner += (-cell.child, *own)
            todo += reversed((*inner, -page.right))
        elif page is not None:
            found += [cell.end - cell.start for cell in page.cells]
    return found


class _Told(NamedTuple):
    """What a pointer tells of its cell: its length is one of ``exact``, and at most ``most``."""

    exact: frozenset[int]
    most: int


def are_of_moved(
    pointers: Sequence[int], first: int, usable: int, sizes: Sequence[int], *, schema: bool
) -> bool:
    """Whether these pointers belonged to cells that stand one behind the other in their tree.

    ``first`` is where the page's first cell begins, ``sizes`` are the lengths of the tree's cells
    in their order. Of those below another one two thirds must be as told, and none may be longer
    than there was room. In the schema's own tree (``schema``) rows that stood for others are passed
    over.
    """
    if schema:  # where such a row was taken out, its pointer stays behind twice
        pointers = [at for at, _ in groupby(pointers)]
        ends = {*pointers, first}
        pointers = [
            at
            for place, at in enumerate(pointers)
            if at not in pointers[:place] or at + _PLACEHOLDER not in ends
        ]
    edges = sorted(pointers)
    apart = min((b - a for a, b in pairwise(edges)), default=usable)
    if apart < (_PLACEHOLDER if schema else 1):
        return False
    rows = [at for at in pointers if not (schema and at + _PLACEHOLDER in (*pointers, first))]
    if len(rows) < 2 or (schema and len(pointers) <= _FEW):
        return True
    told = [_told(at, rows, first, usable) for at in rows]
    return any(_match(told, sizes[at : at + len(rows)]) for at in range(len(sizes) - len(rows) + 1))


def _told(at: int, rows: Sequence[int], first: int, usable: int) -> _Told:
    most = min((edge for edge in rows if edge > at), default=usable) - at
    return _Told(frozenset((most, first - at)), most)


def _match(told: Sequence[_Told], sizes: Sequence[int]) -> bool:
    if any(size > one.most for one, size in zip(told, sizes, strict=True)):
        return False
    same = sum(size in one.exact for one, size in zip(told, sizes, strict=True))
    return same >= max(1, 2 * (len(told) - 1) // 3)
