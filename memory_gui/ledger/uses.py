# SPDX-License-Identifier: MIT
"""Uses of the terminal without a person before it: when, which verb, how many records. No content.

A use must never make the app ask a keychain, so it goes to a small file first (0600, no name of a
record, no argument) and into the ledger when that is opened for something else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.connection import Connection
from memory_gui.ledger.files import private_folder, read_small, remove_synced

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
    """The file in the data folder that uses go to first. Each call opens and closes it."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / FILE

    def put(self, use: Use) -> None:
        """Add one. Where it cannot be written, the verb goes on without it."""
        line = (json.dumps(asdict(use), ensure_ascii=True) + "\n").encode()
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        with suppress(OSError, UserError):
            private_folder(self._file.parent)
            if self._size() > _MOST_BYTES:
                self._file.unlink(missing_ok=True)
            number = os.open(self._file, flags, 0o600)
            try:
                os.write(number, line)  # one write, so that two at once do not mix
            finally:
                os.close(number)

    def list(self) -> tuple[Use, ...]:
        """All, the last one first. A line that is none of ours is passed over."""
        try:
            lines = read_small(self._file, 2 * _MOST_BYTES).decode("utf-8", "replace").splitlines()
        except OSError:
            return ()
        return tuple(use for line in reversed(lines) if (use := _read(line)) is not None)

    def clear(self) -> None:
        """Remove it."""
        with suppress(OSError):
            if self._size():
                remove_synced(self._file)

    def _size(self) -> int:
        try:
            return self._file.lstat().st_size
        except OSError:
            return 0


def _read(line: str) -> Use | None:
    try:
        cells: dict[str, Any] = json.loads(line)
        use = Use(**{field.name: cells[field.name] for field in fields(Use)})
    except (ValueError, TypeError, KeyError):
        return None
    whole = isinstance(use.records, int) and isinstance(use.status, int)
    texts = all(isinstance(text, str) for text in (use.at, use.verb, use.by))
    return use if whole and texts else None
