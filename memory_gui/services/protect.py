# SPDX-License-Identifier: MIT
"""Turning encryption on and off."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.keys import Key
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import Tick, no_tick
from memory_gui.services.values import OpenedStore


class Protect:
    """Encrypts and decrypts open stores. Any thread may call."""

    def encrypt(
        self, store: StoreId, *, key: Key | None = None, tick: Tick = no_tick
    ) -> OpenedStore:
        """Encrypt in place with a new key, which goes to the keychain first.

        Raises:
            UserError: ``protect.already_encrypted``, ``protect.in_use``, ``key.unavailable``.
        """
        raise NotImplementedError

    def decrypt(
        self, store: StoreId, out: Path | None = None, *, tick: Tick = no_tick
    ) -> OpenedStore | None:
        """Write a readable copy to ``out``, or (None) make the store itself readable again."""
        raise NotImplementedError
