# SPDX-License-Identifier: MIT
"""A database file as it lies on the disk: its pages, what each is for, its tables.

Source: sqlite.org/fileformat2.html, sections 1.2 to 1.8 and 2.6.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.pages.btree import PageError
from memory_gui.engine.pages.cipher import MAGIC, PageCipher

PENDING_BYTE: Final = 0x4000_0000
"""Where SQLite locks; the page that holds this byte is never used."""
LARGEST_PAGE: Final = 65536
_FEW: Final = 16
"""Fewer pages are decrypted one by one."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the first 100 bytes say. ``usable`` is the page size without the reserved bytes."""

    page_size: int
    usable: int
    pages: int
    freelist: int
    free_pages: int
    auto_vacuum: bool
    encoding: int


class PageFile:
    """The pages of one database, read only. Holds one descriptor; close it.

    Must not be used in a process that has an SQLite connection to the file: closing the
    descriptor would drop that connection's locks.
    """

    def __init__(self, descriptor: int, cipher: PageCipher | None, name: str) -> None:
        """Take over an open descriptor; ``name`` is the path, for errors.

        Raises:
            UserError: ``store.not_a_database``, ``key.wrong``.
        """
        self._descriptor = descriptor
        self._name = name
        self.cipher = cipher
        self.size = os.fstat(descriptor).st_size
        self.header = self._read_header()

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._descriptor)

    def raw(self, number: int) -> bytes:
        """The page's bytes as stored."""
        size = self.header.page_size
        return self.read((number - 1) * size, size)

    def read(self, start: int, size: int) -> bytes:
        """Bytes of the file, fewer at its end."""
        parts = []
        while size > 0:
            part = os.pread(self._descriptor, size, start)
            if not part:
                break
            parts.append(part)
            start += len(part)
            size -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def page(self, number: int) -> bytes:
        """The page as SQLite sees it.

        Raises:
            PageError: it lies outside of the file, or was not written under the key.
        """
        if not 1 <= number <= self.header.pages:
            raise PageError(f"page {number} of {self.header.pages}")
        return self.clear(self.raw(number), number)

    def clear(self, raw: bytes, number: int) -> bytes:
        """A page image from this file or its logs, authenticated and decrypted.

        Raises:
            PageError: it is cut short, or was not written under the key.
        """
        if len(raw) < self.header.page_size:
            raise PageError(f"page {number} is cut short")
        if self.cipher is None:
            return raw
        if not self.cipher.authentic(raw, number):
            raise PageError(f"page {number} is not authentic")
        return self.cipher.decrypt(raw, number)

    def pages(self, numbers: Sequence[int], *, again: bool = False) -> list[bytes | None]:
        """Many pages as SQLite sees them; None for each that ``page`` would refuse.

        ``again``: they were found authentic before, which is not looked at once more.
        """
        found: list[bytes | None] = []
        many: dict[int, bytes] = {}
        for place, number in enumerate(numbers):
            raw = self.raw(number) if 1 <= number <= self.header.pages else b""
            whole = len(raw) == self.header.page_size
            if self.cipher is None:
                found.append(raw if whole else None)
                continue
            good = whole and (again or self.cipher.authentic(raw, number))
            alone = good and (number == 1 or len(numbers) < _FEW)
            found.append(self.cipher.decrypt(raw, number) if alone else None)
            if good and not alone:
                many[place] = raw
        if self.cipher is not None and many:
            clear = self.cipher.decrypt_all(list(many.values()))
            for place, page in zip(many, clear, strict=True):
                found[place] = page
        return found

    def is_lock_page(self, number: int) -> bool:
        """The page that holds the pending byte."""
        return number == PENDING_BYTE // self.header.page_size + 1

    def pointer_maps(self) -> Iterator[int]:
        """The pages that map pages to their parents (auto-vacuum databases)."""
        if not self.header.auto_vacuum:
            return
        step = self.header.usable // 5 + 1
        for number in range(2, self.header.pages + 1, step):
            yield number + 1 if self.is_lock_page(number) else number

    def _read_header(self) -> Header:
        head = self.read(0, LARGEST_PAGE)
        if self.cipher is not None:
            if not self.cipher.authentic(head[: self.cipher.page_size], 1):
                raise UserError("key.wrong", path=self._name)
            head = self.cipher.decrypt(head[: self.cipher.page_size], 1)
        if head[:16] != MAGIC or len(head) < 512:
            raise UserError("store.not_a_database", path=self._name)
        size = int.from_bytes(head[16:18], "big")
        size = 65536 if size == 1 else size
        if self.cipher is not None:
            size = self.cipher.page_size
        if size < 512 or size & (size - 1):
            raise UserError("store.not_a_database", path=self._name)
        pages = self.size // size
        # The count in the header holds only when both change counters agree.
        named = _u32(head, 28)
        if named and _u32(head, 24) == _u32(head, 92):
            pages = min(named, pages) if named <= pages else named
        return Header(
            page_size=size,
            usable=size - head[20],
            pages=pages,
            freelist=_u32(head, 32),
            free_pages=_u32(head, 36),
            auto_vacuum=bool(_u32(head, 52)),
            encoding=_u32(head, 56),
        )


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")
