# SPDX-License-Identifier: MIT
"""The statements and raw writes of the in-place wipe. For the eraser's process alone.

Each method is one step of the recipe, checks what SQLite answered, and returns the answer as a
short text. The order is the caller's (``erasure/eraser.py``). Measured in ERASURE.md, section 4.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from memory_gui.domain.erasing import CellCut, EraseRows
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.engine.alone import BUSY_MS, open_alone
from memory_gui.engine.cellcuts import cut_cell
from memory_gui.engine.database import Connection
from memory_gui.engine.heard import Heard, Statement
from memory_gui.engine.leftjournal import PERSIST, TRUNCATE
from memory_gui.engine.rawfile import HeldFile, Role
from memory_gui.engine.rekeying import refuse_other_ciphers, rekey
from memory_gui.engine.relations import (
    cascading,
    named_by_rowid,
    orphans,
    rowid_reference,
    untold_index,
    written_by,
)
from memory_gui.engine.rowsets import parts, where
from memory_gui.engine.sql import quote
from memory_gui.engine.virtual import FullText, full_text_tables, keeps_rowids, rowid_danger

_KEPT_SETTINGS: Final = ("page_size", "auto_vacuum", "encoding", "user_version", "application_id")


class Wipe:
    """The only connection to a database, exclusive, and the files that are held for raw writes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._heard = Heard(connection)
        self._database = HeldFile.database(connection.path)
        self._logs: dict[Role, HeldFile] = {}
        self._unnamed: list[HeldFile] = []
        self._before: dict[str, str] = {}
        self.path = connection.path
        self.full_text: tuple[FullText, ...] = full_text_tables(connection)

    @classmethod
    def open(cls, path: Path, key: Key | None, busy_ms: int = BUSY_MS) -> Wipe:
        """Open for the wipe.

        Raises:
            UserError: as ``open_alone``; ``raw.*``.
        """
        connection = open_alone(path, key, busy_ms)
        try:
            return cls(connection)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        """Close the connection, then the held files: never the other way round."""
        try:
            self._connection.close()
        finally:
            for held in (*self._logs.values(), *self._unnamed, self._database):
                held.close()
            self._logs, self._unnamed = {}, []

    def check_same_file(self) -> None:
        """What is held is still what lies at the path.

        Raises:
            UserError: ``store.replaced``.
        """
        self._connection.check_same_file()

    def said(self) -> list[Statement]:
        """The statements since this was last asked, with SQLite's answers."""
        return self._heard.taken()

    # ---- before

    @property
    def samples(self) -> bool:
        """Whether it keeps samples of index keys."""
        return bool(self._sample_tables())

    @property
    def auto_vacuum(self) -> int:
        """0, 1 (full) or 2 (incremental)."""
        return self._quiet("PRAGMA auto_vacuum")

    @property
    def journal_mode(self) -> str:
        """``wal``, ``delete`` and so on, as SQLite says now."""
        return str(self._connection.execute("PRAGMA journal_mode")[0][0]).lower()

    def refuse_rows(self, rows: Sequence[EraseRows]) -> None:
        """What this recipe must not touch, said before anything is changed.

        VACUUM gives new rowids to tables without any key: refused where something knows them, as
        an index does, or the plan itself. An index without content must be told what goes.

        Raises:
            UserError: ``erase.rowids``, ``erase.rowid_reference``, ``erase.contentless``.
        """
        path = str(self.path)
        table = rowid_danger(self._connection, self.full_text)
        if table is not None:
            raise UserError("erase.rowids", path=path, table=table)
        for some in rows:
            if named_by_rowid(some) and not keeps_rowids(self._connection, some.table):
                raise UserError("erase.rowids", path=path, table=some.table)
        if (reference := rowid_reference(self._connection)) is not None:
            table, by = reference
            raise UserError("erase.rowid_reference", path=path, table=table, by=by)
        index = untold_index(self._connection, self.full_text, rows)
        if index is not None:
            raise UserError("erase.contentless", path=path, table=index)

    def copied_to(
        self, triggers_sql: Collection[str], *, deleted: Collection[str], changed: Collection[str]
    ) -> list[str]:
        """Tables that may get copies by these triggers; full-text indexes are built anew."""
        written = written_by(self._connection, triggers_sql, deleted=deleted, changed=changed)
        return sorted(written - {index.name for index in self.full_text})

    def orphans(self) -> dict[str, int]:
        """Rows that should go, or change, with others and have not, by table."""
        return orphans(self._connection, cascading(self._connection))

    def settings(self) -> str:
        """Step 0: nothing spills to a file, and a commit survives a power cut."""
        self._before = self._kept_settings()
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
        self._heard.execute("BEGIN EXCLUSIVE")
        self._heard.execute("COMMIT")
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
        return f"{held.zero_log()} bytes" if held else "no log"

    # ---- the erase

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Step 8 is one transaction."""
        with self._connection.writing():
            self._heard.note("BEGIN IMMEDIATE", "ok")
            yield
            self._heard.note("COMMIT", "asked for")

    def count(self, rows: EraseRows) -> int:
        """How many of the rows are there."""
        return sum(
            int(self._connection.execute(f"SELECT count(*) {where(rows, part)}", values)[0][0])
            for part, values in parts(rows)
        )

    def table_counts(self) -> dict[str, int]:
        """Rows of every ordinary table; the inside of full-text indexes is built anew and left out.

        Agent's and foreign triggers fire at a DELETE: only counting shows what else they took.
        """
        inside = tuple(f"{index.name}_" for index in self.full_text)
        return {
            name: self._quiet(f"SELECT count(*) FROM {quote(name)}")  # noqa: S608 - quoted
            for kind, name, _, sql in self._connection.schema()
            if kind == "table"
            and not name.startswith("sqlite_")
            and not (inside and name.startswith(inside))
            and not (sql or "").lstrip()[:14].upper().startswith("CREATE VIRTUAL")
        }

    def delete(self, rows: EraseRows) -> int:
        """Delete the rows by the store's own key; the agent's triggers fire."""
        return sum(
            self._heard.change(f"DELETE {where(rows, part)}", values)
            for part, values in parts(rows)
        )

    def cut_cell(self, cell: CellCut) -> int:
        """As ``engine.cellcuts``."""
        return cut_cell(self._connection, self._heard, cell)

    def renew_full_text(self, *, external_only: bool = False) -> str:
        """Build full-text indexes anew: they keep deleted words (ERASURE 6)."""
        done = []
        for index in self.full_text:
            if external_only and index.content in ("own", "none"):
                continue
            command = "optimize" if index.content == "none" else "rebuild"
            name = quote(index.name)
            self._heard.execute(f"INSERT INTO {name}({name}) VALUES (?)", (command,))  # noqa: S608 - quoted
            done.append(command)
        return ", ".join(done) if done else "no index"

    def renew_statistics(self) -> str:
        """``sqlite_stat4`` keeps samples of index keys, erased ones too."""
        samples = self._sample_tables()
        if not samples:
            return "no samples"
        for name in samples:
            self._heard.change(f"DELETE FROM {quote(name)}")  # noqa: S608 - quoted
        self._heard.execute("ANALYZE")
        return "analyzed"

    def vacuum(self) -> str:
        """Step 10: the file is written anew without free space, into the log."""
        self._heard.execute("VACUUM")
        return f"{self._number('PRAGMA page_count')} pages"

    # ---- another key

    def may_rekey(self) -> str:
        """Before anything is changed: whether a raw key alone could open the file."""
        refuse_other_ciphers(self._connection)
        return "ok"

    def rekey(self, key: RawKey) -> str:
        """Step 10c: every page anew under another key, into the log. Its "ok" proves nothing."""
        answer = rekey(self._connection, key)
        self._heard.note("PRAGMA rekey", answer)
        return answer

    # ---- after

    def truncate_log(self) -> str:
        """Step 11: an empty log."""
        return self._checkpoint("TRUNCATE")

    def back_to(self, mode: str) -> str:
        """Step 12: the journal mode that the file had. All but WAL live in a connection only."""
        if mode == "wal":
            return "wal"
        wanted = mode if mode in (PERSIST, TRUNCATE) else "delete"
        answer = str(self._ask(f"PRAGMA journal_mode = {wanted}")).lower()
        if answer != wanted:
            raise UserError("erase.step", step="journal-mode", answer=answer)
        # The switch writes page 1 into a journal, which stays as long as the lock is held.
        if "-journal" in self._logs:  # the one that was there before has lost its name
            self._unnamed.append(self._logs.pop("-journal"))
        held = self._held_log("-journal") if self._exists("-journal") else None
        if held is not None:
            held.zero(0, held.size)
        return answer

    def settings_again(self) -> str:
        """Step 12b: what the file says of itself is what it said before."""
        now = self._kept_settings()
        for name, value in self._before.items():
            self._heard.note(f"PRAGMA {name}", now[name])
            if now[name] != value:
                raise UserError("erase.step", step="settings-again", answer=f"{name} {now[name]}")
        return "as before"

    def sync(self) -> str:
        """Step 13a: file and folder are on the disk, and no index of a log that is gone.

        Programs that were killed leave one. Nobody has it open: who did would have a lock.
        """
        self._database.zero(self._database.size, self._database.size)
        size = self._drop_index()
        self._database.fsync_folder()
        return f"ok, {size} bytes of an old log's index zeroed" if size else "ok"

    def destroy(self) -> str:
        """The whole database: zeros over every byte and over its log, then its name. No way back.

        Only ``close`` may follow.
        """
        size = self._database.zero(0, self._database.size)
        for role in ("-wal", "-journal"):
            held = self._held_log(role) if self._exists(role) else None
            if held is not None:
                size += held.zero_log()
                held.unlink()
        size += self._drop_index()
        self._database.unlink()
        return f"{size} bytes"

    # ---- inside

    def _zero_journal(self) -> int:
        if not self._exists("-journal"):
            return 0
        # In exclusive mode SQLite keeps the journal open once it has written to it: then it can
        # be told by its inode. Nothing is changed by this transaction.
        version = self._number("PRAGMA user_version")
        self._heard.execute("BEGIN IMMEDIATE")
        self._heard.execute(f"PRAGMA user_version = {version}")
        self._heard.execute("ROLLBACK")
        held = self._held_log("-journal")
        return held.zero(0, held.size) if held else 0

    def _drop_index(self) -> int:
        """It holds page numbers; its blocks can hold what lay there before (measured: text)."""
        held = HeldFile.beside(Path(f"{self.path}-shm"))
        if held is None:
            return 0
        self._unnamed.append(held)
        size = held.zero(0, held.size)
        held.unlink()
        return size

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
        row = self._heard.execute(f"PRAGMA wal_checkpoint({mode})")[0]
        busy, log, done = (int(value) for value in row)
        if busy or log != done:
            raise UserError("erase.step", step="checkpoint", answer=f"({busy}, {log}, {done})")
        return f"({busy}, {log}, {done})"

    def _sample_tables(self) -> list[str]:
        names = {name for kind, name, _, _ in self._connection.schema() if kind == "table"}
        return sorted(names & {"sqlite_stat3", "sqlite_stat4"})

    def _kept_settings(self) -> dict[str, str]:
        return {
            name: str(self._connection.execute(f"PRAGMA {name}")[0][0]) for name in _KEPT_SETTINGS
        }

    def _quiet(self, sql: str) -> int:
        return int(str(self._connection.execute(sql)[0][0]))

    def _ask(self, sql: str) -> object:
        rows = self._heard.execute(sql)
        return rows[0][0] if rows else ""

    def _number(self, sql: str) -> int:
        return int(str(self._ask(sql) or 0))

    def _expect(self, setting: str, asking: str, wanted: int) -> None:
        self._heard.execute(setting)
        answer = self._number(asking)
        if answer != wanted:
            raise UserError("erase.step", step="settings", answer=str(answer))
