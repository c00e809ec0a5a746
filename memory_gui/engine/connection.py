# SPDX-License-Identifier: MIT
"""Opening a database: evidence, key, first read, pragmas read back, authorizer; in that order."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Final

import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import CipherSettings, Key
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.database import Connection, Row, SchemaRow, Source
from memory_gui.engine.errors import name_of, understand, understood
from memory_gui.engine.evidence import Evidence, inspect, require_whole
from memory_gui.engine.floor import require_floor
from memory_gui.engine.gate import GATE, is_held
from memory_gui.engine.holders import open_by
from memory_gui.engine.images import has_log, open_copy
from memory_gui.engine.keying import ways
from memory_gui.engine.raw import (
    bad_pages,
    connect,
    first_read,
    harden,
    is_sound,
    keep_journal,
    key_fits_elsewhere,
    shut,
    unlock,
)
from memory_gui.engine.sql import file_uri

__all__ = ["BUSY_MS", "Connection", "Powers", "Row", "SchemaRow", "open_database"]

BUSY_MS: Final = 5_000
"""How long a lock of another program is waited for, in ms."""

_NO_ROOM_BESIDE: Final = frozenset(
    ["SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_FULL"]
)
"""What SQLite reports when it cannot make a log's index beside the database: also a full disk."""
_ROOM: Final = 64 << 10
"""Below it, bytes, that index (32 KB at first) may not find place."""

_CHECKED_SIZE: Final = 256 << 20
"""Above it, bytes, whole-file checks before opening would take seconds."""


def open_database(
    path: Path,
    key: Key | None,
    *,
    write: bool,
    busy_ms: int = BUSY_MS,
    maintain: bool = False,
    own_copy: bool = False,
    search_pages: bool = True,
) -> Connection:
    """Open an existing database in the calling thread.

    Without ``write`` the database's bytes stay as they are; where SQLite cannot read it without
    writing (a WAL database in a read-only place or on a full disk, a change that was cut off) a
    private copy in memory is opened (``source`` is ``copy``). ``maintain`` (implies ``write``) is
    for the eraser and rotation in a process of their own. A key that says no version of SQLCipher
    is tried with every one that the file gives a reason for (``keying.ways``). ``own_copy``: the
    file is a copy of our own that nobody needs, so that any may be written. ``search_pages``: a key
    that does not fit the first page is tried on all others, which tells a damaged file from a wrong
    key and takes as long as reading it.

    Raises:
        UserError: what ``evidence.inspect`` raises, ``engine.too_old``, ``key.needed``,
            ``key.wrong``, ``key.not_encrypted``, ``store.damaged``, ``store.part_damaged``,
            ``store.cut_off``, ``store.disk_full``, ``store.foreign_log``,
            ``store.locked``, ``store.read_only``, ``store.replaced``, ``store.cannot_open``,
            ``store.unsteady``, ``store.no_memory_place``, ``store.io``.
    """
    require_floor()
    evidence = inspect(path)
    powers = Powers.MAINTAIN if maintain else Powers.CHANGE if write else Powers.LOOK
    _match(evidence, key)
    if powers is not Powers.LOOK:
        _require_writable(evidence)
        if evidence.head == "half" and not own_copy:
            # One setting forgotten on such a file, and nobody opens it again (sqlcipher 614).
            raise UserError("store.half_header", path=str(evidence.path))
    judged = _has_left_log(evidence)
    for settings in ways(key, evidence):
        opening = _Opening(evidence, key, settings, powers, busy_ms, search_pages=search_pages)
        with understood(evidence.path):
            if judged and not opening.log_fits():
                continue
            connection = opening.connect()
        if connection is not None:
            return connection
    raise UserError(
        "store.damaged" if evidence.head == "plain" else "key.wrong", path=str(evidence.path)
    )


def _has_left_log(evidence: Evidence) -> bool:
    """Whether a log lies there that nobody who has the database open answers for."""
    with GATE:
        if not any(evidence.sidecars.values()) or is_held(evidence.path.stat()):
            return False
        return has_log(evidence) and not open_by([evidence.path])


def _match(evidence: Evidence, key: Key | None) -> None:
    if evidence.head == "plain" and key is not None:
        raise UserError("key.not_encrypted", path=str(evidence.path))
    require_whole(evidence)
    if evidence.is_encrypted and key is None:
        raise UserError("key.needed", path=str(evidence.path), reason="none")


def _require_writable(evidence: Evidence) -> None:
    # Without a writable folder no journal can be made beside the file.
    if not (evidence.writable and evidence.folder_writable):
        raise UserError("store.read_only", path=str(evidence.path))


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _ROOM
    except OSError:
        return False


