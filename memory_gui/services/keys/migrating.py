# SPDX-License-Identifier: MIT
"""Copies of encrypted stores in today's settings; the store itself is only read."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import IntegrityError, MemoryGuiError, UserError
from memory_gui.domain.keys import ANY_CIPHER, RawKey, with_settings
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.engine.evidence import inspect
from memory_gui.rotation.rotate import migrate_store
from memory_gui.services.library.keyfinder import KeyFinder
from memory_gui.services.library.library import Library
from memory_gui.services.values import KeyPlace, OpenedStore
from memory_gui.vault.keychain import AnyKeychain

_SLOT: Final = "a"
"""A copy is a new file with a salt of its own, so both slots are free."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """A copy was made: how many rows, and whether the keychain has its key, too."""

    rows: int
    kept: bool


class Migrating:
    """Any thread may call."""

    def __init__(self, library: Library, finder: KeyFinder, keychain: AnyKeychain) -> None:
        self._library = library
        self._finder = finder
        self._keychain = keychain

    def migrate(self, store: StoreId, out: Path, *, tick: Tick = no_tick) -> Migrated:
        """Make a copy at ``out`` that the open store's key opens.

        A key that a person entered opens the copy in the same way, and the keychain is not asked.
        One that only the keychain has would open nothing any more once it is looked for under the
        copy's name: it is put there for the copy as well, and seen to open it.

        Raises:
            UserError: ``protect.not_encrypted``, ``store.exists``, ``store.*``, ``vault.*``.
            IntegrityError: ``rotation.differs``, ``keys.does_not_open``: in all these cases
                nothing was left at ``out``.
        """
        shelf = self._library.shelf(store)
        if shelf.key is None or not shelf.info.encrypted:
            raise UserError("protect.not_encrypted", path=shelf.info.path)
        key = with_settings(shelf.key, ANY_CIPHER)
        rows = migrate_store(Path(shelf.info.path), shelf.key, out, tick=tick).rows
        if shelf.key_place is not KeyPlace.KEYCHAIN or not isinstance(key, RawKey):
            return Migrated(rows, kept=False)
        try:
            self._keep(out, key)
        except MemoryGuiError:
            with suppress(OSError):
                out.unlink()  # nobody could open it
            raise
        return Migrated(rows, kept=True)

    def open(
        self,
        store: StoreId,
        out: Path,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> tuple[OpenedStore, ...]:
        """Open a copy that was made of an open store, with the store's key.

        Raises:
            UserError: as ``Library.open``.
        """
        shelf = self._library.shelf(store)
        key = None if shelf.key is None else with_settings(shelf.key, ANY_CIPHER)
        place, path = shelf.key_place, out.absolute()
        return self._library.open(path, key=key, place=place, pair=False, tick=tick, cancel=cancel)

    def _keep(self, out: Path, key: RawKey) -> None:
        salt = inspect(out).salt
        self._keychain.store(salt, _SLOT, key)
        location = self._library.locate(out)
        found = self._keychain.find_all(salt)
        back = next(iter(found)) if isinstance(found, list) else None
        if back is None or not self._finder.opens(location, back.key):
            self._keychain.retire(salt, _SLOT)
            raise IntegrityError("keys.does_not_open")
        self._finder.kept(salt, back.place)
