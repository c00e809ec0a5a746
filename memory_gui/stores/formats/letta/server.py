# SPDX-License-Identifier: MIT
"""What Letta's server keeps for itself and may name somebody: agents, users, files, jobs, steps.

No memories: they can be read and searched, and are never erased from here. By schema, so that a
table of a later version is not passed over: of every table those columns that hold texts, but for
ids, settings, and what opens something (keys, tokens, passwords).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.database import Connection
from memory_gui.engine.sql import quote
from memory_gui.stores.formats.letta.texts import every_text
from memory_gui.stores.sql.cells import Row
from memory_gui.stores.sql.table import Table

_TEXTS: Final = re.compile("CHAR|TEXT|CLOB|JSON", re.IGNORECASE)
_IDS: Final = re.compile(r"(^|_)ids?$")
_SECRETS: Final = re.compile(r"key$|token|secret|password|authorization_code|^custom_headers$")
_VALUES: Final = re.compile(r"_environment_variables$")
"""Tables whose column ``value`` is a secret."""
_SETTINGS: Final = frozenset(
    {
        *("agent_type", "timezone", "llm_config", "embedding_config", "response_format"),
        *("tool_rules", "vector_db_provider", "_vector_db_namespace", "embedding", "model"),
        *("tool_type", "source_type", "json_schema", "args_json_schema", "pip_requirements"),
        *("npm_requirements", "privileged_tools", "file_type", "processing_status", "status"),
        *("file_creation_date", "file_last_modified_date", "job_type", "manager_type", "type"),
        *("provider_type", "provider_category", "region", "api_version", "provider_name"),
        *("model_endpoint", "stop_reason", "completion_tokens_details", "feedback", "state"),
        *("error_type", "request_status", "step_status", "llm_provider", "server_type", "origin"),
        *("termination_token", "stdio_config", "token_type", "block_label", "tools", "role"),
        "version_num",
    }
)
_SHOWN: Final = frozenset({("agents", "memory")})
"""Records by themselves."""
_EMPTY: Final = "('', 'null', '[]', '{}', '\"\"')"


@dataclass(frozen=True, slots=True)
class ServerTable:
    """One of its tables, and the columns that hold texts."""

    table: Table
    columns: tuple[str, ...]

    @property
    def name(self) -> str:
        """The table's."""
        return self.table.name

    @property
    def says(self) -> str:
        """In SQL: whether a row holds any text."""
        cells = (quote(name) for name in self.columns)
        return " OR ".join(f"ifnull({one}, '') NOT IN {_EMPTY}" for one in cells)

    @property
    def _read(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(("id", "created_at", "updated_at", *self.columns)))

    def count(self) -> int:
        """Rows that hold any text."""
        return self.table.count(self.says)

    def batches(self) -> Iterator[list[Row]]:
        """Those rows."""
        return self.table.batches(f"({self.says})", self._read)

    def row(self, name: str) -> Row | None:
        """One of them, by its id or number."""
        is_number = "id" not in self.table.columns
        if is_number and not name.isdecimal():
            return None
        column = self.table.rowid if is_number else quote("id")
        found = self.table.select(
            f"{column} = ? AND ({self.says})", (int(name) if is_number else name,)
        )
        if not found:
            return None
        cells = {n: c for n, c in found[0].cells.items() if n in self._read}
        return Row(found[0].rowid, cells)

    def key(self, row: Row) -> tuple[str, str]:
        """The table, and what the row goes by in it."""
        return (self.name, row.text("id") if "id" in row.cells else str(row.rowid))

    def texts(self, row: Row) -> list[str]:
        """What it says, column by column."""
        found = [every_text(cell) for one in self.columns if (cell := row.text(one))]
        return list(dict.fromkeys(text for text in found if text.strip()))


def server_tables(
    connection: Connection, codec: str, names: Iterable[str]
) -> tuple[ServerTable, ...]:
    """Those of some tables that have a column for texts."""
    found = []
    for name in sorted(names):
        typed = [(str(row[1]), str(row[2])) for row in connection.table_info(name)]
        if columns := text_columns(name, typed):
            with suppress(UserError):  # Letta makes no table whose rows have no numbers
                found.append(ServerTable(Table(connection, name, codec), columns))
    return tuple(found)


def text_columns(table: str, typed: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Which of a table's columns (name, declared type) hold texts about anybody."""
    return tuple(
        name
        for name, kind in typed
        if _TEXTS.search(kind)
        and not (_IDS.search(name) or _SECRETS.search(name) or name in _SETTINGS)
        and not (name == "value" and _VALUES.search(table))
        and (table, name) not in _SHOWN
    )
