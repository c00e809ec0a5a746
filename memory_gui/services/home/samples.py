# SPDX-License-Identifier: MIT
"""The sample: made when it is asked for, encrypted, with a key that is kept where one can be."""

from __future__ import annotations

from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.evidence import inspect
from memory_gui.services.library.library import Library
from memory_gui.services.own.known import FOLDER_PREFIX, is_sample
from memory_gui.services.values import KeyPlace, OpenedStore
from memory_gui.stores.format import Location
from memory_gui.stores.pair import pair_of
from memory_gui.stores.sample import HOME, make_sample
from memory_gui.vault.keychain import AnyKeychain
from memory_gui.vault.newkey import new_key

__all__ = ["FOLDER_PREFIX", "SLOT", "Samples", "is_sample"]

SLOT = "a"


class Samples:
    """Makes and opens the sample. Any thread may call."""

    def __init__(self, library: Library, keychain: AnyKeychain) -> None:
        self._library = library
        self._keychain = keychain

    def make(self, folder: Path) -> tuple[OpenedStore, ...]:
        """Make the sample pair below ``folder`` (an empty folder of the caller's) and open it.

        The key goes to a trusted keychain; without one it lives for this run only, and
        ``key_place`` says so.

        Raises:
            UserError: ``store.exists``, ``store.*``.
        """
        key = new_key()
        location = make_sample(folder, key)
        home = folder / HOME
        place = self._keep(location, home, key)
        return self._library.open(location.main, key=key, place=place, home=home)

    def _keep(self, location: Location, home: Path, key: RawKey) -> KeyPlace:
        """Into the keychain, for both files; THIS_RUN when that cannot be."""
        person = pair_of(location, home)
        files = [location.main, *(() if person is None else (person.main,))]
        try:
            if not self._keychain.backend().trusted:
                return KeyPlace.THIS_RUN
            for file in files:
                self._keychain.store(inspect(file).salt, SLOT, key)
        except UserError:
            return KeyPlace.THIS_RUN
        return KeyPlace.KEYCHAIN

    def forget(self, stores: tuple[OpenedStore, ...]) -> None:
        """Close the sample and take its keys out of the keychain, before its folder goes."""
        for store in stores:
            shelf = self._library.shelf(store.id)
            salt, place = shelf.salt, shelf.key_place
            self._library.close(store.id)
            if place is KeyPlace.KEYCHAIN:
                self._keychain.retire(salt, SLOT)
