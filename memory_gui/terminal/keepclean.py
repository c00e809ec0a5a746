# SPDX-License-Identifier: MIT
"""``erase STORE --keep-clean``: a store whose writers all go through this app."""

from __future__ import annotations

from typing import Final

from memory_gui.services.erasing.standing import KeptClean
from memory_gui.terminal.session import Session
from memory_gui.terminal.status import Exit
from memory_gui.words import Words
from memory_gui.words.keepclean import lines, meaning

ACTS: Final = ("show", "on", "off")


def keep_clean(session: Session) -> Exit:
    """Show it, turn it on or off; what it means is said before."""
    act = session.args.keep_clean
    standing = session.services.standing
    store = session.open(write=act != "show")
    state = standing.state(store.id)
    if act == "on" and not (state.on and state.works):
        session.check_it_may_ask()
        standing.require()  # before it is explained and asked for
        for line in meaning(session.words, state):
            session.out.line(line)
        session.confirm(session.words.say("Keep {path} clean from now on?", path=state.path))
        with session.progress() as tick:
            state = standing.turn_on(store.id, change_journal=True, tick=tick)
    elif act == "off" and state.on:
        with session.progress() as tick:
            state = standing.turn_off(store.id, tick=tick)
    session.out.document(as_json(state))
    for line in _now(session.words, state):
        session.out.line(line)
    return Exit.DONE


def as_json(state: KeptClean) -> dict[str, object]:
    """The document of ``erase STORE --keep-clean``."""
    return {
        "store": state.path,
        "keep_clean": state.on,
        "works": state.works,
        "journal_mode": state.journal,
        "since": state.since or None,
    }


def _now(words: Words, state: KeptClean) -> list[str]:
    return lines(words, state.path, on=state.on, works=state.works)
