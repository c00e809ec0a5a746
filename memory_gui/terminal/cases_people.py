# SPDX-License-Identifier: MIT
"""A list of people to forget: CSV as spreadsheets write it."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memory_gui.cases.names import Subject
from memory_gui.domain.errors import UserError
from memory_gui.terminal.session import Session
from memory_gui.words.errors import explain

_MOST: Final = 5_000
"""People in one list."""
_COLUMNS: Final = frozenset({"subject", "also", "other", "receipt"})
_PARTED: Final = (",", ";", "\t")
"""Between columns: a spreadsheet takes what its country does."""
_CUT: Final = re.compile("[;\uff1b\u3001\n]")
"""Between names in one cell."""


@dataclass(frozen=True, slots=True)
class Person:
    """One line of the list."""

    subject: Subject = field(repr=False)
    receipt: Path | None = None


def listed(session: Session, name: str, folder: Path | None) -> list[Person]:
    """The people of a file, or of standard input. ``folder``: where all receipts go.

    Raises:
        UserError: ``case.subjects`` with the line, ``receipt.failed``.
    """
    if folder is not None and not folder.is_dir():
        raise UserError("receipt.failed", path=str(folder))
    try:
        text = session.read_text(name)
    except UserError as error:
        if error.code != "usage.unreadable":
            raise
        raise UserError("case.subjects", why=explain(session.words, error).text) from error
    people: list[Person] = []
    for line, row in _rows(text):
        if len(people) == _MOST:
            raise UserError("case.subjects", why=f"> {_MOST}")
        try:
            people.append(_person(row, folder, len(people) + 1))
        except UserError as error:
            told = explain(session.words, error).title
            why = session.words.say("line {n}: {why}", n=str(line), why=told)
            raise UserError("case.subjects", why=why) from error
    if not people:
        raise UserError("case.subjects", why="0")
    return people


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """(line, the cells that hold something), by the names of their columns."""
    text = text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_parted_by(text), strict=True)
    try:
        heads = [_head(cell) for cell in next(reader, [])]
        if "subject" not in heads:
            raise UserError("case.subjects", why="subject")
        for cells in reader:
            row = {
                heads[place] if place < len(heads) else "": cell.strip()
                for place, cell in enumerate(cells)
                if cell.strip()
            }
            if not set(row) <= _COLUMNS:
                raise UserError("case.subjects", why=str(reader.line_num))
            if row:  # a spreadsheet ends with empty lines
                yield reader.line_num, row
    except csv.Error as error:
        raise UserError("case.subjects", why=f"CSV, {reader.line_num}") from error


def _parted_by(text: str) -> str:
    """What the head line is parted by: what gives the most columns that are known."""
    head = text.partition("\n")[0]
    return max(_PARTED, key=lambda mark: sum(_head(one) in _COLUMNS for one in head.split(mark)))


def _head(cell: str) -> str:
    return cell.strip().strip('"').strip().lower()


def _person(row: Mapping[str, str], folder: Path | None, place: int) -> Person:
    def cut(name: str) -> list[str]:
        return [text for one in _CUT.split(row.get(name, "")) if (text := one.strip())]

    subject = Subject.of(row.get("subject", ""), cut("also"), cut("other"))
    named = row.get("receipt", "")
    if named:
        return Person(subject, Path(named))
    return Person(subject, None if folder is None else folder / f"receipt-{place:04}.json")
