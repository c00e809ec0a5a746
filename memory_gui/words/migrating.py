# SPDX-License-Identifier: MIT
"""The words of copies in today's format, for window and terminal alike."""

from __future__ import annotations

from collections.abc import Mapping

from memory_gui.domain.ciphers import OWN, format_of
from memory_gui.words.catalogue import Words


def say_format(words: Words, cipher: Mapping[str, str]) -> str:
    """In which version's way a database is encrypted; empty where that is today's."""
    found = format_of(cipher)
    if found == OWN:
        return words.say("with settings of its own")
    older = found in ("3", "2", "1")
    return words.say("in the format of SQLCipher {version}", version=found) if older else ""


def will_migrate(words: Words, cipher: Mapping[str, str], *, keeps: bool, typed: bool) -> list[str]:
    """What a copy in today's format means, line by line.

    ``keeps``: the keychain has the store's key; ``typed``: a person entered it.
    """
    found = format_of(cipher)
    first = (
        words.say(
            "This store is encrypted with settings of its own; the copy is in the format of "
            "SQLCipher 4, as new stores are."
        )
        if found == OWN
        else words.say(
            "This store is encrypted in the format of SQLCipher {version}; the copy is in that of "
            "SQLCipher 4, as new stores are.",
            version=found,
        )
    )
    lines = [
        first,
        words.say(
            "Every page can be checked then, so erasing can be proved, the key can be changed, and "
            "no settings have to be known."
        ),
    ]
    if keeps:
        lines.append(words.say("The same key opens the copy. It is put into the keychain for it."))
    elif typed:
        lines.append(
            words.say(
                "The key that you entered opens the copy, too. The keychain does not get it; when "
                "the copy is opened, keeping it there is offered."
            )
        )
    return [
        *lines,
        words.say("The store itself is only read: it stays as it is, with all that is in it."),
    ]


def say_migrated(words: Words, rows: int, out: str, *, kept: bool) -> list[str]:
    """What was made."""
    lines = [
        words.many(
            "{n} row copied to {path}, encrypted in today’s way; the same key opens it.",
            "{n} rows copied to {path}, encrypted in today’s way; the same key opens it.",
            rows,
            path=out,
        )
    ]
    if kept:
        lines.append(words.say("The keychain has the key for the copy, too."))
    return lines
