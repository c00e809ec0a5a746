# SPDX-License-Identifier: MIT
"""Full-text indexes as bytes: does every entry belong to a document that is there?

A plain delete leaves a word's entry and adds a marker that repeats the word; both stay until the
segments are written anew. Source: the comments of SQLite's ``ext/fts5/fts5_index.c`` (leaf pages:
first rowid offset, leaf size, terms and doclists, then a footer with the terms' offsets).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final

from memory_gui.engine.pages.btree import PageError, varint

_STRUCTURE_ROWS: Final = 10
"""Rowids up to here hold averages and the structure record, no words."""
_PAGE_BITS: Final = 31
_HEIGHT_BITS: Final = 5
_TOMBSTONE: Final = 1 << 16
_HEADER: Final = 4


def stray_entries(blocks: Iterable[tuple[int, bytes]], documents: Container[int]) -> int:
    """How many entries of an FTS5 ``%_data`` table are markers, or point to no document.

    ``blocks`` are (rowid, block) in the order of the rowids.

    Raises:
        PageError: a block cannot be understood (such as ``detail=none``).
    """
    stray = 0
    for rowid, block in blocks:
        if rowid <= _STRUCTURE_ROWS:
            continue
        segment = rowid >> (_PAGE_BITS + _HEIGHT_BITS + 1)
        if segment >= _TOMBSTONE:
            stray += 1  # deleted documents of a contentless table, not merged away yet
            continue
        is_index = rowid >> _PAGE_BITS & ((1 << (_HEIGHT_BITS + 1)) - 1)
        if is_index:
            continue  # a doclist index: rowids only
        try:
            stray += _leaf(block, documents)
        except IndexError as error:
            raise PageError("a full-text block ends too early") from error
    return stray


def _leaf(block: bytes, documents: Container[int]) -> int:
    first_rowid = int.from_bytes(block[0:2], "big")
    size = int.from_bytes(block[2:4], "big")
    if size > len(block) or size < _HEADER:
        raise PageError("a full-text block is longer than it is")
    terms = _term_offsets(block, size)
    stray = 0
    if first_rowid and (not terms or first_rowid < terms[0]):
        # The list of the last term of the page before goes on here.
        end = terms[0] if terms else size
        stray += _doclist(block, first_rowid, end, documents)
    for index, at in enumerate(terms):
        end = terms[index + 1] if index + 1 < len(terms) else size
        length, start = varint(block, at)
        if index:  # that was how much the term shares with the one before
            length, start = varint(block, start)
        stray += _doclist(block, start + length, end, documents)
    return stray


def _term_offsets(block: bytes, size: int) -> list[int]:
    offsets = []
    at = size
    place = 0
    while at < len(block):
        step, at = varint(block, at)
        place += step
        if not _HEADER <= place < size:
            raise PageError("a full-text block has a wrong footer")
        offsets.append(place)
    return offsets


def _doclist(block: bytes, at: int, end: int, documents: Container[int]) -> int:
    stray = 0
    rowid = 0
    while at < end:
        step, at = varint(block, at)
        rowid += step
        if at >= end:
            break
        length, at = varint(block, at)
        # The lowest bit of the length marks a deletion; positions may go on on the next page.
        if length & 1 or rowid not in documents:
            stray += 1
        at += length >> 1
    return stray
