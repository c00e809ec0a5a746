# SPDX-License-Identifier: MIT
"""Bytes in gaps that say no more than live cells beside them.

SQLite leaves parts of cells behind where it divides a page, in a VACUUM and with ``secure_delete``
too (measured, SQLite 3.51: the schema's pages, and the inner pages of a table with 100,000 rows).
The schema's say what the schema says; an inner page of a table holds page and row numbers only,
never a value. Leaf pages and indexes are not passed over: their cells are texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from memory_gui.engine.pages.btree import PageMap

INNER_TABLE: Final = 5
"""The kind of a table's inner page: its first byte, on the first page of a file at 100."""
_BETWEEN: Final = b"\0" * 8
"""Between pages: what is looked for neither begins nor ends with zeros."""
_MORE: Final = 8
"""How many bytes before a gap may belong to the same leftover."""


@dataclass(slots=True)
class Repeats:
    """The cells of one tree's pages and what is left in their gaps. Of one walk, in one thread.

    ``apart``: what is left may have lain in another order. It is taken for a repeat where it can be
    cut into the end of a cell, whole cells, and the beginning of one.
    """

    apart: bool = False
    _cells: list[bytes] = field(default_factory=list)
    _left: list[tuple[tuple[bytes, ...], int]] = field(default_factory=list)

    def cells_of(self, page: bytes, found: PageMap) -> None:
        """Remember a page's live cells."""
        parts = sorted((cell.start, cell.end) for cell in found.cells)
        cells = [page[start:end] for start, end in parts]
        self._cells += cells if self.apart else [b"".join(cells)]

    def left(self, page: bytes, gap: tuple[int, int], number: int) -> None:
        """Remember what is in a gap; ``number`` of its bytes are to be explained.

        The gap may begin in the middle of a leftover, whose first bytes count as a fragment.
        """
        start, end = gap
        parts = tuple(page[start - more : end].strip(b"\0") for more in range(_MORE + 1))
        self._left.append((parts, number))

    def judged(self) -> Iterator[tuple[bool, int]]:
        """For each gap: whether it repeats live cells, and its number. Forgets them."""
        cells = _BETWEEN.join(self._cells) if self._left else b""
        for parts, number in self._left:
            repeated = any(part in cells for part in parts)
            repeated = repeated or (self.apart and any(map(self._is_of_cells, parts)))
            yield repeated, number
        self._cells.clear()
        self._left.clear()

    def _is_of_cells(self, left: bytes) -> bool:
        """Whether it is the end of a cell, then whole cells, then the beginning of one."""
        begun = {0}
        for cell in self._cells:
            begun.update(
                size
                for size in range(1, min(len(cell), len(left)) + 1)
                if left[:size] == cell[-size:]
            )
        seen: set[int] = set()
        while begun:
            at = begun.pop()
            if any(cell.startswith(left[at:]) for cell in self._cells):
                return True
            seen.add(at)
            begun |= {at + len(c) for c in self._cells if c and left.startswith(c, at)} - seen
        return False
