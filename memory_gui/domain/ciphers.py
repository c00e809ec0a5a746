# SPDX-License-Identifier: MIT
"""In which version's way a database is encrypted, by SQLCipher's own words about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TODAY: Final = "4"
OWN: Final = "own"
"""Settings that are no version's usual ones: they have to be said at each opening."""

_NAMES: Final = (
    "cipher_page_size",
    "cipher_use_hmac",
    "cipher_hmac_algorithm",
    "cipher_kdf_algorithm",
    "kdf_iter",
    "cipher_plaintext_header_size",
)
_OLD: Final = ("HMAC_SHA1", "PBKDF2_HMAC_SHA1")
_USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    TODAY: ("4096", "1", "HMAC_SHA512", "PBKDF2_HMAC_SHA512", "256000", "0"),
    "3": ("1024", "1", *_OLD, "64000", "0"),
    "2": ("1024", "1", *_OLD, "4000", "0"),
    "1": ("1024", "0", *_OLD, "4000", "0"),
}


def format_of(cipher: Mapping[str, str]) -> str:
    """``4`` to ``1``, or OWN; what is not told is as usual today. Empty for a readable store.

    ``cipher`` is what ``PRAGMA cipher_settings`` says, by name.
    """
    if not cipher:
        return ""
    told = tuple(cipher.get(name, usual) for name, usual in zip(_NAMES, _USUAL[TODAY], strict=True))
    return next((version for version, usual in _USUAL.items() if told == usual), OWN)


def is_older(cipher: Mapping[str, str]) -> bool:
    """Whether a copy in today's format would be another one."""
    return format_of(cipher) not in ("", TODAY)
