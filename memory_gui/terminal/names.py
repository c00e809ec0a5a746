# SPDX-License-Identifier: MIT
"""Kinds, states and the like in a person's language. What is not in a table is said as it is."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from memory_gui.domain.records import Record, State
from memory_gui.services import KeyPlace
from memory_gui.words import N_, Words, formats

_STATES: Final = {
    State.LIVE: N_("live"),
    State.TRASH: N_("trash"),
    State.PENDING: N_("pending"),
    State.APPROVED: N_("approved"),
    State.REJECTED: N_("rejected"),
    State.EXPIRED: N_("expired"),
}
_ROLES: Final = {
    "project": N_("a project's memory"),
    "user": N_("a person's memory, for every project"),
    "alone": N_("on its own"),
}
_NOTES: Final = {
    "opened.from_copy": N_(
        "Read from a private copy in memory, because the file lies in a place that cannot be "
        "written; it cannot be changed."
    ),
    "opened.read_only": N_("The file cannot be written, so it can only be read."),
    "opened.newer_schema": N_(
        "A newer version of the agent made it than is known here; it can only be read."
    ),
    "opened.old_format": N_("The agent no longer uses this format; it can only be read."),
    "foreign.objects": N_(
        "It holds triggers, views or tables that its agent did not make. A change needs "
        "--despite foreign."
    ),
}
_FIELDS: Final = {
    "ref": N_("ref"),
    "id": N_("id"),
    "etag": N_("etag"),
    "kind": N_("kind"),
    "state": N_("state"),
    "subject": N_("subject"),
    "scope": N_("scope"),
    "type": N_("type"),
    "tags": N_("tags"),
    "source": N_("source"),
    "created_at": N_("created_at"),
    "updated_at": N_("updated_at"),
    "created_at_utc": N_("created_at_utc"),
    "updated_at_utc": N_("updated_at_utc"),
    "zone": N_("zone"),
    "evidence": N_("evidence"),
    "source_session": N_("source_session"),
    "occurrences": N_("occurrences"),
    "confidence": N_("confidence"),
    "key_normalized": N_("key_normalized"),
    "keywords_json": N_("keywords_json"),
    "sensitivity": N_("sensitivity"),
    "deleted_at": N_("deleted_at"),
    "status": N_("status"),
}
"""What a record's fields are called: in English as in the JSON document and after ``--set``."""
_VALUES: Final = {
    "state": {
        "live": N_("live"),
        "trash": N_("trash"),
        "pending": N_("pending"),
        "approved": N_("approved"),
        "rejected": N_("rejected"),
        "expired": N_("expired"),
    },
    "zone": {"assumed local": N_("assumed local")},
    "confidence": {
        "explicit_user": N_("you said it"),
        "inferred": N_("the agent inferred it, more than once"),
        "auto_summary": N_("the agent inferred it"),
    },
}
"""Values that no argument takes, so that they may be translated."""
_PLACES: Final = {
    KeyPlace.NONE: N_("none needed"),
    KeyPlace.KEYCHAIN: N_("in the keychain"),
    KeyPlace.TYPED: N_("given for this run"),
    KeyPlace.THIS_RUN: N_("lives for this run only"),
}


def kind(words: Words, name: str) -> str:
    """A kind, several of it."""
    return formats.kind(words, name)


def state(words: Words, value: State) -> str:
    """A state."""
    return words.say(_STATES[value])


def role(words: Words, name: str) -> str:
    """A store's place in the pair."""
    return words.say(_ROLES.get(name, name))


def note(words: Words, code: str) -> str:
    """What a person should know about how a store was opened."""
    return words.say(_NOTES.get(code, code))


def field(words: Words, name: str) -> str:
    """What a field is called; one that only its agent knows is named as it does."""
    found = _FIELDS.get(name)
    return words.say(found) if found else formats.field(words, name)


def value(words: Words, name: str, found: object) -> str:
    """What stands in a field."""
    text = str(found)
    if name == "kind":
        return formats.one(words, text)
    if name in ("created_at", "updated_at"):
        return moment(text)
    said = _VALUES.get(name, {}).get(text)
    return text if said is None else words.say(said)


def changed(record: Record) -> str:
    """When a record was changed last, or made: by this computer's clock, where that is known."""
    return time_of(record, "updated_at" if record.updated_at else "created_at")


def time_of(record: Record, name: str) -> str:
    """``created_at`` or ``updated_at`` by this computer's clock; as stored where no zone is."""
    utc = getattr(record, f"{name}_utc")
    if utc and record.zone != "assumed local":
        return here(utc)
    return moment(getattr(record, name) or "")


def moment(text: str) -> str:
    """A time as it stands in a table: to the second, without the letter in its middle."""
    return text[:19].replace("T", " ")


def here(text: str) -> str:
    """A time in UTC, as this computer's clock showed it."""
    try:
        return moment(datetime.fromisoformat(text).astimezone().isoformat())
    except ValueError:
        return text


def key_place(words: Words, place: KeyPlace) -> str:
    """Where the key came from."""
    return words.say(_PLACES[place])
