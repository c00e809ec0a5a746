# SPDX-License-Identifier: MIT
"""Locks that an agent holds on a file of its own while it has its store open (flock(2)).

Held as the agent would: two who keep to it are never in the store at once. A file that is not there
is not made: then nobody holds it, and the store's own locks have to do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from types import TracebackType
from typing import Self

if sys.platform != "win32":
    import fcntl


class FileLocks:
    """Locks on some files, let go at ``close``. POSIX only; elsewhere nothing is locked."""

    def __init__(self) -> None:
        self._numbers: list[int] = []

    def take(self, paths: Iterable[str]) -> str | None:
        """Hold all of them, or none: then which one another program holds."""
        for path in paths:
            if not self._take(path):
                self.close()
                return path
        return None

    def _take(self, path: str) -> bool:
        if sys.platform == "win32":
            return True
        try:
            number = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(number)
            return False
        except OSError:
            os.close(number)  # a file system without such locks
            return True
        self._numbers.append(number)
        return True

    def close(self) -> None:
        """Let go. May be called twice."""
        numbers, self._numbers = self._numbers, []
        for number in numbers:
            os.close(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _value: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.close()
