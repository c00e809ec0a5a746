# SPDX-License-Identifier: MIT
"""A key that another keychain had yesterday, moved to the one of today. Knows no Qt."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.keys import RawKey, Unavailable
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.erasure.result import EraseResult
from memory_gui.services import KeyPlace, OpenedStore, Services
from memory_gui.services.keys.keeping import Brought
from memory_gui.ui.pages.key_cause import LookedUp
from memory_gui.words import N_, Words
from memory_gui.words.errors import explain
from memory_gui.words.keys import backend_name, explain_not_moved, movable

STEPS: Final = {
    "look": N_("Looking for the key in {before}…"),
    "copy": N_("Copying it to {backend} and reading it back…"),
    "open": N_("Opening the store with it…"),
    "remove": N_("Removing it from {before}…"),
}
"""By the step that the service names."""


@dataclass(frozen=True, slots=True)
class Move:
    """From the class that had the key to the one of today."""

    before: str
    backend: str


@dataclass(frozen=True, slots=True)
class Moved:
    """How a move ended; ``erased`` are erases that were begun earlier and ended before."""

    move: Move
    brought: Brought
    erased: tuple[EraseResult, ...] = ()


def move_of(looked: LookedUp | None) -> Move | None:
    """The move that the page can offer."""
    if looked is None or not isinstance(looked.result, Unavailable):
        return None
    both = movable(looked.result.reasons)
    return None if both is None else Move(*both)


def move_key(
    services: Services,
    path: str,
    move: Move,
    *,
    tick: Tick = no_tick,
    cancel: CancelToken | None = None,
) -> Moved:
    """Move it and open the store with it. Any thread but the window's.

    Raises:
        UserError, IntegrityError, Cancelled: as ``Keeping.bring``.
    """
    services.keychain.ask_again()
    erased: list[EraseResult] = []

    def open_it(key: RawKey) -> tuple[OpenedStore, ...]:
        with suppress(UserError):  # the opening meets the same obstacle and says it
            erased.extend(services.erasing.finish_begun(path, key=key))
        return services.library.open(path, key=key, place=KeyPlace.KEYCHAIN, cancel=cancel)

    brought = services.keys.bring(
        path, move.before, move.backend, opening=open_it, tick=tick, cancel=cancel
    )
    return Moved(move, brought, tuple(erased))


def say_way(words: Words, move: Move) -> str:
    """What a person can do, instead of what is said where no move can be tried."""
    return words.say(
        "Start {before}, then move the key here: it is copied, and taken out there only when it "
        "has opened the store from here. Or enter the recovery key. No new key is made: a new one "
        "could not open this store.",
        **_names(words, move),
    )


def say_step(words: Words, move: Move, step: str) -> str:
    """What is going on."""
    return words.say(STEPS[step], **_names(words, move))


def say_moved(words: Words, moved: Moved) -> tuple[str, str]:
    """(tone, sentences) of a move that came true."""
    names, brought = _names(words, moved.move), moved.brought
    text = words.say("The key is in {backend} now, and it opened the store from there.", **names)
    if brought.stays is None:
        more = words.say("It was taken out of {before}.", **names)
        return "ok", f"{text} {more}".replace("。 ", "。")
    why = explain(words, brought.stays).text
    more = words.say("It is still in {before}, too: {why}", before=names["before"], why=why)
    return "warn", f"{text} {more}".replace("。 ", "。")


def say_not_moved(words: Words, move: Move, error: UserError | IntegrityError) -> str:
    """Why it did not come true."""
    reason = str(error.params.get("reason", ""))
    if error.code == "keys.not_moved":
        return explain_not_moved(words, reason, move.before)
    return explain(words, error).text


def say_stopped(words: Words, move: Move) -> str:
    """A person stopped it."""
    return words.say("Stopped. The key is still in {before}.", **_names(words, move))


def _names(words: Words, move: Move) -> dict[str, str]:
    return {
        "before": backend_name(words, move.before),
        "backend": backend_name(words, move.backend),
    }
