# SPDX-License-Identifier: MIT
"""Keys as values: what opens an encrypted store, and the six results of looking for one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memory_gui.domain.errors import UserError

_HEX64 = re.compile(r"[0-9a-fA-F]{64}\Z")


class Key:
    """Something that opens an encrypted store. Never printed, pickled or compared by accident."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The kind only."""
        return f"<{type(self).__name__}>"

    def __reduce__(self) -> str:
        """Refuse: a key must not travel by pickle."""
        raise TypeError("a key cannot be pickled")


class RawKey(Key):
    """32 random bytes, used as they are (no key derivation: opening takes 0.1 ms)."""

    __slots__ = ("_bytes",)

    def __init__(self, value: bytes) -> None:
        if len(value) != 32:
            raise UserError("key.length", digits=len(value) * 2)
        self._bytes = bytes(value)

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

    ``compatibility`` is SQLCipher's 1-4; 0 = try 4, then 3.
    """

    __slots__ = ("_text", "compatibility")

    def __init__(self, text: str, compatibility: int = 0) -> None:
        if not text:
            raise UserError("key.empty")
        self._text = text
        self.compatibility = compatibility

    def reveal(self) -> str:
        """The words, for SQLCipher and the pipe to a child only."""
        return self._text


@dataclass(frozen=True, slots=True)
class Present:
    """The key was found. ``slot`` is ``a`` or ``b``; ``backend`` the keychain's class name."""

    key: RawKey = field(repr=False)
    slot: str
    backend: str


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
