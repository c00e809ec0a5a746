# SPDX-License-Identifier: MIT
"""What was done with this app: when, which act, on which records. Opaque ids only, no content.

An act must never make the app ask a keychain, so it goes to a small file first (0600) and into the
ledger when that is opened for something else.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.files import remove_synced
from memory_gui.ledger.notedlines import NotedLines
from memory_gui.ledger.schema import shown, stored

KEPT: Final = 2_000
"""So many acts are kept, the last ones."""
NAMED: Final = 200
"""So many records of one act are named; of more there is only the number."""
FILE: Final = "acts.jsonl"
_MOST_BYTES: Final = 2 << 20
"""Beyond it the file is begun anew: nobody has opened the ledger for hundreds of acts."""
_TAKEN: Final = ".taken"
_TAKING_S: Final = 60.0
"""Seconds after which nobody hands a file over any more."""
_COLUMNS: Final = "at, ms, code, front, store_path, count, records"
_OPAQUE: Final = re.compile(r"[0-9a-f]{1,40}\Z")
"""Counted or random. Another program may have put words where an id stands."""

Key = tuple[str, tuple[str, ...]]
"""(kind, key) of a record."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act on one store. ``at`` is when it ended, ISO 8601 in UTC; ``ms`` how long it took.

    ``code`` is the act's own word (add, edit, trash, …, undo, redo, erase), ``front`` is
    ``window`` or ``terminal``, ``count`` how many records; the first NAMED are in ``records``.
    """

    at: str
    ms: int
    code: str
    front: str
    store_path: str
    count: int
    records: tuple[Key, ...] = ()


def opaque(records: Iterable[Key]) -> tuple[Key, ...]:
    """Those that tell nothing, the first NAMED of them."""
    named = (one for one in records if all(map(_OPAQUE.match, one[1])))
    return tuple(one for one, _ in zip(named, range(NAMED), strict=False))


class ActRows:
    """Reads and writes the table ``act`` of the ledger. Any thread."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def put(self, acts: Iterable[Act]) -> None:
        """Keep some, and of all only the last ones."""
        with self._connect() as connection, connection.writing():
            for act in acts:
                connection.change(
                    f"INSERT INTO act ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                    (
                        act.at,
                        act.ms,
                        act.code,
                        act.front,
                        stored(act.store_path),
                        act.count,
                        json.dumps(act.records),
                    ),
                )
            connection.change(
                "DELETE FROM act WHERE number <= (SELECT max(number) FROM act) - ?", (KEPT,)
            )

    def list(self) -> tuple[Act, ...]:
        """All that are kept, the last one first."""
        with self._connect() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM act ORDER BY number DESC")  # noqa: S608 - a constant
        return tuple(
            Act(at, ms, code, front, shown(path), count, _keys(json.loads(records)))
            for at, ms, code, front, path, count, records in rows
        )

    def clear(self) -> None:
        """Keep none."""
        with self._connect() as connection, connection.writing():
            connection.change("DELETE FROM act")


class ActFile:
    """The files in the data folder that acts go to first. Each call opens and closes them."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / FILE
        self._noted = NotedLines(self._file, _MOST_BYTES)

    def put(self, act: Act) -> None:
        """Add one. Where it cannot be written, the act was done all the same."""
        self._noted.add(
            (act.at, act.ms, act.code, act.front, act.store_path, act.count, act.records)
        )

    def list(self) -> tuple[Act, ...]:
        """All, the last one first."""
        files = [self._file, *self._aside()]
        return tuple(act for file in files for act in reversed(self._acts_in(file)))

    def hand_over(self, put: Callable[[tuple[Act, ...]], object]) -> None:
        """Give them to ``put``, the first one first, and forget them when it took them.

        Each file is taken by renaming it, so that another copy of the app takes it no second time
        and what is added meanwhile stays.
        """
        names = [self._file, *self._aside()] if self._noted.size() or self._aside() else []
        for file in names:
            mine = self._file.with_name(f"acts-{secrets.token_hex(4)}{_TAKEN}")
            with suppress(OSError):
                file.rename(mine)
                try:
                    put(self._acts_in(mine))
                except BaseException:
                    mine.rename(mine.with_suffix(".left"))
                    raise
                remove_synced(mine)

    def clear(self) -> None:
        """Remove them."""
        for file in (self._file, *self._aside()):
            with suppress(OSError):
                if file.exists():
                    remove_synced(file)

    def _aside(self) -> tuple[Path, ...]:
        """What could not be handed over, or was stopped by a kill while it was."""
        old = time.time() - _TAKING_S
        found = list(self._file.parent.glob("acts-*.left"))
        for file in self._file.parent.glob(f"acts-*{_TAKEN}"):
            with suppress(OSError):
                if file.stat().st_mtime < old:
                    found.append(file)
        return tuple(found)

    def _acts_in(self, file: Path) -> tuple[Act, ...]:
        """The first one first. A line that is none of ours is passed over."""
        lines = self._noted.lines(file)
        return tuple(act for line in lines if (act := _read(line)) is not None)


def _read(line: str) -> Act | None:
    try:
        at, ms, code, front, path, count, records = json.loads(line)
        act = Act(at, int(ms), code, front, path, int(count), _keys(records))
    except (ValueError, TypeError):
        return None
    texts = (act.at, act.code, act.front, act.store_path)
    return act if all(isinstance(text, str) for text in texts) else None


def _keys(records: Any) -> tuple[Key, ...]:
    return tuple((str(kind), tuple(map(str, key))) for kind, key in records)
