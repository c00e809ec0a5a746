# SPDX-License-Identifier: MIT
"""The state of an open store, by icon and in words."""

from __future__ import annotations

from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.services import KeyPlace, OpenedStore
from memory_gui.ui.icons import Icon
from memory_gui.words import Words

_READ_ONLY: Final = frozenset({"opened.read_only", "opened.from_copy"})


def look_of(one: OpenedStore, lent: UserError | None) -> tuple[Icon, str]:
    """Its icon, and the icon's tone."""
    if lent is not None:
        return Icon.UNPLUGGED, "muted"
    return (Icon.LOCK, "ok") if one.info.encrypted else (Icon.READABLE, "warn")


def second_line(words: Words, one: OpenedStore, lent: UserError | None, *, sample: bool) -> str:
    """Below the name: what the icon beside it does not show."""
    if lent is not None:
        return _elsewhere(words, lent)
    return words.say("Sample, all invented") if sample else _kept(words, one)


def spoken_state(words: Words, one: OpenedStore, lent: UserError | None, *, sample: bool) -> str:
    """The same for who does not see the icon."""
    say, state = words.say, _kept(words, one)
    if one.info.encrypted and one.key_place != KeyPlace.NONE:
        state = say("encrypted, {key}", key=state)
    if sample:
        state = say("sample, {state}", state=state)
    if lent is not None:
        state = say("{state}, {where}", state=state, where=_elsewhere(words, lent))
    return state


def _elsewhere(words: Words, lent: UserError) -> str:
    if lent.code == "store.let_go":
        return words.say("in use by the terminal")
    return words.say("in use by another window")


def _kept(words: Words, one: OpenedStore) -> str:
    say = words.say
    if _READ_ONLY & set(one.info.notes):
        return say("encrypted, read-only") if one.info.encrypted else say("read-only")
    if not one.info.encrypted:
        return say("readable by anyone")
    return {
        KeyPlace.KEYCHAIN: say("key in the keychain"),
        KeyPlace.TYPED: say("key typed in"),
        KeyPlace.THIS_RUN: say("key kept for this run only"),
    }.get(one.key_place, say("encrypted"))
