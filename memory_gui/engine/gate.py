# SPDX-License-Identifier: MIT
"""Looking at a database file without dropping the locks that this process holds on it.

POSIX drops all of a process's locks on a file when the process closes *any* descriptor of it
(fcntl(2); https://sqlite.org/howtocorrupt.html 2.2), and other programs' rows vanish. So a file
that SQLite has open here is read through SQLite's own descriptor, and a file that it has not is
opened only while no connection can be made.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

GATE: Final = threading.RLock()
"""Held while a descriptor of a database file is opened or closed.

One per process, because POSIX's rule is about the process. It holds no data.
"""


def is_held(status: os.stat_result) -> bool:
    """Whether this process has the file open. Call with GATE held."""
    return _descriptor_of(status) is not None


@contextmanager
def descriptor(path: Path) -> Iterator[int]:
    """A descriptor to read the file with: the one that is open already, else a new one.

    Read with ``os.pread`` only, which moves no file position. Inside, no connection of this
    process opens or closes.

    Raises:
        OSError: as os.open.
    """
    with GATE:
        held = _descriptor_of(path.stat())
        if held is not None:
            yield held
            return
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        number = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
        try:
            yield number
        finally:
            os.close(number)


def _descriptor_of(status: os.stat_result) -> int | None:
    if sys.platform == "win32":
        return None  # locks belong to the handle there
    for name in os.listdir("/dev/fd"):  # noqa: PTH208 - names, not paths
        try:
            seen = os.fstat(int(name))
        except (OSError, ValueError):
            continue  # the descriptor of this very listing
        if stat.S_ISREG(seen.st_mode) and os.path.samestat(seen, status):
            return int(name)
    return None
