# SPDX-License-Identifier: MIT
"""The statements and raw writes of the in-place wipe. For the eraser's process alone.

Each method is one step of the recipe, checks what SQLite answered, and returns the answer as a
short text. The order is the caller's (``erasure/eraser.py``). Measured in ERASURE.md, section 4.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlcipher3

from memory_gui.domain.changes import EraseRows
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import CipherSettings, Key, RawKey
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.engine.errors import understand
from memory_gui.engine.evidence import SIDECARS, inspect
from memory_gui.engine.floor import require_floor
from memory_gui.engine.gate import GATE
from memory_gui.engine.keying import ways
from memory_gui.engine.raw import connect, first_read, harden, unlock
from memory_gui.engine.rawfile import HeldFile, Role
from memory_gui.engine.rekeying import refuse_other_ciphers, rekey
from memory_gui.engine.sql import file_uri, marks, quote
from memory_gui.engine.virtual import FullText, full_text_tables, rowid_danger

BUSY_MS: Final = 2_000
_KEYS_AT_ONCE: Final = 400


class Wipe:
    """The only connection to a database, exclusive, and the files that are held for raw writes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._database = HeldFile.database(connection.path)
        self._logs: dict[Role, HeldFile] = {}
        self._unnamed: list[HeldFile] = []
        self.path = connection.path
        self.full_text: tuple[FullText, ...] = full_text_tables(connection)

    @classmethod
    def open(cls, path: Path, key: Key | None, busy_ms: int = BUSY_MS) -> Wipe:
        """Open for the wipe: the lock mode is exclusive *before* anything is read.

        A rollback journal that a killed program left is rolled back by the first read; in
        exclusive mode SQLite keeps that file (with a zeroed header) instead of unlinking old rows
        into free space.

        Raises:
            UserError: as ``open_database``; ``raw.*``; ``store.locked``.
        """
        require_floor()
        found = inspect(path)
        if found.is_encrypted and key is None:
            raise UserError("key.needed", path=str(path), reason="none")
        if found.head == "half":
            raise UserError("store.half_header", path=str(found.path))
        if found.head == "plain" and key is not None:
            raise UserError("key.not_encrypted", path=str(path))
        if not (found.writable and found.folder_writable):
            raise UserError("store.read_only", path=str(found.path))
        _refuse_shared_logs(found.path)
        for settings in ways(key, found):
            raw = _open_exclusive(found.path, key, settings, busy_ms)
            if raw is None:
                continue
            connection = Connection(
                raw,
                found.path,
                powers=Powers.MAINTAIN,
                encrypted=key is not None,
                source="file",
                identity=(found.device, found.inode),
            )
            try:
                connection.check_same_file()
                if connection.cipher.get("cipher_use_hmac", "1") == "0":
                    # Nobody could tell afterwards which pages are genuine: nothing can be proved.
                    raise UserError("store.no_page_checks", path=str(found.path))
                return cls(connection)
            except BaseException:
                connection.close()
                raise
        code = "key.wrong" if found.head == "random" else "store.damaged"
        raise UserError(code, path=str(found.path))

    def close(self) -> None:
        """Close the connection, then the held files: never the other way round."""
        try:
            self._connection.close()
        finally:
            for held in (*self._logs.values(), *self._unnamed, self._database):
                held.close()
            self._logs, self._unnamed = {}, []

    # ---- before

    @property
    def journal_mode(self) -> str:
        """``wal``, ``delete`` and so on, as SQLite says now."""
        return str(self._ask("PRAGMA journal_mode")).lower()

    def refuse_moving_rowids(self) -> None:
        """VACUUM gives new rowids to tables without any key: refuse where something knows them.

        Raises:
            UserError: ``erase.rowids``.
        """
        table = rowid_danger(self._connection, self.full_text)
        if table is not None:
            raise UserError("erase.rowids", path=str(self.path), table=table)

    def settings(self) -> str:
        """Step 0: nothing spills to a file, and a commit survives a power cut."""
        self._expect("PRAGMA temp_store = MEMORY", "PRAGMA temp_store", 2)
        self._expect("PRAGMA synchronous = EXTRA", "PRAGMA synchronous", 3)
        return "temp_store 2, synchronous 3"

    def secure_delete(self) -> str:
        """Step 1: freed bytes are zeroed."""
        self._expect("PRAGMA secure_delete = ON", "PRAGMA secure_delete", 1)
        return "1"

    def no_checkpoint_by_itself(self) -> str:
        """Step 2: a checkpoint after VACUUM would cut the tail off before it is zeroed."""
        answer = self._number("PRAGMA wal_autocheckpoint = 0")
        if answer != 0:
            raise UserError("erase.step", step="no-auto-checkpoint", answer=str(answer))
        return "0"

    def keep_journal(self) -> str:
        """Step 3: a journal is kept as a file, so that it can be zeroed."""
        if self.journal_mode == "wal" or not self._exists("-journal"):
            return "no journal"
        answer = str(self._ask("PRAGMA journal_mode = PERSIST")).lower()
        if answer != "persist":
            raise UserError("erase.step", step="keep-journal", answer=answer)
        return answer

    def lock(self) -> str:
        """Step 4: nobody else can read or write until the end.

        Raises:
            UserError: ``store.locked``: nothing has changed.
        """
        answer = str(self._ask("PRAGMA locking_mode = EXCLUSIVE")).lower()
        self._connection.execute("BEGIN EXCLUSIVE")
        self._connection.execute("COMMIT")
        if answer != "exclusive":
            raise UserError("erase.step", step="lock", answer=answer)
        return answer

    def to_log(self) -> str:
        """Step 5: a write-ahead log from here on; an old rollback journal is zeroed first."""
        if self.journal_mode == "wal":
            return "wal"
        zeroed = self._zero_journal()
        answer = str(self._ask("PRAGMA journal_mode = WAL")).lower()
        if answer != "wal":
            raise UserError("erase.step", step="log-mode", answer=answer)
        return f"{answer}, {zeroed} bytes of journal zeroed" if zeroed else answer

    # ---- the three that are repeated

    def zero_tail(self) -> str:
        """Step 6: zero the file beyond the last page."""
        end = self._number("PRAGMA page_count") * self._number("PRAGMA page_size")
        return f"{self._database.zero(end, self._database.size)} bytes"

    def checkpoint(self) -> str:
        """Step 7a: all of the log is in the file; the next writer begins the log anew."""
        return self._checkpoint("RESTART")

    def zero_log(self) -> str:
        """Step 7b: overwrite the log where it lies."""
        held = self._held_log("-wal")
        return f"{held.zero(0, held.size)} bytes" if held else "no log"

    # ---- the erase

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Step 8 is one transaction."""
        with self._connection.writing():
            yield

    def count(self, rows: EraseRows) -> int:
        """How many of the rows are there."""
        return sum(
            int(self._connection.execute(f"SELECT count(*) {_where(rows, part)}", values)[0][0])
            for part, values in _parts(rows)
        )

    def table_counts(self) -> dict[str, int]:
        """Rows of every ordinary table; the inside of full-text indexes is built anew and left out.

        Agent's and foreign triggers fire at a DELETE: only counting shows what else they took.
        """
        inside = tuple(f"{index.name}_" for index in self.full_text)
        return {
            name: self._number(f"SELECT count(*) FROM {quote(name)}")  # noqa: S608 - quoted
            for kind, name, _, sql in self._connection.schema()
            if kind == "table"
            and not name.startswith("sqlite_")
            and not (inside and name.startswith(inside))
            and not (sql or "").lstrip()[:14].upper().startswith("CREATE VIRTUAL")
        }

    def delete(self, rows: EraseRows) -> int:
        """Delete the rows by the store's own key; the agent's triggers fire."""
        return sum(
            self._connection.change(f"DELETE {_where(rows, part)}", values)
            for part, values in _parts(rows)
        )

    def renew_full_text(self, *, external_only: bool = False) -> str:
        """Build full-text indexes anew: they keep deleted words (ERASURE 6)."""
        done = []
        for index in self.full_text:
            if external_only and index.content in ("own", "none"):
                continue
            command = "optimize" if index.content == "none" else "rebuild"
            name = quote(index.name)
            self._connection.execute(f"INSERT INTO {name}({name}) VALUES (?)", (command,))  # noqa: S608 - quoted
            done.append(command)
        return ", ".join(done) if done else "no index"

    def renew_statistics(self) -> str:
        """``sqlite_stat4`` keeps samples of index keys, erased ones too."""
        names = {name for kind, name, _, _ in self._connection.schema() if kind == "table"}
        samples = sorted(names & {"sqlite_stat3", "sqlite_stat4"})
        if not samples:
            return "no samples"
        for name in samples:
            self._connection.execute(f"DELETE FROM {quote(name)}")  # noqa: S608 - quoted
        self._connection.execute("ANALYZE")
        return "analyzed"

    def vacuum(self) -> str:
        """Step 10: the file is written anew without free space, into the log."""
        self._connection.execute("VACUUM")
        return f"{self._number('PRAGMA page_count')} pages"

    # ---- another key

    def may_rekey(self) -> str:
        """Before anything is changed: whether a raw key alone could open the file."""
        refuse_other_ciphers(self._connection)
        return "ok"

    def rekey(self, key: RawKey) -> str:
        """Step 10c: every page anew under another key, into the log. Its "ok" proves nothing."""
        return rekey(self._connection, key)

    # ---- after

    def truncate_log(self) -> str:
        """Step 11: an empty log."""
        return self._checkpoint("TRUNCATE")

    def back_to(self, mode: str) -> str:
        """Step 12: the journal mode that the file had. All but WAL live in a connection only."""
        if mode == "wal":
            return "wal"
        answer = str(self._ask("PRAGMA journal_mode = DELETE")).lower()
        if answer != "delete":
            raise UserError("erase.step", step="journal-mode", answer=answer)
        # The switch writes page 1 into a journal, which stays as long as the lock is held.
        if "-journal" in self._logs:  # the one that was there before has lost its name
            self._unnamed.append(self._logs.pop("-journal"))
        held = self._held_log("-journal") if self._exists("-journal") else None
        if held is not None:
            held.zero(0, held.size)
        return answer

    def sync(self) -> str:
        """Step 13a: file and folder are on the disk."""
        self._database.zero(self._database.size, self._database.size)
        self._database.fsync_folder()
        return "ok"

    # ---- inside

    def _zero_journal(self) -> int:
        if not self._exists("-journal"):
            return 0
        # In exclusive mode SQLite keeps the journal open once it has written to it: then it can
        # be told by its inode. Nothing is changed by this transaction.
        version = self._number("PRAGMA user_version")
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute(f"PRAGMA user_version = {version}")
        self._connection.execute("ROLLBACK")
        held = self._held_log("-journal")
        return held.zero(0, held.size) if held else 0

    def _held_log(self, role: Role) -> HeldFile | None:
        """The log by its descriptor, opened and checked once; the name must still be its own."""
        held = self._logs.get(role)
        if held is None:
            held = self._database.log(role)
            if held is not None:
                self._logs[role] = held
            return held
        try:
            same = os.path.samestat(held.path.lstat(), os.fstat(held.number))
        except OSError:
            same = False
        if not same:
            raise UserError("raw.not_open", path=str(held.path))
        return held

    def _exists(self, role: str) -> bool:
        return Path(f"{self.path}{role}").is_symlink() or Path(f"{self.path}{role}").exists()

    def _checkpoint(self, mode: str) -> str:
        row = self._connection.execute(f"PRAGMA wal_checkpoint({mode})")[0]
        busy, log, done = (int(value) for value in row)
        if busy or log != done:
            raise UserError("erase.step", step="checkpoint", answer=f"({busy}, {log}, {done})")
        return f"({busy}, {log}, {done})"

    def _ask(self, sql: str) -> object:
        rows = self._connection.execute(sql)
        return rows[0][0] if rows else ""

    def _number(self, sql: str) -> int:
        return int(str(self._ask(sql) or 0))

    def _expect(self, setting: str, asking: str, wanted: int) -> None:
        self._connection.execute(setting)
        answer = self._number(asking)
        if answer != wanted:
            raise UserError("erase.step", step="settings", answer=str(answer))


def check_fresh(path: Path, key: Key | None) -> str:
    """Step 13b: a fresh connection finds the database whole.

    Raises:
        UserError: ``store.damaged`` and what ``open_database`` raises.
    """
    try:
        return _check_whole(path, key, alone=True)
    except UserError as error:
        if error.code != "store.locked":
            raise
    # An agent took up its work again as soon as we had let go: look beside it.
    return _check_whole(path, key, alone=False)


def _check_whole(path: Path, key: Key | None, *, alone: bool) -> str:
    with open_database(path, key, write=True, maintain=True, busy_ms=BUSY_MS) as connection:
        if alone:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        whole = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
        forged = connection.execute("PRAGMA cipher_integrity_check") if key is not None else []
        if whole != ["ok"] or forged:
            raise UserError("store.damaged", path=str(path))
    return "ok"


def _open_exclusive(
    path: Path, key: Key | None, settings: CipherSettings, busy_ms: int
) -> sqlcipher3.Connection | None:
    try:
        raw = connect(file_uri(path, mode="rw"), busy_ms)
    except sqlcipher3.Error as error:
        raise understand(error, path) from error
    try:
        unlock(raw, key, settings)
        raw.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        if not first_read(raw):
            with GATE:
                raw.close()
            return None
        harden(raw, Powers.MAINTAIN)
    except sqlcipher3.Error as error:
        with GATE:
            raw.close()
        raise understand(error, path) from error
    except BaseException:
        with GATE:
            raw.close()
        raise
    return raw


def _refuse_shared_logs(path: Path) -> None:
    """SQLite itself writes to whatever lies in a log's place: refuse before it can.

    Links and devices were refused by ``evidence.inspect``.

    Raises:
        UserError: ``raw.hard_links``.
    """
    for role in SIDECARS:
        name = f"{path}{role}"
        try:
            status = os.lstat(name)
        except FileNotFoundError:
            continue
        if status.st_nlink != 1:
            raise UserError("raw.hard_links", path=name, names=status.st_nlink)


def _parts(rows: EraseRows) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    size = max(1, _KEYS_AT_ONCE // max(1, len(rows.key_columns)))
    for at in range(0, len(rows.keys), size):
        part: Sequence[tuple[str | int, ...]] = rows.keys[at : at + size]
        yield len(part), tuple(value for key in part for value in key)


def _where(rows: EraseRows, count: int) -> str:
    columns = ", ".join(quote(column) for column in rows.key_columns)
    one = marks(len(rows.key_columns))
    if len(rows.key_columns) == 1:
        return f"FROM {quote(rows.table)} WHERE {columns} IN ({marks(count)})"
    values = ", ".join(f"({one})" for _ in range(count))
    return f"FROM {quote(rows.table)} WHERE ({columns}) IN (VALUES {values})"
