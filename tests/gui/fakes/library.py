# SPDX-License-Identifier: MIT
"""Stores and lists in memory."""

from __future__ import annotations

import itertools
import threading
import time
from array import array
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fakes.records import ALL, PROJECT, USER
from memory_gui.domain.changes import (
    StoreInfo,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent
from memory_gui.domain.language import Hint
from memory_gui.domain.queries import FACETS, Facet, Query, values_of
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.services import KeyPlace, KnownStore, Listing, OpenedStore
from memory_gui.stores.format import Location

if TYPE_CHECKING:
    from fake_services import FakeServices

AGENT = "Agentao"


class FakeLibrary:
    """Holds the records; ``delay`` makes each search slow."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self._guard = threading.RLock()
        self.records: dict[Ref, Record] = {}
        self.numbers: dict[Ref, int] = {}
        self.by_number: dict[int, Ref] = {}
        self.opened: dict[StoreId, OpenedStore] = {}
        self.foreign: set[StoreId] = set()
        self.lent_stores: dict[StoreId, UserError] = {}
        self.being_read: tuple[object, ...] = ()
        self.delay = 0.0
        self.counts_first = False
        self.counted = threading.Event()
        self.counted.set()
        self.key_result: object = Absent("SecretService.Keyring")
        self.known_stores: tuple[KnownStore, ...] = ()
        self._next = itertools.count()

    def fill(self, records: Sequence[Record]) -> None:
        """Put records in."""
        with self._guard:
            for one in records:
                self.put(one)

    def put(self, one: Record) -> None:
        """Add or replace."""
        with self._guard:
            if one.ref not in self.numbers:
                number = 1 << 32 | next(self._next)
                self.numbers[one.ref] = number
                self.by_number[number] = one.ref
            self.records[one.ref] = one

    def drop(self, ref: Ref) -> None:
        with self._guard:
            self.records.pop(ref, None)

    def foreign_change(self, one: Record) -> None:
        """As if another program had written."""
        self.put(one)
        self.foreign.add(one.ref.store)

    def open(self, path: object, **kwargs: Any) -> tuple[OpenedStore, ...]:
        self._fake.note("open", path)
        if not self.opened:
            for store, name, role in ((PROJECT, "atlas", "project"), (USER, "you", "user")):
                other = USER if store == PROJECT else PROJECT
                self.opened[store] = OpenedStore(
                    store, self._info(store, role), name, other, KeyPlace.NONE
                )
        return tuple(self.opened.values())

    def _info(self, store: StoreId, role: str) -> StoreInfo:
        return StoreInfo(
            store, str(store), "agentao", "Agentao", "0.5.17", role, role == "project", {},
            "wal", True, ALL, {}, ("memory", "review", "summary", "event", "meta"),
        )  # fmt: skip

    def locate(self, path: object) -> Location:
        folder = Path(str(path))
        for file in (folder / "memory.db", folder / ".agentao" / "memory.db"):
            if file.exists():
                return Location((file,))
        raise UserError("store.is_folder", path=str(path))

    def key_state(self, path: object) -> object:
        self._fake.note("key_state", path)
        return self.key_result

    def close(self, store: StoreId) -> None:
        self._fake.note("close", store)
        self.opened.pop(store, None)

    def close_all(self) -> None:
        self._fake.note("close_all")
        self.opened.clear()

    def stores(self) -> tuple[OpenedStore, ...]:
        return tuple(self.opened.values())

    def store(self, store: StoreId) -> OpenedStore:
        return self.opened[store]

    def search(self, query: Query, sort: str = "-updated", **kwargs: Any) -> Listing:
        assert self.counted.wait(10)
        return self._search(query, sort)

    def _search(self, query: Query, sort: str) -> Listing:
        self._fake.note("search", query, sort)
        started = time.monotonic()
        time.sleep(self.delay)
        with self._guard:
            found = [one for one in self.records.values() if query.matches(one, agent=AGENT)]
        name = {"updated": "updated_at", "created": "created_at"}
        field_name = sort.lstrip("-")
        field_name = name.get(field_name, field_name)
        found.sort(key=lambda one: str(getattr(one, field_name) or ""), reverse=sort[0] == "-")
        ids = array("q", (self.numbers[one.ref] for one in found))
        spent = (time.monotonic() - started) * 1000
        return Listing(query, sort, ids, len(ids), partial=False, ms=spent)

    def first(
        self, query: Query, sort: str, most: int, cancel: CancelToken | None = None
    ) -> Listing | None:
        """The first ones, told before ``search`` counts them, where ``counts_first`` is on."""
        if not self.counts_first:
            return None
        self.counted.clear()
        found = self._search(query, sort)
        return replace(found, ids=found.ids[:most], total=min(most, found.total), counting=True)

    def facets(self, query: Query, **kwargs: Any) -> dict[str, tuple[Facet, ...]]:
        self._fake.note("facets", query)
        counted = {}
        for name in FACETS:
            others = {key: values for key, values in query.facets.items() if key != name}
            wider = replace(query, facets=others)
            with self._guard:
                found = [one for one in self.records.values() if wider.matches(one, agent=AGENT)]
            numbers = Counter(value for one in found for value in values_of(one, name, AGENT))
            counted[name] = tuple(Facet(*pair) for pair in numbers.most_common())
        return counted

    def hints(self, query: Query) -> tuple[Hint, ...]:
        return query.parsed().hints

    def refs(self, ids: Sequence[int]) -> tuple[Ref, ...]:
        return tuple(one.ref for one in self.window(ids) if one is not None)

    def window(self, ids: Sequence[int], most: int | None = None) -> list[Record | None]:
        with self._guard:
            found = [self.records.get(self.by_number[number]) for number in ids]
        return [one.begun(most) if one and most else one for one in found]

    def record(self, ref: Ref) -> Record | None:
        return self.records.get(ref)

    def id_of(self, ref: Ref) -> int | None:
        return self.numbers.get(ref)

    def told(self, stores: Collection[StoreId] = ()) -> tuple[object, ...]:
        return ()

    def progress(self, stores: Collection[StoreId] = ()) -> tuple[object, ...]:
        return self.being_read

    def counts(self, stores: Collection[StoreId] = ()) -> dict[str, dict[State, int]]:
        counts: dict[str, dict[State, int]] = {}
        with self._guard:
            for one in self.records.values():
                if not stores or one.ref.store in stores:
                    states = counts.setdefault(one.kind, {})
                    states[one.state] = states.get(one.state, 0) + 1
        return counts

    def poll(self) -> frozenset[StoreId]:
        self._fake.note("poll")
        changed, self.foreign = frozenset(self.foreign), set()
        return changed

    def lent(self) -> dict[StoreId, UserError]:
        return dict(self.lent_stores)

    def allow_writing(self, store: StoreId, *, despite_foreign: bool = False) -> OpenedStore:
        self._fake.note("allow_writing", store, despite_foreign)
        return self.opened[store]

    def known(self) -> tuple[KnownStore, ...]:
        return self.known_stores
