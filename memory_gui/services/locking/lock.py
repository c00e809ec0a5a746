# SPDX-License-Identifier: MIT
"""Letting go of every key, text and connection at once."""

from __future__ import annotations

import threading
from collections.abc import Collection

from memory_gui.domain.errors import UserError
from memory_gui.services.library.library import Library
from memory_gui.services.locking.drafts import Draft, Drafts
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.undo.stack import UndoStack
from memory_gui.vault.keychain import AnyKeychain


class Lock:
    """Locks and unlocks the app. Any thread may call; ``lock`` waits for nobody's answer."""

    def __init__(
        self,
        library: Library,
        stack: UndoStack,
        keychain: AnyKeychain,
        drafts: Drafts,
        keeper: LedgerKeeper,
    ) -> None:
        self._library = library
        self._keychain = keychain
        self._stack = stack
        self._drafts = drafts
        self._keeper = keeper
        self._guard = threading.Lock()
        self._paths: list[str] = []
        self._locked = False

    def lock(self, drafts: Collection[Draft] = ()) -> list[str]:
        """Close every store, forget keys, texts and undo; the paths that were open (project first).

        What runs is stopped; an erase or a change of key past its point of no return goes on in
        its own process. Drafts are sealed before the keys go and kept where there is a ledger.
        """
        with self._guard:
            if not self._locked:
                self._paths = [shelf.info.path for shelf in self._library.shelves()]
                self._locked = True
            self._library.bar()
            self._keychain.cancel()
            self._drafts.seal(drafts)
            self._stack.shut()
            for shelf in self._library.shelves():
                shelf.stop()
            self._library.close_all()
            self._drafts.keep()
            self._keeper.close()
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
            self._library.unbar()
            self._stack.reopen()
            self._keychain.ask_again()  # it is a person's own wish, whatever they closed before
            for path in self._paths:
                try:
                    self._library.open(path)
                except UserError:
                    left.append(path)
            self._locked = False
            self._paths = []
            return left
