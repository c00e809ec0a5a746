# SPDX-License-Identifier: MIT
"""What stands below a record's text: its fields in a line each, and what its agent does with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, State
from memory_gui.ui.phrases import (
    SCOPES,
    SOURCES,
    STATES,
    TYPES,
    full_time,
    heading,
    phrase,
)
from memory_gui.ui.records.editing.able import Able
from memory_gui.ui.records.listing.rows import ABOUT
from memory_gui.ui.visible import one_line
from memory_gui.words import Words, formats

COLUMNS: Final = ("column.0", "column.1", "column.2")
"""Places for columns that only this kind has."""
FACTS: Final = (
    "about",
    "subject",
    "tags",
    "type",
    "scope",
    "source",
    *COLUMNS,
    "state",
    "created",
    "updated",
    "store",
    "id",
)
_SAID_BY_STATE: Final = frozenset({"status"})
_WHOLE: Final = 10_000
"""An ID is copied into other programs: a part of one names nothing."""

Line = Callable[[str], str]
"""A text as it may be shown: covered where that is wanted."""


def title_of(words: Words, record: Record) -> str:
    """What stands over a record; whom it is about, where it has no title of its own."""
    if record.title or not record.text:
        return heading(words, record)
    return one_line(record.subject or formats.one(words, record.kind), 160)


def labels_of(words: Words, kind: Kind) -> Mapping[str, str]:
    """What the fields are called, by this kind where it has names of its own."""
    say = words.say
    names = {
        "about": say("Memory"),
        "subject": say("About"),
        "tags": say("Tags"),
        "type": say("Type"),
        "scope": say("Applies to"),
        "source": say("From"),
        "state": say("State"),
        "created": say("Made"),
        "updated": say("Changed"),
        "store": say("Store"),
        "id": say("ID"),
    }
    names |= {n: formats.field(words, code) for n, code in kind.labels.items() if n in names}
    columns = zip(COLUMNS, _columns(kind), strict=False)
    return names | {place: formats.field(words, name) for place, name in columns}


def facts_of(
    words: Words, line: Line, record: Record, store_name: str, kind: Kind
) -> Mapping[str, str]:
    """The values; empty where there is none."""
    about = record.extra.get(ABOUT) or record.extra.get("memory_id") or ""
    facts = {
        "about": line(one_line(about, 120)),
        "subject": line(one_line(record.subject or "", 120)),
        "tags": line(" · ".join(one_line(tag, 60) for tag in record.tags)),
        "type": phrase(words, TYPES, record.type),
        "scope": phrase(words, SCOPES, record.scope),
        "source": phrase(words, SOURCES, record.source),
        "state": "" if record.state == State.LIVE else phrase(words, STATES, record.state),
        "created": full_time(words, record.created_at_utc, record.created_at),
        "updated": full_time(words, record.updated_at_utc, record.updated_at),
        "store": one_line(store_name, 60),
        "id": line(one_line(record.ref.text, _WHOLE)),
    }
    values = (line(one_line(record.extra.get(name) or "", 120)) for name in _columns(kind))
    return facts | dict(zip(COLUMNS, values, strict=False))


def told_of(words: Words, record: Record, able: Able) -> str:
    """What the agent does with it, and why something cannot be done with it here."""
    told = [formats.told(words, code, {}) for code in record.told]
    told += [text for code in able.reasons if (text := formats.reason(words, code))]
    return "\n".join(dict.fromkeys(told))


def _columns(kind: Kind) -> tuple[str, ...]:
    fields = {"subject", "type", "scope", "source", *_SAID_BY_STATE}
    return tuple(name for name in kind.columns if name not in fields)[: len(COLUMNS)]
