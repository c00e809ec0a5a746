# SPDX-License-Identifier: MIT
"""What the rest of the app may ask of a keychain, there or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import KeyResult, Present, RawKey, Unavailable

SLOTS: Final = ("a", "b")
_PLAIN_HEAD: Final = b"SQLite format 3\0"

Found = list[Present] | KeyResult


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """Which keychain is asked. ``ignored``: what asked for another one and was not listened to."""

    name: str
    """Class name, as in ``SecretService.Keyring``; empty where there is none."""
    trusted: bool
    locked: bool | None
    """None where it cannot be told without a prompt, or where there is no collection yet."""
    ignored: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    provider: str = ""
    """The program behind a Secret Service, where that can be told."""

    @property
    def place(self) -> str:
        """As it is written down: ``class@program``, or the class alone."""
        return f"{self.name}@{self.provider}" if self.provider else self.name


class AnyKeychain(ABC):
    """What the rest of the app may ask of a keychain, there or not. Any thread; calls block."""

    @abstractmethod
    def find_in(self, service: str) -> Found:
        """Both slots of a service: a list (never empty) when there are keys, else why not.

        Raises:
            Cancelled: ``cancel`` was called.
        """

    @abstractmethod
    def store_in(self, service: str, slot: str, key: RawKey) -> None:
        """Write a key into a free slot and read it back.

        Raises:
            UserError: ``vault.slot_taken``, ``vault.not_kept``, ``vault.locked``,
                ``vault.denied``, ``vault.unavailable``, ``vault.silent``, ``vault.off``.
            Cancelled: ``cancel`` was called; whether it was written must be looked up.
        """

    @abstractmethod
    def retire_in(self, service: str, slot: str) -> None:
        """Remove a slot's key; one that is not there is no error.

        Raises:
            UserError: ``vault.not_removed`` and those of ``store_in``.
        """

    def find_where(self, service: str, recorded: str) -> Found:  # noqa: ARG002 - for overriding
        """As ``find_in``; ``recorded`` had the key when it was last seen, and is asked first."""
        return self.find_in(service)

    def find_at(self, service: str, backend: str) -> Found:  # noqa: ARG002 - for overriding
        """As ``find_in``, of this class and no other."""
        return Unavailable((f"not-there:{backend}",))

    def store_at(self, service: str, slot: str, key: RawKey, backend: str) -> None:  # noqa: ARG002 - as above
        """As ``store_in``, into this class and no other."""
        raise UserError("vault.unavailable")

    def retire_at(self, service: str, slot: str, backend: str) -> None:  # noqa: ARG002 - as above
        """As ``retire_in``, of this class and no other."""
        raise UserError("vault.unavailable")

    def ask_again(self) -> None:  # noqa: B027 - nothing to forget where nobody is asked
        """A person wants to be asked, although they refused before. Returns at once."""

    def record(self, recorded: str) -> None:  # noqa: B027 - as above
        """What had the app's own key, and is asked first where nothing else is recorded."""

    @abstractmethod
    def backend(self) -> BackendInfo:
        """Which keychain would be asked. Never prompts."""

    @abstractmethod
    def cancel(self) -> None:
        """Give up every question that waits now; they raise Cancelled. Returns at once."""

    @abstractmethod
    def close(self) -> None:
        """Cancel, and end the helper."""

    def find_all(self, salt: bytes) -> Found:
        """Both slots of a store, as ``find_in``. ``salt``: the file's first 16 bytes."""
        return self.find_in(service_of(salt))

    def find(self, salt: bytes) -> KeyResult:
        """The first slot of a store that holds a key. Which one opens it: ``lookup.key_for``."""
        found = self.find_all(salt)
        return found[0] if isinstance(found, list) else found

    def find_recorded(self, salt: bytes, recorded: str) -> Found:
        """As ``find_where``, for a store."""
        return self.find_where(service_of(salt), recorded)

    def store(self, salt: bytes, slot: str, key: RawKey) -> None:
        """As ``store_in``, for a store."""
        self.store_in(service_of(salt), slot, key)

    def retire(self, salt: bytes, slot: str) -> None:
        """As ``retire_in``, for a store."""
        self.retire_in(service_of(salt), slot)


def service_of(salt: bytes) -> str:
    """The name under which a store's keys lie; survives moving, VACUUM and rekey."""
    if len(salt) != 16 or salt == _PLAIN_HEAD:
        raise ValueError("not the salt of an encrypted file")
    return f"memory-gui/{salt.hex()}"
