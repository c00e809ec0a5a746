# SPDX-License-Identifier: MIT
"""The two tables of LangGraph's checkpoints, and what in a file LangGraph did not make."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from memory_gui.engine.database import SchemaRow
from memory_gui.engine.virtual import module_of

CHECKPOINTS: Final = "checkpoints"
WRITES: Final = "writes"
COLUMNS: Final = {
    CHECKPOINTS: ("thread_id", "checkpoint_ns", "checkpoint_id", "type", "checkpoint", "metadata"),
    WRITES: ("thread_id", "checkpoint_ns", "checkpoint_id", "channel", "type", "value"),
}
"""Those that are read; older files have no ``task_path``."""


def is_ordinary(schema: Iterable[SchemaRow], table: str) -> bool:
    """Whether there is an ordinary table of that name."""
    return any(
        kind == "table" and name == table and not module_of(sql or "")
        for kind, name, _, sql in schema
    )


def foreign_objects(schema: Iterable[SchemaRow]) -> tuple[str, ...]:
    """Triggers, views, virtual tables, and indexes on the two tables. Other tables are not ours."""
    return tuple(
        sql
        for kind, name, on, sql in schema
        if sql
        and not name.startswith("sqlite_")
        and not (kind == "table" and module_of(sql) is None)
        and not (kind == "index" and on not in COLUMNS)
    )
