# SPDX-License-Identifier: MIT
"""One page of a b-tree: its cells, and the bytes that belong to none.

Source: sqlite.org/fileformat2.html, sections 1.5 and 1.6. Cells are plain tuples because a file
has hundreds of thousands of them.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

INDEX_INTERIOR: Final = 2
TABLE_INTERIOR: Final = 5
INDEX_LEAF: Final = 10
TABLE_LEAF: Final = 13
HEADER_BYTES: Final = 100
LARGEST_FRAGMENT: Final = 3
_SMALLEST_CELL: Final = 4
_LETTERS_NEVER_POINT: Final = 8192
"""In pages up to this size two ASCII letters (at least 0x2020) are no pointer into the page."""
_MOST_HEAD_BYTES: Final = 64
_U32: Final = struct.Struct(">I")
_U16: Final = struct.Struct(">H")


class PageError(ValueError):
    """A page that cannot be understood or authenticated. Never holds content."""


class Cell(NamedTuple):
    """One cell. ``start:end`` are its bytes in the page; the payload begins at ``body``.

    ``local`` bytes of the ``size`` bytes of payload are in the page; the rest begins on page
    ``overflow`` (0: none). ``child`` is the left child of an interior cell (0: leaf).
    """

    start: int
    end: int
    rowid: int
    body: int
    size: int
    local: int
    overflow: int
    child: int


@dataclass(slots=True)
class PageMap:
    """What every byte of a b-tree page is.

    ``gaps`` and ``fragments`` are (start, end) of bytes that belong to no cell. Fragments are at
    most 3 bytes long: between cells, and the two bytes of each pointer to a cell that was taken
    out (SQLite moves the pointer array together and leaves its old end as it was, also with
    ``secure_delete``: ``dropCell``, ``editPage`` in btree.c), with the 3 bytes behind them, where
    the array may have grown over the head of a cell (``rebuildPage``). For the heads of free blocks
    that are none any more see ``left_over_heads``.

    ``doubted`` are the left-over pointers among them where letters may look like pointers: whether
    they are any is told by the cells that were moved (``pages.moved``).
    """

    kind: int
    cells: list[Cell]
    right: int = 0
    gaps: list[tuple[int, int]] = field(default_factory=list)
    fragments: list[tuple[int, int]] = field(default_factory=list)
    doubted: tuple[int, ...] = ()
    array_end: int = 0
    """Where the array of pointers ends."""


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The value at ``at`` and where it ends (at most 9 bytes, most significant first)."""
    first = data[at]
    if first < 0x80:
        return first, at + 1
    value = first & 0x7F
    for offset in range(1, 8):
        byte = data[at + offset]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + offset + 1
    value = value << 8 | data[at + 8]
    return (value - (1 << 64) if value >> 63 else value), at + 9


def local_bytes(size: int, usable: int, *, table: bool) -> int:
    """How much of a payload of ``size`` bytes is kept in the b-tree page itself."""
    largest = usable - 35 if table else (usable - 12) * 64 // 255 - 23
    if size <= largest:
        return size
    smallest = (usable - 12) * 32 // 255 - 23
    wanted = smallest + (size - smallest) % (usable - 4)
    return wanted if wanted <= largest else smallest


def parse_page(page: bytes, number: int, usable: int, *, utf16: bool = False) -> PageMap:
    """Read one b-tree page.

    In a file of UTF-16 text (``utf16``), and in large pages, two bytes may be letters and look like
    a pointer: of the leaves several left-over pointers are then ``doubted``. An inner page of a
    table holds no letters.

    Raises:
        PageError: it is none, or its numbers lead outside of it.
    """
    head = HEADER_BYTES if number == 1 else 0
    kind = page[head]
    if kind not in (INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF):
        raise PageError(f"page {number}: kind {kind}")
    interior = kind in (INDEX_INTERIOR, TABLE_INTERIOR)
    first_block, count = struct.unpack_from(">HH", page, head + 1)
    array = head + (12 if interior else 8)
    array_end = array + 2 * count
    if array_end > usable:
        raise PageError(f"page {number}: {count} cells")
    pointers = struct.unpack_from(f">{count}H", page, array)
    try:
        cells = [_cell(page, at, kind, usable) for at in pointers]
        blocks = _free_blocks(page, first_block, usable)
    except (IndexError, struct.error) as error:
        raise PageError(f"page {number}: a cell leads outside") from error
    found = PageMap(kind, cells, _U32.unpack_from(page, head + 8)[0] if interior else 0)
    found.array_end = array_end
    stale = _stale_pointers(page, array_end, cells, usable)
    letters = utf16 or usable > _LETTERS_NEVER_POINT
    if letters and kind != TABLE_INTERIOR and stale > array_end + 2:
        found.doubted = struct.unpack_from(f">{(stale - array_end) // 2}H", page, array_end)
    # The array may have grown over the head of a cell that is gone: what is left of it.
    first = min([cell.start for cell in cells] + [start for start, _ in blocks] + [usable])
    behind = _head_behind(page, stale, first, usable)
    stale = max(stale, min(stale + behind, first))
    if stale > array_end:
        found.fragments.append((array_end, stale))
    _find_gaps(found, stale, blocks, usable, number)
    return found


