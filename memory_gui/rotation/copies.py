# SPDX-License-Identifier: MIT
"""Other files that a store's key opens: copies and backups have the same first 16 bytes."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.evidence import SIDECARS
from memory_gui.engine.gate import GATE, is_held
from memory_gui.rotation.names import new_name, old_name

_SALT: Final = 16
_MOST: Final = 500
"""Names of one folder that are looked at."""


def copies_of(path: Path, salt: bytes, known: Iterable[Path] = ()) -> tuple[str, ...]:
    """The files beside the store, and among ``known``, that begin with its salt. Sorted paths."""
    mine = {path.resolve(), new_name(path), old_name(path)}
    beside: list[Path] = []
    try:
        with os.scandir(path.parent) as entries:
            beside = [Path(entry.path) for _, entry in zip(range(_MOST), entries, strict=False)]
    except OSError:
        pass
    looked: Collection[Path] = dict.fromkeys((*known, *beside))
    found = {
        str(other.resolve())
        for other in looked
        if not other.name.endswith(SIDECARS)
        and other.resolve() not in mine
        and salt == _head(other)
    }
    return tuple(sorted(found))


def _head(path: Path) -> bytes:
    """The first 16 bytes; nothing of what is no file, or what SQLite has open in this process."""
    try:
        with GATE:
            seen = path.stat()
            if not stat.S_ISREG(seen.st_mode) or is_held(seen):
                return b""
            number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                return os.read(number, _SALT)
            finally:
                os.close(number)
    except OSError:
        return b""


def refuse_hard_links(path: Path) -> None:
    """A second name of the file would keep, or lose, what is rewritten under the first.

    Raises:
        UserError: ``rotation.hard_links``; ``store.missing``.
    """
    try:
        names = path.stat().st_nlink
    except OSError as error:
        raise UserError("store.missing", path=str(path)) from error
    if names != 1:
        raise UserError("rotation.hard_links", path=str(path), names=names)
