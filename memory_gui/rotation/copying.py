# SPDX-License-Identifier: MIT
"""A proved copy of a database under another key, or none. Runs in the rotator's process.

``sqlcipher_export`` loses user_version, application_id, auto_vacuum, page size and journal mode
(ERASURE 9), so they are carried over by hand; and nothing of it is believed before a fresh
connection has read the copy and found the same schema, rows and settings.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.keys import Key, Passphrase, RawKey
from memory_gui.domain.work import Tick, no_tick
from memory_gui.engine.connection import Connection, open_database
from memory_gui.engine.create import create_empty
from memory_gui.engine.errors import StatementFailed
from memory_gui.engine.sql import quote
from memory_gui.rotation.names import SIDECARS

_CARRIED: Final = ("user_version", "application_id")
_JOURNALS: Final = frozenset({"delete", "wal", "persist", "truncate"})


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a copy must share with its source."""

    schema: tuple[tuple[str, str, str, str | None], ...]
    rows: tuple[tuple[str, int, str], ...]
    """(table, number of rows, SHA-256 over them)"""
    settings: tuple[tuple[str, str], ...]

    def with_pages(self, size: int) -> Likeness:
        """The same with pages of another size."""
        settings = ((name, str(size) if name == "page_size" else v) for name, v in self.settings)
        return replace(self, settings=tuple(settings))

    @property
    def total(self) -> int:
        """Rows of all tables."""
        return sum(number for _table, number, _digest in self.rows)


def likeness(connection: Connection) -> Likeness:
    """Read all of a database."""
    schema = tuple(connection.schema())
    tables = [name for kind, name, _t, sql in schema if kind == "table" and not _is_virtual(sql)]
    without = {str(row[1]) for row in connection.execute("PRAGMA table_list") if row[4]}
    names = (*_CARRIED, "auto_vacuum", "page_size", "encoding")
    settings = tuple((name, _setting(connection, name)) for name in names)
    with connection.reading():
        rows = tuple(_read(connection, table, rowid=table not in without) for table in tables)
    return Likeness(schema, rows, settings)


def _read(connection: Connection, table: str, *, rowid: bool) -> tuple[str, int, str]:
    """Every row with its rowid, where it has one: the agent, or an index, may know it."""
    digest, number = sha256(), 0
    columns = "rowid, *" if rowid else "*"
    for batch in connection.rows(f"SELECT {columns} FROM {quote(table)}"):  # noqa: S608 - quoted
        number += len(batch)
        for row in batch:
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return table, number, digest.hexdigest()


def _setting(connection: Connection, name: str) -> str:
    return str(connection.execute(f"PRAGMA {name}")[0][0])


def _is_virtual(sql: str | None) -> bool:
    return (sql or "").lstrip()[:20].upper().startswith("CREATE VIRTUAL")


def key_text(key: Key | None) -> str:
    """The key as ``ATTACH … KEY`` takes it, to be bound as a value; empty for none."""
    if isinstance(key, RawKey):
        return f"x'{key.hex()}'"
    if isinstance(key, Passphrase):
        return key.reveal()
    return ""


def copy_database(
    source: Connection,
    out: Path,
    key: Key | None,
    *,
    journal_mode: str,
    page_size: int = 0,
    tick: Tick = no_tick,
) -> int:
    """Copy all of ``source`` into the new file ``out`` and prove it; the number of rows.

    The pages have the size of the source's, or ``page_size`` in bytes. When anything fails nothing
    is left at ``out``.

    Raises:
        UserError: ``store.exists``, ``store.disk_full``, ``store.*``.
        IntegrityError: ``rotation.differs`` (param ``what``).
    """
    tick("copy", 0, 3)
    wanted = likeness(source)
    if page_size:
        wanted = wanted.with_pages(page_size)
    create_empty(out)
    try:
        with _room(out):
            _export(source, out, key, page_size)
        tick("prove", 1, 3)
        _prove(out, key, wanted)
        _set_journal(out, key, journal_mode)
        tick("prove", 2, 3)
        _same_owner(source.path, out)
        _sync(out)
    except BaseException:
        for suffix in ("", *SIDECARS):
            Path(f"{out}{suffix}").unlink(missing_ok=True)
        raise
    tick("prove", 3, 3)
    return wanted.total


@contextmanager
def _room(out: Path) -> Iterator[None]:
    """A full disk by its own name: SQLCipher's export reports it as an error of the statement."""
    try:
        yield
    except StatementFailed as error:
        if "disk is full" in error.sqlite_says:
            raise UserError("store.disk_full", path=str(out)) from error
        raise


def _export(source: Connection, out: Path, key: Key | None, page_size: int) -> None:
    page_size = page_size or int(_setting(source, "page_size"))
    source.execute("ATTACH DATABASE ? AS copy KEY ?", (str(out), key_text(key)))
    try:
        size_pragma = "page_size" if key is None else "cipher_page_size"
        source.execute(f"PRAGMA copy.{size_pragma} = {page_size}")
        source.execute(f"PRAGMA copy.auto_vacuum = {int(_setting(source, 'auto_vacuum'))}")
        source.execute("PRAGMA copy.synchronous = EXTRA")
        source.execute("SELECT sqlcipher_export('copy')")
        for name in _CARRIED:
            source.execute(f"PRAGMA copy.{name} = {int(_setting(source, name))}")
    finally:
        source.execute("DETACH DATABASE copy")


def _prove(out: Path, key: Key | None, wanted: Likeness) -> None:
    """By a fresh connection."""
    with open_database(out, key, write=False) as fresh:
        found = likeness(fresh)
        for what in ("schema", "rows", "settings"):
            if getattr(found, what) != getattr(wanted, what):
                raise IntegrityError("rotation.differs", what=what)
        if fresh.execute("PRAGMA integrity_check") != [("ok",)]:
            raise IntegrityError("rotation.differs", what="integrity")
        if key is not None and fresh.execute("PRAGMA cipher_integrity_check"):
            raise IntegrityError("rotation.differs", what="cipher")
        if fresh.encrypted is not (key is not None):
            raise IntegrityError("rotation.differs", what="cipher")


def _set_journal(out: Path, key: Key | None, journal_mode: str) -> None:
    if journal_mode not in _JOURNALS or journal_mode == "delete":
        return
    with open_database(out, key, write=True, maintain=True) as connection:
        answer = connection.execute(f"PRAGMA journal_mode = {journal_mode}")
        if answer != [(journal_mode,)]:
            raise UserError("rotation.journal", path=str(out))


def _same_owner(source: Path, out: Path) -> None:
    """The agent that owned the store must own the copy (matters when we are root)."""
    wanted, found = source.stat(), out.stat()
    if (wanted.st_uid, wanted.st_gid) != (found.st_uid, found.st_gid):
        os.chown(out, wanted.st_uid, wanted.st_gid)


def _sync(out: Path) -> None:
    with out.open("rb") as stream:
        os.fsync(stream.fileno())
