# SPDX-License-Identifier: MIT
"""The words of the six results of looking for a key, for window and terminal alike.

Six results, six texts: "no answer", "locked", "refused", "absent" and "another key" are never one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.keys import KeyResult
from memory_gui.words.catalogue import N_, Words


@dataclass(frozen=True, slots=True)
class KeyWords:
    """What happened, why that can be, and what to do; source texts."""

    title: str
    cause: str
    next: str


@dataclass(frozen=True, slots=True)
class ExplainedKey:
    """A result in a person's language. ``name``: the class; ``details``: lines for a fold-out."""

    name: str
    title: str
    cause: str
    next: str
    details: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All three in one paragraph."""
        return _joined((self.title, self.cause, self.next))


RESULTS: Final[Mapping[str, KeyWords]] = {
    "Present": KeyWords(
        N_("The key is in {backend}."),
        N_("It opens this store."),
        N_("Nothing to do."),
    ),
    "Absent": KeyWords(
        N_("{backend} has no key for this store."),
        N_(
            "It answered, so it is not locked: the key was stored on another computer or "
            "account, or was removed."
        ),
        N_("Enter the recovery key. No new key is made: a new one could not open this store."),
    ),
    "Locked": KeyWords(
        N_("{backend} is locked."),
        N_(
            "Its password was not entered, or no window could be opened to ask for it. The "
            "key may well be in it."
        ),
        N_("Unlock it and try again, or enter the recovery key."),
    ),
    "Denied": KeyWords(
        N_("{backend} refused this program."),
        N_(
            "The system does not let this program read the key: a sandbox forbids it, or the "
            "question was answered with “Deny”."
        ),
        N_("Allow it in the system's settings and try again, or enter the recovery key."),
    ),
    "Unavailable": KeyWords(
        N_("No keychain answered."),
        N_("That says nothing about the key: it may be where it always was."),
        N_("Start the keychain and try again, or enter the recovery key."),
    ),
    "Mismatch": KeyWords(
        N_("The key in {backend} does not open this store."),
        N_(
            "It belongs to another version of the file: a backup was put back, or the key was"
            " changed elsewhere."
        ),
        N_("Enter the recovery key of this file. The stored key is left as it is."),
    ),
}
"""By the name of the result's class."""

MOVED: Final = KeyWords(
    N_("The key of this store was in {before}. Today {backend} is asked, and has none."),
    N_(
        "The desktop, or the program that keeps the keys, is another one than when the store was "
        "opened last. The key is most likely still where it was."
    ),
    N_(
        "Start {before} and try again; or enter the recovery key, and then keep the key here. "
        "No new key is made: a new one could not open this store."
    ),
)
"""An Unavailable whose reasons say that another keychain, or another program, had the key."""

NOT_MOVED: Final[Mapping[str, KeyWords]] = {
    "absent": KeyWords(
        N_("The key was not moved: {before} answered, and has no key for this store either."),
        "",
        N_("Nothing was changed. Enter the recovery key, and then keep the key here."),
    ),
    "locked": KeyWords(
        N_("The key was not moved: {before} is locked."),
        "",
        N_("Nothing was changed. Unlock it and try again, or enter the recovery key."),
    ),
    "denied": KeyWords(
        N_("The key was not moved: {before} refused this program."),
        "",
        N_(
            "Nothing was changed. Allow this program there and try again, or enter the recovery "
            "key."
        ),
    ),
    "unavailable": KeyWords(
        N_("The key was not moved: {before} does not answer."),
        "",
        N_("Nothing was changed. Start {before} and try again, or enter the recovery key."),
    ),
    "mismatch": KeyWords(
        N_("The key was not moved: the one in {before} does not open this store."),
        "",
        N_("Nothing was changed. Enter the recovery key of this file."),
    ),
}
"""By the ``reason`` of ``keys.not_moved``: what the keychain said that had the key."""

HALF: Final = KeyWords(
    N_("This database is encrypted, all but its first bytes."),
    N_("Its salt is not in the file, so no keychain entry can belong to it."),
    N_("Enter the key with its salt behind it (96 hex digits), or the passphrase and the salt."),
)
"""A database with SQLCipher's plaintext header."""

REASONS: Final[Mapping[str, str]] = {
    "off": N_("The keychain is switched off for this run (--no-keychain)."),
    "silent": N_("The keychain did not answer within 5 seconds. It may hang; restarting it helps."),
    "helper-gone": N_("The process that asks the keychain was ended before there was an answer."),
    "ended": N_("{backend} ended while it was asked."),
    "no-bus": N_("There is no session bus, so no keychain can be reached. Over SSH this is usual."),
    "bus-ended": N_("The session bus ended while the keychain was asked."),
    "not-there": N_("{backend} is not there."),
    "no-key": N_("{backend} has no key for this store, but it is not the one that had it."),
    "moved": N_(
        "Another program keeps {backend} today than the one that had the key, and it has none."
    ),
    "unknown": N_(
        "The key was stored in {backend}, which is not a keychain that this program trusts."
    ),
    "foreign": N_("The key was stored in {backend}, which this system does not have."),
    "error": N_("{backend} answered with an error."),
}
"""By the code of an Unavailable's reason, ``code[:class[: detail]]``."""

