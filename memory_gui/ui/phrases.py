# SPDX-License-Identifier: MIT
"""Words for what stands in a store's columns; what has none is shown as it is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

from memory_gui.domain.records import Record, State, StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.visible import one_line
from memory_gui.words import N_, Words, formats

TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "preference": N_("preference"),
        "profile": N_("profile"),
        "project_fact": N_("project fact"),
        "workflow": N_("workflow"),
        "decision": N_("decision"),
        "constraint": N_("constraint"),
        "note": N_("note"),
    }
)
SCOPES: Final[Mapping[str, str]] = MappingProxyType(
    {"project": N_("this project"), "user": N_("everywhere")}
)
SOURCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "explicit": N_("you said it"),
        "auto": N_("the agent noticed it"),
        "crystallized": N_("approved in review"),
    }
)
STATES: Final[Mapping[str, str]] = MappingProxyType(
    {
        State.LIVE: N_("remembered"),
        State.TRASH: N_("in the trash"),
        State.PENDING: N_("waiting for review"),
        State.APPROVED: N_("approved"),
        State.REJECTED: N_("rejected"),
        State.EXPIRED: N_("expired"),
    }
)
EVENTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "create": N_("Memory was made"),
        "update": N_("Memory was changed"),
        "soft_delete": N_("Memory went to the trash"),
    }
)


def phrase(words: Words, table: Mapping[str, str], value: str | None) -> str:
    """The words for a stored value."""
    if not value:
        return ""
    known = table.get(value)
    return words.say(known) if known else one_line(formats.value(words, value), 80)


def heading(words: Words, record: Record) -> str:
    """What a row calls the record, in one line."""
    if record.kind == "event":
        return phrase(words, EVENTS, record.title)
    return one_line(record.title or record.text.lstrip(), 160) or words.say("Untitled")


def store_name(words: Words, store: OpenedStore) -> str:
    """The short name of an open store."""
    return words.say("You, everywhere") if store.name == "you" else one_line(store.name, 60)


def store_names(words: Words, stores: Iterable[OpenedStore]) -> dict[StoreId, str]:
    """The short names of open stores; two that are alike get the folder they lie in."""
    stores = tuple(stores)
    names = {one.id: store_name(words, one) for one in stores}
    alike = Counter(names.values())
    for one in stores:
        if alike[names[one.id]] > 1:
            folder = one_line(_folder_of(one.info.path), 60)
            names[one.id] = words.say("{name} ({folder})", name=names[one.id], folder=folder)
    return names


def _folder_of(path: str) -> str:
    """The folder in which the project lies; for a store outside of one, its own."""
    parts = PurePath(path).parts
    inside = 3 if len(parts) > 3 and parts[-2].startswith(".") else 1
    return parts[-1 - inside] if len(parts) > inside else path


def when_of(record: Record) -> datetime | None:
    """When it last changed, in UTC."""
    text = record.updated_at_utc or record.created_at_utc
    return moment_of(text)


def moment_of(text: str | None) -> datetime | None:
    """A moment from ISO 8601; None where the text is not one."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def age(words: Words, record: Record, now: datetime) -> str:
    """``2 hours ago``; empty when the time is not known."""
    when = when_of(record)
    return words.ago(when, now) if when else ""


def full_time(words: Words, utc: str | None, stored: str | None) -> str:
    """Date and time on this computer's clock.

    Where the zone is not known the stored time is said as it stands; what is no time stands for
    itself.
    """
    moment = moment_of(utc)
    if moment is not None:
        return words.moment(moment.astimezone())
    local = moment_of(stored)
    return words.moment(local) if local is not None else one_line(stored or "", 60)
