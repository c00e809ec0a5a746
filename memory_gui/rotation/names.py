# SPDX-License-Identifier: MIT
"""The two names beside a store while it is swapped. What lies there tells how far a kill let it go.

Only ``new``: not swapped yet. ``old`` is the store itself (two names of one file): not swapped
yet. ``old`` is another file: swapped, the old one is still to be zeroed.
"""

from __future__ import annotations

from pathlib import Path

SIDECARS = ("-wal", "-shm", "-journal")


def new_name(path: Path) -> Path:
    """Where the copy is made."""
    return path.with_name(f"{path.name}.memory-gui-new")


def old_name(path: Path) -> Path:
    """The second name of the store that will be replaced."""
    return path.with_name(f"{path.name}.memory-gui-old")


def part_name(out: Path) -> Path:
    """Where a copy that goes elsewhere is made, until it is proved."""
    return out.with_name(f"{out.name}.memory-gui-part")


def is_swapped(path: Path) -> bool:
    """Whether the store is the new one already, and an old one lies beside it. Looks at names."""
    old = old_name(path)
    if old.is_symlink() or not old.exists():
        return False
    return not path.exists() or not old.samefile(path)


def has_leftovers(path: Path) -> bool:
    """Whether an earlier change of encryption was stopped. Looks at names only."""
    new = new_name(path)
    names = (new, *(Path(f"{new}{suffix}") for suffix in SIDECARS), old_name(path))
    return any(name.is_symlink() or name.exists() for name in names)
