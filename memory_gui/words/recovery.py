# SPDX-License-Identifier: MIT
"""What stands on the paper of a recovery key, and where a store stands with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol

from babel.dates import format_date

from memory_gui.words.catalogue import N_, Words


class State(Protocol):
    """Where a store stands (``services.keys.recovery.RecoveryState``)."""

    @property
    def code(self) -> str:
        """``none``, ``made``, ``confirmed``, ``readable`` or ``passphrase``."""
        ...

    @property
    def made_at(self) -> str:
        """ISO 8601 in UTC, or empty."""
        ...

    @property
    def confirmed_at(self) -> str:
        """The same."""
        ...

    @property
    def stale_at(self) -> str:
        """The same: when a paper was made that opens nothing any more."""
        ...

    @property
    def kept(self) -> bool:
        """Whether it is written down beyond this run."""
        ...


class Sheet(Protocol):
    """What stands on paper for one store (``services.keys.recovery.RecoverySheet``)."""

    @property
    def name(self) -> str:
        """A short name."""
        ...

    @property
    def path(self) -> str:
        """Where the store lies."""
        ...

    @property
    def date(self) -> str:
        """ISO 8601 in UTC."""
        ...

    @property
    def lines(self) -> tuple[str, ...]:
        """The groups."""
        ...


TITLE: Final = N_("Recovery key")
HOW: Final = (
    N_("Whoever has this paper and a copy of the store can read everything in it."),
    N_("Keep it where you keep other papers that matter, and not beside the computer."),
    N_(
        "To open the store with it, also on another computer: open the store, and enter the 14 "
        "groups when the key is asked for. Capital or small letters, spaces and dashes do not "
        "matter; O counts as 0, I and L as 1."
    ),
    N_("After the store’s key was changed this paper opens nothing any more. Then destroy it."),
)
LAST_GROUP: Final = N_("The last group checks the others: a slip is noticed and its group named.")

STATES: Final[Mapping[str, str]] = {
    "none": N_("No recovery key was made for this key yet."),
    "made": N_("A recovery key was made on {made}, and nobody has seen it work yet."),
    "confirmed": N_("A recovery key was made on {made} and confirmed on {confirmed}."),
    "readable": N_("The store is not encrypted, so it needs no recovery key."),
    "passphrase": N_("The store opens with a passphrase; a recovery key is made of random keys."),
}


def day(words: Words, moment: str) -> str:
    """The day of a time in UTC, as it was here."""
    if not moment:
        return ""
    here = datetime.fromisoformat(moment).astimezone()
    return format_date(here, "long", locale=words.locale)


def say_state(words: Words, state: State) -> list[str]:
    """Where a store stands, in sentences."""
    said = [
        words.say(
            STATES[state.code],
            made=day(words, state.made_at),
            confirmed=day(words, state.confirmed_at),
        )
    ]
    if state.stale_at:
        said.append(
            words.say(
                "The paper of {date} belongs to an earlier key and opens nothing any more.",
                date=day(words, state.stale_at),
            )
        )
    if not state.kept and state.code in ("made", "confirmed"):
        said.append(
            words.say("This program keeps no records in this run, so it will not remember that.")
        )
    return said


def name_of(words: Words, sheet: Sheet) -> str:
    """The store's name for people."""
    return words.say("your own memories, for every project") if sheet.name == "you" else sheet.name


def plain_text(words: Words, sheets: Sequence[Sheet]) -> str:
    """The paper as plain text, several stores below each other."""
    stores = ["\n".join(_store_lines(words, sheet)) for sheet in sheets]
    how = [words.say(one) for one in HOW]
    parts = [words.say(TITLE), *how, *stores, words.say(LAST_GROUP)]
    return "\n\n".join(parts) + "\n"


def _store_lines(words: Words, sheet: Sheet) -> list[str]:
    return [
        words.say("Store: {name}", name=name_of(words, sheet)),
        words.say("File: {path}", path=sheet.path),
        words.say("Made on: {date}", date=day(words, sheet.date)),
        "",
        *(f"    {line}" for line in sheet.lines),
    ]
