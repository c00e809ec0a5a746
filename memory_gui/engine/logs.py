# SPDX-License-Identifier: MIT
"""What a database's log adds to its file: committed WAL frames, or a hot journal to roll back.

Formats: https://sqlite.org/walformat.html and https://sqlite.org/fileformat2.html#the_rollback_journal.
Pages of an encrypted database are encrypted in its logs as well, so they are copied as they are.
"""

from __future__ import annotations

import os
import struct
import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

_WAL_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_WAL_MAGIC: Final = 0x377F0682  # the lowest bit says in which byte order words are summed
_WAL_VERSION: Final = 3007000
_JOURNAL_MAGIC: Final = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_JOURNAL_HEADER: Final = 28
_TO_THE_END: Final = 0xFFFFFFFF
_MASK: Final = 0xFFFFFFFF

LOG_MAGICS: Final = MappingProxyType(
    {"-wal": (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"), "-journal": (_JOURNAL_MAGIC,)}
)
"""How a log that says something begins."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """Pages to lay over a database file, and the number of pages it has then.

    ``places`` maps page number -> byte offset in the log's file.
    """

    page_size: int
    pages: int
    places: Mapping[int, int]

    def apply(self, log: int, image: int) -> None:
        """Copy the pages from the log's descriptor over the image's, and cut the image to size."""
        for number, place in self.places.items():
            page = os.pread(log, self.page_size, place)
            os.pwrite(image, page, (number - 1) * self.page_size)
        os.ftruncate(image, self.pages * self.page_size)


def read_wal(log: int) -> Overlay | None:
    """The frames up to the last commit whose salts and checksums hold; None when there is none."""
    header = os.pread(log, _WAL_HEADER, 0)
    if len(header) < _WAL_HEADER:
        return None
    magic, version, page_size, _, salt_1, salt_2, sum_1, sum_2 = struct.unpack(">8I", header)
    if magic & ~1 != _WAL_MAGIC or version != _WAL_VERSION or not _is_page_size(page_size):
        return None
    big = bool(magic & 1)
    sums = _wal_sums(header[:24], big, (0, 0))
    if sums != (sum_1, sum_2):
        return None
    places: dict[int, int] = {}
    waiting: dict[int, int] = {}
    pages = 0
    offset = _WAL_HEADER
    length = _FRAME_HEADER + page_size
    while len(frame := os.pread(log, length, offset)) == length:
        number, commit, *rest = struct.unpack(">6I", frame[:_FRAME_HEADER])
        sums = _wal_sums(frame[_FRAME_HEADER:], big, _wal_sums(frame[:8], big, sums))
        if tuple(rest) != (salt_1, salt_2, *sums) or number == 0:
            break
        waiting[number] = offset + _FRAME_HEADER
        if commit:
            places.update(waiting)
            waiting.clear()
            pages = commit
        offset += length
    if not pages:
        return None
    return Overlay(page_size, pages, {n: at for n, at in places.items() if n <= pages})


def read_journal(log: int) -> Overlay | None:
    """The old pages that undo an unfinished change, or None when there is nothing to undo.

    Raises:
        ValueError: the journal belongs to a change over several databases.
    """
    size = os.fstat(log).st_size
    _refuse_super_journal(log, size)
    places: dict[int, int] = {}
    pages, page_size, offset = 0, 0, 0
    while len(head := os.pread(log, _JOURNAL_HEADER, offset)) == _JOURNAL_HEADER:
        if not head.startswith(_JOURNAL_MAGIC):
            break
        count, nonce, original, sector, header_page = struct.unpack(">5I", head[8:])
        if not page_size:
            if not _is_page_size(header_page) or not _is_page_size(sector):
                return None
            pages, page_size, step = original, header_page, sector
        record = 4 + page_size + 4
        offset += step
        if count == _TO_THE_END:
            count = (size - offset) // record
        for _ in range(count):
            number = _journal_record(log, offset, page_size, nonce, pages)
            if number is None:
                return Overlay(page_size, pages, places)
            if number <= pages:
                places[number] = offset + 4
            offset += record
        offset = -(-offset // step) * step
    return Overlay(page_size, pages, places) if page_size and places else None


def _journal_record(log: int, offset: int, page_size: int, nonce: int, pages: int) -> int | None:
    """The page number of the record there, None when it is torn. As ``pager_playback_one_page``."""
    record = os.pread(log, page_size + 8, offset)
    if len(record) < page_size + 8:
        return None
    number, total = struct.unpack(">I", record[:4])[0], struct.unpack(">I", record[-4:])[0]
    page = record[4:-4]
    check = nonce + sum(page[at] for at in range(page_size - 200, 0, -200))
    whole = number > pages or check & _MASK == total
    return number if number and whole else None


def _refuse_super_journal(log: int, size: int) -> None:
    if size >= 8 and os.pread(log, 8, size - 8) == _JOURNAL_MAGIC:
        raise ValueError("super-journal")


def _is_page_size(size: int) -> bool:
    return 512 <= size <= 65536 and size & (size - 1) == 0


def _wal_sums(data: bytes, big: bool, sums: tuple[int, int]) -> tuple[int, int]:
    words = array("I", data)
    if big is (sys.byteorder == "little"):
        words.byteswap()
    first, second = sums
    it = iter(words)
    for left, right in zip(it, it, strict=True):
        first = (first + left + second) & _MASK
        second = (second + right + first) & _MASK
    return first, second
