# SPDX-License-Identifier: MIT
"""A copy of somebody's encrypted database in today's settings. Runs in the rotator's process.

The database itself is only read, and not by SQLite: its bytes are copied first, and SQLite works on
those. So nothing of it can change, whatever its settings are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import ANY_CIPHER, Key, with_settings
from memory_gui.domain.work import Tick, no_tick
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_empty
from memory_gui.engine.evidence import inspect
from memory_gui.engine.gate import descriptor
from memory_gui.rotation.copying import copy_database
from memory_gui.rotation.names import SIDECARS

PAGE_SIZE: Final = 4096
_LOGS: Final = ("", "-wal", "-journal")
_PIECE: Final = 1 << 20
_TRIES: Final = 3


def migrate(path: Path, key: Key, out: Path, *, tick: Tick = no_tick) -> int:
    """Make ``out``, which the same key opens, and prove it; the number of rows.

    Raises:
        UserError: ``key.not_encrypted``, ``key.wrong``, ``store.exists``, ``store.unsteady``,
            ``store.*``.
        IntegrityError: ``rotation.differs``.
    """
    evidence = inspect(path)
    if not evidence.is_encrypted:
        raise UserError("key.not_encrypted", path=str(path))
    if os.path.lexists(out):
        raise UserError("store.exists", path=str(out))
    with (
        _bytes_of(evidence.path, out) as copy,
        open_database(copy, key, write=True, maintain=True, own_copy=True) as source,
    ):
        return copy_database(
            source,
            out,
            with_settings(key, ANY_CIPHER),
            journal_mode=source.journal_mode,
            page_size=PAGE_SIZE,
            tick=tick,
        )


@contextmanager
def _bytes_of(path: Path, out: Path) -> Iterator[Path]:
    """The database and its log under another name beside ``out``, gone afterwards."""
    copy = out.with_name(f".{out.name}.memory-gui-copy")
    try:
        for _ in range(_TRIES):
            before = _seen(path)
            for suffix in _LOGS:
                _copy(Path(f"{path}{suffix}"), Path(f"{copy}{suffix}"))
            if _seen(path) == before:
                break
        else:
            raise UserError("store.unsteady", path=str(path))
        yield copy
    finally:
        for suffix in ("", *SIDECARS):
            Path(f"{copy}{suffix}").unlink(missing_ok=True)


def _seen(path: Path) -> list[tuple[int, int] | None]:
    found: list[tuple[int, int] | None] = []
    for suffix in _LOGS:
        try:
            status = os.stat(f"{path}{suffix}", follow_symlinks=False)  # noqa: PTH116 - a suffix
        except OSError:
            found.append(None)
            continue
        found.append((status.st_size, status.st_mtime_ns))
    return found


def _copy(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    if not source.exists():
        return
    create_empty(target)
    with descriptor(source) as number, target.open("r+b") as into:
        at = 0
        while piece := _read(number, at):
            into.write(piece)
            at += len(piece)


def _read(number: int, at: int) -> bytes:
    if sys.platform == "win32":
        os.lseek(number, at, os.SEEK_SET)
        return os.read(number, _PIECE)
    return os.pread(number, _PIECE, at)
