# SPDX-License-Identifier: MIT
"""Small files of our own: private, never through a link, on the disk before anybody goes on."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError

_CODES: Final = {
    errno.ENOSPC: "store.disk_full",
    errno.EDQUOT: "store.disk_full",
    errno.EROFS: "store.read_only",
}
_FLAGS: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def private_folder(path: Path) -> Path:
    """Make a folder of ours (0700), or check the one that is there; returns it without links.

    Raises:
        UserError: ``ledger.folder``: it is no folder, or another user's; ``store.disk_full``,
            ``store.read_only``: it could not be made.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.resolve(strict=True)
        seen = found.stat()
        if hasattr(os, "geteuid") and seen.st_uid != os.geteuid():
            raise UserError("ledger.folder", path=str(path))
        if os.name == "posix" and stat.S_IMODE(seen.st_mode) & 0o077:
            found.chmod(0o700)
    except OSError as error:
        raise UserError(_CODES.get(error.errno or 0, "ledger.folder"), path=str(path)) from error
    return found


def write_whole(file: Path, data: bytes, *, replace: bool) -> bool:
    """Write a file (0600) so that it is there whole, or not at all, also after a power cut.

    False when there was one already and ``replace`` is off.

    Raises:
        OSError: as the system says; then the old file is as it was.
    """
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(8)}.new")
    _write_synced(fresh, data)
    try:
        if replace:
            fresh.replace(file)
        elif not take_name(fresh, file):
            return False
    finally:
        fresh.unlink(missing_ok=True)
    sync_folder(file.parent)
    return True


def read_small(file: Path, limit: int = 64 * 1024 * 1024) -> bytes:
    """Read a file of ours, not through a link.

    Raises:
        OSError: as the system says, also for a link.
    """
    with os.fdopen(os.open(file, os.O_RDONLY | _FLAGS), "rb") as stream:
        return stream.read(limit)


def remove_synced(file: Path) -> None:
    """Remove a file, durably; one that is not there is no error."""
    file.unlink(missing_ok=True)
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Make the folder's names durable (POSIX; Windows does it by itself)."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _write_synced(file: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS
    with os.fdopen(os.open(file, flags, 0o600), "wb") as stream:
        try:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        except BaseException:
            file.unlink(missing_ok=True)
            raise


def take_name(fresh: Path, file: Path) -> bool:
    """Give ``fresh`` the name of ``file`` unless that is taken; two at once: one wins."""
    link: Callable[[Path, Path], None] = os.link
    try:
        link(fresh, file)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        if os.path.lexists(file):
            return False
        fresh.replace(file)
    return True
