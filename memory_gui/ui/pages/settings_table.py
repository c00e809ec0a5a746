# SPDX-License-Identifier: MIT
"""Every setting that a person can change in the window: where it stands, what it is called.

A test holds this table against the settings themselves: none is missing, none is made up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from memory_gui.words import N_, Words


class Kind(Enum):
    """What a person uses to change it."""

    CHOICE = "choice"
    CHECK = "check"
    FOLDERS = "folders"


@dataclass(frozen=True, slots=True)
class Descriptor:
    """One setting. ``values`` are those offered; another one that is set is offered as well."""

    name: str
    section: str
    label: str
    kind: Kind = Kind.CHECK
    help: str = ""
    values: tuple[str | int, ...] = ()


LOOK, PRIVACY, LOCK, HOME = "look", "privacy", "lock", "home"
SECTIONS: Final = (
    (LOOK, N_("Look")),
    (PRIVACY, N_("Privacy")),
    (LOCK, N_("Lock")),
    (HOME, N_("Stores and permissions")),
)

TABLE: Final = (
    Descriptor("language", LOOK, N_("Language"), Kind.CHOICE, values=("", "en", "zh_CN")),
    Descriptor(
        "appearance", LOOK, N_("Appearance"), Kind.CHOICE, values=("system", "light", "dark")
    ),
    Descriptor("density", LOOK, N_("Rows"), Kind.CHOICE, values=("comfortable", "compact")),
    Descriptor(
        "text_scale", LOOK, N_("Text size"), Kind.CHOICE, values=(75, 90, 100, 110, 125, 150, 200)
    ),
    Descriptor("motion", LOOK, N_("Motion"), Kind.CHOICE, values=("system", "full", "reduced")),
    Descriptor(
        "mask_secrets",
        PRIVACY,
        N_("Cover passwords and keys in texts"),
        help=N_("They are dots until you hold a button down."),
    ),
    Descriptor(
        "hide_at_start",
        PRIVACY,
        N_("Begin with all texts hidden"),
        help=N_("The eye in the top bar shows them."),
    ),
    Descriptor(
        "clipboard_seconds",
        PRIVACY,
        N_("Take copied texts back"),
        Kind.CHOICE,
        N_(
            "Locking and quitting take them back as well. Programs that keep a history of the "
            "clipboard are asked not to keep them; not all of them listen."
        ),
        (10, 20, 45, 90, 300, 0),
    ),
    Descriptor(
        "block_capture",
        PRIVACY,
        N_("Keep the window out of screenshots and shared screens"),
    ),
    Descriptor(
        "auto_lock_minutes",
        LOCK,
        N_("Lock by itself"),
        Kind.CHOICE,
        N_("When no key, mouse or touch reached this window for that long."),
        (1, 2, 5, 10, 15, 30, 60, 0),
    ),
    Descriptor("lock_on_screen_lock", LOCK, N_("Lock when the screen is locked")),
    Descriptor("lock_on_sleep", LOCK, N_("Lock before the computer sleeps")),
    Descriptor(
        "remember_stores",
        HOME,
        N_("Remember which stores were opened"),
        help=N_("Their paths and names, encrypted with a key in the keychain."),
    ),
    Descriptor("look_in_usual_places", HOME, N_("Look for stores in the agents’ usual places")),
    Descriptor(
        "look_in",
        HOME,
        N_("Look for stores in these folders too"),
        Kind.FOLDERS,
    ),
    Descriptor(
        "scripts_may_use_keychain",
        HOME,
        N_("Let scripts read and erase through the keychain"),
        help=N_(
            "Without it memory-cli refuses where no person sits at the terminal. With it any "
            "program that runs as you, an agent with a shell too, can read your encrypted stores "
            "that way."
        ),
    ),
)
NO_CAPTURE: Final = N_(
    "This system gives a program no way to do that: screenshots and shared screens can show this "
    "window. Hide all texts before you share the screen."
)
"""Said in place of a help where the system cannot keep windows out."""

_VALUES: Final = {
    "": N_("Like the system"),
    "en": "English",
    "zh_CN": "简体中文",
    "system": N_("Like the system"),
    "light": N_("Light"),
    "dark": N_("Dark"),
    "comfortable": N_("Comfortable"),
    "compact": N_("Compact"),
    "full": N_("Full"),
    "reduced": N_("Reduced"),
}


def value_text(words: Words, name: str, value: str | int) -> str:
    """What a value of a setting is called."""
    if name == "auto_lock_minutes":
        many = words.many("after {n} minute", "after {n} minutes", int(value))
        return many if value else words.say("never")
    if name == "clipboard_seconds":
        many = words.many("after {n} second", "after {n} seconds", int(value))
        return many if value else words.say("only on locking and quitting")
    if name == "text_scale":
        return words.say("{n} %", n=int(value))
    return words.say(_VALUES[str(value)])
