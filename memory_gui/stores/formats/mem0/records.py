# SPDX-License-Identifier: MIT
"""Memories, history, messages and entities of Mem0 as a person reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Final

from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.stores.formats.mem0.content import Content, Opened
from memory_gui.stores.formats.mem0.values import KNOWN, LINKS, Entry, Event, Memory, Message, shown

NAME: Final = "mem0"
_WANTED: Final = frozenset({"add", "edit", "delete", "erase"})
MEMORY: Final = Kind(
    "memory",
    Shelf.MEMORY,
    _WANTED,
    fields=("text",),
    columns=("subject", "copies", "earlier", "expiration_date", "entities"),
    repeats=frozenset({"earlier"}),
)
MESSAGE: Final = Kind(
    "message", Shelf.SUMMARY, frozenset({"erase"}), columns=("subject", "session_scope")
)
HISTORY: Final = Kind(
    "history", Shelf.EVENT, frozenset({"erase"}), columns=("old_memory", "memory")
)
ENTITY: Final = Kind("entity", Shelf.OTHER, frozenset({"erase"}))
KINDS: Final = (MEMORY, MESSAGE, HISTORY, ENTITY)


class Reader:
    """Makes records of what was read. ``today`` is the day by which a memory has run out."""

    def __init__(self, store: StoreId, opened: Opened, today: date) -> None:
        self._store = store
        self._opened = opened
        self._today = today

    def refs(self, content: Content, kind: str) -> list[Ref]:
        """Those of a kind, in order."""
        names: dict[str, Sequence[str]] = {
            MEMORY.name: list(content.memories),
            MESSAGE.name: list(content.messages),
            HISTORY.name: list(content.events),
            ENTITY.name: list(content.entities),
        }
        return [Ref(self._store, kind, (name,)) for name in names[kind]]

    def record(self, content: Content, ref: Ref) -> Record | None:
        """One of them; None when it is not there."""
        if ref.store != self._store or len(ref.key) != 1:
            return None
        name = ref.key[0]
        if ref.kind == MEMORY.name and (memory := content.memories.get(name)) is not None:
            return self._memory(ref, memory, content)
        if ref.kind == MESSAGE.name and (message := content.messages.get(name)) is not None:
            return self._message(ref, message)
        if ref.kind == HISTORY.name and (event := content.events.get(name)) is not None:
            return self._event(ref, event)
        if ref.kind == ENTITY.name and (links := content.entities.get(name)) is not None:
            return self._entity(ref, [entry for _, entry in links])
        return None

    def state(self, memory: Memory) -> State:
        """Live; run out; or deleted by Mem0 and still here.

        Where no vector store was found, the history alone has to tell.
        """
        if self.is_deleted(memory):
            return State.TRASH
        entry = memory.entry
        day = _day(entry.text("expiration_date")) if entry is not None else None
        return State.EXPIRED if day is not None and day < self._today else State.LIVE

    def is_deleted(self, memory: Memory) -> bool:
        """Whether Mem0 has no such memory any more."""
        if self._opened.vectors or not memory.events:
            return not memory.rows
        return memory.events[-1].event == "DELETE"

    # ---- inside

    def _memory(self, ref: Ref, memory: Memory, content: Content) -> Record:
        entry = memory.entry
        payload = dict(entry.payload or {}) if entry is not None else {}
        last = memory.events[-1] if memory.events else None
        created = shown(payload.get("created_at") or (memory.events[0].created_at if last else ""))
        updated = shown(payload.get("updated_at") or "") or (last.when if last else "")
        names = list(dict.fromkeys(one.text() for _, one in memory.entities))
        extra: dict[str, str | None] = {
            name: shown(value)
            for name, value in payload.items()
            if name not in (KNOWN - _BESIDE - {"expiration_date"}) | {LINKS}
        }
        if payload.get("text_lemmatized") not in (None, payload.get("data")):
            extra["text_lemmatized"] = shown(payload["text_lemmatized"])
        logged = {entry.text() for _, entry in memory.past}
        for field, texts in (
            ("earlier", [one for one in memory.earlier if one not in logged]),
            ("logged", [one for one in memory.earlier if one in logged]),
        ):
            if texts:
                extra[field] = "\n".join(texts)
        if names:
            extra["entities"] = ", ".join(names)
        extra["copies"] = "; ".join(self._copies(memory, content))
        told = []
        if self.is_deleted(memory):
            told.append("mem0.deleted")
        elif memory.earlier:
            told.append("mem0.earlier")
        if any(one.payload is None for _, one in memory.rows):
            told.append("mem0.unreadable")
        role = shown(payload.get("role") or "") or (last.role if last is not None else "")
        return Record(
            ref=ref,
            etag=_etag(memory.rows, memory.past, memory.events, memory.entities),
            state=self.state(memory),
            title="",
            text=memory.text or ", ".join(names),
            subject=_user_of(memory) or None,
            source=role or None,
            created_at=created or None,
            updated_at=updated or None,
            created_at_utc=_utc(created),
            updated_at_utc=_utc(updated),
            zone="utc",
            extra=extra,
            told=tuple(told),
        )

    def _copies(self, memory: Memory, content: Content) -> list[str]:
        """Where it lies, with how often; which files those are, the store tells."""
        places = Counter(self._place(number, entry) for number, entry in memory.rows)
        for number, entry in memory.past:
            places[f"{self._place(number, entry)} (log)"] += 1
        for number, entry in memory.entities:
            places[f"{self._place(number, entry)} (link)"] += 1
        for one in self._opened.histories:
            file = one.path.name
            if memory.events:
                places[f"{file}: history"] += len(memory.events)
            if memory.scope and (talk := content.talks[memory.scope]):
                places[f"{file}: messages"] += talk
        return [f"{place} ×{count}" if count > 1 else place for place, count in places.items()]

    def _place(self, number: int, entry: Entry) -> str:
        source = self._opened.vectors[number]
        return f"{source.label} {entry.collection}".strip()

    def _message(self, ref: Ref, message: Message) -> Record:
        return Record(
            ref=ref,
            etag=_etag(message),
            state=State.LIVE,
            title="",
            text=message.content,
            subject=message.user or None,
            source=message.role or None,
            created_at=message.created_at or None,
            created_at_utc=_utc(message.created_at),
            zone="utc",
            extra={"session_scope": message.scope, "name": message.name or None},
        )

    def _event(self, ref: Ref, event: Event) -> Record:
        return Record(
            ref=ref,
            etag=_etag(event),
            state=State.LIVE,
            title=event.event,
            text=event.after or event.before,
            source=event.role or None,
            created_at=event.when or None,
            created_at_utc=_utc(event.when),
            zone="utc",
            extra={
                "memory": event.memory,
                "old_memory": event.before or None,
                "actor_id": event.actor or None,
            },
        )

    def _entity(self, ref: Ref, entries: Sequence[Entry]) -> Record:
        entry = entries[-1]
        linked = list(dict.fromkeys(link for one in entries for link in one.links))
        beside = {name: text for name in sorted(_BESIDE) if (text := entry.text(name))}
        return Record(
            ref=ref,
            etag=_etag(*entries),
            state=State.LIVE,
            title="",
            text=entry.text(),
            subject=entry.text("user_id") or None,
            type=entry.text("entity_type") or None,
            zone="utc",
            extra={"linked_memory_ids": ", ".join(linked) or None, **beside},
        )


_BESIDE: Final = frozenset({"agent_id", "run_id", "actor_id"})
"""Whose, beside the user: names too."""


def _user_of(memory: Memory) -> str:
    entries = [one for _, one in (*memory.rows, *memory.past, *memory.entities)]
    return next((user for one in entries if (user := one.text("user_id"))), "")


def _etag(*parts: object) -> str:
    return sha256(repr(_stored(parts)).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _stored(part: object) -> object:
    """All that was read of it: an entry does not tell its payload by itself."""
    if isinstance(part, Entry):
        return (part.id, part.key, part.payload, part.collection, part.past, part.size)
    return [_stored(one) for one in part] if isinstance(part, (list, tuple)) else part


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def _utc(text: str) -> str | None:
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    if moment is None or moment.tzinfo is None:
        return None
    return moment.astimezone(UTC).isoformat()