def _journal_mode(evidence: Evidence) -> str:
    """The file's own, though a copy has none: by its header, or by why it had to be copied.

    A rollback database has to be copied only when a journal was left beside it.
    """
    wal = evidence.wal_mode
    if wal is None:
        wal = bool(evidence.sidecars.get("-wal")) or not evidence.sidecars.get("-journal")
    return "wal" if wal else "delete"


class _Opening:
    """One way of trying a key on a file."""

    def __init__(
        self,
        evidence: Evidence,
        key: Key | None,
        settings: CipherSettings,
        powers: Powers,
        busy_ms: int,
        *,
        search_pages: bool,
    ) -> None:
        self._search_pages = search_pages
        self._evidence = evidence
        self._key = key
        self._settings = settings
        self._powers = powers
        self._busy_ms = busy_ms

    def log_fits(self) -> bool:
        """Before SQLite works a left log in: False when the key does not fit.

        A log of another database would be worked in without a word and leave a wreck.

        Raises:
            UserError: ``store.foreign_log``.
        """
        if self._reads(with_log=True):
            return True
        if self._reads(with_log=False):
            raise UserError("store.foreign_log", path=str(self._evidence.path))
        return self._evidence.head == "plain"  # damaged: the opening itself says so

    def connect(self) -> Connection | None:
        """A connection, or None when the key does not fit."""
        mode = "ro" if self._powers is Powers.LOOK else "rw"
        try:
            raw = connect(file_uri(self._evidence.path, mode=mode), self._busy_ms)
            return self._use(raw, "file")
        except sqlcipher3.Error as error:
            if self._powers is not Powers.LOOK or name_of(error) not in _NO_ROOM_BESIDE:
                raise self._understood(error) from error
        return self._use(open_copy(self._evidence), "copy")

    def _understood(self, error: sqlcipher3.Error) -> Exception:
        """With a full disk told from a broken one: SQLite reports that its log cannot grow."""
        path = self._evidence.path
        if name_of(error) == "SQLITE_IOERR" and _is_full(path.parent):
            return UserError("store.disk_full", path=str(path))
        return understand(error, path)

    def _use(self, raw: sqlcipher3.Connection, source: Source) -> Connection | None:
        evidence = self._evidence
        try:
            unlock(raw, self._key, self._settings)
            if not self._first_read(raw):
                shut(raw)
                return None
            harden(raw, self._powers)
            if self._powers is Powers.CHANGE:
                keep_journal(raw, evidence.path)
            self._require_whole_pages(raw)
            connection = Connection(
                raw,
                evidence.path,
                powers=self._powers,
                encrypted=self._key is not None,
                source=source,
                identity=(evidence.device, evidence.inode) if source == "file" else None,
                journal_mode=None if source == "file" else _journal_mode(evidence),
            )
            connection.check_same_file()
        except BaseException:
            shut(raw)
            raise
        return connection

    def _require_whole_pages(self, raw: sqlcipher3.Connection) -> None:
        """Notice a file cut off inside a page: SQLite reads zeros there. A log may mend it."""
        if self._evidence.has_log:
            return
        page_size = int(raw.execute("PRAGMA page_size").fetchone()[0])
        if self._evidence.size % page_size:
            raise UserError("store.cut_off", path=str(self._evidence.path))

    def _first_read(self, raw: sqlcipher3.Connection) -> bool:
        """False when the key does not fit, as far as the pages' MACs can tell."""
        path, size = str(self._evidence.path), self._evidence.size
        judge = self._key is not None and size <= _CHECKED_SIZE
        try:
            fits = first_read(raw)
        except sqlcipher3.DatabaseError as error:
            if not judge or name_of(error) != "SQLITE_CORRUPT":
                raise
            if self._evidence.head == "half" and not is_sound(raw):
                return False  # its header is readable, so a wrong key looks like damage
            # The key fits. Where every page is as it was written, some are missing.
            code = "store.part_damaged" if bad_pages(raw) else "store.cut_off"
            raise UserError(code, path=path) from error
        if not fits and judge and self._search_pages and key_fits_elsewhere(raw, size):
            raise UserError("store.part_damaged", path=path)
        return fits

    def _reads(self, *, with_log: bool) -> bool:
        with closing(open_copy(self._evidence, with_log=with_log)) as raw:
            try:
                unlock(raw, self._key, self._settings)
                if not first_read(raw):
                    return False
            except sqlcipher3.DatabaseError:
                return False
            return self._evidence.size > _CHECKED_SIZE or is_sound(raw)
