# SPDX-License-Identifier: MIT
"""Opening a database: evidence, key, first read, pragmas read back, authorizer; in that order."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, Passphrase
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.database import Connection, Row, SchemaRow, Source
from memory_gui.engine.errors import name_of, understand, understood
from memory_gui.engine.evidence import Evidence, inspect
from memory_gui.engine.floor import require_floor
from memory_gui.engine.gate import GATE, is_held
from memory_gui.engine.holders import open_by
from memory_gui.engine.images import has_log, open_copy
from memory_gui.engine.raw import (
    connect,
    first_read,
    harden,
    is_sound,
    key_fits_elsewhere,
    shut,
    unlock,
)
from memory_gui.engine.sql import file_uri

__all__ = ["BUSY_MS", "Connection", "Powers", "Row", "SchemaRow", "open_database"]

BUSY_MS: Final = 5_000
"""How long a lock of another program is waited for, in ms."""

_CHECKED_SIZE: Final = 256 << 20
"""Above it, bytes, whole-file checks before opening would take seconds."""


def open_database(
    path: Path,
    key: Key | None,
    *,
    write: bool,
    busy_ms: int = BUSY_MS,
    maintain: bool = False,
) -> Connection:
    """Open an existing database in the calling thread.

    Without ``write`` the database's bytes stay as they are; where SQLite cannot read it without
    writing (a WAL database in a read-only place, a change that was cut off) a private copy in
    memory is opened (``source`` is ``copy``). ``maintain`` (implies ``write``) is for the eraser
    and rotation in a process of their own. A passphrase without a compatibility is tried as
    SQLCipher 4, then 3.

    Raises:
        UserError: what ``evidence.inspect`` raises, ``engine.too_old``, ``key.needed``,
            ``key.wrong``, ``key.not_encrypted``, ``store.damaged``, ``store.foreign_log``,
            ``store.locked``, ``store.read_only``, ``store.replaced``, ``store.cannot_open``,
            ``store.unsteady``, ``store.no_memory_place``, ``store.io``.
    """
    require_floor()
    evidence = inspect(path)
    powers = Powers.MAINTAIN if maintain else Powers.CHANGE if write else Powers.LOOK
    _match(evidence, key)
    if powers is not Powers.LOOK:
        _require_writable(evidence)
    judged = _has_left_log(evidence)
    damaged = False
    for compatibility in _compatibilities(key):
        opening = _Opening(evidence, key, compatibility, powers, busy_ms)
        with understood(evidence.path):
            if judged and not opening.log_fits():
                continue
            connection = opening.connect()
        if connection is not None:
            return connection
        damaged = damaged or opening.first_page_damaged
    code = "store.damaged" if damaged or evidence.head == "plain" else "key.wrong"
    raise UserError(code, path=str(evidence.path))


def _has_left_log(evidence: Evidence) -> bool:
    """Whether a log lies there that nobody who has the database open answers for."""
    with GATE:
        if not any(evidence.sidecars.values()) or is_held(evidence.path.stat()):
            return False
        return has_log(evidence) and not open_by([evidence.path])


def _match(evidence: Evidence, key: Key | None) -> None:
    if evidence.head == "plain" and key is not None:
        raise UserError("key.not_encrypted", path=str(evidence.path))
    if evidence.head == "random" and key is None:
        raise UserError("key.needed", path=str(evidence.path), reason="none")


def _require_writable(evidence: Evidence) -> None:
    # Without a writable folder no journal can be made beside the file.
    if not (evidence.writable and evidence.folder_writable):
        raise UserError("store.read_only", path=str(evidence.path))


def _compatibilities(key: Key | None) -> tuple[int, ...]:
    if not isinstance(key, Passphrase):
        return (0,)
    return (key.compatibility,) if key.compatibility else (4, 3)


class _Opening:
    """One way of trying a key on a file."""

    def __init__(
        self,
        evidence: Evidence,
        key: Key | None,
        compatibility: int,
        powers: Powers,
        busy_ms: int,
    ) -> None:
        self._evidence = evidence
        self._key = key
        self._compatibility = compatibility
        self._powers = powers
        self._busy_ms = busy_ms
        self.first_page_damaged = False

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
            cannot = name_of(error) in {"SQLITE_CANTOPEN", "SQLITE_READONLY"}
            if self._powers is not Powers.LOOK or not cannot:
                raise understand(error, self._evidence.path) from error
        return self._use(open_copy(self._evidence), "copy")

    def _use(self, raw: sqlcipher3.Connection, source: Source) -> Connection | None:
        evidence = self._evidence
        try:
            unlock(raw, self._key, self._compatibility)
            if not first_read(raw):
                self._look_further(raw)
                shut(raw)
                return None
            harden(raw, self._powers)
            self._require_whole_pages(raw)
            connection = Connection(
                raw,
                evidence.path,
                powers=self._powers,
                encrypted=self._key is not None,
                source=source,
                identity=(evidence.device, evidence.inode) if source == "file" else None,
            )
            connection.check_same_file()
        except BaseException:
            shut(raw)
            raise
        return connection

    def _require_whole_pages(self, raw: sqlcipher3.Connection) -> None:
        """Notice a file cut off inside a page: SQLite reads zeros there. A log may mend it."""
        if any(self._evidence.sidecars.values()):
            return
        page_size = int(raw.execute("PRAGMA page_size").fetchone()[0])
        if self._evidence.size % page_size:
            raise UserError("store.damaged", path=str(self._evidence.path))

    def _look_further(self, raw: sqlcipher3.Connection) -> None:
        size = self._evidence.size
        if self._key is not None and size <= _CHECKED_SIZE:
            self.first_page_damaged = key_fits_elsewhere(raw, size)

    def _reads(self, *, with_log: bool) -> bool:
        with closing(open_copy(self._evidence, with_log=with_log)) as raw:
            try:
                unlock(raw, self._key, self._compatibility)
                if not first_read(raw):
                    return False
            except sqlcipher3.DatabaseError:
                return False
            return self._evidence.size > _CHECKED_SIZE or is_sound(raw)
