# SPDX-License-Identifier: MIT
"""The open stores, what is in them, and searching it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from memory_gui.domain.changes import Told
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.language import Hint
from memory_gui.domain.queries import Facet, Query
from memory_gui.domain.records import Record, Ref, RefText, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.library.opening import Opening
from memory_gui.services.library.searching import Searching
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.values import KnownStore, Listing, OpenedStore, Progress
from memory_gui.stores.format import Location


class Library(Opening):
    """Opens stores, keeps what is in them in memory, follows foreign changes. Any thread may call.

    Each call blocks until it is done; never call from the window's own thread.
    """

    def __init__(self, *parts: Any, **more: Any) -> None:
        """As ``Opening``."""
        super().__init__(*parts, **more)
        self._searching = Searching(self.shelves, lambda: self._lending.under_way)

    def close(self, store: StoreId) -> None:
        """Close one store and forget what was in it."""
        super().close(store)
        self._searching.clear()

    def close_all(self) -> None:
        """Close every store."""
        super().close_all()
        self._searching.clear()

    # ---- what is in them

    def search(
        self,
        query: Query,
        sort: str = "-updated",
        cancel: CancelToken | None = None,
        tick: Tick = no_tick,
        *,
        patience: float | None = None,
    ) -> Listing:
        """The records that match, in order.

        ``sort`` is one of ``SORTS`` (domain/queries), with ``-`` before it for descending. Equal
        ones go by listing id, so that the order is the same each time. A store is read into memory
        when it is first searched; ``patience`` is how many seconds that is waited for before what
        was read so far is listed (``partial``), None: until all was read.
        """
        return self._searching.search(query, sort, cancel, tick, patience)

    def first(
        self, query: Query, sort: str, most: int, cancel: CancelToken | None = None
    ) -> Listing | None:
        """The first records that ``search`` would list, where they can be told sooner than all.

        None where they cannot, where there are none, and while a store is being read.
        """
        return self._searching.first(query, sort, most, cancel)

    def facets(
        self, query: Query, cancel: CancelToken | None = None, *, patience: float | None = None
    ) -> Mapping[str, tuple[Facet, ...]]:
        """By each name of FACETS: values of the records that match, most frequent first.

        A facet counts what the query shows without its own restriction, so that another value can
        be chosen beside the chosen ones; those are told even when they have no record. An empty
        value counts those that have none. At most the 500 most frequent ones of each store.
        ``patience`` as for ``search``.
        """
        return self._searching.facets(query, cancel, patience)

    def hints(self, query: Query) -> tuple[Hint, ...]:
        """What a person should know about the text that they typed; words in ``words.hints``."""
        return self._searching.hints(query)

    def progress(self, stores: Collection[StoreId] = ()) -> tuple[Progress, ...]:
        """How far those stores were read that are being read into memory now."""
        return self._searching.progress(stores)

    def window(self, ids: Sequence[int], most: int | None = None) -> list[Record | None]:
        """The records of some listing ids; None for one that is gone.

        With ``most`` only the first so many characters of a title or text (``Record.more``).

        They are fetched from the stores, some hundred at a time please. Of a store that another
        program has now, what is known in memory: no text, and the title in small letters.
        """
        return self._searching.window(ids, most)

    def refs(self, ids: Iterable[int]) -> tuple[Ref, ...]:
        """The records of some listing ids, from memory; those that are gone are left out."""
        return self._searching.refs(ids)

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
        return self._searching.id_of(ref)

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

    def told(self, stores: Collection[StoreId] = ()) -> tuple[Told, ...]:
        """What one store has to tell of itself; of several nothing, as it would not say of which.

        None named: all that are open.
        """
        shelves = self.shelves(stores)
        if len(shelves) != 1:
            return ()
        return shelves[0].screen(lambda store: store.told()) or shelves[0].info.told

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
        for one in (shelf, partner):
            one.load()
        mine, theirs = (
            {_same(record): record.ref for record in records if record and record.scope}
            for records in self._searching.made_at_once(shelf, partner)
        )
        return [ref for same, ref in mine.items() if same in theirs]

    def side_files_near(self, format_: str) -> tuple[SideFile, ...]:
        """An agent's other files in the folders of all stores of its format known to the app."""
        known = [one.path for one in self._known.list() if one.format == format_]
        paths = dict.fromkeys([*known, *(s.info.path for s in self.shelves())])
        found: dict[SideFile, None] = {}
        for path in paths:
            try:
                found.update(dict.fromkeys(self._formats.side_files(self.locate(path))))
            except UserError:
                continue
        return tuple(found)

    def side_files_beside(self, path: str, names: Sequence[str]) -> tuple[SideFile, ...]:
        """An agent's other files beside a store and beside other names of it, open or not."""
        place = Location((Path(path),), tuple(map(Path, names)))
        return self._formats.side_files(place)

    def unseen_near(self, shelf: Shelf) -> tuple[str, ...]:
        """Known stores of its format that are not where they were: their folders cannot be seen."""
        found = []
        for one in self._known.list():
            if one.format == shelf.info.format:
                try:
                    self.locate(one.path)
                except UserError:
                    found.append(one.path)
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
