# SPDX-License-Identifier: MIT
"""Whether an erased row is still there: by its key, in every row of its table."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from memory_gui import lazy
from memory_gui.engine.pages.btree import Cell, PageError
from memory_gui.engine.pages.record import Columns, decode_record, encoding_name, key_of
from memory_gui.engine.pages.survey import FEW, Survey
from memory_gui.erasure.places import Key, Wanted

_NO_TEXT = "\ufffd"
"""What bytes that are no text are read as: a key with it may be of many bytes."""


def rows_left(survey: Survey, wanted: Wanted) -> int:
    """How many of the erased rows are there all the same.

    Tables without rowids store their columns in another order; for those the eraser's own count
    has to do.
    """
    left = 0
    encoding = encoding_name(survey.file.header.encoding)
    for number, tree in enumerate(survey.trees):
        gone = wanted.erased.get(tree.name)
        columns = tree.columns
        if gone is None or tree.kind != "table" or columns.without_rowid:
            continue
        names, keys = gone
        for rowid, payload in _rows(survey, number, _Sought(columns, names, keys, encoding)):
            try:
                values = decode_record(payload, encoding)
            except PageError:
                continue
            if key_of(columns, values, rowid, names) in keys:
                left += 1
    return left


class _Sought:
    """What of a key can be told without reading the whole row: its first column."""

    def __init__(
        self, columns: Columns, names: Sequence[str], keys: frozenset[Key], encoding: str
    ) -> None:
        firsts = {key[0] for key in keys if key}
        name = names[0] if names else ""
        by_number = name == columns.rowid_alias or name.lower() == "rowid"
        self.column = None if by_number else _place(columns, name)
        self.rowids = {int(one) for one in firsts if by_number and _is_number(one)}
        self.texts = {one.encode(encoding, "surrogatepass") for one in firsts}
        unsure = any(_NO_TEXT in one for one in firsts)
        self.works = bool(names) and (by_number or (self.column is not None and not unsure))


def _place(columns: Columns, name: str) -> int | None:
    return columns.names.index(name) if name in columns.names else None


def _is_number(key: str) -> bool:
    digits = key.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and abs(int(key)) < 1 << 63


def _rows(survey: Survey, tree: int, sought: _Sought) -> Iterator[tuple[int, bytes]]:
    """(rowid, payload) of every row that may be one of those; what cannot be read is left out."""
    for pages in survey.pages_of(tree):
        for page, cell in _cells(survey, pages, sought):
            if cell.size:
                with contextlib.suppress(PageError):  # counted as unreadable by the walk
                    yield cell.rowid, survey.payload(page, cell)


def _cells(
    survey: Survey, pages: Sequence[tuple[int, bytes]], sought: _Sought
) -> Iterator[tuple[bytes, Cell]]:
    full: set[int] = set()
    if sought.works and len(pages) >= FEW:
        bulk = lazy.pages_in_bulk()
        found = bulk.leaves([page for _, page in pages], survey.file.header.usable)
        full = set(found.full.nonzero()[0].tolist())
        for at in bulk.rows_that_may_have(found, sought.column, sought.texts, sought.rowids):
            yield pages[int(found.page[at])][1], found.cell(at)
    for place, (number, page) in enumerate(pages):
        if place not in full:
            for cell in survey.map_of(page, number).cells:
                yield page, cell
