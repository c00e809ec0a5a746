# SPDX-License-Identifier: MIT
"""What store files look like from outside, without a connection and without waiting for a disk.

A file on a disk that does not answer (a network that went away) holds up nobody but itself: several
are looked at in threads of their own, and one that is still waiting is not asked a second time.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.evidence import inspect, require_whole

PATIENCE_S: Final = 2.0
"""Seconds in which a disk must have answered."""
_AT_ONCE: Final = 8
_DATABASES: Final = frozenset({".db", ".sqlite", ".sqlite3", ".db3"})
"""Names of files that are wrong when they are no database."""
_MOST_IN_A_FOLDER: Final = 500


@dataclass(frozen=True, slots=True)
class Glance:
    """What was seen of one file. ``error`` says why nothing can be known of it.

    ``encrypted`` None where the file could not be read. ``changed_at`` is Unix time in s, of the
    file or of the log beside it, whichever changed last; None where there is no file.
    """

    encrypted: bool | None = None
    writable: bool = False
    changed_at: float | None = None
    error: UserError | None = None
    silent: bool = False
    """The disk has not answered."""


class Glances:
    """Looks at files. Any thread may call."""

    def __init__(self, look: Callable[[Path], Glance] | None = None) -> None:
        self._look = look or glance
        self._news = threading.Condition()
        self._waiting: set[str] = set()
        self._found: dict[str, Glance] = {}

    def of(self, paths: Sequence[str], patience: float = PATIENCE_S) -> Mapping[str, Glance]:
        """Look at all of them at once, for at most ``patience`` seconds."""
        with self._news:
            todo = deque(path for path in dict.fromkeys(paths) if path not in self._waiting)
            self._waiting.update(todo)
            for path in todo:
                self._found.pop(path, None)
        for _ in range(min(_AT_ONCE, len(todo))):
            threading.Thread(target=self._run, args=(todo,), name="glance", daemon=True).start()
        with self._news:
            self._news.wait_for(lambda: self._waiting.isdisjoint(paths), patience)
            silent = Glance(silent=True)
            return {path: self._found.get(path, silent) for path in paths}

    def _run(self, todo: deque[str]) -> None:
        while todo:
            try:
                path = todo.popleft()
            except IndexError:
                return
            found = self._look(Path(path))
            with self._news:
                self._found[path] = found
                self._waiting.discard(path)
                self._news.notify_all()


def glance(path: Path) -> Glance:
    """By name, size and head. Never raises. A store may be a folder, or a file of any kind."""
    try:
        seen = inspect(path, any_kind=path.suffix.lower() not in _DATABASES)
        if seen.head != "other":
            require_whole(seen)
    except UserError as error:
        if error.code == "store.is_folder" and os.access(path, os.R_OK | os.X_OK):
            writable = os.access(path, os.W_OK | os.X_OK)
            return Glance(encrypted=False, writable=writable, changed_at=_newest_in(path))
        return Glance(error=error, changed_at=_changed_at(path))
    return Glance(
        encrypted=seen.is_encrypted,
        writable=seen.writable and seen.folder_writable,
        changed_at=_changed_at(seen.path, log=seen.has_log),
    )


def _newest_in(folder: Path) -> float | None:
    """When a file in the folder was last changed, of the first ones; else the folder itself."""
    try:
        with os.scandir(folder) as entries:
            some = islice(entries, _MOST_IN_A_FOLDER)
            times = [entry.stat(follow_symlinks=False).st_mtime for entry in some]
    except OSError:
        return _changed_at(folder)
    return max(times, default=_changed_at(folder))


def _changed_at(path: Path, *, log: bool = False) -> float | None:
    times = []
    for file in (path, *((path.with_name(f"{path.name}-wal"),) if log else ())):
        try:
            times.append(file.stat().st_mtime)
        except OSError:
            continue
    return max(times, default=None)
