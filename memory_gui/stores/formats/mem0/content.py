# SPDX-License-Identifier: MIT
"""All files of a Mem0 store, opened to look, and what they hold together.

A memory is shown once: what vector stores, the history and entities say of one id is one thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_gui.stores.formats.mem0.history import History
from memory_gui.stores.formats.mem0.values import Entry, Event, Memory, Message
from memory_gui.stores.formats.mem0.vectors import Vectors


@dataclass(slots=True)
class Content:
    """What was read. ``entities`` are those rows of vector stores that are names."""

    memories: dict[str, Memory] = field(default_factory=dict)
    entities: dict[str, list[tuple[int, Entry]]] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    messages: dict[str, Message] = field(default_factory=dict)
    talks: Counter[str] = field(default_factory=Counter)
    """How many messages there are of each scope."""
    unreadable: int = 0


class Opened:
    """The files, and what is in them. One thread."""

    def __init__(
        self,
        histories: Sequence[History],
        vectors: Sequence[Vectors],
        unread: Sequence[Path] = (),
    ) -> None:
        self.histories = tuple(histories)
        self.vectors = tuple(vectors)
        self.unread = tuple(map(str, unread))
        """Vector stores in their places that cannot be read."""
        self._read: tuple[tuple[tuple[int, ...], ...], Content] | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """The main file of each."""
        return (*(one.path for one in self.histories), *(one.path for one in self.vectors))

    def token(self) -> tuple[tuple[int, ...], ...]:
        """Changes with every change by another program."""
        return (*(one.token() for one in self.histories), *(one.token() for one in self.vectors))

    def content(self) -> Content:
        """All of it, read again only when something changed."""
        now = self.token()
        if self._read is None or self._read[0] != now:
            entries = [one.read() for one in self.vectors]
            events = [event for one in self.histories for event in one.events()]
            messages = [said for one in self.histories for said in one.messages()]
            self._read = (now, gathered(entries, events, messages))
        return self._read[1]

    def interrupt(self) -> None:
        """Stop the statement that runs. Any thread."""
        for history in self.histories:
            history.interrupt()
        for vectors in self.vectors:
            vectors.interrupt()

    def close(self) -> None:
        """Close all, and forget."""
        self._read = None
        for history in self.histories:
            history.close()
        for vectors in self.vectors:
            vectors.close()


def gathered(
    entries: Sequence[Sequence[Entry]], events: Sequence[Event], messages: Sequence[Message]
) -> Content:
    """What all of them say, by memory."""
    found = Content(
        events={one.id: one for one in events},
        messages={one.id: one for one in messages},
        talks=Counter(one.scope for one in messages),
    )

    def of(name: str) -> Memory:
        return found.memories.setdefault(name, Memory(name))

    for number, some in enumerate(entries):
        for entry in some:
            found.unreadable += entry.payload is None
            if entry.is_entity:
                found.entities.setdefault(entry.id, []).append((number, entry))
            else:
                memory = of(entry.id)
                (memory.past if entry.past else memory.rows).append((number, entry))
    for event in events:
        of(event.memory).events.append(event)
    for links in found.entities.values():
        for number, entry in links:
            for name in entry.links:
                of(name).entities.append((number, entry))
    return found
