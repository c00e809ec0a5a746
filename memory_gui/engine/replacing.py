# SPDX-License-Identifier: MIT
"""Writing a text file anew, so that a reader sees the old one or the new one and never half of it.

The new bytes go into a file beside it (the *part*), which keeps owner, mode and attributes. Then
both change places in one step; what lies under the part's name afterwards is looked at once more,
and where another program wrote meanwhile they change places again. At last the old bytes are
overwritten where they lie (DESIGN, rule 13) and their name goes. A kill leaves a part, which the
next writing, erase or opening overwrites and removes (``sweep``).
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from memory_gui.domain.errors import UserError
from memory_gui.engine.plainfile import Content, Seen, read_file, status_of
from memory_gui.engine.rawfile import HeldFile, check_raw, fsync_folder

if sys.platform != "win32":
    import fcntl

_MARK: Final = ".memory-gui-part"
_LONGEST: Final = 200
_WAIT_S: Final = 2.0
_STEP_S: Final = 0.02
_AT_FDCWD: Final = -100
_EXCHANGE: Final = 2
"""RENAME_EXCHANGE of renameat2(2); RENAME_SWAP of renamex_np(2) has the same number."""
_NO_EXCHANGE: Final = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})


def part_of(path: Path) -> Path:
    """The name under which a file's other half lies while it is written anew."""
    name = path.name
    if len(os.fsencode(name)) > _LONGEST:
        name = sha256(os.fsencode(name)).hexdigest()[:32]
    return path.with_name(f".{name}{_MARK}")


class Part:
    """The new bytes beside a file's place, held by a lock until ``close``. POSIX only."""

    def __init__(self, path: Path, before: Content, number: int) -> None:
        self.path = path
        self.name = part_of(path)
        self._before = before
        self._number = number
        self.swapped = False

    @classmethod
    def write(cls, path: Path, before: Content, after: bytes) -> Self:
        """Make it. Nothing is changed at ``path``.

        Raises:
            UserError: ``raw.*``: its bytes could not be overwritten; ``store.locked``: another
                copy of the app writes; ``store.disk_full``, ``store.no_permission``, ``store.io``.
        """
        number = -1
        try:
            status = status_of(path)
            if status is not None:
                check_raw(path, status)
            if (None if status is None else Seen.of(status)) != before.seen:
                raise UserError("file.changed", path=str(path))
            sweep(path)
            number = _make(part_of(path))
            _take_over(number, path, status)
            _fill(number, after)
            os.fsync(number)
            return cls(path, before, number)
        except BaseException as error:
            if number >= 0:
                _drop(part_of(path), number)
            if isinstance(error, OSError):
                raise _told(path, error) from error
            raise

    @property
    def inode(self) -> int:
        """Of the new file: whether a swap that nobody saw end was made can be told by it."""
        return os.fstat(self._number).st_ino

    def swap(self) -> None:
        """Put the new file in its place; the old one lies under the part's name afterwards.

        Raises:
            UserError: ``file.changed``: another program wrote meanwhile, and its bytes are there.
        """
        try:
            if self._before.seen is None:
                self._arrive()
                return
            if read_file(self.path) != self._before:
                raise UserError("file.changed", path=str(self.path))
            _change_places(self.name, self.path)
            self.swapped = True
            if not self._is_old():
                _change_places(self.name, self.path)
                self.swapped = False
                raise UserError("file.changed", path=str(self.path))
            fsync_folder(self.path.parent)
        except OSError as error:
            raise _told(self.path, error) from error

    def wipe(self) -> int:
        """Overwrite the old bytes where they lie and take their name away; how many they were.

        Raises:
            UserError: ``raw.*``. OSError: as the system says.
        """
        if self._before.seen is None:
            return 0
        return _wipe(self.name)

    def close(self) -> None:
        """Let go. What was not put in its place is overwritten and removed."""
        if self._number < 0:
            return
        number, self._number = self._number, -1
        if not self.swapped:
            _drop(self.name, number)
        else:
            os.close(number)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _arrive(self) -> None:
        """Where nothing lay before: another program's new file is not overwritten."""
        try:
            os.link(self.name, self.path, follow_symlinks=False)
        except FileExistsError as error:
            raise UserError("file.changed", path=str(self.path)) from error
        self.name.unlink()
        self.swapped = True
        fsync_folder(self.path.parent)

    def _is_old(self) -> bool:
        return read_file(self.name) == self._before


