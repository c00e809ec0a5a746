# SPDX-License-Identifier: MIT
"""What store files look like from outside, without a connection and without waiting for a disk.

A file on a disk that does not answer (a network that went away) holds up nobody but itself: each
is looked at in a thread of its own, and one that is still waiting is not asked a second time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.evidence import inspect, require_whole

PATIENCE_S: Final = 2.0
"""Seconds in which a disk must have answered."""


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
        self._guard = threading.Lock()
        self._waiting: dict[str, threading.Thread] = {}
        self._found: dict[str, Glance] = {}

    def of(self, paths: Sequence[str], patience: float = PATIENCE_S) -> Mapping[str, Glance]:
        """Look at all of them at once, for at most ``patience`` seconds."""
        with self._guard:
            for path in paths:
                before = self._waiting.get(path)
                if before is None or not before.is_alive():
                    self._found.pop(path, None)
                    self._waiting[path] = self._start(path)
            threads = [self._waiting[path] for path in paths]
        until = time.monotonic() + patience
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        with self._guard:
            return {path: self._found.get(path, Glance(silent=True)) for path in paths}

    def _start(self, path: str) -> threading.Thread:
        thread = threading.Thread(target=self._run, args=(path,), name="glance", daemon=True)
        thread.start()
        return thread

    def _run(self, path: str) -> None:
        found = self._look(Path(path))
        with self._guard:
            self._found[path] = found


def glance(path: Path) -> Glance:
    """By name, size and head. Never raises."""
    try:
        seen = inspect(path, any_kind=path.suffix == ".json")  # an older format of an agent's
        if seen.head != "other":
            require_whole(seen)
    except UserError as error:
        return Glance(error=error, changed_at=_changed_at(path))
    return Glance(
        encrypted=seen.head == "random",
        writable=seen.writable and seen.folder_writable,
        changed_at=_changed_at(seen.path, log=seen.has_log),
    )


def _changed_at(path: Path, *, log: bool = False) -> float | None:
    times = []
    for file in (path, *((path.with_name(f"{path.name}-wal"),) if log else ())):
        try:
            times.append(file.stat().st_mtime)
        except OSError:
            continue
    return max(times, default=None)
