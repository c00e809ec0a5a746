# SPDX-License-Identifier: MIT
"""A list of people: CSV as spreadsheets write it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memory_gui.cases.names import Subject
from memory_gui.domain.errors import UserError

_MOST: Final = 5_000
"""People in one list."""
_COLUMNS: Final = frozenset({"subject", "also", "other", "receipt"})
_PARTED: Final = (",", ";", "\t")
"""Between columns: a spreadsheet takes what its country does."""
_CUT: Final = re.compile("[;\uff1b\u3001\n]")
"""Between names in one cell."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list. ``receipt`` is what stands in that column."""

    subject: Subject = field(repr=False)
    receipt: str = ""


Wrong = tuple[int, UserError]
"""The number of a line, and what is wrong with it."""


def people(text: str, told: Callable[[Sequence[Wrong]], str]) -> list[Listed]:
    """Those of a list. ``told`` says what is wrong with its lines: all of them at once.

    Raises:
        UserError: ``case.subjects`` with why; ``case.list_columns``, ``case.list_line``,
            ``case.list_empty``, ``case.list_long``.
    """
    found: list[Listed] = []
    wrong: list[Wrong] = []
    for line, row in _rows(text):
        if len(found) + len(wrong) == _MOST:
            raise UserError("case.list_long", most=_MOST)
        try:
            subject = Subject.of(row.get("subject", ""), _cut(row, "also"), _cut(row, "other"))
        except UserError as error:
            wrong.append((line, error))
            continue
        found.append(Listed(subject, row.get("receipt", "")))
    if wrong:
        raise UserError("case.subjects", why=told(wrong)) from wrong[0][1]
    if not found:
        raise UserError("case.list_empty")
    return found


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """(line, the cells that hold something), by the names of their columns."""
    text = text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_parted_by(text), strict=True)
    try:
        heads = [_head(cell) for cell in next(reader, [])]
        if "subject" not in heads:
            raise UserError("case.list_columns")
        for cells in reader:
            row = {
                heads[place] if place < len(heads) else "": cell.strip()
                for place, cell in enumerate(cells)
                if cell.strip()
            }
            if set(row) - {"", *_COLUMNS}:
                raise UserError("case.list_columns")
            if "" in row:
                raise UserError("case.list_line", line=reader.line_num)
            if row:  # a spreadsheet ends with empty lines
                yield reader.line_num, row
    except csv.Error as error:
        raise UserError("case.list_line", line=reader.line_num) from error


def _parted_by(text: str) -> str:
    """What the head line is parted by: what gives the most columns that are known."""
    head = text.partition("\n")[0]
    return max(_PARTED, key=lambda mark: sum(_head(one) in _COLUMNS for one in head.split(mark)))


def _head(cell: str) -> str:
    return cell.strip().strip('"').strip().lower()


def _cut(row: Mapping[str, str], name: str) -> list[str]:
    return [text for one in _CUT.split(row.get(name, "")) if (text := one.strip())]
