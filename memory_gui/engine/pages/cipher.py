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
from dataclasses import dataclass
from typing import Final

from memory_gui import lazy
from memory_gui.domain.keys import Key, Passphrase, RawKey

SALT_BYTES: Final = 16
MAGIC: Final = b"SQLite format 3\x00"
_IV_BYTES: Final = 16
_HMAC_SALT_MASK: Final = 0x3A
_HMAC_ITERATIONS: Final = 2
_PAGE_SIZES: Final = (4096, 1024, 8192, 16384, 32768, 65536, 2048, 512)


@dataclass(frozen=True, slots=True)
class Layout:
    """The settings that a version of SQLCipher writes by default."""

    version: int
    page_size: int
    digest: str
    iterations: int

    @property
    def reserve(self) -> int:
        """Bytes at the end of a page that are not content: IV and HMAC, in whole AES blocks."""
        needed = _IV_BYTES + hashlib.new(self.digest).digest_size
        return (needed + 15) // 16 * 16


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
        self._ciphers = lazy.cryptography_ciphers()
        self._aes = self._ciphers.algorithms.AES(key)
        mac_salt = bytes(byte ^ _HMAC_SALT_MASK for byte in salt)
        self._mac_key = hashlib.pbkdf2_hmac(layout.digest, key, mac_salt, _HMAC_ITERATIONS, 32)
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
        start = SALT_BYTES if number == 1 else 0
        iv = page[self._content : self._content + _IV_BYTES]
        cbc = self._ciphers.modes.CBC(iv)
        decryptor = self._ciphers.Cipher(self._aes, cbc).decryptor()
        content: bytes = decryptor.update(page[start : self._content]) + decryptor.finalize()
        return (MAGIC if number == 1 else b"") + content + bytes(self.layout.reserve)


def find_cipher(key: Key, head: bytes) -> PageCipher | None:
    """The layout under which the key opens page 1; None when it opens under none.

    ``head`` is the beginning of the file, at least one page. SQLCipher 4 is tried first, then 3
    and 2; other page sizes after the default ones.
    """
    salt = head[:SALT_BYTES]
    wanted = key.compatibility if isinstance(key, Passphrase) else 0
    for layout in LAYOUTS:
        if wanted and layout.version != wanted:
            continue
        raw = _raw(key, salt, layout)
        for size in dict.fromkeys((layout.page_size, *_PAGE_SIZES)):
            if len(head) < size:
                continue
            cipher = PageCipher(
                Layout(layout.version, size, layout.digest, layout.iterations), raw, salt
            )
            if cipher.authentic(head[:size], 1):
                return cipher
    return None


def _raw(key: Key, salt: bytes, layout: Layout) -> bytes:
    if isinstance(key, RawKey):
        return bytes(key)
    if isinstance(key, Passphrase):
        words = key.reveal().encode("utf-8", "surrogatepass")
        return hashlib.pbkdf2_hmac(layout.digest, words, salt, layout.iterations, 32)
    raise TypeError("a key is raw or a passphrase")
