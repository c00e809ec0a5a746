# SPDX-License-Identifier: MIT
"""Looking into a store, whether it is open or not, and having one open as long as it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.library.keyfinder import KeyFinder
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.values import KeyPlace
from memory_gui.stores.contract import Store

T = TypeVar("T")
NO_KEY: Final = frozenset({"key.needed", "terminal.permission"})
"""The keychain did not give it, for whatever reason."""


class Looking:
    """Reads stores for a case. Any thread."""

    def __init__(self, library: Library, finder: KeyFinder) -> None:
        self._library = library
        self._finder = finder

    @property
    def library(self) -> Library:
        """The open stores."""
        return self._library

    def shelf_at(self, path: str) -> Shelf | None:
        """The open store whose main file that is."""
        return next((one for one in self._library.shelves() if one.info.path == path), None)

    def look(
        self,
        path: str,
        where: Where,
        work: Callable[[Store, bytes], T],
        cancel: CancelToken | None = None,
    ) -> T:
        """Do something with a store that is only looked at; it gets the store and its salt.

        Raises:
            UserError: ``store.*``, ``key.*``: it cannot be looked into.
        """
        shelf = self.shelf_at(path)
        if shelf is not None:
            return shelf.work(lambda store: work(store, shelf.salt), cancel)
        key, salt = self._key(path, where, cancel)
        with self._library.looked_at(path, key) as store:
            return work(store, salt)

    def _key(self, path: str, where: Where, cancel: CancelToken | None) -> tuple[Key | None, bytes]:
        """The keychain's, else the one that was given; one given for this very store first."""
        location = self._library.locate(path)
        own = where.keys.get(path)
        try:
            key, _, salt = self._finder.key_for(location, own, KeyPlace.TYPED, cancel)
        except UserError as error:
            given = where.key_of(path)
            if given is None or error.code not in NO_KEY:
                raise
            key, _, salt = self._finder.key_for(location, given, KeyPlace.TYPED, cancel)
        return key, salt

    @contextmanager
    def opened(self, path: str, where: Where, cancel: CancelToken | None = None) -> Iterator[Shelf]:
        """Have a store open, with its pair's other one; what was not open before is closed again.

        Raises:
            UserError: as ``Library.open``.
        """
        before = {one.id for one in self._library.shelves()}
        shelf = self.shelf_at(path)
        try:
            if shelf is None:
                self._open(path, where, cancel)
                shelf = self.shelf_at(path)
            if shelf is None:
                raise UserError("store.not_open")
            yield shelf
        finally:
            for one in self._library.shelves():
                if one.id not in before:
                    self._library.close(StoreId(one.id))

    def _open(self, path: str, where: Where, cancel: CancelToken | None) -> None:
        own, given = where.keys.get(path), where.key_of(path)
        try:
            opened = self._library.open(path, key=own, cancel=cancel)
        except UserError as error:
            if given is None or error.code not in NO_KEY:
                raise
            self._library.open(path, key=given, cancel=cancel)
            return
        problem = next((one.partner_problem for one in opened if one.partner_problem), None)
        if given is not None and problem is not None and problem.code in NO_KEY:
            self._library.open(path, key=given, cancel=cancel)  # now for the pair's other one
