# SPDX-License-Identifier: MIT
"""Virtual tables and rowids in a schema: what an erase must renew, and what VACUUM would break.

Sources: sqlite.org/fts5.html 4.4 (contents), sqlite.org/fts3.html, sqlite.org/lang_vacuum.html
(rowids of tables without an INTEGER PRIMARY KEY may change).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from memory_gui.engine.database import Connection
from memory_gui.engine.sql import quote

_VIRTUAL: Final = re.compile(
    r"^\s*CREATE\s+VIRTUAL\s+TABLE\b.*?\bUSING\s+(\w+)\s*\(?", re.IGNORECASE | re.DOTALL
)
_CONTENT: Final = re.compile(
    r"""\bcontent\s*=\s*('(?:[^']|'')*'|"[^"]*"|\[[^\]]*\]|[\w.]*)""", re.IGNORECASE
)
_ROWID: Final = re.compile(r"\b(?:rowid|_rowid_|oid)\b", re.IGNORECASE)
_SHADOWS: Final = (
    "_data", "_idx", "_content", "_docsize", "_config", "_segments", "_segdir", "_stat",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FullText:
    """A full-text table. ``content`` is ``own``, ``none`` (contentless) or ``external``."""

    name: str
    module: str
    content: str
    table: str = ""


def module_of(sql: str) -> str | None:
    """The module of a virtual table, by its CREATE statement; None for an ordinary table."""
    found = _VIRTUAL.match(sql)
    return None if found is None else found[1].lower()


def full_text_of(name: str, sql: str) -> FullText | None:
    """What a CREATE statement says, when it makes a full-text table."""
    found = _VIRTUAL.match(sql)
    if found is None or found[1].lower() not in ("fts3", "fts4", "fts5"):
        return None
    content = _CONTENT.search(sql, found.end())
    if content is None:
        return FullText(name, found[1].lower(), "own")
    table = content[1].strip("'\"[]")
    return FullText(name, found[1].lower(), "external" if table else "none", table)


def full_text_tables(connection: Connection) -> tuple[FullText, ...]:
    """All full-text tables of a database."""
    found = (full_text_of(name, sql or "") for kind, name, _, sql in connection.schema())
    return tuple(index for index in found if index is not None)


def rowid_danger(connection: Connection, full_text: Collection[FullText]) -> str | None:
    """A table whose rowids VACUUM would change although something may refer to them."""
    schema = connection.schema()
    virtual = {
        name for kind, name, _, sql in schema if kind == "table" and _VIRTUAL.match(sql or "")
    }
    shadows = {f"{name}{ending}" for name in virtual for ending in _SHADOWS}
    external = {index.table.lower() for index in full_text if index.content == "external"}
    known = {index.name for index in full_text}
    by_rowid = bool(virtual - known) or any(index.content != "external" for index in full_text)
    naming = [sql for kind, _, _, sql in schema if kind in ("trigger", "view") and sql]
    for kind, name, _, sql in schema:
        if kind != "table" or name in virtual | shadows or name.startswith("sqlite_"):
            continue
        if _keeps_rowids(connection, name, sql or ""):
            continue
        word = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
        named = any(word.search(text) and _ROWID.search(text) for text in naming)
        if (by_rowid or named) and not (name.lower() in external and not by_rowid):
            return name
    return None


def keeps_rowids(connection: Connection, table: str) -> bool:
    """Whether VACUUM leaves the numbers of a table's rows as they are."""
    sql = next(
        (sql for k, name, _, sql in connection.schema() if (k, name) == ("table", table)), ""
    )
    return _keeps_rowids(connection, table, sql or "")


def _keeps_rowids(connection: Connection, table: str, sql: str) -> bool:
    # VACUUM renumbers only tables with neither an INTEGER PRIMARY KEY nor any index (measured).
    if re.search(r"\bWITHOUT\s+ROWID\b", sql, re.IGNORECASE):
        return True
    if connection.execute(f"PRAGMA index_list({quote(table)})"):
        return True
    keys = [row for row in connection.table_info(table) if row[5]]
    return len(keys) == 1 and str(keys[0][2]).upper() == "INTEGER"
