# SPDX-License-Identifier: MIT
"""Whether a disk has room for an erase: asked before anything is written down or changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.erasure.plan import StorePlan

FACTOR: Final = 1.3
"""Of the file's size: what VACUUM and a new key write to the log at most (ERASURE 7 and 8)."""
_BESIDE: Final = 64 << 10
"""For the log's index, a journal, and what is written down, in bytes."""


def require_space(stores: Sequence[StorePlan]) -> None:
    """Refuse an erase that would stop in its middle for want of room.

    Raises:
        UserError: ``erase.disk_space`` with the bytes that are needed and free; a place that
            cannot be asked is no reason.
    """
    needed: dict[int, int] = {}
    free: dict[int, int] = {}
    for store in stores:
        path = Path(store.path)
        try:
            found = path.stat()
            device = found.st_dev
            free[device] = free_at(path.parent)
        except OSError:
            continue
        needed[device] = needed.get(device, 0) + int(found.st_size * FACTOR) + _BESIDE
        # What lies in a log already is reused.
        log = Path(f"{store.path}-wal")
        needed[device] -= min(log.stat().st_size if log.exists() else 0, found.st_size)
        if needed[device] > free[device]:
            raise UserError(
                "erase.disk_space",
                path=store.path,
                needed=_mib(needed[device]),
                free=_mib(free[device]),
            )


def free_at(folder: Path) -> int:
    """Bytes that this process may still write there: the superuser also what is kept back."""
    if hasattr(os, "statvfs") and hasattr(os, "geteuid") and os.geteuid() == 0:
        found = os.statvfs(folder)
        return found.f_bfree * found.f_frsize
    return shutil.disk_usage(folder).free


def _mib(size: int) -> float:
    return round(size / (1 << 20), 1)
