# SPDX-License-Identifier: MIT
"""Sentences of the store page: what is known about a store, and what was checked. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_gui.domain.changes import StoreInfo
from memory_gui.services import CheckLine, KeyPlace, OpenedStore
from memory_gui.words import N_, Words, formats
from memory_gui.words.checks import say_check
from memory_gui.words.migrating import say_format

_KEY_PLACES: Final[Mapping[str, str]] = {
    KeyPlace.KEYCHAIN: N_("in the keychain of this computer"),
    KeyPlace.TYPED: N_("typed, and forgotten when the store is closed"),
    KeyPlace.THIS_RUN: N_("only in this run of the program: it is gone when you quit"),
    KeyPlace.NONE: N_("no key"),
}
_ROLES: Final[Mapping[str, str]] = {
    "project": N_("memories of this project"),
    "user": N_("memories about you, for every project"),
    "alone": N_("a store of its own"),
}


def check(words: Words, line: CheckLine) -> tuple[str, str]:
    """(tone, sentence) of one thing that was checked."""
    tone = "ok" if line.ok else "warn" if line.ok is False else "muted"
    return tone, say_check(words, line.code, line.ok, line.params)


def facts(words: Words, store: OpenedStore) -> list[tuple[str, str]]:
    """Names and values."""
    info = store.info
    known = _ROLES.get(info.role)
    rows = [
        (words.say("File"), info.path),
        (words.say("Agent"), f"{info.agent} {info.agent_version}".strip()),
        (words.say("Holds"), words.say(known) if known else info.role),
        (words.say("Format"), formats.format_name(words, info.format)),
        (words.say("Encrypted"), _cipher(words, info)),
        (words.say("Key"), words.say(_KEY_PLACES[store.key_place])),
        (words.say("Journal"), info.journal_mode.upper()),
        (words.say("Records"), words.number(_total(info))),
    ]
    return [row for row in rows if row[1]]


def _cipher(words: Words, info: StoreInfo) -> str:
    if not info.encrypted:
        return words.say("no: every program that may read the file can read the memories")
    if form := say_format(words, info.cipher):
        return words.say("yes, {form}", form=form)
    version = info.cipher.get("cipher_version") or info.cipher.get("version") or ""
    return words.say("yes, SQLCipher {version}", version=version).strip()


def _total(info: StoreInfo) -> int:
    return sum(sum(states.values()) for states in info.counts.values())
