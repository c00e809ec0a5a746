# SPDX-License-Identifier: MIT
"""Write-ahead logs and rollback journals as bytes: every page image in them, valid or stale.

Source: sqlite.org/fileformat2.html, sections 3 and 4. Residue does not care whether a frame is
valid, so every slot of the file is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

WAL_MAGICS: Final = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
WAL_HEADER: Final = 32
FRAME_HEADER: Final = 24
JOURNAL_MAGIC: Final = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_SECTOR: Final = 512


@dataclass(frozen=True, slots=True)
class Image:
    """An old page in a log: ``number`` as the log names it, ``offset`` in the log's file."""

    number: int
    offset: int
    page: bytes


def wal_images(data: bytes, page_size: int) -> Iterator[Image]:
    """The page images of a ``-wal``, slot by slot; slots that are all zeros are left out."""
    if data[:4] in WAL_MAGICS:
        named = int.from_bytes(data[8:12], "big")
        page_size = named if named >= 512 else page_size
    step = FRAME_HEADER + page_size
    for at in range(WAL_HEADER, len(data) - FRAME_HEADER, step):
        page = data[at + FRAME_HEADER : at + step]
        number = int.from_bytes(data[at : at + 4], "big")
        if number or page.strip(b"\0"):
            yield Image(number, at + FRAME_HEADER, page)


def journal_images(data: bytes, page_size: int) -> Iterator[Image]:
    """The page images of a ``-journal``; its header may have been zeroed (PERSIST)."""
    sector = _SECTOR
    if data[:8] == JOURNAL_MAGIC:
        named_sector = int.from_bytes(data[20:24], "big")
        named_page = int.from_bytes(data[24:28], "big")
        sector = named_sector if named_sector >= 32 else sector
        page_size = named_page if named_page >= 512 else page_size
    step = 4 + page_size + 4
    for at in range(sector, len(data) - 4, step):
        page = data[at + 4 : at + 4 + page_size]
        number = int.from_bytes(data[at : at + 4], "big")
        if number or page.strip(b"\0"):
            yield Image(number, at + 4, page)
