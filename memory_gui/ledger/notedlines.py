# SPDX-License-Identifier: MIT
"""A small private file of JSON lines in the data folder, for what must ask no keychain.

What is told there goes into the ledger when that is opened for something else.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.ledger.files import private_folder, read_small, remove_synced

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


class NotedLines:
    """One file, 0600, never through a link. Each call opens and closes it; any thread, any copy.

    ``most_bytes``: beyond it the file is begun anew, as nobody has opened the ledger for long.
    """

    def __init__(self, file: Path, most_bytes: int) -> None:
        self._file = file
        self._most_bytes = most_bytes

    def add(self, value: Any) -> None:
        """Add one. Where it cannot be written, what it tells of goes on without it."""
        line = (json.dumps(value, ensure_ascii=True) + "\n").encode()
        with suppress(OSError, UserError):
            private_folder(self._file.parent)
            if self.size() > self._most_bytes:
                self._file.unlink(missing_ok=True)
            number = os.open(self._file, _FLAGS, 0o600)
            try:
                os.write(number, line)  # one write, so that two at once do not mix
            finally:
                os.close(number)

    def lines(self, file: Path | None = None) -> list[str]:
        """What stands in it (or in a ``file`` that was put aside), the first one first."""
        try:
            data = read_small(file or self._file, 2 * self._most_bytes)
        except OSError:
            return []
        return data.decode("utf-8", "replace").splitlines()

    def size(self) -> int:
        """In bytes; 0 where there is none."""
        try:
            return self._file.lstat().st_size
        except OSError:
            return 0

    def remove(self) -> None:
        """Remove it."""
        with suppress(OSError):
            if self.size():
                remove_synced(self._file)
