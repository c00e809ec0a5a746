# SPDX-License-Identifier: MIT
"""The ledger, opened when it is first needed, and the stores it knows.

Opening the ledger asks the keychain, so nothing that only reads a store waits for it: a store
that is opened before the ledger is written down when the ledger comes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime

from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.errors import UserError
from memory_gui.erasure.run import is_done
from memory_gui.ledger import AnyLedger, PendingErase
from memory_gui.ledger import KnownStore as Entry
from memory_gui.services.values import KnownStore


class LedgerKeeper:
    """Opens the ledger once. Any thread; ``ledger`` may wait for the keychain."""

    def __init__(self, opener: Callable[[], AnyLedger], *, kept: Callable[[], bool]) -> None:
        """``kept`` says, without opening anything, whether anything was ever written down."""
        self._opener = opener
        self._kept = kept
        self._guard = threading.Lock()
        self._ledger: AnyLedger | None = None
        self._opened: list[Callable[[], None]] = []

    def when_opened(self, call: Callable[[], None]) -> None:
        """Have something done each time the ledger was opened, in the thread that needed it."""
        self._opened.append(call)

    def ledger(self) -> AnyLedger:
        """The ledger, or the one that keeps only unfinished erasures."""
        with self._guard:
            if self._ledger is not None:
                return self._ledger
            ledger = self._ledger = self._opener()
        for call in self._opened:
            call()
        return ledger

    def pending(self, path: str | None = None) -> tuple[PendingErase, ...]:
        """The unfinished erasures; nothing is opened where nothing was ever written down."""
        if self._ledger is None and not self._kept():
            return ()
        return tuple(entry for entry in self.ledger().pending.list(path) if not is_done(entry))

    def finished(self, path: str) -> tuple[PendingErase, ...]:
        """The last erase of a store that was proved: a command given twice finds its ids there."""
        if self._ledger is None and not self._kept():
            return ()
        return tuple(entry for entry in self.ledger().pending.list(path) if is_done(entry))

    @property
    def is_open(self) -> bool:
        """Whether it was needed already."""
        return self._ledger is not None

    def close(self) -> None:
        """Drop its key; it is opened again when it is needed."""
        with self._guard:
            ledger, self._ledger = self._ledger, None
        if ledger is not None:
            ledger.close()


class KnownStores:
    """The stores opened before. Any thread."""

    def __init__(self, keeper: LedgerKeeper, *, wanted: Callable[[], bool]) -> None:
        self._keeper = keeper
        self._wanted = wanted
        self._guard = threading.Lock()
        self._waiting: dict[str, Entry] = {}
        keeper.when_opened(self.flush)

    def opened(self, info: StoreInfo, name: str, salt: bytes) -> None:
        """Remember a store that was just opened: at once, or when the ledger is opened."""
        if not self._wanted():
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._guard:
            self._waiting[info.path] = Entry(info.path, name, info.format, salt, now)
        if self._keeper.is_open:
            self.flush()

    def flush(self) -> None:
        """Write down what was opened before the ledger was. A ledger that fails is no obstacle."""
        ledger = self._keeper.ledger()
        with self._guard:
            waiting, self._waiting = list(self._waiting.values()), {}
        try:
            names = {entry.path: entry.name for entry in ledger.known()}
            for entry in waiting:
                named = names.get(entry.path, entry.name)
                ledger.remember(
                    Entry(entry.path, named, entry.format, entry.salt, entry.last_opened)
                )
        except UserError:
            return

    def list(self) -> tuple[KnownStore, ...]:
        """The stores opened before, newest first."""
        self.flush()
        return tuple(
            KnownStore(entry.path, entry.name, entry.format, entry.last_opened)
            for entry in self._keeper.ledger().known()
        )

    def name(self, path: str, name: str) -> None:
        """Give one a name. Raises UserError ``known.not_found``, ``known.name_taken``."""
        ledger = self._keeper.ledger()
        known = {entry.path: entry for entry in ledger.known()}
        found = known.get(path)
        if found is None:
            raise UserError("known.not_found", path=path)
        if any(entry.name == name and entry.path != path for entry in known.values()):
            raise UserError("known.name_taken", name=name)
        ledger.remember(
            Entry(path, name, found.format, found.salt, found.last_opened, found.key_backend)
        )

    def forget(self, path: str) -> None:
        """Take one off the list. Raises UserError ``known.not_found``."""
        with self._guard:
            waited = self._waiting.pop(path, None) is not None
        if not self._keeper.ledger().forget(path) and not waited:
            raise UserError("known.not_found", path=path)

    def path_of(self, name: str) -> str:
        """The path of the store with a name.

        Raises:
            UserError: ``known.not_found``, ``known.ambiguous`` when several have it.
        """
        paths = [entry.path for entry in self._keeper.ledger().known() if entry.name == name]
        if not paths:
            raise UserError("known.not_found", path=f"name:{name}")
        if len(paths) > 1:
            raise UserError("known.ambiguous", name=name, paths=", ".join(paths))
        return paths[0]