BACKENDS: Final[Mapping[str, str]] = {
    "SecretService.Keyring": N_("the system keychain (Secret Service)"),
    "kwallet.DBusKeyring": N_("KWallet"),
    "macOS.Keyring": N_("the macOS keychain"),
    "Windows.WinVaultKeyring": N_("the Windows Credential Manager"),
}
"""By the class that is asked."""

IGNORED: Final = N_("Asked for another keychain, and was not listened to: {what}")

LEDGER: Final[Mapping[str, KeyWords]] = {
    "off": KeyWords(
        N_("This program keeps no records of its own in this run."),
        N_("They are encrypted with a key in the keychain, and the keychain is switched off."),
        N_("Unfinished erasures are still written down; receipts carry no marks."),
    ),
    "key": KeyWords(
        N_("This program's own records cannot be opened now."),
        N_("They exist, and their key was not there to be had. No new key is made for them."),
        N_(
            "Unlock or start the keychain and start this program again. Until then unfinished"
            " erasures are written down beside them."
        ),
    ),
    "no-key-kept": KeyWords(
        N_("This program keeps no records of its own."),
        N_("The keychain that would hold their key cannot be used now."),
        N_("Unfinished erasures are still written down; receipts carry no marks."),
    ),
    "mismatch": KeyWords(
        N_("The key in the keychain does not open this program's own records."),
        N_("They were put back from a backup, or the keychain was."),
        N_("Move memory-gui.db out of the data folder to begin anew; the old file is not touched."),
    ),
    "unreadable": KeyWords(
        N_("This program's own records cannot be read."),
        N_("The file is damaged, belongs to another user, or was written by a newer version."),
        N_("Move memory-gui.db out of the data folder to begin anew; the old file is not touched."),
    ),
}
"""Why the app runs without its ledger, by ``LedgerState.code``."""


def backend_name(words: Words, backend: str) -> str:
    """A keychain's name for people; the system's keychain where the class is not known."""
    return (
        words.say(BACKENDS[backend])
        if backend in BACKENDS
        else backend or words.say(N_("the keychain"))
    )


def explain_key(words: Words, result: KeyResult) -> ExplainedKey:
    """Say a result."""
    name = type(result).__name__
    entry = RESULTS[name]
    backend = getattr(result, "backend", "")
    reasons = getattr(result, "reasons", ())
    told = tuple(explain_reason(words, reason) for reason in reasons)
    moved = where_it_was(reasons)
    if moved is not None:
        before, now = (backend_name(words, one) for one in moved)
        title = words.say(MOVED.title, before=before, backend=now)
        way = words.say(MOVED.next, before=before)
        return ExplainedKey(name, title, words.say(MOVED.cause), way, told)
    return ExplainedKey(
        name,
        _capital(words.say(entry.title, backend=backend_name(words, backend)), backend),
        words.say(entry.cause),
        words.say(entry.next),
        told,
    )


def where_it_was(reasons: Sequence[str]) -> tuple[str, str] | None:
    """What had the key and what is asked today, where the reasons of an Unavailable say so."""
    for reason in reasons:
        code, _, rest = reason.partition(":")
        backend, _, detail = rest.partition(": ")
        if code == "moved":
            before, _, today = detail.partition(" → ")
            return before, today
        if code == "no-key":
            parted = (one.partition(":")[2].partition(": ")[0] for one in reasons)
            return next((one for one in parted if one != backend), ""), backend
    return None


def explain_not_moved(words: Words, reason: str, before: str) -> str:
    """Why a key was not moved; ``before`` is the class that had it."""
    entry = NOT_MOVED[reason]
    name = backend_name(words, before)
    told = words.say(entry.title, before=name), words.say(entry.next, before=name)
    return _joined(told)


def movable(reasons: Sequence[str]) -> tuple[str, str] | None:
    """The class that had the key and the one of today, where a move between them can be tried.

    Both are keychains of this system: one that another program stands behind today can only be
    asked when the program of then runs again.
    """
    both = where_it_was(reasons)
    if both is None or any(one not in BACKENDS for one in both):
        return None
    there = f"not-there:{both[0]}"
    return both if any(one.partition(": ")[0] == there for one in reasons) else None


def explain_half(words: Words) -> ExplainedKey:
    """Say that a database shows its first bytes, so that only a person can give its key."""
    return ExplainedKey("Half", words.say(HALF.title), words.say(HALF.cause), words.say(HALF.next))


def explain_reason(words: Words, reason: str) -> str:
    """Say one reason of an Unavailable, with the library's own words behind it."""
    code, _, rest = reason.partition(":")
    backend, _, detail = rest.partition(": ")
    text = words.say(REASONS.get(code, REASONS["error"]), backend=backend_name(words, backend))
    return _capital(
        words.say("{text} ({detail})", text=text, detail=detail) if detail else text, backend
    )


def explain_ledger(words: Words, code: str) -> ExplainedKey:
    """Say why the app runs without its own records."""
    entry = LEDGER[code]
    return ExplainedKey(code, words.say(entry.title), words.say(entry.cause), words.say(entry.next))


def _joined(parts: Sequence[str]) -> str:
    """Sentences in a row; Chinese has no blank behind a full stop."""
    return " ".join(part for part in parts if part).replace("。 ", "。")


def _capital(text: str, backend: str) -> str:
    """A sentence that begins with one of our names; the name of a class is left as it is."""
    return text if backend and text.startswith(backend) else text[:1].upper() + text[1:]
