# SPDX-License-Identifier: MIT
"""Raw bytes are written only to a file we hold (DESIGN, rule 13). For the eraser's process alone.

A symlinked ``-wal`` beside a database can aim a careless wipe at any file of its owner (measured,
ERASURE 4), and closing any descriptor of a live database drops its locks. So every check is made on
the open descriptor, and descriptors stay open until the connection is closed.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

from memory_gui.domain.errors import UserError
from memory_gui.engine.gate import GATE, is_held
from memory_gui.engine.logs import LOG_MAGICS

Role = Literal["-wal", "-journal"]

_CHUNK: Final = 1 << 20
_JOURNAL_HEADER: Final = 28
_WAL_HEADER: Final = 32
_LOG_MAGIC: Final = 8


class HeldFile:
    """A database or its log, open for raw writing after all checks of rule 13.

    POSIX only. Close it after the connection, never before.
    """

    def __init__(self, path: Path, number: int, folder: int, device: int) -> None:
        self.path = path
        self.number = number
        self._folder = folder
        self._device = device

    @classmethod
    def database(cls, path: Path) -> HeldFile:
        """Hold the database that SQLite has open in this process; here the path is resolved, once.

        Raises:
            UserError: ``raw.*``, each a reason why nothing will be written; ``store.missing``.
        """
        try:
            real = path.resolve(strict=True)
            folder = os.open(real.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise UserError("store.missing", path=str(path)) from error
        try:
            number, status = _open_checked(real, folder, must_be_held=True)
        except BaseException:
            os.close(folder)
            raise
        return cls(real, number, folder, status.st_dev)

    @classmethod
    def beside(cls, path: Path) -> HeldFile | None:
        """Hold a file that no SQLite has open; None when it is gone. A link is refused.

        Raises:
            UserError: ``raw.*``. OSError: as the system says.
        """
        try:
            folder = os.open(path.parent.resolve(strict=True), os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            return None
        try:
            number, status = _open_checked(path, folder, must_be_held=False)
        except FileNotFoundError:
            os.close(folder)
            return None
        except BaseException:
            os.close(folder)
            raise
        return cls(path, number, folder, status.st_dev)

    def log(self, role: Role) -> HeldFile | None:
        """Hold this database's log, or None when it has none.

        A ``-wal`` must be the one SQLite has open; a ``-journal`` is open only inside a
        transaction, so there its beginning has to do: the magic, or all zeros. One that SQLite
        has open and has finished with begins with a zeroed header (PERSIST, exclusive locking).

        Raises:
            UserError: ``raw.*``.
        """
        path = Path(f"{self.path}{role}")
        try:
            seen = os.stat(path.name, dir_fd=self._folder, follow_symlinks=False)
        except FileNotFoundError:
            return None
        with GATE:
            open_in_sqlite = is_held(seen)
        number, status = _open_checked(path, self._folder, must_be_held=role == "-wal")
        held = HeldFile(path, number, os.dup(self._folder), status.st_dev)
        try:
            if status.st_dev != self._device:
                raise UserError("raw.other_device", path=str(path))
            if not (held._is_log(role) or (open_in_sqlite and held._is_kept_journal(role))):
                raise UserError("raw.not_a_log", path=str(path))
        except BaseException:
            held.close()
            raise
        return held

    @property
    def size(self) -> int:
        """Bytes, now."""
        return os.fstat(self.number).st_size

    def zero(self, start: int, end: int) -> int:
        """Overwrite ``[start, end)`` with zeros and fsync; the number of bytes written.

        Raises:
            UserError: ``raw.hard_links`` when it gained a name since it was opened.
        """
        _require_one_name(self.path, os.fstat(self.number))
        return zero(self.number, start, end)

    def zero_log(self) -> int:
        """Overwrite a write-ahead log whose frames are in the database; the number of its bytes.

        What a kill or a power cut leaves of it says nothing and is known for a log all the same
        (or it could never be zeroed): first what makes its frames count, last how it begins.

        Raises:
            UserError: as ``zero``.
        """
        size = self.size
        for start, end in ((_LOG_MAGIC, _WAL_HEADER), (_WAL_HEADER, size), (0, _LOG_MAGIC)):
            self.zero(start, end)  # each is on the disk before the next
        return size

    def put(self, offset: int, before: bytes, after: bytes) -> None:
        """Overwrite ``before`` with as many bytes, if it is still what lies there.

        Raises:
            UserError: ``raw.hard_links``; ``raw.not_open``: the file was changed meanwhile.
        """
        _require_one_name(self.path, os.fstat(self.number))
        if len(before) != len(after) or os.pread(self.number, len(before), offset) != before:
            raise UserError("raw.not_open", path=str(self.path))
        done = 0
        while done < len(after):
            done += os.pwrite(self.number, after[done:], offset + done)

    def sync(self) -> None:
        """What was written is on the disk."""
        os.fsync(self.number)

    def read(self, size: int, offset: int) -> bytes:
        """Bytes by descriptor; moves no file position."""
        return os.pread(self.number, size, offset)

    def unlink(self) -> None:
        """Take its name away, if that is still this file's.

        Raises:
            UserError: ``raw.not_open``. OSError: as the system says.
        """
        seen = os.stat(self.path.name, dir_fd=self._folder, follow_symlinks=False)
        if not os.path.samestat(seen, os.fstat(self.number)):
            raise UserError("raw.not_open", path=str(self.path))
        os.unlink(self.path.name, dir_fd=self._folder)
        os.fsync(self._folder)

    def fsync_folder(self) -> None:
        """Make names and sizes in its folder durable."""
        os.fsync(self._folder)

    def close(self) -> None:
        """Close. Only after the connection: earlier it would drop SQLite's locks."""
        with GATE:
            for number in (self.number, self._folder):
                if number >= 0:
                    os.close(number)
            self.number = self._folder = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _is_log(self, role: Role) -> bool:
        head = self.read(8, 0)
        return head.startswith(LOG_MAGICS[role]) or self._is_zero()

    def _is_kept_journal(self, role: Role) -> bool:
        return role == "-journal" and not self.read(_JOURNAL_HEADER, 0).strip(b"\0")

    def _is_zero(self) -> bool:
        offset = 0
        while block := self.read(_CHUNK, offset):
            if block.count(0) != len(block):
                return False
            offset += len(block)
        return True


