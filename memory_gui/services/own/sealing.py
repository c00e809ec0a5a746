# SPDX-License-Identifier: MIT
"""Sealing a text with a key derived from another: HKDF-SHA256 (RFC 5869), AES-256-GCM.

``sealed`` = version (1 byte), salt (16), nonce (12), ciphertext with its tag (16).
"""

from __future__ import annotations

import secrets
from typing import Final

from memory_gui import lazy

_VERSION: Final = b"\x01"
_SALT: Final = 16
_NONCE: Final = 12
_PURPOSE: Final = b"memory-gui draft 1"


def seal(secret: bytes, text: bytes, about: bytes) -> bytes:
    """Seal; ``about`` is bound to it and has to be the same when it is opened."""
    salt, nonce = secrets.token_bytes(_SALT), secrets.token_bytes(_NONCE)
    cipher = lazy.cryptography_aead().AESGCM(_derived(secret, salt))
    return _VERSION + salt + nonce + bytes(cipher.encrypt(nonce, text, about))


def unseal(secret: bytes, sealed: bytes, about: bytes) -> bytes | None:
    """Open; None with another key, for something else, or when a byte was changed."""
    if sealed[:1] != _VERSION or len(sealed) < 1 + _SALT + _NONCE + 16:
        return None
    salt, rest = sealed[1 : 1 + _SALT], sealed[1 + _SALT :]
    cipher = lazy.cryptography_aead().AESGCM(_derived(secret, salt))
    try:
        return bytes(cipher.decrypt(rest[:_NONCE], rest[_NONCE:], about))
    except lazy.cryptography_exceptions().InvalidTag:
        return None


def _derived(secret: bytes, salt: bytes) -> bytes:
    hashes = lazy.cryptography_hashes()
    derive = lazy.cryptography_hkdf().HKDF(hashes.SHA256(), 32, salt, _PURPOSE)
    return bytes(derive.derive(secret))
