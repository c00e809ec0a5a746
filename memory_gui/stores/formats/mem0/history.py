# SPDX-License-Identifier: MIT
"""Mem0's ``history.db``: what every memory once said, and the last messages of each talk.

Sources: mem0ai 2.2.1, ``memory/storage.py``. Older releases have no ``messages`` and fewer columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from memory_gui.domain.erasing import ErasePart, EraseRows
from memory_gui.domain.errors import UserError
from memory_gui.engine.connection import open_database
from memory_gui.engine.virtual import module_of
from memory_gui.stores.formats.mem0.layout import EVENTS, NEEDED
from memory_gui.stores.formats.mem0.values import Event, Message
from memory_gui.stores.sql.table import Table, codec_of

MESSAGES: Final = "messages"
NEEDED_MESSAGES: Final = ("id", "session_scope", "content")
_OWN: Final = frozenset({EVENTS, MESSAGES})


class History:
    """The database, opened to look. Belongs to the thread that opened it."""

    def __init__(self, path: Path) -> None:
        """Open.

        Raises:
            UserError: ``store.*``; ``store.other_schema`` where it has no history.
        """
        self.path = path
        self.connection = open_database(path, None, write=False)
        try:
            schema = self.connection.schema()
            codec = codec_of(self.connection)
            names = {name for kind, name, _, _ in schema if kind == "table"}
            if EVENTS not in names:
                raise UserError("store.other_schema", path=str(path))
            self._events = Table(self.connection, EVENTS, codec)
            if not set(NEEDED) <= set(self._events.columns):
                raise UserError("store.other_schema", path=str(path))
            self._messages = None
            if MESSAGES in names:
                found = Table(self.connection, MESSAGES, codec)
                if set(NEEDED_MESSAGES) <= set(found.columns):
                    self._messages = found
        except BaseException:
            self.connection.close()
            raise
        self.foreign = tuple(
            sql
            for kind, name, on, sql in schema
            if sql
            and not name.startswith("sqlite_")
            and (kind != "table" or module_of(sql) is not None or name not in _OWN)
            and not (kind == "index" and on in _OWN)
        )
        """What Mem0 does not make."""

    def events(self) -> list[Event]:
        """All rows of the history, in the order in which they were written."""
        return [
            Event(
                row.text("id"),
                row.text("memory_id"),
                row.text("old_memory"),
                row.text("new_memory"),
                row.text("event"),
                row.text("created_at"),
                row.text("updated_at"),
                row.text("actor_id"),
                row.text("role"),
            )
            for rows in self._events.batches()
            for row in rows
        ]

    def messages(self) -> list[Message]:
        """What was said, of every talk."""
        if self._messages is None:
            return []
        return [
            Message(
                row.text("id"),
                row.text("session_scope"),
                row.text("role"),
                row.text("content"),
                row.text("name"),
                row.text("created_at"),
            )
            for rows in self._messages.batches()
            for row in rows
        ]

    def part(
        self,
        memories: Mapping[str, int],
        events: Sequence[str],
        messages: Sequence[str],
    ) -> ErasePart:
        """What goes: memories with all of their rows (how many), single rows, messages."""
        rows = []
        if memories:
            keys = tuple((name,) for name in memories)
            total = sum(memories.values())
            rows.append(EraseRows(EVENTS, ("memory_id",), keys, "memory", number=total))
        if events:
            rows.append(EraseRows(EVENTS, ("id",), tuple((one,) for one in events), "history"))
        if messages:
            rows.append(EraseRows(MESSAGES, ("id",), tuple((one,) for one in messages), "message"))
        return ErasePart(str(self.path), tuple(rows), tables=self.tables)

    @property
    def tables(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """By which kept rows are named: those of the history as their memory."""
        found = [(EVENTS, "memory", ("memory_id",))]
        if self._messages is not None:
            found.append((MESSAGES, "message", ("id",)))
        return tuple(found)

    def token(self) -> tuple[int, ...]:
        """SQLite's own."""
        return (self.connection.data_version(),)

    def interrupt(self) -> None:
        """Stop the running statement."""
        self.connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()
