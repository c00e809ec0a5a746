# SPDX-License-Identifier: MIT
"""Letting go of every key, text and connection at once."""

from __future__ import annotations

import threading

from memory_gui.domain.errors import UserError
from memory_gui.services.library import Library
from memory_gui.services.undo import UndoStack
from memory_gui.vault.keychain import AnyKeychain


class Lock:
    """Locks and unlocks the app. Any thread may call."""

    def __init__(self, library: Library, stack: UndoStack, keychain: AnyKeychain) -> None:
        self._library = library
        self._keychain = keychain
        self._stack = stack
        self._guard = threading.Lock()
        self._paths: list[str] = []
        self._locked = False

    def lock(self) -> list[str]:
        """Close every store, forget keys and undo; the paths that were open (project first)."""
        with self._guard:
            if not self._locked:
                self._paths = [shelf.info.path for shelf in self._library.shelves()]
                self._locked = True
            self._stack.clear()
            self._keychain.cancel()
            self._library.close_all()
            return list(self._paths)

    @property
    def is_locked(self) -> bool:
        """Whether the app is locked."""
        return self._locked

    def unlock(self) -> list[str]:
        """Open again what was open, with keys from the keychain; the paths that need more.

        A store whose key is not in the keychain is left out and its path is returned.
        """
        with self._guard:
            left: list[str] = []
            for path in self._paths:
                try:
                    self._library.open(path)
                except UserError:
                    left.append(path)
            self._locked = False
            self._paths = []
            return left
