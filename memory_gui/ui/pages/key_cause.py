# SPDX-License-Identifier: MIT
"""Why a store did not open for want of its key, and what the page says of it. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, KeyResult
from memory_gui.services import Services
from memory_gui.services.library.keyfinder import result_of
from memory_gui.words import Words
from memory_gui.words.keys import IGNORED, ExplainedKey, explain_half, explain_key

HALF: Final = "half"


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What the keychain said, and what else a person should know.

    ``result`` is None for a database that shows its first bytes. ``known``: this program has opened
    the store before. ``ignored`` are what asked for another keychain and was not listened to.
    """

    result: KeyResult | None
    known: bool = True
    ignored: tuple[str, ...] = ()


def look_up(services: Services, path: str, error: UserError) -> LookedUp:
    """What opening was told; the keychain is not asked a second time. Any thread but the window's.

    Only where opening was told nothing (a key was given and did not fit) it is asked now.
    """
    silent = "silent" in str(error.params.get("reasons", ""))  # it would be silent once more
    ignored = () if silent else services.keychain.backend().ignored
    if error.params.get("reason") == HALF:
        return LookedUp(None, ignored=ignored)
    result = result_of(error)
    if result is None:
        result = services.library.key_state(path)
    if not isinstance(result, Absent):
        return LookedUp(result, ignored=ignored)
    # It answered, so our own list can be looked at without a question to the person.
    resolved = str(Path(path).resolve())
    known = any(store.path == resolved for store in services.library.known())
    return LookedUp(result, known, ignored)


def cause_of(words: Words, looked: LookedUp) -> ExplainedKey:
    """What the page says. No key for a store that was never opened here is a case of its own."""
    told = _told(words, looked)
    ignored = tuple(words.say(IGNORED, what=what) for what in looked.ignored)
    details = (*told.details, *ignored)
    return ExplainedKey(told.name, told.title, told.cause, told.next, details)


def _told(words: Words, looked: LookedUp) -> ExplainedKey:
    if looked.result is None:
        return explain_half(words)
    if isinstance(looked.result, Absent) and not looked.known:
        return ExplainedKey(
            "Foreign",
            words.say("This database is encrypted, and it was never opened here."),
            words.say("It belongs to another program, or comes from another computer."),
            words.say("Enter the passphrase or the key it was encrypted with."),
        )
    return explain_key(words, looked.result)
