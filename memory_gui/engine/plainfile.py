# SPDX-License-Identifier: MIT
"""Text files that are a store by themselves: read as a whole, with limits and through no link.

The folder is resolved once by whoever names it; a link in a file's own place is never followed.
"""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.gate import GATE

MOST_BYTES: Final = 64 * 2**20
"""Files above this are not read: no agent that reads its memory as a whole has so much."""
_PIECE: Final = 1 << 20
_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Seen:
    """Which file it was, and of what size and time (nanoseconds): another writer shows here."""

    device: int
    inode: int
    size: int
    changed: int

    @classmethod
    def of(cls, status: os.stat_result) -> Seen:
        """From ``stat``."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it was read; ``seen`` is None where there was none."""

    data: bytes = field(default=b"", repr=False)
    seen: Seen | None = None


def status_of(path: Path) -> os.stat_result | None:
    """What lies there by itself, a link included; None where nothing does.

    Raises:
        UserError: ``store.no_permission``, ``store.io``.
    """
    try:
        return path.stat(follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        raise UserError("store.no_permission", path=str(path)) from error
    except (OSError, ValueError) as error:
        raise UserError("store.io", path=str(path)) from error


def seen_of(path: Path) -> Seen | None:
    """Which ordinary file lies there now; None for anything else. Opens nothing."""
    try:
        status = status_of(path)
    except UserError:
        return None
    return Seen.of(status) if status is not None and stat.S_ISREG(status.st_mode) else None


def read_file(path: Path, limit: int = MOST_BYTES) -> Content:
    """All of a file; an empty Content where there is none.

    Raises:
        UserError: ``file.link``, ``store.not_a_file``, ``store.too_big``, ``store.unsteady``,
            ``store.no_permission``, ``store.io``.
    """
    for _ in range(_TRIES):
        status = status_of(path)
        if status is None:
            return Content()
        _refuse_odd(path, status)
        if status.st_size > limit:
            raise UserError("store.too_big", path=str(path), limit=limit // 2**20)
        content = _read_once(path, status, limit)
        if content is not None:
            return content
    raise UserError("file.unsteady", path=str(path))


def head_of(path: Path, size: int = 512) -> bytes:
    """The first bytes of an ordinary file; nothing where it cannot be read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return b""
        with GATE:
            number = os.open(path, _flags())
            try:
                return os.read(number, size)
            finally:
                os.close(number)
    except (OSError, ValueError):
        return b""


def _read_once(path: Path, before: os.stat_result, limit: int) -> Content | None:
    """Its bytes; None where it was changed or replaced meanwhile."""
    try:
        with GATE:
            number = os.open(path, _flags())
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise UserError("store.no_permission", path=str(path)) from error
    except OSError as error:
        raise UserError("store.io", path=str(path)) from error
    try:
        status = os.fstat(number)
        _refuse_odd(path, status)
        if not os.path.samestat(before, status):
            return None
        pieces = []
        left = limit + 1
        while left > 0 and (piece := os.read(number, min(_PIECE, left))):
            pieces.append(piece)
            left -= len(piece)
        seen = Seen.of(status)
        if left <= 0 or Seen.of(os.fstat(number)) != seen:
            return None
        data = b"".join(pieces)
        return Content(data, seen) if len(data) == seen.size else None
    except OSError as error:
        raise UserError("store.io", path=str(path)) from error
    finally:
        with GATE:
            os.close(number)


def _flags() -> int:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    return flags | (getattr(os, "O_BINARY", 0) if sys.platform == "win32" else os.O_CLOEXEC)


def _refuse_odd(path: Path, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise UserError("file.link", path=str(path))
    if stat.S_ISDIR(status.st_mode):
        raise UserError("store.is_folder", path=str(path))
    if not stat.S_ISREG(status.st_mode):
        raise UserError("store.not_a_file", path=str(path))
