# SPDX-License-Identifier: MIT
"""What FactMemory takes, and which facts it can never find again.

Source: FORMATS 3, inferred from the tutorial's text: one fact of 10 to 300 characters, unique per
subject, silently ignored when it is there already; recall looks at the newest 500 of a subject and
compares words of a-z and 0-9.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.stores.guard import first_secret
from memory_gui.stores.sql.cells import Cell

SHORTEST: Final = 10
LONGEST: Final = 300
SUBJECT_LIMIT: Final = 200
NEWEST: Final = 500
"""Facts of a subject that recall looks at."""
JOB: Final = "job:"
"""Subjects of a job begin so; those of a person with ``user:``."""
OUR_SOURCE: Final = "memory-gui"

FIELDS: Final = ("subject", "text", "source")
COLUMN_OF: Final = {"subject": "subject", "text": "fact", "source": "source"}

_WORD: Final = re.compile(r"[a-z0-9]+")


def check(cells: Mapping[str, Cell]) -> None:
    """Refuse what the class would not keep.

    Raises:
        UserError: ``record.*``, ``facts.*``: nothing of the values is in it.
    """
    subject, fact = cells["subject"], cells["fact"]
    if not isinstance(subject, str) or not subject.strip():
        raise UserError("facts.whose")
    if len(subject) > SUBJECT_LIMIT or not subject.isprintable():
        raise UserError("facts.subject", limit=SUBJECT_LIMIT)
    if isinstance(fact, bytes):
        raise UserError("record.not_unicode")
    if not isinstance(fact, str) or not fact.strip():
        raise UserError("record.text_empty")
    length = len(fact.strip())
    if length < SHORTEST:
        raise UserError("facts.short", length=length, limit=SHORTEST)
    if len(fact) > LONGEST:
        raise UserError("record.text_long", length=len(fact), limit=LONGEST)
    try:
        f"{subject}{fact}".encode()
    except UnicodeEncodeError as error:
        raise UserError("record.not_unicode") from error


def guard(cells: Mapping[str, Cell]) -> None:
    """Refuse a secret, as the class does ("not saved: looks like a secret").

    Raises:
        UserError: ``record.secret``.
    """
    kind = first_secret(cell for cell in cells.values() if isinstance(cell, str))
    if kind:
        raise UserError("record.secret", kind=kind)


def has_word(fact: str) -> bool:
    """Whether recall has anything to compare: one word of a-z and 0-9."""
    return _WORD.search(fact.lower()) is not None


def moment_of(cell: Cell) -> datetime | None:
    """Unix seconds as a moment in UTC; None where it is no such number."""
    if isinstance(cell, str):
        try:
            cell = float(cell)
        except ValueError:
            return None
    if not isinstance(cell, (int, float)):
        return None
    try:
        return datetime.fromtimestamp(cell, UTC)
    except (ValueError, OverflowError, OSError):
        return None
