# SPDX-License-Identifier: MIT
"""Uses of the terminal without a person before it: when, which verb, how many records. No content.

A use must never make the app ask a keychain, so it goes to a small file first (0600, no name of a
record, no argument) and into the ledger when that is opened for something else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.notedlines import NotedLines

KEPT: Final = 1_000
"""So many uses are kept, the last ones."""
FILE: Final = "uses.jsonl"
_MOST_BYTES: Final = 512 * 1024
"""Beyond it the file is begun anew: nobody has opened the ledger for thousands of uses."""
_COLUMNS: Final = "at, verb, by, records, status"


@dataclass(frozen=True, slots=True)
class Use:
    """One use. ``at`` is ISO 8601 in UTC; ``by`` an agent's name, or empty for any other program.

    ``records`` is how many were shown or changed, ``status`` the exit status of ``CLI.md``.
    """

    at: str
    verb: str
    by: str
    records: int
    status: int


class UseRows:
    """Reads and writes the table ``terminal_use`` of the ledger. Any thread."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def put(self, uses: Iterable[Use]) -> None:
        """Keep some, and of all only the last ones."""
        with self._connect() as connection, connection.writing():
            for use in uses:
                connection.change(
                    f"INSERT INTO terminal_use ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                    (use.at, use.verb, use.by, use.records, use.status),
                )
            connection.change(
                "DELETE FROM terminal_use WHERE number <= (SELECT max(number) FROM terminal_use)"
                " - ?",
                (KEPT,),
            )

    def list(self) -> tuple[Use, ...]:
        """All that are kept, the last one first."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM terminal_use ORDER BY number DESC"  # noqa: S608 - a constant
            )
        return tuple(Use(*row) for row in rows)

    def clear(self) -> None:
        """Keep none."""
        with self._connect() as connection, connection.writing():
            connection.change("DELETE FROM terminal_use")


class UseFile:
    """The file in the data folder that uses go to first."""

    def __init__(self, data_dir: Path) -> None:
        self._noted = NotedLines(data_dir / FILE, _MOST_BYTES)

    def put(self, use: Use) -> None:
        """Add one. Where it cannot be written, the verb goes on without it."""
        self._noted.add(asdict(use))

    def list(self) -> tuple[Use, ...]:
        """All, the last one first. A line that is none of ours is passed over."""
        lines = reversed(self._noted.lines())
        return tuple(use for line in lines if (use := _read(line)) is not None)

    def clear(self) -> None:
        """Remove it."""
        self._noted.remove()


def _read(line: str) -> Use | None:
    try:
        cells: dict[str, Any] = json.loads(line)
        use = Use(**{field.name: cells[field.name] for field in fields(Use)})
    except (ValueError, TypeError, KeyError):
        return None
    whole = isinstance(use.records, int) and isinstance(use.status, int)
    texts = all(isinstance(text, str) for text in (use.at, use.verb, use.by))
    return use if whole and texts else None
