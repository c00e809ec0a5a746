# SPDX-License-Identifier: MIT
"""Keys as a person types them and scripts hand them over, and how a terminal asks for one."""

from __future__ import annotations

import getpass
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import CipherSettings, Key, Passphrase, RawKey, read_raw_key
from memory_gui.terminal.output import Output
from memory_gui.vault.recovery import looks_like_recovery, read_recovery_text
from memory_gui.words.errors import explain

MOST_REFUSALS: Final = 2
"""So many keys in a row that do not open the store end the asking."""
_NOT_THIS: Final = frozenset({"key.wrong", "key.length"})
_NUMBERS: Final = {"page": "page_size", "iterations": "iterations", "header": "plain_header"}
_DIGESTS: Final = frozenset({"sha1", "sha256", "sha512"})
_PAGES: Final = frozenset(1 << bits for bits in range(9, 17))

Opened = TypeVar("Opened")


def raw_key_in(text: str, settings: CipherSettings) -> RawKey:
    """What stands behind ``--key-fd``: 64 hex digits (96 with the salt), or a recovery key.

    Raises:
        UserError: ``key.length``; ``recovery.*`` where it was meant as a recovery key.
    """
    if looks_like_recovery(text):
        return RawKey(bytes(read_recovery_text(text)), settings)
    key = read_raw_key(text)
    salt = key.settings.salt or settings.salt
    return RawKey(bytes(key), replace(settings, salt=salt))


def key_in(text: str, settings: CipherSettings) -> Key:
    """What a person typed: a recovery key, a raw key, else a passphrase."""
    try:
        return raw_key_in(text, settings)
    except UserError as error:
        if error.code != "key.length":
            raise
        return Passphrase(text, settings=settings)


def settings_of(args: Namespace) -> CipherSettings:
    """``--cipher`` and ``--cipher-settings page=1024,hmac=sha1,…``.

    Raises:
        UserError: ``usage.cipher_settings``.
    """
    values: dict[str, Any] = {"compatibility": args.cipher or 0}
    for item in filter(None, (args.cipher_settings or "").split(",")):
        name, _, value = item.partition("=")
        if not _fits(name, value):
            raise UserError("usage.cipher_settings")
        number = name in _NUMBERS
        values[_NUMBERS.get(name, name)] = int(value) if number else value.lower()
    return CipherSettings(**values)


def _fits(name: str, value: str) -> bool:
    if name in _NUMBERS:
        return value.isascii() and value.isdecimal() and (name != "page" or int(value) in _PAGES)
    if name == "salt":
        return len(value) == 32 and not set(value.lower()) - set("0123456789abcdef")
    return name in ("hmac", "kdf") and (value in _DIGESTS or (name, value) == ("hmac", "none"))


def ask_twice(
    out: Output,
    path: str,
    settings: CipherSettings,
    why: UserError,
    open_with: Callable[[Key], Opened],
) -> tuple[Opened, Key]:
    """Say why no key was found, ask for one, and once more; nothing typed gives up.

    Raises:
        UserError: ``why`` itself when nothing was typed; ``keys.twice``; what opening raises.
    """
    words = out.words
    out.tell(why)
    refused = 0
    while refused < MOST_REFUSALS:
        prompt = words.say("Recovery key, raw key or passphrase for {path}: ", path=path)
        try:
            text = getpass.getpass(prompt)
        except (EOFError, OSError) as error:
            raise why from error
        if not text.strip():
            raise why
        try:
            key = key_in(text, settings)
            return open_with(key), key
        except UserError as error:
            if error.code not in _NOT_THIS and not error.code.startswith("recovery."):
                raise
            out.note(explain(words, error).text)
            refused += 1
    raise UserError("keys.twice", path=path)
