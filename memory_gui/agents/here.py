# SPDX-License-Identifier: MIT
"""Whether another SQLite library has the file open in this very process.

POSIX drops all locks of a process on a file when the process closes *any* descriptor of it, so two
libraries in one process lose each other's rows without a word (measured, with stdlib ``sqlite3``
beside sqlcipher3). What can be seen: this process's descriptors, now. What cannot: a library that
opens the file later, and descriptors where ``/proc`` or ``/dev/fd`` is not mounted. On Windows a
lock belongs to its handle, and there is nothing to look for.
"""

from __future__ import annotations

import logging
import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.gate import GATE

Identity = tuple[int, int]

_LOG: Final = logging.getLogger("memory_gui.agents")
_LIBRARIES: Final = ("libsqlite3", "_sqlite3", "pysqlite3", "apsw", "winsqlite3")
_MAPS: Final = Path("/proc/self/maps")


def descriptors(identity: Identity) -> frozenset[int] | None:
    """This process's descriptors of a file, None where they cannot be seen. With GATE held."""
    if sys.platform == "win32":
        return frozenset()
    try:
        names = os.listdir("/dev/fd")  # noqa: PTH208 - names, not paths
    except OSError:
        return None
    found = set()
    for name in names:
        try:
            seen = os.fstat(int(name))
        except (OSError, ValueError):
            continue  # the descriptor of this very listing
        if stat.S_ISREG(seen.st_mode) and (seen.st_dev, seen.st_ino) == identity:
            found.add(int(name))
    return frozenset(found)


def other_libraries() -> tuple[str, ...]:
    """Other SQLite libraries that this process has loaded, as far as Linux shows them."""
    try:
        lines = _MAPS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    names = {Path(line.split(maxsplit=5)[5]).name for line in lines if line.count(" ") > 5}
    return tuple(sorted(n for n in names if n.startswith(_LIBRARIES)))


class Ours:
    """Which descriptors of which files are our own library's. One per process. Any thread."""

    def __init__(self) -> None:
        self._turn = threading.RLock()
        self._living: dict[Identity, int] = {}
        self._known: dict[Identity, frozenset[int]] = {}
        self._said_blind = False

    @contextmanager
    def alone(self, path: Path) -> Iterator[Identity]:
        """Inside, no other connection of ours opens or closes, and nobody else has the file open.

        Raises:
            UserError: ``agents.other_library``. OSError: the path cannot be looked at.
        """
        with self._turn, GATE:
            found = path.stat()
            identity = (found.st_dev, found.st_ino)
            seen = descriptors(identity)
            if seen is None:
                self._say_blind()
            elif seen - self._own(identity):
                raise UserError(
                    "agents.other_library",
                    path=str(path),
                    libraries=", ".join(other_libraries()) or "?",
                )
            yield identity

    def opened(self, identity: Identity) -> None:
        """A connection of ours was opened. Call inside ``alone``."""
        self._known[identity] = descriptors(identity) or frozenset()
        self._living[identity] = self._living.get(identity, 0) + 1

    @contextmanager
    def closing(self, identity: Identity) -> Iterator[None]:
        """Inside, a connection of ours is closed; where that fails it stays one of ours."""
        with self._turn, GATE:
            yield
            left = self._living.pop(identity, 1) - 1
            if left > 0:
                self._living[identity] = left
            else:
                self._known.pop(identity, None)

    def _own(self, identity: Identity) -> frozenset[int]:
        return self._known.get(identity, frozenset())

    def _say_blind(self) -> None:
        if not self._said_blind:
            self._said_blind = True
            _LOG.warning(
                "Open files of this process cannot be seen here (no /dev/fd): whether another "
                "SQLite library has a store open is not known. Use one library only."
            )


OURS: Final = Ours()
"""POSIX's rule is about the process, so this is too. It holds numbers, no data."""
