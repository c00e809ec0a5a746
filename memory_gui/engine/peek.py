# SPDX-License-Identifier: MIT
"""What a file is, read from its bytes alone: no connection, nothing made beside it.

The schema of a readable database stands in the b-tree that begins on its first page; where a log
lies beside it, pages that were committed there count. Everything is bounded, because the file is
anybody's. Read through ``engine.gate``, so that a file that is open in this process keeps its
locks. Sources: sqlite.org/fileformat2.html 1.6 and 2.6, sqlite.org/walformat.html.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.engine.evidence import PLAIN_MAGIC
from memory_gui.engine.gate import GATE, descriptor
from memory_gui.engine.logs import Overlay, read_wal
from memory_gui.engine.pages.btree import PageError, parse_page
from memory_gui.engine.pages.record import decode_record, encoding_name

MOST_PAGES: Final = 2_000
"""Pages of a schema that are read; 1,000 tables with their statements take some hundred."""
MOST_OBJECTS: Final = 10_000
MOST_SQL: Final = 1 << 20
"""Bytes of one statement that are read."""
MOST_LOG: Final = 32 << 20
"""Of a longer log nothing is read (each page of it would have to be summed): the file alone counts.
"""


@dataclass(frozen=True, slots=True)
class SchemaObject:
    """One table, index, view or trigger. ``sql`` is empty for those that SQLite makes itself."""

    kind: str
    name: str
    table: str
    sql: str


@dataclass(frozen=True, slots=True)
class Peek:
    """The schema of a readable database, and two numbers of its header."""

    objects: tuple[SchemaObject, ...]
    user_version: int
    application_id: int


def peek(path: Path) -> Peek | None:
    """The schema; None where it cannot be told without a connection (encrypted, damaged, too big).

    Never raises for what the file holds.
    """
    try:
        with ExitStack() as stack:
            stack.enter_context(GATE)
            file = stack.enter_context(descriptor(path))
            log = _log(stack, Path(f"{path}-wal"))
            found = _Pages(file, log).schema()
    except (OSError, PageError, ValueError, IndexError, TooMuch):
        return None
    # Without one object, all of it may stand in a log that was not read.
    return found if found.objects or log is not None or not _has_log(path) else None


def _has_log(path: Path) -> bool:
    try:
        return Path(f"{path}-wal").stat(follow_symlinks=False).st_size > 0
    except OSError:
        return False


def beginning(path: Path, size: int) -> bytes:
    """The first bytes of a regular file; empty where it cannot be read."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return b""
        with descriptor(path) as number:
            return _read(number, size, 0)
    except OSError:
        return b""


class TooMuch(Exception):  # noqa: N818 - says what was found
    """More than is read without a connection."""


def _log(stack: ExitStack, path: Path) -> tuple[int, Overlay] | None:
    """The log's descriptor and what it adds; a link or a device is left alone."""
    try:
        number = stack.enter_context(descriptor(path))
    except FileNotFoundError:
        return None
    seen = os.fstat(number)
    if not stat.S_ISREG(seen.st_mode) or seen.st_size > MOST_LOG or sys.platform == "win32":
        return None
    overlay = read_wal(number) if seen.st_size else None
    return None if overlay is None else (number, overlay)


class _Pages:
    """The pages of a readable database, with those of its log over them."""

    def __init__(self, file: int, log: tuple[int, Overlay] | None) -> None:
        self._file = file
        self._log = log
        head = _read(file, 100, 0)
        if log is not None and 1 in log[1].places:
            head = _read(log[0], 100, log[1].places[1])
        if len(head) < 100 or not head.startswith(PLAIN_MAGIC):
            raise ValueError("not a readable database")
        size = int.from_bytes(head[16:18], "big")
        self._size = 65_536 if size == 1 else size
        if self._size < 512 or self._size & (self._size - 1):
            raise ValueError("no page size")
        self._usable = self._size - head[20]
        self._encoding = int.from_bytes(head[56:60], "big")
        self._versions = (
            int.from_bytes(head[60:64], "big", signed=True),
            int.from_bytes(head[68:72], "big", signed=True),
        )
        self._left = MOST_PAGES

    def schema(self) -> Peek:
        """Every row of the table that begins on page 1."""
        found = []
        for payload in self._rows(1):
            values = decode_record(payload, encoding_name(self._encoding))
            kind, name, table, _, sql, *_ = [*values, None, None, None, None, None]
            found.append(SchemaObject(str(kind), str(name), str(table), str(sql or "")))
            if len(found) > MOST_OBJECTS:
                raise TooMuch
        return Peek(tuple(found), *self._versions)

    def _page(self, number: int) -> bytes:
        self._left -= 1
        if self._left < 0:
            raise TooMuch
        log = self._log
        if log is not None and number in log[1].places:
            page = _read(log[0], self._size, log[1].places[number])
        else:
            page = _read(self._file, self._size, (number - 1) * self._size)
        if number < 1 or len(page) < self._size:
            raise PageError(f"page {number} is not there")
        return page

    def _rows(self, root: int) -> Iterator[bytes]:
        todo, seen = [root], set()
        while todo:
            number = todo.pop()
            if number in seen:
                raise PageError("a page is met twice")
            seen.add(number)
            page = self._page(number)
            found = parse_page(page, number, self._usable, utf16=self._encoding in (2, 3))
            for cell in found.cells:
                if cell.size:
                    first = page[cell.body : cell.body + cell.local]
                    yield self._payload(first, cell.size, cell.overflow)
            inner = [cell.child for cell in found.cells if cell.child]
            todo.extend(reversed([*inner, *([found.right] if found.right else [])]))

    def _payload(self, first: bytes, size: int, overflow: int) -> bytes:
        if size > MOST_SQL:
            raise TooMuch
        parts, left = [first], size - len(first)
        while left > 0:
            if not overflow:
                raise PageError("an overflow chain ends too early")
            data = self._page(overflow)
            parts.append(data[4 : 4 + min(left, self._usable - 4)])
            left -= self._usable - 4
            overflow = int.from_bytes(data[:4], "big")
        return b"".join(parts)


def _read(number: int, size: int, offset: int) -> bytes:
    if sys.platform == "win32":
        os.lseek(number, offset, os.SEEK_SET)
        return os.read(number, size)
    return os.pread(number, size, offset)
