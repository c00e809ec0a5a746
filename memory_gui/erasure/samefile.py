# SPDX-License-Identifier: MIT
"""Whether the file at a path is still the one that an erase was planned for.

A VACUUM and a new key leave the inode and the salt; a restored backup, a store that an agent made
anew and a change of encryption come as another file. The device's number is not noted: on many
systems it is another one after the next start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the eraser needs none of it
    from memory_gui.ledger import Pending, PendingErase

OTHER = "other"
"""In an entry's scheme: another database was found at its path."""


def inode_of(path: str | Path) -> int | None:
    """The file's own number; None where there is none."""
    try:
        return Path(path).stat().st_ino
    except OSError:
        return None


def is_same(scheme: Mapping[str, Any], path: str | Path, salt: str | None = None) -> bool:
    """Whether a path still holds the file that was noted. Without a note nobody knows: False."""
    inode = inode_of(path)
    if inode is None or scheme.get("inode") != inode:
        return False
    noted = scheme.get("salt") if scheme.get("encrypted") else None
    return not noted or salt is None or noted == salt


def entries_of(pending: Pending, path: str | Path, file: str | Path) -> tuple[PendingErase, ...]:
    """What is written down of the store at ``path`` and of the very file that is ``file`` now."""
    return tuple(entry for entry in pending.list(str(path)) if is_same(entry.scheme, file))


def carried_over(pending: Pending, entries: tuple[PendingErase, ...], salt: bytes) -> None:
    """The app itself put another file with the same rows in the place of the noted one."""
    for entry in entries:
        more = {"inode": inode_of(entry.store_path), "encrypted": bool(salt), "salt": salt.hex()}
        pending.put(replace(entry, scheme={**entry.scheme, **more}))
