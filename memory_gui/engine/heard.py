# SPDX-License-Identifier: MIT
"""A connection whose statements and SQLite's answers are kept, for the receipt of an erase.

Values are bound and are never in a statement's text; answers of statements that read rows of the
agent are not asked for through here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from memory_gui.engine.database import Connection

_LONGEST: Final = 120
_MARKS: Final = re.compile(r"\?(?:, \?)+")
_GROUPS: Final = re.compile(r"\(\?(?:, …)?\)(?:, \(\?(?:, …)?\))+")

Statement = tuple[str, str]
"""A statement without its values, and what SQLite answered."""


class Heard:
    """Passes statements on. One thread."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._said: list[Statement] = []
        self._rows = 0

    def execute(self, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """As ``Connection.execute``; its rows are kept, so only for pragmas and commands."""
        try:
            rows = self._connection.execute(sql, params)
        except BaseException as error:
            self.note(sql, str(getattr(error, "code", type(error).__name__)))
            raise
        self.note(sql, _shown(rows))
        return rows

    def change(self, sql: str, params: Sequence[Any] = ()) -> int:
        """As ``Connection.change``; the same statement again is added to the one before."""
        rows = self._connection.change(sql, params)
        if self._said and self._said[-1][0] == _short(sql):
            self._said.pop()
            self._rows += rows
        else:
            self._rows = rows
        self.note(sql, f"{self._rows} rows")
        return rows

    def note(self, sql: str, answer: str) -> None:
        """Keep a statement that was given in another way."""
        self._said.append((_short(sql), answer))

    def taken(self) -> list[Statement]:
        """What was said since this was last asked."""
        said, self._said = self._said, []
        return said


def _short(sql: str) -> str:
    """Many question marks as one and dots: how many there are says nothing."""
    return _GROUPS.sub("(?, …), …", _MARKS.sub("?, …", sql))


def _shown(rows: Sequence[tuple[Any, ...]]) -> str:
    if not rows:
        return "ok"
    first = rows[0]
    text = str(first[0]) if len(first) == 1 else f"({', '.join(map(str, first))})"
    return text[:_LONGEST] + (f" … {len(rows)} rows" if len(rows) > 1 else "")
