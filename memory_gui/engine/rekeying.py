# SPDX-License-Identifier: MIT
"""Another key for an open database, and whether that came true (ERASURE 4 (a)).

``PRAGMA rekey`` may answer ``ok`` although its commit failed, so nothing is believed before a
fresh connection has tried both keys.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.engine.keying import key_text

_AS_USUAL: Final = (
    ("cipher_page_size", "4096"),
    ("cipher_hmac_algorithm", "HMAC_SHA512"),
    ("cipher_kdf_algorithm", "PBKDF2_HMAC_SHA512"),
    ("cipher_plaintext_header_size", "0"),
    ("cipher_use_hmac", "1"),
)
"""A raw key alone opens a database only where these are SQLCipher 4's own."""

NOT_THIS_KEY: Final = frozenset({"key.wrong", "store.not_a_database", "key.not_encrypted"})
"""Codes by which ``open_database`` says that a key does not fit."""


def refuse_other_ciphers(connection: Connection) -> None:
    """A database with other cipher settings keeps its key: a raw one alone would not open it.

    Raises:
        UserError: ``rotation.cipher``.
    """
    for name, usual in _AS_USUAL:
        found = connection.cipher.get(name, usual)
        if found != usual:
            raise UserError("rotation.cipher", path=str(connection.path), setting=name)


def rekey(connection: Connection, key: RawKey) -> str:
    """Write every page anew under ``key``. By ``execute``, which lets other threads run.

    The caller holds the file alone, outside a transaction (inside one it would commit it).

    Raises:
        UserError: ``rotation.cipher``, ``rotation.refused``, ``store.*``.
    """
    refuse_other_ciphers(connection)
    answer = connection.execute(f'PRAGMA rekey = "{key_text(key)}"')
    if answer != [("ok",)]:
        raise UserError("rotation.refused", path=str(connection.path))
    return "ok"


def check_changed(path: Path, old: Key) -> str:
    """The old key must open nothing any more, seen by a connection of its own.

    To be called after ``check_fresh``: every page is authentic under the new key, so the old one
    need not be tried on each.

    Raises:
        UserError: ``rotation.not_changed``; what ``open_database`` raises.
    """
    if journal_under(path, old, search_pages=False) is not None:
        raise UserError("rotation.not_changed", path=str(path))
    return "old key refused"


def journal_under(path: Path, key: Key, *, search_pages: bool = True) -> str | None:
    """The journal mode of a database that ``key`` opens; None where it does not open it.

    By a connection that is closed again at once: the caller has none on the file.

    Raises:
        UserError: ``store.*``: that says nothing about the key.
    """
    try:
        opened = open_database(path, key, write=False, search_pages=search_pages)
        with opened as connection:
            return connection.journal_mode
    except UserError as error:
        if error.code in NOT_THIS_KEY:
            return None
        raise
