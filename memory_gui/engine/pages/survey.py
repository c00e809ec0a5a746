# SPDX-License-Identifier: MIT
"""A walk through a database file that says of every byte whether a live cell owns it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from memory_gui import lazy
from memory_gui.engine.pages.btree import Cell, PageError, PageMap, left_over_heads, parse_page
from memory_gui.engine.pages.file import PageFile
from memory_gui.engine.pages.moved import Moved, lengths, stood_for
from memory_gui.engine.pages.record import Columns, columns_of, decode_record, encoding_name
from memory_gui.engine.pages.repeats import INNER_TABLE, Repeats

UNUSED: Final = 0
TREE: Final = 1
OVERFLOW: Final = 2
FREE: Final = 3
POINTER_MAP: Final = 4
LOCK: Final = 5
BROKEN: Final = 6

AT_ONCE: Final = 256
"""Pages of a tree that are read together."""
FEW: Final = 16
"""Fewer are looked at one by one."""

_ZEROS: Final = bytes(65536)
_SCHEMA_ROOT: Final = 1


@dataclass(frozen=True, slots=True)
class Tree:
    """A b-tree: the table or index that it is."""

    kind: str
    name: str
    table: str
    root: int
    sql: str = ""

    @property
    def columns(self) -> Columns:
        """The columns of a table."""
        return columns_of(self.sql)


class Chain(NamedTuple):
    """A cell whose payload goes on in overflow pages."""

    page: int
    tree: int
    cell: Cell


@dataclass(slots=True)
class Residue:
    """Bytes outside of live cells that are not zero. ``places`` says where they are.

    ``copies`` are bytes that repeat live cells of the schema's own b-tree, or of the inner pages
    of a table, which hold page and row numbers only: see ``pages.repeats``.
    """

    places: dict[str, int] = field(default_factory=dict)
    fragments: int = 0
    copies: int = 0
    unreadable: list[int] = field(default_factory=list)

    def add(self, place: str, number: int) -> None:
        """Count bytes."""
        if number:
            self.places[place] = self.places.get(place, 0) + number


def nonzero(data: bytes, start: int, end: int) -> int:
    """How many bytes of ``data[start:end]`` are not zero."""
    part = data[start:end]
    length = len(part)
    if part == _ZEROS[:length] and length <= len(_ZEROS):
        return 0
    return length - part.count(0)


class Survey:
    """What every page of a file is for.

    After ``walk``: ``role`` and ``owner`` by page number (owner is an index into ``trees``),
    ``residue``, ``free_pages``, ``chains``; ``virtual`` has the tables without a b-tree.
    """

    def __init__(self, file: PageFile) -> None:
        self.file = file
        pages = file.header.pages
        self.role = bytearray(pages + 1)
        self.owner = array("H", bytes(2 * (pages + 1)))
        self.trees: list[Tree] = [Tree("table", "sqlite_schema", "sqlite_schema", _SCHEMA_ROOT)]
        self.virtual: list[Tree] = []
        self.residue = Residue()
        self.free_pages = 0
        self.chains: list[Chain] = []
        self._schema = Repeats(apart=True)
        self._inner = Repeats()
        self._moved = Moved()

    def walk(self) -> Iterator[tuple[int, bytes]]:
        """Visit every page once and yield (number, page) of those that can be read.

        Overflow pages come in the order of their chains; use ``payload`` for whole values.
        """
        self._mark_fixed_pages()
        yield from self._walk_tree(0)
        for tree in list(self._read_schema()):
            if len(self.trees) > 0xFFFF:
                raise PageError("more than 65535 b-trees")
            self.trees.append(tree)
            yield from self._walk_tree(len(self.trees) - 1)
        yield from self._walk_freelist()
        yield from self._visit_the_rest()
        self._look_at_tail()

    def payload(self, page: bytes, cell: Cell) -> bytes:
        """The whole payload of a cell, its overflow chain followed.

        Raises:
            PageError: the chain is broken.
        """
        parts = [page[cell.body : cell.body + cell.local]]
        left = cell.size - cell.local
        number = cell.overflow
        room = self.file.header.usable - 4
        while left > 0:
            if not number:
                raise PageError("an overflow chain ends too early")
            data = self.file.page(number)
            parts.append(data[4 : 4 + min(left, room)])
            left -= room
            number = int.from_bytes(data[:4], "big")
        return b"".join(parts)

    def map_of(self, page: bytes, number: int) -> PageMap:
        """The cells of a b-tree page."""
        header = self.file.header
        return parse_page(page, number, header.usable, utf16=header.encoding in (2, 3))

    def rows(self, tree: int) -> Iterator[tuple[int, bytes]]:
        """(rowid, payload) of every row of a table, or (0, payload) of every entry of an index."""
        for number in range(1, len(self.role)):
            if self.role[number] == TREE and self.owner[number] == tree:
                yield from self.rows_of(number)

    def rows_of(self, number: int) -> Iterator[tuple[int, bytes]]:
        """The same of one page."""
        page = self.file.page(number)
        for cell in self.map_of(page, number).cells:
            if cell.size:
                yield cell.rowid, self.payload(page, cell)

    def pages_of(self, tree: int) -> Iterator[list[tuple[int, bytes]]]:
        """(number, page) of a walked tree's pages, many together; they were authentic before."""
        mine = [n for n in range(1, len(self.role)) if self.role[n] == TREE]
        mine = [number for number in mine if self.owner[number] == tree]
        for at in range(0, len(mine), AT_ONCE):
            some = mine[at : at + AT_ONCE]
            pages = zip(some, self.file.pages(some, again=True), strict=True)
            yield [(number, page) for number, page in pages if page is not None]

    # ---- the walk

    def _mark_fixed_pages(self) -> None:
        for number in self.file.pointer_maps():
            if number < len(self.role):
                self.role[number] = POINTER_MAP
        for number in range(1, len(self.role)):
            if self.file.is_lock_page(number):
                self.role[number] = LOCK
                break

    def _read(self, number: int) -> bytes | None:
        try:
            return self.file.page(number)
        except PageError:
            self._broken(number)
            return None

    def _broken(self, number: int) -> None:
        self.residue.unreadable.append(number)
        if 0 < number < len(self.role):
            self.role[number] = BROKEN

    def _take(self, number: int, role: int, owner: int) -> bool:
        if not 0 < number < len(self.role) or self.role[number] != UNUSED:
            self.residue.unreadable.append(number)
            return False
        self.role[number] = role
        self.owner[number] = owner
        return True

    def _walk_tree(self, index: int) -> Iterator[tuple[int, bytes]]:
        todo = [self.trees[index].root]
        while todo:
            some = [number for number in todo[-AT_ONCE:] if self._take(number, TREE, index)]
            del todo[-AT_ONCE:]
            pages = list(self._read_all(some))
            full = self._full_leaves(pages, index)
            for place, (number, page) in enumerate(pages):
                if place in full:
                    self._look_at_reserve(page)
                    yield number, page
                    for cell in full[place]:
                        yield from self._long_cell(number, index, cell)
                else:
                    yield from self._walk_page(number, page, index, todo)
        self._judge(self._schema if index == 0 else self._inner)
        self._judge_moved(index)

    def _read_all(self, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """(number, page) of those that can be read."""
        for number, page in zip(numbers, self.file.pages(numbers), strict=True):
            if page is None:
                self._broken(number)
            else:
                yield number, page

    def _full_leaves(
        self, pages: Sequence[tuple[int, bytes]], index: int
    ) -> Mapping[int, Sequence[Cell]]:
        """Leaf pages without any gap, by place, with their cells that go on in overflow pages."""
        if len(pages) < FEW or index == 0:
            return {}
        found = lazy.pages_in_bulk().leaves([page for _, page in pages], self.file.header.usable)
        full: dict[int, list[Cell]] = {place: [] for place in found.full.nonzero()[0].tolist()}
        for place, cell in found.long_cells():
            full[place].append(cell)
        return full

    def _walk_page(
        self, number: int, page: bytes, index: int, todo: list[int]
    ) -> Iterator[tuple[int, bytes]]:
        try:
            found = self.map_of(page, number)
        except PageError:
            self._broken(number)
            return
        yield number, page
        self._look_at_gaps(page, found, index)
        for cell in found.cells:
            if cell.child:
                todo.append(cell.child)
            yield from self._long_cell(number, index, cell)
        if found.right:
            todo.append(found.right)

    def _long_cell(self, number: int, index: int, cell: Cell) -> Iterator[tuple[int, bytes]]:
        if cell.overflow:
            self.chains.append(Chain(number, index, cell))
            yield from self._walk_chain(cell, index)

    def _look_at_gaps(self, page: bytes, found: PageMap, index: int) -> None:
        inner = index != 0 and page[0] == INNER_TABLE
        repeats = self._schema if index == 0 else self._inner if inner else None
        if repeats is not None:
            repeats.cells_of(page, found)
        self._moved.note(page, found)
        for start, end in found.gaps:
            if number := nonzero(page, start, end):
                usable = self.file.header.usable
                heads, first = left_over_heads(page, (start, end), found, usable)
                if index == 0 and not heads:
                    heads = stood_for(page, found, (start, end))
                self.residue.fragments += heads
                if repeats is not None:
                    others = nonzero(page, start, first) == number - heads
                    repeats.left(page, (start, first if others else end), number - heads)
                else:
                    self.residue.add("gaps", number - heads)
        for start, end in found.fragments:
            self.residue.fragments += nonzero(page, start, end)
        self._look_at_reserve(page)

    def _look_at_reserve(self, page: bytes) -> None:
        header = self.file.header
        self.residue.add("reserved", nonzero(page, header.usable, header.page_size))

    def _judge(self, repeats: Repeats) -> None:
        for repeated, number in repeats.judged():
            if repeated:
                self.residue.copies += number
            else:
                self.residue.add("gaps", number)

    def _judge_moved(self, index: int) -> None:
        def sizes() -> list[int]:
            mine = {n for n, owner in enumerate(self.owner) if owner == index}

            def read(number: int) -> PageMap | None:
                if number not in mine or self.role[number] != TREE:
                    return None
                mine.discard(number)
                return self.map_of(self.file.page(number), number)

            return lengths(self.trees[index].root, read)

        for number in self._moved.judged(self.file.header.usable, sizes, schema=index == 0):
            self.residue.fragments -= number
            self.residue.add("gaps", number)

    def _walk_chain(self, cell: Cell, index: int) -> Iterator[tuple[int, bytes]]:
        left = cell.size - cell.local
        number = cell.overflow
        usable = self.file.header.usable
        while left > 0:
            if not self._take(number, OVERFLOW, index):
                return
            page = self._read(number)
            if page is None:
                return
            yield number, page
            used = min(left, usable - 4)
            self.residue.add("overflow", nonzero(page, 4 + used, self.file.header.page_size))
            left -= used
            number = int.from_bytes(page[:4], "big")

    def _read_schema(self) -> Iterator[Tree]:
        encoding = encoding_name(self.file.header.encoding)
        for number in range(1, len(self.role)):
            if self.role[number] != TREE or self.owner[number] != 0:
                continue
            for _, payload in list(self.rows_of(number)):
                values = decode_record(payload, encoding)
                kind, name, table, root, sql = values[:5]
                tree = Tree(
                    str(kind),
                    str(name),
                    str(table),
                    root if isinstance(root, int) else 0,
                    str(sql or ""),
                )
                if tree.root:
                    yield tree
                elif tree.kind == "table":
                    self.virtual.append(tree)

    def _walk_freelist(self) -> Iterator[tuple[int, bytes]]:
        number = self.file.header.freelist
        while number:
            if not self._take(number, FREE, 0):
                return
            self.free_pages += 1
            page = self._read(number)
            if page is None:
                return
            yield number, page
            count = int.from_bytes(page[4:8], "big")
            last = 8 + 4 * count
            if last > self.file.header.usable:
                self._broken(number)
                return
            self.residue.add("free_pages", nonzero(page, last, len(page)))
            for at in range(8, last, 4):
                yield from self._visit_free_leaf(int.from_bytes(page[at : at + 4], "big"))
            number = int.from_bytes(page[:4], "big")

    def _visit_free_leaf(self, number: int) -> Iterator[tuple[int, bytes]]:
        if not self._take(number, FREE, 0):
            return
        self.free_pages += 1
        yield from self._visit_dead(number, "free_pages")

    def _visit_dead(self, number: int, place: str) -> Iterator[tuple[int, bytes]]:
        """A page that must be zero: as it is stored, or, in an encrypted file, decrypted."""
        raw = self.file.raw(number)
        if not nonzero(raw, 0, len(raw)):
            return
        try:
            page = self.file.clear(raw, number)
        except PageError:
            self._broken(number)
            self.residue.add(place, nonzero(raw, 0, len(raw)))
            return
        self.residue.add(place, nonzero(page, 0, len(page)))
        yield number, page

    def _visit_the_rest(self) -> Iterator[tuple[int, bytes]]:
        usable = self.file.header.usable
        for number in range(1, len(self.role)):
            if self.role[number] == UNUSED or self.role[number] == LOCK:
                yield from self._visit_dead(number, "orphans")
            elif self.role[number] == POINTER_MAP:
                page = self._read(number)
                if page is not None:
                    self.residue.add("pointer_maps", nonzero(page, usable // 5 * 5, len(page)))

    def _look_at_tail(self) -> None:
        at = self.file.header.pages * self.file.header.page_size
        while at < self.file.size:
            part = self.file.read(at, len(_ZEROS))
            if not part:
                return
            self.residue.add("tail", nonzero(part, 0, len(part)))
            at += len(part)
