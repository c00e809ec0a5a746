# SPDX-License-Identifier: MIT
"""Taking a store for oneself, putting the copy in its place, zeroing the old one.

Runs in the rotator's process, the only one of ours that holds the file. Killed anywhere, it
leaves a store that opens under the old or the new key, and names that say what is left to do.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.connection import Connection
from memory_gui.engine.rawfile import HeldFile, fsync_folder, zero
from memory_gui.rotation.names import SIDECARS, new_name, old_name

_JOURNAL_HEAD: Final = 28


class Taken:
    """A store that only this process has: its connection, and descriptors for raw writing.

    The descriptors are closed after the connection: earlier it would drop SQLite's locks.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._database: HeldFile | None = None
        self._wal: HeldFile | None = None
        self._journal: HeldFile | None = None

    def take(self) -> None:
        """Hold the store so that nobody else reads or writes it, with an empty, zeroed log.

        Raises:
            UserError: ``rotation.in_use``; ``raw.*``.
        """
        connection = self.connection
        try:
            if connection.execute("PRAGMA locking_mode = EXCLUSIVE") != [("exclusive",)]:
                raise self._in_use()
            _lock(connection)
            self._database = HeldFile.database(connection.path)
            if connection.execute("PRAGMA journal_mode")[0][0] == "wal":
                self._empty_log()
        except UserError as error:
            if error.code == "store.locked":
                raise self._in_use() from error
            raise

    def _empty_log(self) -> None:
        """Every frame into the database, then zeros over the log: its blocks will be freed."""
        busy, log, done = self.connection.execute("PRAGMA wal_checkpoint(RESTART)")[0]
        if busy or log != done:
            raise self._in_use()
        self._wal = self._database.log("-wal") if self._database is not None else None
        if self._wal is not None:
            self._wal.zero_log()

    def swap(self) -> None:
        """Put the copy in the store's place; the old one keeps a second name until it is zeroed."""
        path, held = self.connection.path, self._database
        # Not before now: until here a kill leaves the store in its own journal mode.
        if self.connection.execute("PRAGMA journal_mode = DELETE") != [("delete",)]:
            raise self._in_use()
        _lock(self.connection)
        # The switch wrote page 1 into a journal, which stays as long as the lock is held.
        self._journal = held.log("-journal") if held is not None else None
        if self._journal is not None:
            self._journal.zero(0, self._journal.size)
        if held is None or any(Path(f"{path}{s}").exists() for s in ("-wal", "-shm")):
            raise self._in_use()
        new_name(path).chmod(stat.S_IMODE(os.fstat(held.number).st_mode))
        os.link(path, old_name(path), follow_symlinks=False)
        fsync_folder(path.parent)
        new_name(path).replace(path)
        fsync_folder(path.parent)
        held.zero(0, held.size)

    def close(self) -> None:
        """Let go."""
        self.connection.close()
        for held in (self._wal, self._journal, self._database):
            if held is not None:
                held.close()
        self._wal = self._journal = self._database = None

    def _in_use(self) -> UserError:
        return UserError("rotation.in_use", path=str(self.connection.path), pid=0, name="?")


def _lock(connection: Connection) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("COMMIT")


def sweep(part: Path) -> bool:
    """Zero and remove a copy that was not finished; True when there was one."""
    done = False
    for name in (part, *(Path(f"{part}{suffix}") for suffix in SIDECARS)):
        if name.exists() and not name.is_symlink():
            _zero_file(name)
            name.unlink()
            done = True
    if done:
        fsync_folder(part.parent)
    return done


def finish(path: Path) -> bool:
    """What a kill left to do: zero and remove an old store, remove a copy. True when there was.

    Nobody has these files open: one was never the store, the other no longer is. Where the store
    itself is gone nothing is touched: no stop of ours leaves it so, and what lies beside its place
    may be the only copy.
    """
    new, old = new_name(path), old_name(path)
    done = False
    if not path.exists():
        return False
    if old.exists() or old.is_symlink():
        done = True
        if _is_apart(old, path):
            _drop_journal(path)
            _zero_file(old)
        old.unlink()
    for name in (new, *(Path(f"{new}{suffix}") for suffix in SIDECARS)):
        if name.exists() or name.is_symlink():
            done = True
            if _is_apart(name, path):
                _zero_file(name)
            name.unlink()
    if done:
        fsync_folder(path.parent)
    return done


def _drop_journal(path: Path) -> None:
    """The old store's journal beside the new one: only one that is finished, with a zeroed head."""
    journal = Path(f"{path}-journal")
    if journal.is_symlink() or not journal.exists():
        return
    with journal.open("rb") as stream:
        finished = not stream.read(_JOURNAL_HEAD).strip(b"\0")
    if finished:
        _zero_file(journal)
        journal.unlink()


def _is_apart(name: Path, path: Path) -> bool:
    """Whether a name means a file of its own: not the store, not a link to anything."""
    if name.is_symlink():
        return False
    with contextlib.suppress(OSError):
        return not name.samefile(path)
    return True


def _zero_file(name: Path) -> None:
    number = os.open(name, os.O_RDWR | os.O_NOFOLLOW)
    try:
        if os.fstat(number).st_nlink == 1:
            zero(number, 0, os.fstat(number).st_size)
    finally:
        os.close(number)
