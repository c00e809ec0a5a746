# SPDX-License-Identifier: MIT
"""Files encrypted with a passphrase, as ``age`` makes and opens them (age-encryption.org/v1).

Whoever gets a copy of what an agent remembers about them does not have this program: ``age -d``,
rage and others open the same file. Format: https://c2sp.org/age; passphrases by its ``scrypt``
stanza, the payload in chunks of 64 KiB, each sealed by ChaCha20-Poly1305.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import secrets
from collections.abc import Iterator
from typing import BinaryIO, Final

from memory_gui import lazy
from memory_gui.domain.errors import UserError

VERSION: Final = b"age-encryption.org/v1"
WORK: Final = 18
"""log2 of scrypt's N, as ``age`` itself takes: a second and 256 MB for each guess."""
MOST_WORK: Final = 22
"""A file that wants more is refused: it would take the memory of the computer."""
CHUNK: Final = 64 << 10
_TAG: Final = 16
_STANZA: Final = re.compile(rb"-> scrypt ([A-Za-z0-9+/]{22}) ([1-9][0-9]?)\n([A-Za-z0-9+/]{43})\n")
_MAC: Final = re.compile(rb"--- ([A-Za-z0-9+/]{43})\n")
_HEAD: Final = len(VERSION) + 1 + 256


class AgeWriter:
    """Takes bytes like a file that cannot be sought in, and writes them sealed to another.

    What is written is never on the disk in clear. ``close`` seals the last chunk; without it the
    file cannot be opened. Any thread; one at a time.
    """

    def __init__(self, out: BinaryIO, passphrase: str, *, work: int = WORK) -> None:
        file_key, nonce = secrets.token_bytes(16), secrets.token_bytes(16)
        out.write(_header(file_key, passphrase, work) + nonce)
        self._out = out
        self._cipher = _chacha(_derived(file_key, nonce, b"payload"))
        self._waiting = bytearray()
        self._number = 0

    def write(self, data: bytes) -> int:
        """Take some more."""
        self._waiting += data
        while len(self._waiting) > CHUNK:  # the last chunk is told apart: one always waits
            self._seal(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return len(data)

    def flush(self) -> None:
        """Nothing can be sealed before its chunk is full."""

    def close(self) -> None:
        """Seal what is left."""
        self._seal(bytes(self._waiting), last=True)
        self._waiting.clear()

    def _seal(self, chunk: bytes, *, last: bool) -> None:
        self._out.write(self._cipher.encrypt(_nonce(self._number, last=last), chunk, None))
        self._number += 1


def opened(stream: BinaryIO, passphrase: str) -> Iterator[bytes]:
    """What an ``age`` file with a passphrase holds, chunk by chunk; each is proved before it comes.

    Who writes them down has to take that back when a later one fails.

    Raises:
        UserError: ``copy.not_sealed``, ``copy.wrong_passphrase``, ``copy.damaged``.
    """
    head = stream.read(_HEAD)
    stanza = _STANZA.match(head, len(VERSION) + 1)
    if not head.startswith(VERSION + b"\n") or stanza is None or int(stanza[2]) > MOST_WORK:
        raise UserError("copy.not_sealed")
    mac = _MAC.match(head, stanza.end())
    if mac is None:
        raise UserError("copy.damaged")
    file_key = _unwrapped(stanza, passphrase)
    signed = head[: stanza.end()] + b"---"
    if not hmac.compare_digest(_mac(file_key, signed), _from64(mac[1])):
        raise UserError("copy.damaged")
    stream.seek(mac.end())
    nonce = stream.read(16)
    yield from _chunks(stream, _chacha(_derived(file_key, nonce, b"payload")))


def _chunks(stream: BinaryIO, cipher: object) -> Iterator[bytes]:
    chunk, number = stream.read(CHUNK + _TAG), 0
    while True:
        following = stream.read(CHUNK + _TAG)
        last = not following
        if len(chunk) < _TAG or (number and len(chunk) == _TAG):
            raise UserError("copy.damaged")
        try:
            yield bytes(cipher.decrypt(_nonce(number, last=last), chunk, None))  # type: ignore[attr-defined]  # loaded lazily
        except lazy.cryptography_exceptions().InvalidTag as error:
            raise UserError("copy.damaged") from error
        if last:
            return
        chunk, number = following, number + 1


def _header(file_key: bytes, passphrase: str, work: int) -> bytes:
    salt = secrets.token_bytes(16)
    wrapped = _chacha(_stretched(passphrase, salt, work)).encrypt(bytes(12), file_key, None)
    lines = (VERSION, b"-> scrypt %s %d" % (_to64(salt), work), _to64(bytes(wrapped)), b"---")
    signed = b"\n".join(lines)
    return signed + b" " + _to64(_mac(file_key, signed)) + b"\n"


def _unwrapped(stanza: re.Match[bytes], passphrase: str) -> bytes:
    cipher = _chacha(_stretched(passphrase, _from64(stanza[1]), int(stanza[2])))
    try:
        return bytes(cipher.decrypt(bytes(12), _from64(stanza[3]), None))
    except lazy.cryptography_exceptions().InvalidTag as error:
        raise UserError("copy.wrong_passphrase") from error


def _stretched(passphrase: str, salt: bytes, work: int) -> bytes:
    derive = lazy.cryptography_scrypt().Scrypt(
        salt=VERSION + b"/scrypt" + salt, length=32, n=1 << work, r=8, p=1
    )
    return bytes(derive.derive(passphrase.encode("utf-8")))


def _derived(file_key: bytes, salt: bytes, purpose: bytes) -> bytes:
    hashes = lazy.cryptography_hashes()
    derive = lazy.cryptography_hkdf().HKDF(hashes.SHA256(), 32, salt, purpose)
    return bytes(derive.derive(file_key))


def _mac(file_key: bytes, signed: bytes) -> bytes:
    return hmac.digest(_derived(file_key, b"", b"header"), signed, "sha256")


def _chacha(key: bytes):  # type: ignore[no-untyped-def]  # loaded lazily
    return lazy.cryptography_aead().ChaCha20Poly1305(key)


def _nonce(number: int, *, last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([last])


def _to64(data: bytes) -> bytes:
    return base64.b64encode(data).rstrip(b"=")


def _from64(text: bytes) -> bytes:
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise UserError("copy.damaged") from error
