# SPDX-License-Identifier: MIT
"""Keys as SQLCipher takes them (https://www.zetetic.net/sqlcipher/sqlcipher-api/#key).

Databases of other programs may be of SQLCipher 1 to 4, or be set up in their own way. A wrong
version looks exactly like a wrong key, so versions are tried, the likely ones first: what the
first page's MAC says decides, and only where it says nothing every version is tried.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from memory_gui.domain.keys import ANY_CIPHER, CipherSettings, Key, Passphrase, RawKey
from memory_gui.engine.evidence import Evidence
from memory_gui.engine.gate import descriptor
from memory_gui.engine.pages.cipher import LARGEST_PAGE, find_layout, layout_of

VERSIONS: Final = (4, 3, 2, 1)
_OLD_RAW: Final = (3, 1)
"""A raw key is not derived, so versions 2 and 3 are the same to it; 1 has no MACs."""
PLAIN_HEADER: Final = 32
"""Bytes that SQLCipher's documentation tells to leave readable (for iOS)."""


def key_text(key: Key) -> str:
    """A raw key as ``x'<64 hex>'``, which skips key derivation; a passphrase as it is."""
    if isinstance(key, RawKey):
        return f"x'{key.hex()}{key.settings.salt}'"
    if isinstance(key, Passphrase):
        return key.reveal()
    raise TypeError(type(key).__name__)


def pragmas(key: Key, settings: CipherSettings) -> Iterator[str]:
    """The settings as statements, to be run after the key is given and before anything is read."""
    if settings.compatibility:
        yield f"cipher_compatibility = {int(settings.compatibility)}"
    if settings.page_size:
        yield f"cipher_page_size = {int(settings.page_size)}"
    if settings.iterations:
        yield f"kdf_iter = {int(settings.iterations)}"
    if settings.kdf:
        yield f"cipher_kdf_algorithm = PBKDF2_HMAC_{settings.kdf.upper()}"
    if settings.hmac == "none":
        yield "cipher_use_hmac = OFF"
    elif settings.hmac:
        yield f"cipher_hmac_algorithm = HMAC_{settings.hmac.upper()}"
    if settings.plain_header:
        yield f"cipher_plaintext_header_size = {int(settings.plain_header)}"
    if settings.salt and isinstance(key, Passphrase):
        yield f"cipher_salt = \"x'{bytes.fromhex(settings.salt).hex()}'\""


def ways(key: Key | None, evidence: Evidence) -> Iterator[CipherSettings]:
    """What to try a key with, one after the other, as long as it does not fit."""
    if key is None:
        yield ANY_CIPHER
        return
    said = key.settings
    if evidence.head == "half":
        yield replace(said, plain_header=said.plain_header or PLAIN_HEADER)
        return
    if said.compatibility or said != CipherSettings(salt=said.salt):
        yield said
        return
    if isinstance(key, RawKey):
        yield said  # nearly always ours, and then nothing else needs to be looked at
    layout = find_layout(key, _first_page(evidence))
    if layout is not None:
        # A page of another size than usual is said; the rest is the version's own.
        size = 0 if layout.is_usual else layout.page_size
        yield replace(said, compatibility=layout.version, page_size=size)
    for version in _OLD_RAW if isinstance(key, RawKey) else VERSIONS:
        if layout is None or version != layout.version:
            yield replace(said, compatibility=version)


def derived(key: Passphrase, evidence: Evidence) -> RawKey:
    """The 32 bytes that SQLCipher makes of a passphrase for this very file.

    They open it without the passphrase, and at once; nobody can tell the passphrase from them.
    """
    head, said = _first_page(evidence), key.settings
    layout = find_layout(key, head)
    if layout is None:  # SQLCipher 1 has no MAC that would tell, nor have files without
        version = said.compatibility or (4 if said.hmac == "none" else 1)
        layout = layout_of(version)
        settings = replace(said, compatibility=version, iterations=0)
    else:
        size = said.page_size or (0 if layout.is_usual else layout.page_size)
        version = 0 if layout.version == VERSIONS[0] else layout.version
        settings = replace(said, compatibility=version, page_size=size, iterations=0)
    digest = said.kdf or layout.kdf or layout.digest
    salt = bytes.fromhex(said.salt) or head[:16]
    words = key.reveal().encode("utf-8", "surrogatepass")
    rounds = said.iterations or layout.iterations
    return RawKey(hashlib.pbkdf2_hmac(digest, words, salt, rounds, 32), settings)


def _first_page(evidence: Evidence) -> bytes:
    try:
        with descriptor(evidence.path) as number:
            if sys.platform == "win32":
                return os.read(number, LARGEST_PAGE)
            return os.pread(number, LARGEST_PAGE, 0)
    except OSError:
        return b""  # the opening itself says why
