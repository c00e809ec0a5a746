# SPDX-License-Identifier: MIT
"""A private copy of a database in memory, with its log worked in, that has no name.

A WAL database in a place that can only be read cannot be opened there: SQLite would have to make
files beside it. And a log that does not belong to its database must be noticed before SQLite works
it in. For both, the file and its log are copied into memory and opened as ``immutable``.

``/proc/self/fd/N`` of a memfd cannot be opened: SQLite resolves links first, and that one's target
is no path (measured with 3.53.4). So a file of zeros is made on a memory file system (tmpfs),
SQLite opens it (and reads its size, no more), its name is removed, and only then the content is
written: content never has a name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.engine.evidence import Evidence, file_system
from memory_gui.engine.gate import GATE, descriptor
from memory_gui.engine.logs import LOG_MAGICS, Overlay, read_journal, read_wal
from memory_gui.engine.raw import connect, shut
from memory_gui.engine.sql import file_uri

_TRIES: Final = 5
_PAUSE_S: Final = 0.1
_PREFIX: Final = ".memory-gui-"
_STALE_S: Final = 60
_MEMORY: Final = frozenset({"tmpfs", "ramfs"})

Stamp = tuple[tuple[int, int, int], ...]


def open_copy(evidence: Evidence, *, with_log: bool = True) -> sqlcipher3.Connection:
    """A raw connection to a copy of the database, with what its log adds unless told otherwise.

    The connection is neither keyed nor read yet.

    Raises:
        UserError: ``store.unsteady`` when other programs write all the time,
            ``store.no_memory_place``, ``store.odd_log``, ``store.unfinished``, ``store.io``.
    """
    place = _memory_place(evidence.path)
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE_S)
        before = _stamp(evidence.path)
        try:
            raw = _copy(evidence.path, place, with_log=with_log)
        except FileNotFoundError:
            continue  # a log that went away meanwhile
        except OSError as error:
            raise _no_copy(error, evidence.path) from error
        if _stamp(evidence.path) == before:
            return raw
        shut(raw)
    raise UserError("store.unsteady", path=str(evidence.path))


def has_log(evidence: Evidence) -> bool:
    """Whether a log lies beside the database that SQLite might work in when it opens it."""
    for suffix, magics in LOG_MAGICS.items():
        if not evidence.sidecars.get(suffix):
            continue
        with _log(Path(f"{evidence.path}{suffix}")) as log:
            if log is not None and os.pread(log, 8, 0).startswith(magics):
                return True
    return False


def _no_copy(error: OSError, path: Path) -> UserError:
    if error.errno in {errno.ENOSPC, errno.ENOMEM, errno.EDQUOT}:
        return UserError("store.no_memory_place", path=str(path))
    if error.errno in {errno.EACCES, errno.EPERM}:
        return UserError("store.no_permission", path=str(path))
    return UserError("store.io", path=str(path))


def _memory_place(path: Path) -> Path:
    for place in ("/dev/shm", os.environ.get("XDG_RUNTIME_DIR", "")):  # noqa: S108 - 0600, O_EXCL
        if place and file_system(Path(place)) in _MEMORY and os.access(place, os.W_OK | os.X_OK):
            return Path(place)
    raise UserError("store.no_memory_place", path=str(path))


def _copy(path: Path, place: Path, *, with_log: bool) -> sqlcipher3.Connection:
    with ExitStack() as stack:
        file = stack.enter_context(descriptor(path))
        size = os.fstat(file).st_size
        overlays: list[tuple[Overlay, int]] = []
        for suffix, read in (("-journal", read_journal), ("-wal", read_wal)) if with_log else ():
            log = stack.enter_context(_log(Path(f"{path}{suffix}")))
            try:
                overlay = read(log) if log is not None else None
            except ValueError as error:
                raise UserError("store.unfinished", path=str(path)) from error
            if log is not None and overlay is not None:
                overlays.append((overlay, log))
                size = overlay.pages * overlay.page_size
        _sweep(place)
        name = place / f"{_PREFIX}{secrets.token_hex(8)}"
        image = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        stack.callback(os.close, image)

        def write() -> None:
            name.unlink()
            _copy_bytes(file, image)
            for overlay, log in overlays:
                overlay.apply(log, image)

        try:
            os.ftruncate(image, size)
            return connect(file_uri(name, mode="ro", immutable=1), 0, write)
        finally:
            name.unlink(missing_ok=True)


def _sweep(place: Path) -> None:
    """Take away names (without content) that a killed run of ours left."""
    for left in place.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            status = left.stat(follow_symlinks=False)
            if status.st_uid == os.geteuid() and time.time() - status.st_mtime > _STALE_S:
                left.unlink()


@contextmanager
def _log(path: Path) -> Iterator[int | None]:
    """A descriptor of a log, None when there is none; a link or device is refused."""
    with GATE, ExitStack() as stack:
        try:
            number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            yield None
            return
        except PermissionError as error:
            raise UserError("store.no_permission", path=str(path)) from error
        except OSError as error:
            code = "store.odd_log" if error.errno == errno.ELOOP else "store.io"
            raise UserError(code, path=str(path)) from error
        stack.callback(os.close, number)
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise UserError("store.odd_log", path=str(path))
        yield number


def _copy_bytes(source: int, target: int) -> None:
    size, offset = os.fstat(source).st_size, 0
    os.lseek(target, 0, os.SEEK_SET)
    while offset < size:
        if sys.platform == "linux":
            sent = os.sendfile(target, source, offset, min(size - offset, 1 << 30))
        else:
            sent = os.write(target, os.pread(source, 1 << 20, offset))
        if not sent:
            return
        offset += sent


def _stamp(path: Path) -> Stamp:
    """What changes when one of the files is written: (size, mtime, inode) of each."""
    stamps = []
    for suffix in ("", "-wal", "-journal"):
        try:
            seen = os.stat(f"{path}{suffix}", follow_symlinks=False)  # noqa: PTH116 - a suffix
        except OSError:
            stamps.append((0, 0, 0))
            continue
        stamps.append((seen.st_size, seen.st_mtime_ns, seen.st_ino))
    return tuple(stamps)
