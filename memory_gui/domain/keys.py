# SPDX-License-Identifier: MIT
"""Keys as values: what opens an encrypted store, and the six results of looking for one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from memory_gui.domain.errors import UserError

_HEX64 = re.compile(r"[0-9a-fA-F]{64}\Z")
_HEX96 = re.compile(r"[0-9a-fA-F]{96}\Z")


@dataclass(frozen=True, slots=True)
class CipherSettings:
    """How a database is encrypted, as far as a person said so; 0 and empty: SQLCipher's default.

    ``compatibility`` is SQLCipher's 1 to 4, 0 = whichever opens it. ``page_size`` is in bytes,
    ``iterations`` those of the key derivation; ``hmac`` and ``kdf`` are ``sha1``, ``sha256``,
    ``sha512``, ``hmac`` also ``none``. ``plain_header`` is how many bytes at the file's beginning
    are not encrypted; then the file does not hold its ``salt`` (32 hex digits).
    """

    compatibility: int = 0
    page_size: int = 0
    iterations: int = 0
    hmac: str = ""
    kdf: str = ""
    plain_header: int = 0
    salt: str = field(default="", repr=False)


ANY_CIPHER: Final = CipherSettings()


class Key:
    """Something that opens an encrypted store. Never printed, pickled or compared by accident."""

    __slots__ = ("settings",)

    settings: CipherSettings

    def __repr__(self) -> str:
        """The kind only."""
        return f"<{type(self).__name__}>"

    def __reduce__(self) -> str:
        """Refuse: a key must not travel by pickle."""
        raise TypeError("a key cannot be pickled")


class RawKey(Key):
    """32 random bytes, used as they are (no key derivation: opening takes 0.1 ms)."""

    __slots__ = ("_bytes",)

    def __init__(self, value: bytes, settings: CipherSettings = ANY_CIPHER) -> None:
        if len(value) != 32:
            raise UserError("key.length", digits=len(value) * 2)
        self._bytes = bytes(value)
        self.settings = settings

    @classmethod
    def from_hex(cls, text: str) -> RawKey:
        """Exactly 64 hex digits; 63 or 65 are refused (SQLCipher would take them as a passphrase).

        Raises:
            UserError: ``key.length``.
        """
        if not _HEX64.match(text):
            raise UserError("key.length", digits=len(text))
        return cls(bytes.fromhex(text))

    def hex(self) -> str:
        """64 lower-case hex digits, for the keychain, the pipe to a child and SQLCipher only."""
        return self._bytes.hex()

    def __bytes__(self) -> bytes:
        """The 32 bytes."""
        return self._bytes

    def __eq__(self, other: object) -> bool:
        """Same bytes."""
        return isinstance(other, RawKey) and other._bytes == self._bytes

    def __hash__(self) -> int:
        """By value."""
        return hash(self._bytes)


class Passphrase(Key):
    """Words a person typed, for databases of other programs.

    ``compatibility`` is SQLCipher's 1-4; 0 = whichever of them opens it.
    """

    __slots__ = ("_text",)

    def __init__(
        self, text: str, compatibility: int = 0, settings: CipherSettings | None = None
    ) -> None:
        if not text:
            raise UserError("key.empty")
        self._text = text
        self.settings = settings or CipherSettings(compatibility)

    @property
    def compatibility(self) -> int:
        """SQLCipher's version, 0 where it was not said."""
        return self.settings.compatibility

    def reveal(self) -> str:
        """The words, for SQLCipher and the pipe to a child only."""
        return self._text


def read_raw_key(digits: str) -> RawKey:
    """A raw key in hex digits: 64 for the key alone, 96 with the salt behind it.

    Raises:
        UserError: ``key.length``.
    """
    if _HEX96.match(digits):
        return RawKey(bytes.fromhex(digits[:64]), CipherSettings(salt=digits[64:].lower()))
    return RawKey.from_hex(digits)


def with_settings(key: Key, settings: CipherSettings) -> Key:
    """The same key for a database that is encrypted in another way than usual."""
    if isinstance(key, RawKey):
        return RawKey(bytes(key), settings)
    if isinstance(key, Passphrase):
        return Passphrase(key.reveal(), settings=settings)
    raise TypeError(type(key).__name__)


def key_message(key: Key | None) -> dict[str, Any] | None:
    """A key for the pipe to a child process, and for nothing else."""
    if isinstance(key, RawKey):
        return {"raw": key.hex(), "settings": asdict(key.settings)}
    if isinstance(key, Passphrase):
        return {"passphrase": key.reveal(), "settings": asdict(key.settings)}
    return None


def key_from_message(message: Mapping[str, Any] | None) -> Key | None:
    """The key that such a message holds."""
    if message is None:
        return None
    settings = CipherSettings(**message.get("settings", {}))
    if "raw" in message:
        return RawKey(bytes.fromhex(message["raw"]), settings)
    return Passphrase(message["passphrase"], settings=settings)


@dataclass(frozen=True, slots=True)
class Present:
    """The key was found. ``slot`` is ``a`` or ``b``; ``backend`` the keychain's class name.

    ``provider`` is the program behind it, where that can be told (a Secret Service is an interface
    that several programs have).
    """

    key: RawKey = field(repr=False)
    slot: str
    backend: str
    provider: str = ""

    @property
    def place(self) -> str:
        """As it is written down: ``class@program``, or the class alone."""
        return f"{self.backend}@{self.provider}" if self.provider else self.backend


@dataclass(frozen=True, slots=True)
class Absent:
    """The keychain answered: it has no key for this store."""

    backend: str


@dataclass(frozen=True, slots=True)
class Locked:
    """The keychain is there, but locked, and stayed so."""

    backend: str


@dataclass(frozen=True, slots=True)
class Denied:
    """The keychain refused this program."""

    backend: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """No trusted keychain answered. ``reasons`` has one code or line per class that was tried."""

    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The keychain has a key for this store, but it does not open the file."""

    backend: str
    slots: tuple[str, ...] = ()


KeyResult = Present | Absent | Locked | Denied | Unavailable | Mismatch
