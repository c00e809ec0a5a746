# SPDX-License-Identifier: MIT
"""The open stores, what is in them, and searching it."""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from memory_gui.domain.changes import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, KeyResult
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.content import sort_key
from memory_gui.services.keys import KeyFinder
from memory_gui.services.known import KnownStores
from memory_gui.services.lending import Lending
from memory_gui.services.shelf import FileIdentity, Shelf
from memory_gui.services.values import (
    STORE_SHIFT,
    KeyPlace,
    KnownStore,
    Listing,
    OpenedStore,
)
from memory_gui.stores.contract import Location, Mode, Store

_ORDINAL_MASK = (1 << STORE_SHIFT) - 1


class Formats(Protocol):
    """What is needed of the registry of formats."""

    def locate(self, text_path: str) -> Location:
        """The location that a person's path names."""
        ...

    def open(self, location: Location, key: Key | None, mode: Mode) -> Store:
        """Open in the calling thread."""
        ...

    def side_files(self, location: Location) -> tuple[SideFile, ...]:
        """The agent's other files beside a store that need not be open."""
        ...


PairOf = Callable[[Location, Path], Location | None]
"""The other database of one agent, by the first one and the person's home."""


class Library:
    """Opens stores, keeps what is in them in memory, follows foreign changes. Any thread may call.

    Each call blocks until it is done; never call from the window's own thread.
    """

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
        self._formats = formats
        self._pair_of = pair_of
        self._finder = finder
        self._known = known
        self._home = home
        self._tidy = tidy
        self._lending = lending or Lending()
        self._guard = threading.RLock()
        self._opening = threading.Lock()
        self._closing = threading.Lock()
        self._shelves: dict[StoreId, Shelf] = {}
        self._numbers = 0

    # ---- opening and closing

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
        lies, when that is not the person's own home.

        Raises:
            UserError: ``store.*``; ``key.needed`` (params ``reason``: present, absent, locked,
                denied, unavailable or mismatch; ``path``); ``key.wrong``.
        """
        with self._opening:
            location = self._formats.locate(str(path))
            tick("open", 0, 1)
            shelf = self._at(location) or self._open_one(location, key, place, cancel)
            if pair and shelf.partner is None:
                self._open_partner(shelf, key, place, home or self._home, cancel)
            tick("open", 1, 1)
            partner = self.partner_of(shelf)
            group = [shelf] if partner is None else [shelf, partner]
            group.sort(key=lambda one: one.info.role == "user")
            return tuple(one.opened() for one in group)

    def _at(self, location: Location) -> Shelf | None:
        """The shelf whose file lies at the location, under whatever name it was opened."""
        identity = FileIdentity.of(location)
        with self._guard:
            for shelf in self._shelves.values():
                if identity is not None and identity == shelf.identity:
                    return shelf
        return None

    def _open_one(
        self, location: Location, key: Key | None, place: KeyPlace, cancel: CancelToken | None
    ) -> Shelf:
        while True:
            with self._lending.opening(location.main):
                self._tidy(location.main)
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
        with self._guard:
            self._numbers += 1
            number = self._numbers
        shelf = Shelf(
            number, location, key=key, key_place=place, salt=salt, opener=self._formats.open
        )
        with self._guard:
            before = self._shelves.pop(shelf.id, None)
            self._shelves[shelf.id] = shelf
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

    def locate(self, path: str | Path) -> Location:
        """The location that a path names. Raises ``store.missing``, ``store.is_folder``."""
        return self._formats.locate(str(path))

    def pair_files(self, path: str | Path) -> tuple[Path, ...]:
        """The main files that opening ``path`` opens: its own, then the pair's other one."""
        location = self._formats.locate(str(path))
        other = self._pair_of(location, self._home)
        return (location.main,) if other is None else (location.main, other.main)

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
                shelf.close()

    def close_all(self) -> None:
        """Close every store."""
        with self._closing:
            with self._guard:
                shelves, self._shelves = list(self._shelves.values()), {}
            for shelf in shelves:
                shelf.stop()
            for shelf in shelves:
                shelf.close()

    def still(self) -> list[Shelf]:
        """The open stores, when all that were being closed are closed."""
        with self._closing:
            return self.shelves()

    # ---- what is open

    def stores(self) -> tuple[OpenedStore, ...]:
        """The open stores, in the order in which they were opened; counts are current."""
        return tuple(shelf.opened() for shelf in self.shelves())

    def store(self, store: StoreId) -> OpenedStore:
        """One open store. Raises UserError ``store.not_open``."""
        return self.shelf(store).opened()

    def shelf(self, store: StoreId) -> Shelf:
        """The open store itself, for other services. Raises UserError ``store.not_open``."""
        with self._guard:
            shelf = self._shelves.get(store)
        if shelf is None:
            raise UserError("store.not_open")
        return shelf

    def shelves(self, stores: Collection[StoreId] = ()) -> list[Shelf]:
        """The open stores themselves (none named: all), for other services."""
        with self._guard:
            return [s for s in self._shelves.values() if not stores or s.id in stores]

    def partner_of(self, shelf: Shelf) -> Shelf | None:
        """The other database of the pair, when it is open."""
        with self._guard:
            return None if shelf.partner is None else self._shelves.get(shelf.partner)

    # ---- what is in them

    def search(
        self,
        query: Query,
        sort: str = "-updated",
        cancel: CancelToken | None = None,
        tick: Tick = no_tick,
    ) -> Listing:
        """The records that match, in order.

        ``sort`` is a field of ``SORTS`` (updated, created, title, kind, state, type, scope,
        source, subject), with ``-`` before it for descending. Equal ones go by listing id, so
        that the order is the same each time.
        """
        started = time.monotonic()
        key = sort_key(sort)
        if key is None:
            raise UserError("list.sort", sort=sort)
        rows: list[tuple[str, int]] = []
        for shelf in self.shelves(query.stores):
            shelf.load(cancel, tick)
            if cancel is not None:
                cancel.check()
            base = shelf.number << STORE_SHIFT
            rows += [(key(r), base | ordinal) for ordinal, r in shelf.content.matching(query)]
        rows.sort()
        if sort.startswith("-"):
            rows.reverse()
        ids = array("q", (number for _, number in rows))
        spent = (time.monotonic() - started) * 1000
        return Listing(query, sort, ids, len(ids), partial=False, ms=spent)

    def window(self, ids: Sequence[int]) -> list[Record | None]:
        """The records of some listing ids, from memory; None for one that is gone."""
        by_number = {shelf.number: shelf for shelf in self.shelves()}
        found: list[Record | None] = []
        for number in ids:
            shelf = by_number.get(number >> STORE_SHIFT)
            found.append(None if shelf is None else shelf.content.at(number & _ORDINAL_MASK))
        return found

    def record(self, ref: Ref) -> Record | None:
        """The record as it is in the store now."""
        return self.shelf(ref.store).fetch([ref])[0]

    def records(self, refs: Iterable[Ref]) -> dict[Ref, Record | None]:
        """Several records as they are in their stores now."""
        wanted = list(dict.fromkeys(refs))
        found: dict[Ref, Record | None] = {}
        for store in dict.fromkeys(ref.store for ref in wanted):
            mine = [ref for ref in wanted if ref.store == store]
            found.update(zip(mine, self.shelf(store).fetch(mine), strict=True))
        return found

    def id_of(self, ref: Ref) -> int | None:
        """The listing id of a record."""
        with self._guard:
            shelf = self._shelves.get(ref.store)
        ordinal = None if shelf is None else shelf.content.ordinal(ref)
        return None if shelf is None or ordinal is None else shelf.number << STORE_SHIFT | ordinal

    def resolve(self, store: StoreId, text: str) -> Ref | None:
        """The record that ``kind:key`` or ``key`` names in this store."""
        shelf = self.shelf(store)
        wanted = RefText.parse(text, kinds=shelf.info.kinds)
        return shelf.screen(lambda opened: opened.resolve(wanted))

    def counts(self, stores: Collection[StoreId] = ()) -> Mapping[str, Mapping[State, int]]:
        """Kind -> state -> number, summed over the stores (none named: all)."""
        summed: dict[str, dict[State, int]] = {}
        for shelf in self.shelves(stores):
            for kind, states in shelf.opened().info.counts.items():
                for state, number in states.items():
                    into = summed.setdefault(kind, {})
                    into[state] = into.get(state, 0) + number
        return summed

    def poll(self) -> frozenset[StoreId]:
        """The stores that others changed since the last call; memory is up to date then."""
        return frozenset(shelf.id for shelf in self.shelves() if shelf.poll())

    def allow_writing(self, store: StoreId, *, despite_foreign: bool = False) -> OpenedStore:
        """Reopen for writing, which the first change does by itself.

        Raises:
            UserError: ``store.foreign_objects`` (params ``sql``) when the database has triggers
                or views the agent did not make and ``despite_foreign`` is False;
                ``store.read_only``.
        """
        shelf = self.shelf(store)
        shelf.allow_writing(despite_foreign=despite_foreign)
        return shelf.opened()

    def moved_twice(self, shelf: Shelf) -> list[Ref]:
        """Records of this store that its partner has as well: a move was stopped in its middle.

        The same title, text, key and created time in both; giving the record its new scope again
        finishes the move.
        """
        partner = self.partner_of(shelf)
        if partner is None:
            return []
        both = []
        for one in (shelf, partner):
            one.load()
            live = one.content.matching(Query(states=frozenset({State.LIVE})))
            both.append({_same(record): record.ref for _ordinal, record in live if record.scope})
        return [ref for same, ref in both[0].items() if same in both[1]]

    def side_files_near(self, shelf: Shelf) -> tuple[SideFile, ...]:
        """The agent's other files in the folders of all stores of its format known to the app."""
        known = [one.path for one in self._known.list() if one.format == shelf.info.format]
        paths = dict.fromkeys([*known, *(s.info.path for s in self.shelves())])
        found: dict[SideFile, None] = {}
        for path in paths:
            try:
                found.update(dict.fromkeys(self._formats.side_files(self.locate(path))))
            except UserError:
                continue
        return tuple(found)

    # ---- known stores

    def known(self) -> tuple[KnownStore, ...]:
        """The stores opened before, newest first; empty without a ledger."""
        return self._known.list()

    def name(self, path: str, name: str) -> None:
        """Give a known store a name. Raises ``known.not_found``, ``known.name_taken``."""
        self._known.name(path, name)

    def path_of(self, name: str) -> str:
        """The path of a known store. Raises UserError ``known.not_found``, ``known.ambiguous``."""
        return self._known.path_of(name)

    def forget(self, path: str) -> None:
        """Take a store off the list of known ones; the store itself is left alone."""
        self._known.forget(path)


def _same(record: Record) -> tuple[object, ...]:
    return record.title, record.text, record.kind, record.created_at, record.tags
