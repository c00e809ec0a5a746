# SPDX-License-Identifier: MIT
"""Searches that a person saved under a name. They are content, so they are kept nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memory_gui.domain.queries import Choices
from memory_gui.engine.connection import Connection


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """Words in the query language, chosen values by facet, and an order (``-updated``)."""

    name: str
    text: str = field(repr=False, default="")
    facets: Mapping[str, frozenset[str]] = field(repr=False, default_factory=Choices)
    sort: str = ""


class FilterRows:
    """Reads and writes the table ``saved_filter`` of the ledger. Any thread, any process."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def list(self) -> tuple[SavedFilter, ...]:
        """All, by name."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT name, words, facets, sort FROM saved_filter ORDER BY name"
            )
        return tuple(
            SavedFilter(name, text, _chosen(facets), sort) for name, text, facets, sort in rows
        )

    def put(self, one: SavedFilter) -> None:
        """Keep one, in the place of one of that name."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        facets = json.dumps({name: sorted(values) for name, values in one.facets.items()})
        with self._connect() as connection, connection.writing():
            connection.execute(
                "INSERT OR REPLACE INTO saved_filter (name, words, facets, sort, made_at)"
                " VALUES (?, ?, ?, ?, ?)",
                (one.name, one.text, facets, one.sort, now),
            )

    def remove(self, name: str) -> bool:
        """Forget one; False when there is none."""
        with self._connect() as connection, connection.writing():
            return connection.change("DELETE FROM saved_filter WHERE name = ?", (name,)) > 0


def _chosen(stored: str) -> Choices:
    values: Mapping[str, Iterable[str]] = json.loads(stored)
    return Choices(values)
