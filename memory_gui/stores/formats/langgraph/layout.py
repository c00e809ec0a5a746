# SPDX-License-Identifier: MIT
"""Whether a file has the tables of LangGraph's store and those of its checkpoints."""

from __future__ import annotations

from memory_gui.stores.formats.langgraph_checkpoints.layout import COLUMNS
from memory_gui.stores.formats.langgraph_store import rules
from memory_gui.stores.sight import Schema


def has_items(schema: Schema) -> bool:
    """Whether there is a table of items."""
    return schema.has(rules.TABLE, *rules.COLUMNS)


def has_threads(schema: Schema) -> bool:
    """Whether there are the two tables of checkpoints."""
    return all(schema.has(table, *columns) for table, columns in COLUMNS.items())


def has_both(schema: Schema) -> bool:
    """Whether a program keeps both in one file."""
    return has_items(schema) and has_threads(schema)