def replace_file(path: Path, before: Content, after: bytes) -> Content:
    """Write a file anew and overwrite what it held; the file as it is then.

    Raises:
        UserError: ``file.changed``: it is not as it was read; as ``Part``. Nothing was changed,
            but for ``file.not_wiped``: it was, and the old bytes could not be overwritten.
    """
    with Part.write(path, before, after) as part:
        part.swap()
        try:
            part.wipe()
        except (UserError, OSError) as error:
            raise UserError("file.not_wiped", path=str(path)) from error
    found = read_file(path)
    return found if found.data == after else Content(after, None)


def remove_file(path: Path, before: Content) -> None:
    """Overwrite a file's bytes where they lie and take its name away.

    Raises:
        UserError: ``file.changed``; ``raw.*``.
    """
    if read_file(path) != before:
        raise UserError("file.changed", path=str(path))
    try:
        _wipe(path)
    except OSError as error:
        raise _told(path, error) from error


def sweep(path: Path) -> bool:
    """Overwrite and remove what a stopped writing left beside a file; True when there was any.

    Raises:
        UserError: ``store.locked``: it is being written now; ``raw.*``: not a part of ours.
    """
    return _sweep(part_of(path))


def _sweep(name: Path) -> bool:
    status = status_of(name)
    if status is None:
        return False
    check_raw(name, status)
    try:
        number = os.open(name, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        _hold(name, number)
        _wipe(name)
    except FileNotFoundError:
        return False  # its writer has ended meanwhile
    finally:
        os.close(number)
    return True


def sweep_beside(path: Path) -> None:
    """What stopped writings left of a file, or of the files in a folder. Never raises."""
    with contextlib.suppress(UserError, OSError):
        if path.is_dir():
            for name in sorted(os.listdir(path)):  # noqa: PTH208 - names, not paths
                if name.endswith(_MARK) and name.startswith("."):
                    _sweep(path / name)
        else:
            sweep(path)


# ---- inside


def _make(name: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        number = os.open(name, flags, 0o600)
    except FileExistsError as error:
        raise UserError("store.locked", path=str(name)) from error
    try:
        _hold(name, number)
    except BaseException:
        os.close(number)
        raise
    return number


def _hold(name: Path, number: int) -> None:
    """Lock it: while somebody writes, nobody takes it for left behind. Waits for a moment."""
    if sys.platform == "win32":
        return
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise UserError("store.locked", path=str(name)) from error
            time.sleep(_STEP_S)
        except OSError:
            return  # a file system without locks
        else:
            return


def _take_over(number: int, path: Path, status: os.stat_result | None) -> None:
    """Group, mode and extended attributes of the file that is replaced."""
    if status is None:
        return
    if os.fstat(number).st_gid != status.st_gid:
        os.fchown(number, -1, status.st_gid)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            for name in os.listxattr(path, follow_symlinks=False):
                with contextlib.suppress(OSError):
                    os.setxattr(number, name, os.getxattr(path, name, follow_symlinks=False))
    os.fchmod(number, status.st_mode & 0o7777)


def _fill(number: int, data: bytes) -> None:
    at = 0
    while at < len(data):
        at += os.write(number, data[at : at + (1 << 24)])


def _change_places(one: Path, other: Path) -> None:
    """Both files change names in one step; where that cannot be, the old one gets a second name."""
    if _exchange(one, other):
        return
    # link(2) and rename(2): nobody's file is lost here either, but one that came in between would.
    spare = one.with_name(f"{one.name}-old")
    os.link(other, spare, follow_symlinks=False)
    one.replace(other)
    spare.replace(one)


def _exchange(one: Path, other: Path) -> bool:
    if sys.platform == "win32":
        return False
    library = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    try:
        if sys.platform == "darwin":
            answer = library.renamex_np(*names, _EXCHANGE)
        else:
            answer = library.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _EXCHANGE)
    except AttributeError:
        return False  # a C library without it
    if answer == 0:
        return True
    number = ctypes.get_errno()
    if number in _NO_EXCHANGE:
        return False
    raise OSError(number, os.strerror(number), str(other))


def _wipe(name: Path) -> int:
    held = HeldFile.beside(name)
    if held is None:
        raise FileNotFoundError(errno.ENOENT, "gone", str(name))
    with held:
        size = held.size
        held.zero(0, size)
        if held.read(size + 1, 0).strip(b"\0"):
            raise UserError("file.not_wiped", path=str(name))
        held.unlink()
    return size


def _drop(name: Path, number: int) -> None:
    """A part that came to nothing."""
    with contextlib.suppress(UserError, OSError):
        seen = status_of(name)
        if seen is not None and os.path.samestat(seen, os.fstat(number)):
            _wipe(name)
    os.close(number)


def _told(path: Path, error: OSError) -> UserError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return UserError("store.disk_full", path=str(path))
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return UserError("store.read_only", path=str(path))
    return UserError("store.io", path=str(path))
