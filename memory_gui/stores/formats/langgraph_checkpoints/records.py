# SPDX-License-Identifier: MIT
"""What was gathered of a thread, as records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.stores.formats.langgraph_checkpoints.source import Extent
from memory_gui.stores.formats.langgraph_checkpoints.threads import Gathered, Kept
from memory_gui.stores.formats.langgraph_checkpoints.values import joined

THREAD: Final = "thread"
MESSAGE: Final = "message"
STATE: Final = "state"
EARLIER: Final = "earlier"
_BESIDE: Final = frozenset(
    {"name", "example", "status", "tool_call_id", "response_metadata", "usage_metadata"}
)
"""Fields of a message that are about it; all others it says, and they stand in its text."""
_GOES: Final = frozenset({"erase"})
_LABELS: Final = {"subject": "langgraph.thread"}
DECLARED: Final = (
    Kind(
        THREAD,
        Shelf.MEMORY,
        frozenset({"delete", "erase"}),
        columns=("checkpoints", "writes", "size"),
        labels={**_LABELS, "text": "langgraph.talk"},
    ),
    Kind(MESSAGE, Shelf.MEMORY, _GOES, columns=("type", "subject", "name"), labels=_LABELS),
    Kind(STATE, Shelf.MEMORY, _GOES, columns=("subject",), labels=_LABELS),
    Kind(EARLIER, Shelf.MEMORY, _GOES, columns=("subject",), labels=_LABELS),
)
_TALK: Final = 200_000
"""Characters of a conversation that a thread shows as its text; each message is a record too."""
_MOST: Final = 1_000_000
"""Characters of one value that are shown."""
_WHERE: Final = {"earlier": ("langgraph.earlier",), "waiting": ("langgraph.waiting",), "now": ()}


def records_of(store: StoreId, thread: str, extent: Extent, found: Gathered) -> Iterator[Record]:
    """The thread, its messages, its state, and texts that only its past has."""
    messages = list(found.in_order())
    now = (_line(one) for one in messages if one.where != "earlier")
    talk, cut = joined(now, _TALK)
    told = [f"langgraph.{fault}_values" for fault in sorted(found.faults)]
    told += ["langgraph.talk_cut"] if cut else []
    numbers = {"checkpoints": extent.checkpoints, "writes": extent.writes, "size": extent.size}
    yield _record(
        Ref(store, THREAD, (thread,)),
        title=thread,
        text=talk,
        subject=thread,
        created=found.first,
        updated=found.last,
        extra={**found.about, **{name: str(number) for name, number in numbers.items()}},
        told=tuple(told),
        mark=repr(extent.mark),
    )
    for one in messages:
        yield _message(store, thread, one)
    for (space, channel), text in found.states.items():
        yield _record(
            Ref(store, STATE, (thread, space, channel)),
            title=channel or space,
            text=text[:_MOST],
            subject=thread,
            updated=found.last,
            extra={"namespace": space} if space else {},
            told=("langgraph.cut",) if len(text) > _MOST else (),
        )
    if found.earlier:
        yield _record(
            Ref(store, EARLIER, (thread, EARLIER)),
            title="",
            text="\n\n".join(found.earlier),
            subject=thread,
            updated=found.last,
            told=("langgraph.only_earlier", *(("langgraph.cut",) if found.earlier_cut else ())),
        )


def _message(store: StoreId, thread: str, one: Kept) -> Record:
    said = one.message
    told = {name: text for name, text in said.more.items() if name not in _BESIDE}
    parts = [said.text, *(f"{name}: {text}" for name, text in told.items())]
    return _record(
        Ref(store, MESSAGE, (thread, one.key)),
        title="",
        text="\n\n".join(part for part in parts if part)[:_MOST],
        subject=thread,
        type_=said.role,
        created=one.since,
        extra={name: text for name, text in said.more.items() if name in _BESIDE},
        told=_WHERE[one.where],
    )


def _line(one: Kept) -> str:
    return f"{one.message.role}: {one.message.text}"


def _record(
    ref: Ref,
    *,
    title: str,
    text: str,
    subject: str,
    created: str = "",
    updated: str = "",
    type_: str | None = None,
    extra: Mapping[str, str] | None = None,
    told: tuple[str, ...] = (),
    mark: str = "",
) -> Record:
    fields = (title, text, type_, created, updated, sorted((extra or {}).items()), told, mark)
    return Record(
        ref=ref,
        etag=sha256(repr(fields).encode()).hexdigest()[:16],
        state=State.LIVE,
        title=title,
        text=text,
        subject=subject,
        type=type_,
        created_at=created or None,
        updated_at=updated or None,
        created_at_utc=_utc(created),
        updated_at_utc=_utc(updated),
        zone="utc",
        extra=dict(extra or {}),
        told=told,
    )


def _utc(text: str) -> str | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
