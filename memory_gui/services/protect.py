# SPDX-License-Identifier: MIT
"""Turning encryption on and off."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import Tick, no_tick
from memory_gui.rotation.rotate import decrypt_store, encrypt_store
from memory_gui.services.apart import Apart
from memory_gui.services.library import Library
from memory_gui.services.values import KeyPlace, OpenedStore
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.vault.newkey import new_key

SLOT = "a"
"""The slot of a key that is the first for its salt."""


class Protect:
    """Encrypts and decrypts open stores. Any thread may call."""

    def __init__(self, library: Library, keychain: AnyKeychain, apart: Apart) -> None:
        self._library = library
        self._apart = apart
        self._keychain = keychain

    def encrypt(
        self, store: StoreId, *, key: RawKey | None = None, tick: Tick = no_tick
    ) -> OpenedStore:
        """Encrypt in place with a new key, which goes to the keychain first.

        With a ``key`` of the caller's the keychain is not asked: keeping it is the caller's part.

        Raises:
            UserError: ``protect.encrypted``, ``neighbours.held``, ``rotation.in_use``,
                ``vault.*``, ``store.*``: nothing was changed.
        """
        shelf = self._library.shelf(store)
        if shelf.info.encrypted:
            raise UserError("protect.encrypted", path=shelf.info.path)
        chosen = key or self._fresh_key()

        def keep(salt: bytes) -> None:
            if key is None:
                self._keychain.store(salt, SLOT, chosen)

        with self._apart.alone([shelf.info.path]):
            done = encrypt_store(Path(shelf.info.path), chosen, keep=keep, tick=tick)
            place = KeyPlace.KEYCHAIN if key is None else KeyPlace.TYPED
            shelf.rekey(chosen, place, done.salt)
        return shelf.opened()

    def _fresh_key(self) -> RawKey:
        """A new key for a file that is not encrypted yet, where a keychain can keep it."""
        if not self._keychain.backend().trusted:
            raise UserError("vault.unavailable")
        return new_key()

    def decrypt(
        self, store: StoreId, out: Path | None = None, *, tick: Tick = no_tick
    ) -> OpenedStore:
        """Write a readable copy to ``out``, or (None) make the store itself readable again.

        The keychain's key is kept: backups of the store may need it.

        Raises:
            UserError: ``protect.not_encrypted``, ``neighbours.held``, ``rotation.in_use``,
                ``store.*``.
        """
        shelf = self._library.shelf(store)
        key: Key | None = shelf.key
        if key is None or not shelf.info.encrypted:
            raise UserError("protect.not_encrypted", path=shelf.info.path)
        with self._apart.alone([shelf.info.path]):
            decrypt_store(Path(shelf.info.path), key, out, tick=tick)
            if out is None:
                shelf.rekey(None, KeyPlace.NONE, b"")
        return shelf.opened()
