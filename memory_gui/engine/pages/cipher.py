# SPDX-License-Identifier: MIT
"""SQLCipher's pages: authenticate and decrypt them without SQLCipher.

Sources: SQLCipher's design page (zetetic.net/sqlcipher/design) and the defaults of
``cipher_compatibility`` 4, 3 and 2. A page is ``content | IV 16 | HMAC | padding``; the HMAC covers
content, IV and the page number (little endian); page 1 begins with the salt, in clear.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memory_gui import lazy
from memory_gui.domain.keys import CipherSettings, Key, Passphrase, RawKey

SALT_BYTES: Final = 16
MAGIC: Final = b"SQLite format 3\x00"
_IV_BYTES: Final = 16
_HMAC_SALT_MASK: Final = 0x3A
_HMAC_ITERATIONS: Final = 2
_PAGE_SIZES: Final = (4096, 1024, 8192, 16384, 32768, 65536, 2048, 512)
LARGEST_PAGE: Final = 65_536


@dataclass(frozen=True, slots=True)
class Layout:
    """The settings that a version of SQLCipher writes by default."""

    version: int
    page_size: int
    digest: str
    iterations: int
    kdf: str = ""
    """The digest of the key derivation where it is another one."""

    @property
    def reserve(self) -> int:
        """Bytes at the end of a page that are not content: IV and HMAC, in whole AES blocks."""
        needed = _IV_BYTES + hashlib.new(self.digest).digest_size
        return (needed + 15) // 16 * 16

    @property
    def is_usual(self) -> bool:
        """Whether the page has the size that this version makes by default."""
        usual = {one.version: one.page_size for one in LAYOUTS}
        return usual.get(self.version) == self.page_size


LAYOUTS: Final = (
    Layout(4, 4096, "sha512", 256_000),
    Layout(3, 1024, "sha1", 64_000),
    Layout(2, 1024, "sha1", 4_000),
)


class PageCipher:
    """Opens the pages of one database under one key."""

    def __init__(self, layout: Layout, key: bytes, salt: bytes) -> None:
        self.layout = layout
        self.page_size = layout.page_size
        self._key = key
        self._aes: Any = None
        self._ciphers: Any = None
        self._blocks: Any = None
        mac_salt = bytes(byte ^ _HMAC_SALT_MASK for byte in salt)
        kdf = layout.kdf or layout.digest
        self._mac_key = hashlib.pbkdf2_hmac(kdf, key, mac_salt, _HMAC_ITERATIONS, 32)
        self._mac_bytes = hashlib.new(layout.digest).digest_size
        self._content = layout.page_size - layout.reserve

    def authentic(self, page: bytes, number: int) -> bool:
        """Whether the page was written under this key as page ``number``."""
        start = SALT_BYTES if number == 1 else 0
        end = self._content + _IV_BYTES
        mac = hmac.new(self._mac_key, page[start:end], self.layout.digest)
        mac.update(struct.pack("<I", number))
        return hmac.compare_digest(mac.digest(), page[end : end + self._mac_bytes])

    def decrypt(self, page: bytes, number: int) -> bytes:
        """The page as SQLite sees it, of full length: the reserve at its end reads as zeros."""
        self._load()
        start = SALT_BYTES if number == 1 else 0
        iv = page[self._content : self._content + _IV_BYTES]
        cbc = self._ciphers.modes.CBC(iv)
        decryptor = self._ciphers.Cipher(self._aes, cbc).decryptor()
        content: bytes = decryptor.update(page[start : self._content]) + decryptor.finalize()
        return (MAGIC if number == 1 else b"") + content + bytes(self.layout.reserve)

    def decrypt_all(self, pages: Sequence[bytes]) -> list[bytes]:
        """The same of many pages of full length in a tenth of the time; page 1 is none of them."""
        self._load()
        if self._blocks is None:
            ecb = self._ciphers.modes.ECB()  # to take CBC apart: see ``bulk.decrypt``
            self._blocks = self._ciphers.Cipher(self._aes, ecb).decryptor()
        clear: list[bytes] = lazy.pages_in_bulk().decrypt(self._blocks, pages, self._content)
        return clear

    def _load(self) -> None:
        if self._aes is None:  # telling whether a page is authentic needs none
            self._ciphers = lazy.cryptography_ciphers()
            self._aes = self._ciphers.algorithms.AES(self._key)


def find_cipher(key: Key, head: bytes) -> PageCipher | None:
    """The layout under which the key opens page 1; None when it opens under none.

    ``head`` is the beginning of the file, at least one page. SQLCipher 4 is tried first, then 3
    and 2; other page sizes after the default ones.
    """
    salt = head[:SALT_BYTES]
    said = key.settings
    for layout in _layouts(said):
        raw = _raw(key, salt, layout)
        sizes = (said.page_size,) if said.page_size else (layout.page_size, *_PAGE_SIZES)
        for size in dict.fromkeys(sizes):
            if len(head) < size:
                continue
            cipher = PageCipher(replace(layout, page_size=size), raw, salt)
            if cipher.authentic(head[:size], 1):
                return cipher
    return None


def find_layout(key: Key, head: bytes) -> Layout | None:
    """The layout alone; None also where the file's beginning could not be read."""
    cipher = find_cipher(key, head) if len(head) >= SALT_BYTES else None
    return None if cipher is None else cipher.layout


def layout_of(version: int) -> Layout:
    """What a version writes by default; 1 is as 2, without MACs."""
    return next(one for one in LAYOUTS if one.version == max(version, 2))


def _layouts(said: CipherSettings) -> list[Layout]:
    """The versions' own settings, with what a person said in their place."""
    return [
        replace(
            one,
            digest=said.hmac or one.digest,
            kdf=said.kdf or (one.digest if said.hmac else ""),
            iterations=said.iterations or one.iterations,
        )
        for one in LAYOUTS
        if said.compatibility in (0, one.version) and said.hmac != "none"
    ]


def _raw(key: Key, salt: bytes, layout: Layout) -> bytes:
    if isinstance(key, RawKey):
        return bytes(key)
    if isinstance(key, Passphrase):
        words = key.reveal().encode("utf-8", "surrogatepass")
        return hashlib.pbkdf2_hmac(layout.kdf or layout.digest, words, salt, layout.iterations, 32)
    raise TypeError("a key is raw or a passphrase")
