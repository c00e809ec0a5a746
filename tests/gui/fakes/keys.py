# SPDX-License-Identifier: MIT
"""A keychain, the keeping of keys and recovery keys, in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.services import OpenedStore
from memory_gui.services.keys.keeping import Brought, Kept
from memory_gui.services.keys.migrating import Migrated
from memory_gui.services.keys.recovery import (
    CONFIRMED,
    MADE,
    NONE,
    RecoverySheet,
    RecoveryState,
    qr_modules,
)
from memory_gui.vault.contract import BackendInfo
from memory_gui.vault.recovery import read_recovery_text, recovery_groups

if TYPE_CHECKING:
    from fake_services import FakeServices

CHAIN = "SecretService.Keyring"
MADE_AT = "2026-11-21T10:00:00+00:00"
CONFIRMED_AT = "2026-11-22T10:00:00+00:00"


class FakeKeychain:
    """Answers what a test wants; remembers that it was asked."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.ignored: tuple[str, ...] = ()

    def backend(self) -> BackendInfo:
        self._fake.note("backend")
        return BackendInfo(CHAIN, trusted=True, locked=False, ignored=self.ignored)

    def ask_again(self) -> None:
        self._fake.note("ask_again")

    def cancel(self) -> None:
        self._fake.note("cancel")


class FakeKeeper:
    """Our own file gets its key when it is asked for again."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake

    def ask_again(self) -> None:
        self._fake.note("keeper_again")
        self._fake.cases.is_kept = True


class FakeKeeping:
    """Keeps nothing, and says it did."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.changeable: set[StoreId] = set()
        self.stays: UserError | None = None
        self.waits = threading.Event()
        """Cleared: a move waits behind its first step until it is set, or cancelled."""
        self.waits.set()

    def may_change(self, store: StoreId) -> bool:
        return store in self.changeable

    def keep(self, store: StoreId) -> Kept:
        self._fake.note("keep", store)
        return Kept(self._fake.library.opened[store], f"{CHAIN}@gnome-keyring-daemon")

    def bring(
        self,
        path: str,
        before: str,
        backend: str,
        *,
        opening: Callable[[RawKey], tuple[OpenedStore, ...]],
        tick: Tick,
        cancel: CancelToken,
    ) -> Brought:
        tick("look", 0, 4)
        while not self.waits.wait(0.01):
            cancel.check()
        self._fake.note("bring", path, before, backend)
        tick("open", 2, 4)
        return Brought(opening(RawKey(bytes(32))), f"{backend}@gnome-keyring-daemon", self.stays)


class FakeMigrating:
    """Copies nothing, and says it did."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.kept = False

    def migrate(self, store: StoreId, out: Path, *, tick: Tick) -> Migrated:
        self._fake.note("migrate", store, out)
        tick("copy", 1, 2)
        return Migrated(31, self.kept)

    def open(self, store: StoreId, out: Path) -> tuple[OpenedStore, ...]:
        self._fake.note("open_copy", store, out)
        return (self._fake.library.opened[store],)


class FakeRecovery:
    """One key per store; ``states`` says where each stands."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.keys: dict[StoreId, RawKey] = {}
        self.states: dict[StoreId, RecoveryState] = {}

    def key(self, store: StoreId) -> RawKey:
        return self.keys.setdefault(store, RawKey(bytes([len(self.keys) + 1] * 32)))

    def state(self, store: StoreId) -> RecoveryState:
        return self.states.get(store, RecoveryState(NONE))

    def make(self, store: StoreId) -> RecoverySheet:
        self._fake.note("make", store)
        if self.state(store).code == NONE:
            self.states[store] = RecoveryState(MADE, MADE_AT)
        groups = recovery_groups(self.key(store))
        lines = tuple(" ".join(groups[at : at + 4]) for at in range(0, 14, 4))
        name = self._fake.library.opened[store].name
        qr = qr_modules(" ".join(groups))
        return RecoverySheet(store, name, str(store), b"s" * 16, MADE_AT, lines, groups[-1], qr)

    def confirm(self, store: StoreId, text: str) -> bool:
        self._fake.note("confirm", store)
        fits = read_recovery_text(text) == self.key(store)
        if fits:
            self.states[store] = RecoveryState(CONFIRMED, MADE_AT, CONFIRMED_AT)
        return fits
