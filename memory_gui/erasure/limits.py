# SPDX-License-Identifier: MIT
"""What an erase cannot reach on this machine: said in the plan, the result and the receipt."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memory_gui.erasure.syncing import sync_folder

_MOUNTS: Final = Path("/proc/self/mounts")
_COPY_ON_WRITE: Final = frozenset({"btrfs", "zfs", "bcachefs", "overlay", "f2fs", "nilfs2", "apfs"})
_NETWORK: Final = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "ceph", "afs", "fuse.rclone"}
)


SYNC: Final = "limit.sync_folder"
OUT_OF_REACH: Final = frozenset(
    {"limit.copy_on_write", "limit.network", "limit.data_journal", SYNC}
)
"""Where overwriting in place does not reach the old blocks. Not said of what has a new key."""

PAPER: Final = "limit.old_key_paper"
OLD_KEY: Final = frozenset({"limit.old_key_files", PAPER})
"""For what an old key is kept."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Something that is not covered. ``code`` has its words in ``words/erasure.py`` (LIMITS)."""

    code: str
    params: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """``{"code": ..., "params": {...}}``."""
        return {"code": self.code, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class Mount:
    """One line of /proc/self/mounts (proc(5))."""

    point: str
    kind: str
    options: frozenset[str]


def limits_of(stores: Sequence[tuple[str, bool, bool]]) -> tuple[Limit, ...]:
    """What stays open for the databases at these paths; each is (path, encrypted, new key).

    With a new key what lies on the disk cannot be read any more once the old one is gone
    (ERASURE 10): blocks, snapshots and spare cells are no limit then, copies with the old key are.
    """
    limits: list[Limit] = []
    if not stores or not all(new for _, _, new in stores):
        limits = [Limit("limit.freed_earlier"), Limit("limit.snapshots"), Limit("limit.backups")]
        limits.append(Limit("limit.flash"))
    if any(encrypted and not new for _, encrypted, new in stores):
        limits.append(Limit("limit.key_kept"))
    if any(new for _, _, new in stores):
        limits.append(Limit("limit.old_key_copies"))
    mounts = read_mounts()
    for path, _, new in stores:
        if new:
            continue
        found = [*file_system_limits(path, mounts), *sync_limits(path)]
        limits.extend(limit for limit in found if limit not in limits)
    return tuple(limits)


def file_system_limits(path: str, mounts: Iterable[Mount]) -> list[Limit]:
    """Whether overwriting in place is defeated where the file lies."""
    mount = mount_of(path, mounts)
    if mount is None:
        return [Limit("limit.file_system_unknown")] if sys.platform != "linux" else []
    if mount.kind in _COPY_ON_WRITE:
        return [Limit("limit.copy_on_write", {"kind": mount.kind})]
    if mount.kind in _NETWORK or mount.kind.startswith("fuse."):
        return [Limit("limit.network", {"kind": mount.kind})]
    if "data=journal" in mount.options:
        return [Limit("limit.data_journal", {"kind": mount.kind})]
    return []


def sync_limits(path: str) -> list[Limit]:
    """Whether a program copies the folder to other computers: old versions are kept there."""
    found = sync_folder(Path(path))
    return [Limit(SYNC, {"kind": found.program, "path": str(found.folder)})] if found else []


def mount_of(path: str, mounts: Iterable[Mount]) -> Mount | None:
    """The mount that a path lies on: the longest mount point above it; the last one wins."""
    real = os.path.realpath(path)
    best: Mount | None = None
    for mount in mounts:
        point = mount.point.rstrip("/") + "/"
        if (real + "/").startswith(point) and (best is None or len(mount.point) >= len(best.point)):
            best = mount
    return best


def read_mounts(source: Path = _MOUNTS) -> list[Mount]:
    """The mounted file systems; none where the system does not tell."""
    try:
        lines = source.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []
    mounts = []
    for line in lines:
        parts = line.split(" ")
        if len(parts) >= 4:
            mounts.append(Mount(_plain(parts[1]), parts[2], frozenset(parts[3].split(","))))
    return mounts


def _plain(text: str) -> str:
    # proc(5): space, tab, newline and backslash are written as octal escapes.
    for code, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, letter)
    return text
