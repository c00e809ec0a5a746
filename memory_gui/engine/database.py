# SPDX-License-Identifier: MIT
"""An open database: statements, transactions, and whether it is still the file we opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.authorizer import Powers, authorizer, hearing
from memory_gui.engine.errors import StatementFailed, understood
from memory_gui.engine.gate import GATE
from memory_gui.engine.keying import key_text
from memory_gui.engine.sql import file_uri, quote

Row = tuple[Any, ...]
Source = Literal["file", "copy"]
SchemaRow = tuple[str, str, str, str | None]

BATCH: Final = 2_000


class Connection:
    """One connection, used by the thread that opened it. Only ``interrupt`` is for any thread.

    Made by ``engine.connection.open_database``. Text that is no valid UTF-8 comes with U+FFFD in
    place of the bad bytes. All methods raise UserError (``store.locked``, ``store.disk_full``,
    ``store.damaged``, ``store.part_damaged``, ``store.read_only``, ``store.io``,
    ``store.forbidden``, ``store.constraint``), Cancelled after ``interrupt``, and StatementFailed
    for bugs.
    """

    def __init__(
        self,
        raw: sqlcipher3.Connection,
        path: Path,
        *,
        powers: Powers,
        encrypted: bool,
        source: Source,
        identity: tuple[int, int] | None,
        journal_mode: str | None = None,
    ) -> None:
        """Take over a keyed, read connection. ``identity`` is (device, inode), None for a copy.

        ``journal_mode`` is that of the file which a copy was made of; a copy has none of its own.
        """
        self._raw = raw
        self.path = path
        self.encrypted = encrypted
        self.source: Source = source
        self.writable = powers is not Powers.LOOK
        self._identity = identity
        self._depth = 0
        self._may_write = False
        self._lost: BaseException | None = None
        """Why what runs now is no transaction any more that may be kept."""
        self._closed = False
        self._views: set[str] = set()
        self._schema_version = -1
        self._refresh_views()
        self.cipher: Mapping[str, str] = self._read_cipher() if encrypted else {}
        self.journal_mode = journal_mode or str(self._ask("PRAGMA journal_mode")[0][0])
        self._allow = authorizer(powers, self._views)
        raw.set_authorizer(self._allow)

    # ---- statements

    def execute(self, sql: str, params: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """Run one statement and return all its rows."""
        with self._understood():
            return self._ask(sql, params)

    def rows(
        self, sql: str, params: Sequence[Any] | Mapping[str, Any] = (), size: int = BATCH
    ) -> Iterator[list[Row]]:
        """Run one statement and hand its rows out in batches of ``size``.

        The read transaction lasts until the iterator is exhausted or closed.
        """
        with self._understood():
            cursor = self._raw.execute(sql, params)
        try:
            while True:
                with self._understood():
                    batch = cursor.fetchmany(size)
                if not batch:
                    return
                yield batch
        finally:
            cursor.close()

    def change(self, sql: str, params: Sequence[Any] | Mapping[str, Any] = ()) -> int:
        """Run an INSERT, UPDATE or DELETE; how many rows it touched itself (not by triggers)."""
        with self._understood():
            return int(self._raw.execute(sql, params).rowcount)

    def written_by_triggers(self, sql: str) -> set[tuple[str, str]]:
        """(trigger, table) of what would put or change rows if this statement were run.

        It is not: SQLite asks for each part, triggers' too, while it prepares it.
        """
        heard: set[tuple[str, str]] = set()
        self._raw.set_authorizer(hearing(self._allow, heard))
        try:
            self.execute(f"EXPLAIN {sql}")
        finally:
            self._raw.set_authorizer(self._allow)
        return heard

    def last_rowid(self) -> int:
        """The rowid of the last row that this connection inserted."""
        return int(self.execute("SELECT last_insert_rowid()")[0][0])

    # ---- transactions

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One read transaction: all statements inside see one state. Inside another: a part of it.

        Raises:
            UserError: ``store.replaced`` when the path now names another file.
        """
        if self._depth:
            yield
            return
        with self._transaction("BEGIN"):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One write transaction (BEGIN IMMEDIATE); inside another one a savepoint.

        Leaving by an error takes everything inside back, and that first error is what is raised.

        Raises:
            UserError: ``store.locked`` after the busy time, ``store.replaced``,
                ``store.read_only``.
        """
        if not self.writable:
            raise UserError("store.read_only", path=str(self.path))
        if not self._depth:
            with self._transaction("BEGIN IMMEDIATE"):
                self._may_write = True
                try:
                    yield
                finally:
                    self._may_write = False
            return
        if not self._may_write:
            raise StatementFailed("writing inside reading", "")
        self._must_stand()
        name = quote(f"part {self._depth}")
        with self._bracket(f"SAVEPOINT {name}", f"RELEASE {name}", f"ROLLBACK TO {name}"):
            yield

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[None]:
        self.check_same_file()
        with self._bracket(begin, "COMMIT", "ROLLBACK"):
            self._refresh_views()
            yield

    @contextmanager
    def _bracket(self, begin: str, commit: str, back: str) -> Iterator[None]:
        self.execute(begin)
        self._depth += 1
        try:
            yield
            self._must_stand()
            self.execute(commit)
        except BaseException as first:
            try:
                if self._raw.in_transaction:  # some errors roll back by themselves
                    self._raw.execute(back)
                    if back.startswith("ROLLBACK TO"):
                        self._raw.execute(commit)
                else:
                    self._lost = self._lost or first
            except sqlcipher3.Error as second:
                first.add_note(f"taking it back failed too: {type(second).__name__}")
                self._lost = self._lost or first
            raise
        finally:
            self._depth -= 1
            if not self._depth:
                self._lost = None

    def _must_stand(self) -> None:
        """Nothing may be kept, or begun, of a transaction of which a part could not be undone."""
        if self._lost is None and not self._raw.in_transaction:  # it ended by itself
            self._lost = UserError("store.io", path=str(self.path))
        if self._lost is not None:
            raise self._lost

    # ---- what changed

    def data_version(self) -> int:
        """Changes whenever another connection has committed, not by our own commits.

        Raises:
            UserError: ``store.replaced``.
        """
        self.check_same_file()
        return int(self.execute("PRAGMA data_version")[0][0])

    def check_same_file(self) -> None:
        """Notice that the path now names another file, or none; nothing is opened for it.

        Raises:
            UserError: ``store.replaced``.
        """
        if self._identity is None:
            return
        try:
            now = self.path.stat(follow_symlinks=False)
        except OSError as error:
            raise UserError("store.replaced", path=str(self.path)) from error
        if (now.st_dev, now.st_ino) != self._identity:
            raise UserError("store.replaced", path=str(self.path))

    def give_back(self) -> None:
        """Free the pages that are kept in memory, up to 8 MB: who read all of a file needs none."""
        self.execute("PRAGMA shrink_memory")

    # ---- the schema

    def schema(self) -> list[SchemaRow]:
        """(type, name, table name, SQL) of every object, tables first, then by name."""
        return [
            (str(kind), str(name), str(table), None if sql is None else str(sql))
            for kind, name, table, sql in self.execute(
                "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type <> 'table', name"
            )
        ]

    def table_info(self, name: str) -> list[Row]:
        """(cid, name, type, notnull, default, pk) of each column; empty if no such table."""
        return self.execute(f"PRAGMA table_info({quote(name)})")

    # ---- other files, for rotation (a connection with ``maintain``)

    def attach(self, path: Path, key: Key | None, name: str) -> None:
        """Attach an existing file (an empty one becomes a new database) with a key of its own.

        The key is bound as a value, so that no statement text holds it.
        """
        text = key_text(key) if key is not None else ""
        uri = file_uri(path, mode="rw")
        with GATE, understood(path):
            self._ask(f"ATTACH ? AS {quote(name)} KEY ?", (uri, text))

    def detach(self, name: str) -> None:
        """Let go of an attached file."""
        with GATE:
            self.execute(f"DETACH {quote(name)}")

    # ---- ending

    def interrupt(self) -> None:
        """Stop the statement that runs now: it raises Cancelled. For any thread, at any time."""
        try:
            self._raw.interrupt()
        except sqlcipher3.ProgrammingError:
            return  # closed meanwhile

    def close(self) -> None:
        """Close. May be called twice."""
        if self._closed:
            return
        self._closed = True
        with GATE, self._understood():
            self._raw.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # ---- inside

    @contextmanager
    def _understood(self) -> Iterator[None]:
        """Errors as ``understood`` maps them; of an encrypted file the key is known to be right."""
        try:
            with understood(self.path):
                yield
        except UserError as error:
            if self.encrypted and error.code == "store.damaged":
                raise UserError("store.part_damaged", **error.params) from error
            raise

    def _ask(self, sql: str, params: Sequence[Any] | Mapping[str, Any] = ()) -> list[Row]:
        rows: list[Row] = self._raw.execute(sql, params).fetchall()
        return rows

    def _refresh_views(self) -> None:
        with self._understood():
            version = int(self._ask("PRAGMA schema_version")[0][0])
            if version == self._schema_version:
                return
            found = self._ask("SELECT name FROM sqlite_master WHERE type = 'view'")
        self._views.clear()
        self._views.update(str(row[0]) for row in found)
        self._schema_version = version

    def _read_cipher(self) -> dict[str, str]:
        settings = {"version": str(self._ask("PRAGMA cipher_version")[0][0])}
        for (line,) in self._ask("PRAGMA cipher_settings"):
            name, _, value = str(line).removeprefix("PRAGMA ").rstrip(";").partition(" = ")
            settings[name] = value
        return settings
