# SPDX-License-Identifier: MIT
"""One memory as Mem0 keeps it: in a vector store, in its history, in entities that point to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

KNOWN: Final = frozenset(
    {
        *("data", "hash", "text_lemmatized", "user_id", "agent_id", "run_id", "role", "actor_id"),
        *("created_at", "updated_at", "expiration_date"),
    }
)
"""What Mem0 itself writes beside a memory; all else is the developer's."""
LINKS: Final = "linked_memory_ids"
SCOPE: Final = ("agent_id", "run_id", "user_id")


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a vector store. ``key`` is what it goes by there; ``payload`` None: unreadable.

    ``past``: of a log that says what the row once was. ``size`` is in bytes.
    """

    id: str
    key: tuple[str | int, ...]
    payload: Mapping[str, Any] | None = field(repr=False)
    collection: str
    past: bool = False
    size: int = 0

    @property
    def is_entity(self) -> bool:
        """A name that points to memories, and no memory."""
        return self.payload is not None and LINKS in self.payload

    @property
    def links(self) -> tuple[str, ...]:
        """Ids of the memories that an entity points to."""
        found = (self.payload or {}).get(LINKS, ())
        if isinstance(found, str):
            found = [found]
        return tuple(str(one) for one in found) if isinstance(found, (list, tuple)) else ()

    def text(self, name: str = "data") -> str:
        """A value of the payload as text; empty where there is none."""
        value = (self.payload or {}).get(name)
        return shown(value) if value is not None else ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says, and the same for searching."""
        return tuple(text for name in _SAID if (text := self.text(name)))

    @property
    def labels(self) -> tuple[str, ...]:
        """What the developer wrote beside it: topics, places, names."""
        names = [name for name in (self.payload or {}) if name not in KNOWN | _OF_ENTITIES]
        return tuple(text for name in names if (text := self.text(name)))

    @property
    def scope(self) -> str:
        """By which Mem0 files the messages of the talk that it is from."""
        found = ((name, self.text(name)) for name in SCOPE)
        return "&".join(f"{name}={_escaped(value)}" for name, value in found if value)


_SAID: Final = ("data", "text_lemmatized")
_OF_ENTITIES: Final = frozenset({LINKS, "entity_type"})


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the history."""

    id: str
    memory: str
    before: str
    after: str
    event: str
    created_at: str
    updated_at: str
    actor: str
    role: str

    @property
    def when(self) -> str:
        """The time of the event itself."""
        return self.updated_at or self.created_at


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a talk, as it was said."""

    id: str
    scope: str
    role: str
    content: str
    name: str
    created_at: str

    @property
    def user(self) -> str:
        """Whose talk it was."""
        parts = dict(part.partition("=")[::2] for part in self.scope.split("&"))
        return unquote(parts.get("user_id", ""))


@dataclass(slots=True)
class Memory:
    """Everything that is left of one memory."""

    id: str
    rows: list[tuple[int, Entry]] = field(default_factory=list)
    """With the number of the vector store that each is in; the present ones."""
    past: list[tuple[int, Entry]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    entities: list[tuple[int, Entry]] = field(default_factory=list)

    @property
    def entry(self) -> Entry | None:
        """What is known of it best."""
        for found in (self.rows, self.past):
            readable = [one for _, one in found if one.payload]
            if readable:
                return readable[-1]
        return None

    @property
    def text(self) -> str:
        """What it says, or last said."""
        entry = self.entry
        if entry is not None and (text := entry.text()):
            return text
        said = [text for one in self.events for text in (one.before, one.after) if text]
        return said[-1] if said else ""

    @property
    def earlier(self) -> tuple[str, ...]:
        """What it said before, oldest first."""
        said = [text for one in self.events for text in (one.before, one.after)]
        said += [entry.text() for _, entry in self.past]
        return tuple(text for text in dict.fromkeys(said) if text and text != self.text)

    @property
    def texts(self) -> tuple[str, ...]:
        """All that must be gone when it goes."""
        found = [text for _, entry in (*self.rows, *self.past) for text in entry.texts]
        found += [text for one in self.events for text in (one.before, one.after)]
        return tuple(dict.fromkeys(text for text in found if text))

    @property
    def labels(self) -> tuple[str, ...]:
        """What the developer wrote beside it."""
        found = [label for _, entry in (*self.rows, *self.past) for label in entry.labels]
        return tuple(dict.fromkeys(found))

    @property
    def scope(self) -> str:
        """Of the talk that it is from, as far as anything tells it."""
        entries = [one for _, one in (*self.rows, *self.past, *self.entities)]
        return next((scope for one in entries if (scope := one.scope)), "")


def _escaped(value: str) -> str:
    """As Mem0 writes it into a scope."""
    return value.replace("%", "%25").replace("&", "%26").replace("=", "%3D")


def shown(value: Any) -> str:
    """A value of a payload as a person reads it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {shown(one)}" for name, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return ", ".join(map(shown, value))
    return str(value)
