# SPDX-License-Identifier: MIT
"""Opening stores with their keys and partners, and closing them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, KeyResult
from memory_gui.domain.records import StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.library.holding import Holding
from memory_gui.services.library.keyfinder import KeyFinder
from memory_gui.services.library.lending import Lending
from memory_gui.services.library.once import OneAtATime
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.own.known import KnownStores
from memory_gui.services.values import KeyPlace, OpenedStore
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode


class Formats(Protocol):
    """What is needed of the registry of formats."""

    def locate(self, text_path: str) -> Location:
        """The location that a person's path names."""
        ...

    def open(self, location: Location, key: Key | None, mode: Mode, like: str = "") -> Store:
        """Open in the calling thread; ``like`` is the format that it is open with already."""
        ...

    def side_files(self, location: Location) -> tuple[SideFile, ...]:
        """The agent's other files beside a store that need not be open."""
        ...

    def choose(self, text_path: str, name: str) -> Location:
        """A person says of which format a store is."""
        ...


PairOf = Callable[[Location, Path], Location | None]
"""The other database of one agent, by the first one and the person's home."""


class Opening(Holding):
    """Opens stores and closes them. Any thread may call; each call blocks until it is done."""

    def __init__(
        self,
        formats: Formats,
        pair_of: PairOf,
        finder: KeyFinder,
        known: KnownStores,
        *,
        home: Path,
        tidy: Callable[[Path], object] = lambda _path: None,
        lending: Lending | None = None,
    ) -> None:
        super().__init__()
        self._formats = formats
        self._pair_of = pair_of
        self._finder = finder
        self._known = known
        self._home = home
        self._homes: dict[Path, Path] = {}
        self._tidies = [tidy]
        self._opened: list[Callable[[StoreId], object]] = []
        self._lending = lending or Lending()
        self._at_once = OneAtATime()
        self._closing = threading.Lock()

    def tidy_also(self, tidy: Callable[[Path], object]) -> None:
        """Have something more done before each opening: what a stop left is finished."""
        self._tidies.append(tidy)

    def when_opened(self, call: Callable[[StoreId], object]) -> None:
        """Have the id of each store that was opened anew, in the thread that opened it."""
        self._opened.append(call)

    def open(
        self,
        path: str | Path,
        *,
        key: Key | None = None,
        pair: bool = True,
        place: KeyPlace = KeyPlace.TYPED,
        home: Path | None = None,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> tuple[OpenedStore, ...]:
        """Open a file or folder, and with it the agent's other database. Project first.

        A store that is open already is given again. The key is the given one (``place`` says
        where it came from), else the keychain's. ``home`` is where the agent's user database
        lies, when that is not the person's own home; the next openings of it need not say it.

        Raises:
            UserError: ``store.*``; ``key.needed`` (params ``reason``: present, absent, locked,
                denied, unavailable or mismatch; ``path``); ``key.wrong``.
        """
        location = self._formats.locate(str(path))
        if home is not None:  # also for an opening that fails: it is tried again with a key
            self._homes[location.main] = home
        with self._at_once.with_file(location.main):
            tick("open", 0, 1)
            known = self._at(location)
            shelf = known or self._open_one(location, key, place, cancel)
            if pair and shelf.partner is None:
                self._open_partner(shelf, key, place, self._home_of(location), cancel)
            tick("open", 1, 1)
            partner = self.partner_of(shelf)
            group = [shelf] if partner is None else [shelf, partner]
            group.sort(key=lambda one: one.info.role == "user")
        for call in self._opened if known is None else ():
            call(shelf.id)
        return tuple(one.opened() for one in group)

    def _open_one(
        self, location: Location, key: Key | None, place: KeyPlace, cancel: CancelToken | None
    ) -> Shelf:
        while True:
            with self._lending.opening(location.main):
                for tidy in self._tidies:
                    tidy(location.main)
                found, where, salt = self._finder.key_for(location, key, place, cancel)
                if cancel is not None:
                    cancel.check()
                shelf = self._put_on(location, found, where, salt)
                if self._lending.lent(location.main) is None:
                    break
                # Lent while it was being opened: whoever lent it may not have seen it yet.
                self.close(shelf.id)
        self._known.opened(shelf.info, shelf.name, salt)
        return shelf

    def _put_on(self, location: Location, key: Key | None, place: KeyPlace, salt: bytes) -> Shelf:
        number, opener = self._next_number(), self._formats.open
        shelf = Shelf(number, location, key=key, key_place=place, salt=salt, opener=opener)
        before = self._hold(shelf)
        if before is not None:  # another file lay at that path
            before.close()
        return shelf

    def _open_partner(
        self, shelf: Shelf, key: Key | None, place: KeyPlace, home: Path, cancel: CancelToken | None
    ) -> None:
        """The other database of the pair; why it is not there is kept, never raised."""
        if shelf.info.role == "alone":
            return
        other = self._pair_of(shelf.location, home)
        if other is None:
            if shelf.info.role == "project":
                shelf.pair_with(None, UserError("pair.absent", path=str(home)))
            return
        try:
            partner = self._partner(other, key, place, cancel)
        except UserError as error:
            shelf.pair_with(None, error)
            return
        shelf.pair_with(partner.id, None)
        if partner.partner is None:
            partner.pair_with(shelf.id, None)

    def _partner(
        self, other: Location, key: Key | None, place: KeyPlace, cancel: CancelToken | None
    ) -> Shelf:
        """By the keychain's key, else by the one that was given for the first database."""
        # A person's database has no other one, so who holds this never waits for the first.
        with self._at_once.with_file(other.main):
            open_already = self._at(other)
            if open_already is not None:
                return open_already
            try:
                return self._open_one(other, None, place, cancel)
            except UserError as error:
                if key is None or error.code != "key.needed":
                    raise
                try:
                    return self._open_one(other, key, place, cancel)
                except UserError:
                    raise error from None

    @contextmanager
    def looked_at(self, path: str | Path, key: Key | None) -> Iterator[Store]:
        """A store that is not opened for anybody to see, in the calling thread; closed afterwards.

        Raises:
            UserError: as ``Format.open``.
        """
        store = self._formats.open(self.locate(path), key, Mode.LOOK)
        try:
            yield store
        finally:
            store.close()

    def locate(self, path: str | Path) -> Location:
        """The location that a path names. Raises ``store.missing``, ``store.is_folder``."""
        return self._formats.locate(str(path))

    def choose_format(self, path: str | Path, name: str) -> None:
        """Say of which format the store at a path is, where that cannot be told by itself.

        Raises:
            UserError: ``store.no_such_format``; as ``locate``.
        """
        self._formats.choose(str(path), name)

    def pair_files(self, path: str | Path) -> tuple[Path, ...]:
        """The files that opening ``path`` opens: its own, first the main one, then the pair's."""
        location = self._formats.locate(str(path))
        other = self._pair_of(location, self._home_of(location))
        return location.paths if other is None else (*location.paths, other.main)

    def _home_of(self, location: Location) -> Path:
        """Where the user database lies that goes with a store: once said, never another one."""
        return self._homes.get(location.main, self._home)

    def key_state(self, path: str | Path) -> KeyResult:
        """Which of the six results the keychain gives for an encrypted store."""
        location = self._formats.locate(str(path))
        return self._finder.state(location)

    def rejoin(self, shelf: Shelf) -> None:
        """Open again what another copy of the app was lent, as it is now.

        A file that is encrypted otherwise than before is opened with the keychain's key.

        Raises:
            UserError: ``store.*``, ``key.*``; it is opened again when it is next used.
        """
        shelf.changed_meanwhile()
        try:
            if self._finder.salt(shelf.location) != shelf.salt:
                shelf.rekey(*self._finder.key_for(shelf.location, None, KeyPlace.NONE))
        finally:
            try:
                shelf.reread()
            except UserError as error:
                if error.code != "key.wrong":
                    raise
                # The same file under another key: it was changed meanwhile.
                shelf.rekey(*self._finder.key_for(shelf.location, None, KeyPlace.NONE))
                shelf.reread()

    def changing(self) -> AbstractContextManager[None]:
        """Inside, no other copy of the app is lent a store: an act is under way."""
        return self._lending.changing()

    def lent(self) -> dict[StoreId, UserError]:
        """The open stores that another copy of the app works on, and who it is."""
        why = ((shelf.id, self._lending.lent(shelf.info.path)) for shelf in self.shelves())
        return {store: error for store, error in why if error is not None}

    def close(self, store: StoreId) -> None:
        """Close one store and forget what was in it."""
        with self._closing:
            with self._guard:
                shelf = self._shelves.pop(store, None)
                others = [other for other in self._shelves.values() if other.partner == store]
            for other in others:
                other.pair_with(None, UserError("pair.closed"))
            if shelf is not None:
                counts = {shelf.info.path: shelf.last_counts()}
                shelf.close()
                self._known.closed(counts)
                self.tell_closed((store,))

    def close_all(self) -> None:
        """Close every store."""
        with self._closing:
            with self._guard:
                shelves, self._shelves = list(self._shelves.values()), {}
            for shelf in shelves:
                shelf.stop()
            counts = {shelf.info.path: shelf.last_counts() for shelf in shelves}
            for shelf in shelves:
                shelf.close()
        self._known.closed(counts)
        self.tell_closed([shelf.id for shelf in shelves])

    def still(self) -> list[Shelf]:
        """The open stores, when all that were being closed are closed."""
        with self._closing:
            return self.shelves()
