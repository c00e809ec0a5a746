# SPDX-License-Identifier: MIT
"""The sample for this run: made when it is asked for, gone without a trace when the app ends."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from pathlib import Path

from memory_gui.domain.errors import MemoryGuiError
from memory_gui.services import KeyPlace, OpenedStore, Services
from memory_gui.services.home.samples import FOLDER_PREFIX, SLOT


class SampleSession:
    """Any thread may call; ``end`` once, after the window is closed."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._guard = threading.Lock()
        self._folder: Path | None = None
        self._stores: tuple[OpenedStore, ...] = ()
        self._salts: tuple[bytes, ...] = ()

    def open(self) -> tuple[OpenedStore, ...]:
        """Make the sample, or show again the one that is open.

        Raises:
            UserError: what ``Samples.make`` raises.
        """
        with self._guard:
            open_now = {store.id for store in self._services.library.stores()}
            if self._stores and all(store.id in open_now for store in self._stores):
                return self._stores
            self._end()
            self._folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
            self._stores = self._services.samples.make(self._folder)
            shelf = self._services.library.shelf
            self._salts = tuple(
                shelf(store.id).salt
                for store in self._stores
                if store.key_place is KeyPlace.KEYCHAIN
            )
            return self._stores

    def end(self) -> None:
        """Close the sample and take away its files, its key, its place in the list and its acts."""
        with self._guard:
            self._end()

    def _end(self) -> None:
        # Whatever of it cannot be undone was invented text: nothing here may stop the app ending.
        for store in self._stores:
            self._services.library.close(store.id)
            with contextlib.suppress(MemoryGuiError):
                self._services.library.forget(store.info.path)
            self._services.journal.forget(store.info.path)
        for salt in self._salts:  # also when it was closed or locked before
            with contextlib.suppress(MemoryGuiError):
                self._services.keychain.retire(salt, SLOT)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder, self._stores, self._salts = None, (), ()
