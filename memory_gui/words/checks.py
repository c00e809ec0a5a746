# SPDX-License-Identifier: MIT
"""The words of what is checked about a store, for window and terminal alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_gui.words.catalogue import N_, Words

_TEXTS: Final[Mapping[str, Mapping[bool | None, str]]] = {
    "check.encrypted": {True: N_("The store is encrypted.")},
    "check.readable": {None: N_("The store is not encrypted: whoever gets the file can read it.")},
    "check.owner": {
        True: N_("The file belongs to you."),
        False: N_("The file belongs to somebody else."),
    },
    "check.writable": {
        True: N_("The file can be changed."),
        None: N_("The file can be read only."),
    },
    "check.private": {
        True: N_("Other people on this computer cannot read the file (mode {mode})."),
        None: N_("Other people on this computer can read the file (mode {mode})."),
    },
    "check.network": {
        None: N_("The file is on a network file system ({kind}), where locks may not hold.")
    },
    "check.structure": {
        True: N_("SQLite finds the database whole."),
        False: N_("SQLite finds the database damaged. Copy the folder before anything else."),
    },
    "check.cipher": {
        True: N_("Every encrypted page is genuine."),
        False: N_("{count} encrypted pages are not genuine. Copy the folder before anything else."),
    },
    "check.free_pages": {
        True: N_("No free pages."),
        None: N_("{count} of {pages} pages are free and may hold what was deleted."),
    },
    "check.log": {
        True: N_("The log has {bytes} bytes."),
        None: N_("The log has {bytes} bytes: old versions of what was changed lie in it."),
    },
    "check.foreign": {
        True: N_("No triggers, views or tables that are not the agent's."),
        None: N_("{count} triggers, views or tables are not the agent's."),
    },
    "check.leftovers": {
        False: N_(
            "A change of encryption was stopped: an old or new copy lies beside the store. "
            "Encrypting or decrypting again finishes it."
        )
    },
    "check.moved_twice": {
        False: N_(
            "{count} records are in both databases of the agent: moving them was stopped. "
            "Give them their scope again to finish it."
        )
    },
    "check.returned": {
        False: N_("{count} records that were erased are back in this store. Erase them again.")
    },
    "check.evidence": {
        True: N_("No decided proposal keeps words of a talk."),
        None: N_(
            "{count} decided proposals keep words of the talks that they come from. "
            "Erase them: memory-cli erase STORE --evidence, or Review, What is decided."
        ),
    },
    "check.open_by": {
        True: N_("No other program has it open."),
        None: N_("Other programs have it open: {names}."),
    },
}


def say_check(words: Words, code: str, ok: bool | None, params: Mapping[str, object]) -> str:
    """A checked thing as a sentence; a code without words is said as itself."""
    text = _TEXTS.get(code, {}).get(ok)
    return code if text is None else words.say(text, **params)
