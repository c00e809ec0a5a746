# SPDX-License-Identifier: MIT
"""Kinds, states and the like in a person's language. What is not in a table is said as it is."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.records import State
from memory_gui.services import KeyPlace
from memory_gui.words import N_, Words

_KINDS: Final = {
    "memory": N_("memories"),
    "review": N_("review items"),
    "summary": N_("summaries"),
    "event": N_("events"),
    "meta": N_("bookkeeping"),
}
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
    "foreign.objects": N_(
        "It holds triggers, views or tables that its agent did not make. A change needs "
        "--despite foreign."
    ),
}
_PLACES: Final = {
    KeyPlace.NONE: N_("none needed"),
    KeyPlace.KEYCHAIN: N_("in the keychain"),
    KeyPlace.TYPED: N_("given for this run"),
    KeyPlace.THIS_RUN: N_("lives for this run only"),
}


def kind(words: Words, name: str) -> str:
    """A kind, several of it."""
    return words.say(_KINDS.get(name, name))


def state(words: Words, value: State) -> str:
    """A state."""
    return words.say(_STATES[value])


def role(words: Words, name: str) -> str:
    """A store's place in the pair."""
    return words.say(_ROLES.get(name, name))


def note(words: Words, code: str) -> str:
    """What a person should know about how a store was opened."""
    return words.say(_NOTES.get(code, code))


def key_place(words: Words, place: KeyPlace) -> str:
    """Where the key came from."""
    return words.say(_PLACES[place])
