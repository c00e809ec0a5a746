# SPDX-License-Identifier: MIT
"""The open stores, what is in them, and searching it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from memory_gui.domain.keys import Key, KeyResult
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.values import KnownStore, Listing, OpenedStore


class Library:
    """Opens stores, keeps what is in them in memory, follows foreign changes. Any thread may call.

    Each call blocks until it is done; never call from the window's own thread.
    """

    def open(
        self,
        path: str | Path,
        *,
        key: Key | None = None,
        pair: bool = True,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> tuple[OpenedStore, ...]:
        """Open a file or folder, and with it the agent's other database. Project first.

        A store that is open already is given again. The key is the given one, else the
        keychain's.

        Raises:
            UserError: ``store.*``; ``key.needed`` (params ``reason``: present, absent, locked,
                denied, unavailable or mismatch; ``path``); ``key.wrong``.
        """
        raise NotImplementedError

    def key_state(self, path: str | Path) -> KeyResult:
        """Which of the six results the keychain gives for an encrypted store."""
        raise NotImplementedError

    def close(self, store: StoreId) -> None:
        """Close one store and forget what was in it."""
        raise NotImplementedError

    def close_all(self) -> None:
        """Close every store."""
        raise NotImplementedError

    def stores(self) -> tuple[OpenedStore, ...]:
        """The open stores, in the order in which they were opened; counts are current."""
        raise NotImplementedError

    def store(self, store: StoreId) -> OpenedStore:
        """One open store. Raises UserError ``store.not_open``."""
        raise NotImplementedError

    def search(
        self, query: Query, sort: str = "-updated", cancel: CancelToken | None = None
    ) -> Listing:
        """The records that match, in order.

        ``sort`` is a field of ``SORTS`` (updated, created, title, kind, state, type, scope,
        source, subject), with ``-`` before it for descending.
        """
        raise NotImplementedError

    def window(self, ids: Sequence[int]) -> list[Record | None]:
        """The records of some listing ids, from memory; None for one that is gone."""
        raise NotImplementedError

    def record(self, ref: Ref) -> Record | None:
        """The record as it is in the store now."""
        raise NotImplementedError

    def id_of(self, ref: Ref) -> int | None:
        """The listing id of a record."""
        raise NotImplementedError

    def resolve(self, store: StoreId, text: str) -> Ref | None:
        """The record that ``kind:key`` or ``key`` names in this store or its partner."""
        raise NotImplementedError

    def counts(self, stores: Collection[StoreId] = ()) -> Mapping[str, Mapping[State, int]]:
        """Kind -> state -> number, summed over the stores (none named: all)."""
        raise NotImplementedError

    def poll(self) -> frozenset[StoreId]:
        """The stores that another program changed since the last call; memory is up to date then."""
        raise NotImplementedError

    def allow_writing(self, store: StoreId, *, despite_foreign: bool = False) -> OpenedStore:
        """Reopen for writing, which the first change does by itself.

        Raises:
            UserError: ``store.foreign_objects`` (params ``sql``) when the database has triggers
                or views the agent did not make and ``despite_foreign`` is False;
                ``store.read_only``.
        """
        raise NotImplementedError

    def known(self) -> tuple[KnownStore, ...]:
        """The stores opened before, newest first; empty without a ledger."""
        raise NotImplementedError

    def name(self, path: str, name: str) -> None:
        """Give a known store a name."""
        raise NotImplementedError

    def forget(self, path: str) -> None:
        """Take a store off the list of known ones; the store itself is left alone."""
        raise NotImplementedError
