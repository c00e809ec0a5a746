# SPDX-License-Identifier: MIT
"""Keys as SQLCipher takes them (https://www.zetetic.net/sqlcipher/sqlcipher-api/#key)."""

from __future__ import annotations

from memory_gui.domain.keys import Key, Passphrase, RawKey


def key_text(key: Key) -> str:
    """A raw key as ``x'<64 hex>'``, which skips key derivation; a passphrase as it is."""
    if isinstance(key, RawKey):
        return f"x'{key.hex()}'"
    if isinstance(key, Passphrase):
        return key.reveal()
    raise TypeError(type(key).__name__)
