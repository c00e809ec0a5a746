# SPDX-License-Identifier: MIT
"""Rows named by a store's own key, in statements that SQLite takes at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memory_gui.domain.erasing import EraseRows
from memory_gui.engine.sql import marks, quote

_KEYS_AT_ONCE: Final = 400


def parts(rows: EraseRows) -> Iterator[tuple[int, tuple[str | int, ...]]]:
    """(how many keys, their values) of each statement."""
    size = max(1, _KEYS_AT_ONCE // max(1, len(_columns(rows))))
    for at in range(0, len(rows.keys), size):
        part: Sequence[tuple[str | int, ...]] = rows.keys[at : at + size]
        yield len(part), tuple(value for key in part for value in _values(rows, key))


def where(rows: EraseRows, count: int) -> str:
    """What comes behind ``DELETE`` or ``SELECT count(*)`` for so many keys."""
    names = _columns(rows)
    columns = ", ".join(quote(column) for column in names)
    one = marks(len(names))
    if len(names) == 1:
        return f"FROM {quote(rows.table)} WHERE {columns} IN ({marks(count)})"
    values = ", ".join(f"({one})" for _ in range(count))
    return f"FROM {quote(rows.table)} WHERE ({columns}) IN (VALUES {values})"


def _columns(rows: EraseRows) -> tuple[str, ...]:
    return (*rows.key_columns, rows.owner) if rows.owner else rows.key_columns


def _values(rows: EraseRows, key: tuple[str | int, ...]) -> tuple[str | int, ...]:
    return (*key, rows.owners[key]) if rows.owner else key