def zero(number: int, start: int, end: int) -> int:
    """Overwrite bytes of a descriptor with zeros and fsync, never beyond its end; bytes written."""
    end = min(end, os.fstat(number).st_size)
    nothing = bytes(_CHUNK)
    at = max(start, 0)
    first = at
    while at < end:
        at += os.pwrite(number, memoryview(nothing)[: end - at], at)
    os.fsync(number)
    return at - first


def fsync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _open_checked(path: Path, folder: int, *, must_be_held: bool) -> tuple[int, os.stat_result]:
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with GATE:
        before = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
        check_raw(path, before)  # a device or pipe is not even opened
        if must_be_held and not is_held(before):
            raise UserError("raw.not_open", path=str(path))
        number = os.open(path.name, flags, dir_fd=folder)
        status = os.fstat(number)
        try:
            check_raw(path, status)
            if not os.path.samestat(before, status):
                raise UserError("raw.not_open", path=str(path))
        except BaseException:
            os.close(number)
            raise
    return number, status


def check_raw(path: Path, status: os.stat_result) -> None:
    """Whether a file's bytes may be overwritten, as far as ``stat`` tells.

    Raises:
        UserError: ``raw.*``.
    """
    if stat.S_ISLNK(status.st_mode):
        raise UserError("raw.link", path=str(path))
    if not stat.S_ISREG(status.st_mode):
        raise UserError("raw.not_regular", path=str(path))
    if status.st_uid != os.geteuid():
        raise UserError("raw.not_ours", path=str(path))
    _require_one_name(path, status)


def _require_one_name(path: Path, status: os.stat_result) -> None:
    if status.st_nlink != 1:
        # Without any name it was moved away or replaced, and another file may be at its place.
        code = "raw.hard_links" if status.st_nlink else "raw.not_open"
        raise UserError(code, path=str(path), names=status.st_nlink)
