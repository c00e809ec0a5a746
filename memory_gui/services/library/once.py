# SPDX-License-Identifier: MIT
"""One act at a time on one file, while others go on with theirs."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path


class OneAtATime:
    """Any thread may call. A file is the same under all its names."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[Hashable, tuple[threading.RLock, list[None]]] = {}

    @contextmanager
    def with_file(self, path: Path) -> Iterator[None]:
        """Inside, no other thread is inside with the same file."""
        name = _name(path)
        with self._guard:
            lock, users = self._locks.setdefault(name, (threading.RLock(), []))
            users.append(None)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                users.pop()
                if not users:
                    del self._locks[name]


def _name(path: Path) -> Hashable:
    try:
        found = path.stat()
    except OSError:
        return path
    return found.st_dev, found.st_ino
