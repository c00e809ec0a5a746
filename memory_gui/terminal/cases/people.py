# SPDX-License-Identifier: MIT
"""A list of people to forget, and where their receipts go."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from memory_gui.cases.names import Subject
from memory_gui.cases.people import Listed, people
from memory_gui.domain.errors import UserError
from memory_gui.terminal.session import Session
from memory_gui.words.cases import wrong_lines
from memory_gui.words.errors import explain


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
    found = people(text, lambda wrong: wrong_lines(session.words, wrong))
    return [_person(one, folder, place) for place, one in enumerate(found, 1)]


def _person(one: Listed, folder: Path | None, place: int) -> Person:
    if one.receipt:
        return Person(one.subject, Path(one.receipt))
    return Person(one.subject, None if folder is None else folder / f"receipt-{place:04}.json")
