# SPDX-License-Identifier: MIT
"""What a statement may do: SQLite asks for each part while it prepares one.

https://sqlite.org/c3ref/set_authorizer.html and c3ref/c_alter_table.html (action codes).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum
from typing import Final

_OK: Final = 0
_DENY: Final = 1

_DELETE: Final = 9
_INSERT: Final = 18
_PRAGMA: Final = 19
_READ: Final = 20
_SELECT: Final = 21
_TRANSACTION: Final = 22
_UPDATE: Final = 23
_FUNCTION: Final = 31
_SAVEPOINT: Final = 32
_RECURSIVE: Final = 33

_LOOKING: Final = frozenset({_SELECT, _READ, _TRANSACTION, _SAVEPOINT, _RECURSIVE})
_CHANGING: Final = frozenset({_INSERT, _UPDATE, _DELETE})

_ASKING_PRAGMAS: Final = frozenset(
    [
        "table_info",
        "table_xinfo",
        "table_list",
        "index_list",
        "index_info",
        "index_xinfo",
        "foreign_key_list",
        "foreign_key_check",
        "integrity_check",
        "quick_check",
        "data_version",
        "shrink_memory",
    ]
)
"""May have an argument: it says which table or how many rows, and changes nothing we mind."""
_READ_ONLY_PRAGMAS: Final = frozenset(
    [
        "page_count",
        "page_size",
        "freelist_count",
        "schema_version",
        "user_version",
        "application_id",
        "encoding",
        "journal_mode",
        "auto_vacuum",
        "secure_delete",
        "temp_store",
        "query_only",
        "foreign_keys",
        "synchronous",
        "trusted_schema",
        "cell_size_check",
        "mmap_size",
        "busy_timeout",
        "compile_options",
        "locking_mode",
        "cipher_settings",
        "cipher_version",
        "cipher_salt",
        "cipher_integrity_check",
        "cipher_provider",
        "cipher_provider_version",
        "cipher_page_size",
        "kdf_iter",
    ]
)
_SETTING_PRAGMAS: Final = frozenset({"foreign_keys", "recursive_triggers", "busy_timeout"})
_NEVER_FUNCTIONS: Final = frozenset(
    ["load_extension", "fts3_tokenizer", "sqlcipher_export", "readfile", "writefile", "edit"]
)


class Powers(Enum):
    """What a connection is for."""

    LOOK = "look"
    CHANGE = "change"
    """Insert, update and delete rows. No schema change, no ATTACH."""
    MAINTAIN = "maintain"
    """The eraser and rotation, in a process that holds the file alone: also VACUUM, journal mode,
    checkpoints, new keys, ANALYZE, schema. Still no loading of code."""


Authorizer = Callable[[int, str | None, str | None, str | None, str | None], int]


def hearing(inner: Authorizer, heard: set[tuple[str, str]]) -> Authorizer:
    """The same callback; it notes (trigger, table) of each row that a trigger puts or changes."""

    def allow(
        action: int, first: str | None, second: str | None, base: str | None, source: str | None
    ) -> int:
        if action in (_INSERT, _UPDATE) and first and source:
            heard.add((source, first))
        return inner(action, first, second, base, source)

    return allow


def authorizer(powers: Powers, views: Collection[str]) -> Authorizer:
    """The callback for SQLite. ``views`` is read at each call: views are never queried."""

    def allow(
        action: int, first: str | None, second: str | None, _: str | None, source: str | None
    ) -> int:
        if action == _FUNCTION:
            return _DENY if _is_never(second, powers) else _OK
        if powers is Powers.MAINTAIN:
            return _OK
        if source in views or (action == _READ and first in views):
            return _DENY
        if action == _PRAGMA:
            allowed = _pragma_allowed(first, second, powers)
        elif action in _CHANGING:
            allowed = powers is Powers.CHANGE and not _is_schema(first)
        else:
            allowed = action in _LOOKING
        return _OK if allowed else _DENY

    return allow


def _is_never(function: str | None, powers: Powers) -> bool:
    name = (function or "").lower()
    if name == "sqlcipher_export" and powers is Powers.MAINTAIN:
        return False
    return name in _NEVER_FUNCTIONS


def _pragma_allowed(name: str | None, argument: str | None, powers: Powers) -> bool:
    pragma = (name or "").lower()
    if pragma == "wal_checkpoint":
        return powers is Powers.CHANGE
    if pragma in _ASKING_PRAGMAS:
        return True
    if pragma in _SETTING_PRAGMAS and powers is Powers.CHANGE:
        return True
    return pragma in _READ_ONLY_PRAGMAS and argument is None


def _is_schema(table: str | None) -> bool:
    name = (table or "").lower()
    return name.startswith("sqlite_") and name != "sqlite_sequence"