def left_over_heads(
    page: bytes, gap: tuple[int, int], found: PageMap, usable: int
) -> tuple[int, int]:
    """How many non-zero bytes of a gap are heads of free blocks that have become part of it.

    And where the first of them begins; the gap's end where there is none.

    SQLite writes a head (link and size, 4 bytes) also at the start of the cell area, where the
    block becomes a gap at once, and leaves it there with ``secure_delete`` too (``freeSpace`` in
    btree.c). Such a head is told by its size, which leads to an edge: where a cell, a gap or
    another such head begins.
    """
    start, end = gap
    places = [at for at in range(start, end) if page[at]]
    if len(places) > _MOST_HEAD_BYTES:
        return 0, end
    edges = {end, usable}
    edges.update(edge for cell in found.cells for edge in (cell.start, cell.end))
    edges.update(edge for other in found.gaps + found.fragments for edge in other)
    heads, first = 0, end
    while places:
        head = next(
            (
                at
                for at in range(places[-1] - 3, places[-1] + 1)
                if _is_head(page, at, gap, edges, usable)
            ),
            None,
        )
        if head is None:
            places.pop()
            continue
        edges.add(head)
        first = head
        while places and places[-1] >= head:
            places.pop()
            heads += 1
    return heads, first


def _is_head(page: bytes, at: int, gap: tuple[int, int], edges: set[int], usable: int) -> bool:
    """Whether a head began here; its first bytes may have been written over by what lies before."""
    start, end = gap
    if at + 4 > end:
        return False
    if at < start:
        size = struct.pack(">H", end - at)  # of the very block that has become this gap
        return page[max(start, at + 2) : at + 4] == size[max(0, start - at - 2) :]
    link, size_there = struct.unpack_from(">HH", page, at)
    leads = size_there >= _SMALLEST_CELL and at + size_there in edges
    return leads and (not link or at < link <= usable - 4)


def _cell(page: bytes, at: int, kind: int, usable: int) -> Cell:
    start = at
    child = 0
    if kind in (TABLE_INTERIOR, INDEX_INTERIOR):
        child = _U32.unpack_from(page, at)[0]
        at += 4
    if kind == TABLE_INTERIOR:
        rowid, at = varint(page, at)
        return Cell(start, max(at, start + _SMALLEST_CELL), rowid, at, 0, 0, 0, child)
    size, at = varint(page, at)
    rowid = 0
    if kind == TABLE_LEAF:
        rowid, at = varint(page, at)
    local = local_bytes(size, usable, table=kind == TABLE_LEAF)
    end = at + local
    overflow = 0
    if local < size:
        overflow = _U32.unpack_from(page, end)[0]
        end += 4
    return Cell(start, max(end, start + _SMALLEST_CELL), rowid, at, size, local, overflow, child)


def _head_behind(page: bytes, at: int, first: int, usable: int) -> int:
    """How far the last free block's head goes that lies behind the array: two numbers, no content.

    The cell that began there, or a few bytes on, was taken out, and a later shift of the cells
    (``defragmentPage``) moved the edge that its size led to. Where there is none, a fragment's.
    """
    for skip in range(LARGEST_FRAGMENT + 1):
        end = at + skip + _SMALLEST_CELL
        if end > first or any(page[at : at + skip]):
            break
        link, size = struct.unpack_from(">HH", page, at + skip)
        if not link and _SMALLEST_CELL <= size <= usable - at - skip:
            return end - at
    return LARGEST_FRAGMENT


def _stale_pointers(page: bytes, at: int, cells: Sequence[Cell], usable: int) -> int:
    """Where the pointers end that lie beyond the array; each points between there and the end."""
    free = min((cell.start for cell in cells), default=usable)
    while at + 2 <= free and at + 2 <= _U16.unpack_from(page, at)[0] < usable:
        at += 2
    return at


def _free_blocks(page: bytes, first: int, usable: int) -> list[tuple[int, int]]:
    blocks = []
    at = first
    while at:
        following, size = struct.unpack_from(">HH", page, at)
        if size < _SMALLEST_CELL or at + size > usable or (following and following <= at):
            raise IndexError
        blocks.append((at, at + size))
        at = following
    return blocks


def _find_gaps(
    found: PageMap,
    array_end: int,
    blocks: Sequence[tuple[int, int]],
    usable: int,
    number: int,
) -> None:
    used = [(cell.start, cell.end) for cell in found.cells]
    used += blocks
    used.sort()
    # The first four bytes of a free block are its link and size; the rest is nobody's.
    found.gaps = [(start + 4, end) for start, end in blocks if end - start > 4]
    at = array_end
    for start, end in (*used, (usable, usable)):
        if start < at:
            raise PageError(f"page {number}: cells overlap or lead outside")
        if start > at:
            short = start - at <= LARGEST_FRAGMENT
            (found.fragments if short else found.gaps).append((at, start))
        at = end
