# SPDX-License-Identifier: MIT
"""The words of changing keys and encryption, for window and terminal alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memory_gui.words.catalogue import N_, Words
from memory_gui.words.erasure import listed
from memory_gui.words.recovery import day

OLD_KEY: Final[Mapping[str, str]] = {
    "retired": N_("The old key was destroyed."),
    "not-ours": N_("The old key was not in the keychain; it opens nothing here any more."),
    "kept-files": N_("The old key is kept for the files that need it."),
    "kept-recovery": N_("The old key is kept until the new recovery key is confirmed."),
    "retiring": N_("The keychain did not remove the old key yet; that is tried again."),
}
"""What became of the old key, by ``KeyDone.old``."""

NEWS: Final[Mapping[str, str]] = {
    "finished": N_("A change of the key of {path} had been stopped. It was finished now."),
    "taken-back": N_(
        "A change of the key of {path} had been stopped. It was taken back: its old key opens it."
    ),
    "given-key-opens": N_(
        "A change of the key of {path} had been stopped. The key that was given now opens it."
    ),
    "encryption-finished": N_(
        "A change of the encryption of {path} had been stopped. It was finished now, and no second "
        "copy is left."
    ),
    "encryption-taken-back": N_(
        "A change of the encryption of {path} had been stopped. The store is as it was, and the "
        "half-made copy is gone."
    ),
    "encryption-waits": N_(
        "A change of the encryption of {path} had been stopped, and a second copy lies beside it. "
        "It is removed when no program has it open any more."
    ),
    "copy-removed": N_("A readable copy of {path} that was not finished was removed."),
}
"""What an opening did with what a stop had left, by ``KeyNews.code``."""


STRAY: Final = N_(
    "{path} was encrypted here and is readable again: {agent} has probably made it anew, without "
    "its memories. They can be merged: memory-cli encrypt STORE --into ENCRYPTED"
)


@dataclass(frozen=True, slots=True)
class Who:
    """Who can open a store afterwards: what is said of it, by services' plans.

    ``access`` is ``agent``, ``connector`` or ``nobody``; ``keeps`` says whether the keychain keeps
    the key. The other fields are those of ``ProtectPlan``.
    """

    agent: str
    access: str
    keeps: bool
    loses: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    everyone: bool = False
    unseen: bool = False


def opens_encrypted(words: Words, who: Who) -> list[str]:
    """Who can open the store once it is encrypted, line by line."""
    lines = [
        words.say("This program opens it with the key from the keychain, without asking.")
        if who.keeps
        else words.say("This program opens it with the key that you give it each time.")
    ]
    agent = who.agent
    if who.access == "connector":
        lines.append(
            words.say(
                "{agent} opens it when it is started through this program: see the line below.",
                agent=agent,
            )
        )
        if who.loses:
            lines.append(
                words.say(
                    "{agent} as it is installed ({programs}) cannot open it: it logs one warning, "
                    "goes on with an empty memory, and loses what it learns in that session.",
                    agent=agent,
                    programs=listed(words, who.loses),
                )
            )
    elif who.access == "agent":
        lines.append(words.say("{agent} opens it by itself, with the same key.", agent=agent))
    else:
        lines.append(words.say("{agent} cannot open it, in no way.", agent=agent))
    lines.append(
        words.say(
            "Without the key nobody opens it again, you included. It is kept in the keychain of "
            "this computer."
        )
        if who.keeps
        else words.say("Without the key nobody opens it again, you included. You alone keep it.")
    )
    return lines + _warnings(words, who, encrypting=True)


def opens_readable(words: Words, who: Who) -> list[str]:
    """Who can read the store once it is not encrypted any more, line by line."""
    lines = [
        words.say(
            "Every program that may read the file can read the memories, {agent} included.",
            agent=who.agent,
        )
    ]
    if who.everyone:
        lines.append(
            words.say("Other people of this computer may read the file: its permissions allow it.")
        )
    lines.append(
        words.say("The key stays in the keychain, for backups that need it.")
        if who.keeps
        else words.say(
            "Its key is kept nowhere: backups that need it open only with your own copy."
        )
    )
    return lines + _warnings(words, who, encrypting=False)


def opens_copy(words: Words, who: Who) -> list[str]:
    """Who can read a readable copy, line by line."""
    return [
        words.say(
            "Every program that may read the copy can read the memories, {agent} included. Only "
            "you may read the file that is made.",
            agent=who.agent,
        ),
        words.say("The store itself stays encrypted, with its key."),
        words.say("What is erased from the store later stays in the copy: erase it there, too."),
    ]


def opens_rotated(words: Words, who: Who, paper: str, others: tuple[str, ...]) -> list[str]:
    """Who can open the store once its key is another one, line by line.

    ``paper`` is the date of the recovery sheet that stops working, ``others`` are files that the
    old key opens.
    """
    lines = [
        words.say(
            "This program opens it with the new key, which is in the keychain before the store "
            "is changed."
        )
    ]
    if who.access == "connector":
        lines.append(
            words.say(
                "{agent} that was started through this program finds the new key when it is "
                "started again.",
                agent=who.agent,
            )
        )
    elif who.access == "agent":
        lines.append(words.say("{agent} needs the new key: give it there, too.", agent=who.agent))
    if paper:
        lines.append(
            words.say(
                "The paper of {date} stops working. The old key is kept until a new recovery key "
                "is confirmed, or given up.",
                date=day(words, paper),
            )
        )
    lines += [
        words.say("{path} opens with the old key, which is kept for it.", path=path)
        for path in others
    ]
    if not paper and not others:
        lines.append(
            words.say(
                "The old key is destroyed when the new one has opened the store: backups made "
                "before open with it only where it was written down."
            )
        )
    return lines + _warnings(words, who, encrypting=False)


def given_up(words: Words, paper: str) -> list[str]:
    """What it means to want no new recovery key, line by line."""
    return [
        words.say(
            "The old key is destroyed. The paper of {date} opens nothing any more, backups "
            "included.",
            date=day(words, paper),
        ),
        words.say("Without the keychain of this computer nobody opens the store again."),
        words.say("A new recovery key can be made later."),
    ]


def _warnings(words: Words, who: Who, *, encrypting: bool) -> list[str]:
    lines = [
        words.say("{path} beside it stays readable.", path=path)
        for path in (who.readable if encrypting else ())
    ]
    if who.unseen:
        lines.append(
            words.say(
                "Programs of other users cannot be looked at; one that has the store open without "
                "using it is not seen."
            )
        )
    return lines
