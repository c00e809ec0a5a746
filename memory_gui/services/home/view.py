# SPDX-License-Identifier: MIT
"""What Home shows, as values: a card for each store, a line for each problem."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.ledger import LastSeen
from memory_gui.services.home.glances import Glance


class Cause(StrEnum):
    """Why a line stands among the problems."""

    GONE = "gone"
    UNREADABLE = "unreadable"
    """The person may not read the file."""
    CANNOT_OPEN = "cannot-open"
    SILENT = "silent"
    KEY = "key"
    READ_ONLY = "read-only"
    IN_USE = "in-use"
    LENT = "lent"
    """Another copy of this app works on it."""
    PARTNER = "partner"
    ERASE = "erase"
    NOT_PROVED = "not-proved"
    NO_RECOVERY = "no-recovery"
    """Its key lies in the keychain only: no paper opens it, as far as anybody has seen."""
    LEDGER = "ledger"
    OLD_KEY = "old-key"
    """An old key is kept until the new recovery key is confirmed."""
    STOPPED = "stopped"
    """An act over several of its records was stopped in its middle."""
    STRAY = "stray"
    """A readable file lies where a store was that this app had encrypted."""


CALM: Final = frozenset({Cause.READ_ONLY, Cause.IN_USE, Cause.LENT})
"""What stands in the way of nothing that a person does most of the time."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One cause at one store (or at the ledger: then ``path`` is empty)."""

    cause: Cause
    path: str = ""
    name: str = ""
    store: StoreId | None = None
    """Its id while it is open."""
    error: UserError | None = None
    holders: tuple[OpenBy, ...] = ()
    count: int = 0
    code: str = ""
    """Of a ledger that is not there: its state's code; of a key or a stray what belongs to it.

    Of an act that was stopped its name: of ``count`` records at least ``done`` are done.
    """
    done: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """One store. ``store`` is its id while it is open; ``seen`` what it has or last had.

    ``live`` says that ``seen`` is of now.
    """

    path: str
    name: str
    agent: str
    glance: Glance
    store: StoreId | None = None
    seen: LastSeen | None = None
    live: bool = False
    last_opened: str = ""
    holders: tuple[OpenBy, ...] = ()

    @property
    def encrypted(self) -> bool | None:
        """By the file's head; None where it could not be read."""
        return self.glance.encrypted


@dataclass(frozen=True, slots=True)
class HomeView:
    """Everything Home shows. ``whole`` is False where the ledger was not asked."""

    cards: tuple[Card, ...] = ()
    problems: tuple[Problem, ...] = ()
    remembers: bool = True
    whole: bool = False
