# SPDX-License-Identifier: MIT
"""Rejected stays rejected: what a person rejected is known again when it is proposed again."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from datetime import UTC, datetime

from memory_gui.domain.errors import UserError
from memory_gui.domain.folding import fold
from memory_gui.domain.records import Record, StoreId
from memory_gui.erasure.plan import ErasePlan
from memory_gui.ledger.rejections import Rejection, RejectionRows, rejection_mark
from memory_gui.services.library.library import Library
from memory_gui.services.own.known import LedgerKeeper

SHORT = 12
"""So many digits of a mark are shown, and are enough to name one."""


class Rejections:
    """Notes, finds and lifts the marks. Any thread; the first call may ask the keychain.

    A mark is of one store, one scope and one text: nothing that differs is ever blocked by it.
    Without a ledger there are none.
    """

    def __init__(self, library: Library, keeper: LedgerKeeper | None) -> None:
        self._library = library
        self._keeper = keeper
        self._guard = threading.Lock()
        self._known: dict[StoreId, dict[str, Rejection]] = {}
        library.when_closed(self._on_closed)

    @property
    def on(self) -> bool:
        """Whether marks are kept."""
        return self._rows() is not None

    def note(self, items: Iterable[Record]) -> bool:
        """These were rejected now; whether that is kept."""
        rows, now = self._rows(), datetime.now(UTC).isoformat(timespec="seconds")
        found: dict[StoreId, list[Rejection]] = {}
        for item in items if rows is not None else ():
            store = item.ref.store
            one = Rejection(self._name(store), self._mark(store, item), item.ref.plain, now)
            found.setdefault(store, []).append(one)
        kept = rows is not None
        for store, some in found.items():
            assert rows is not None  # noqa: S101 - looked at above
            try:  # the rejection itself stands in the agent's own file
                rows.put(*some)
                self._marks(store).update((one.mark, one) for one in some)
            except UserError:
                kept = False
        return kept

    def lift(self, items: Iterable[Record]) -> None:
        """These wait again: their rejection counts no more."""
        found: dict[StoreId, list[str]] = {}
        for item in items:
            mark = self._mark(item.ref.store, item)
            found.setdefault(item.ref.store, []).append(mark)
        for store, marks in found.items():
            self._remove(store, marks)

    def before(self, item: Record) -> str | None:
        """When the same was rejected before (ISO 8601, UTC); None when it was not.

        An item that was opened again itself has not been proposed again. Where nothing was ever
        written down, nobody is asked to learn it.
        """
        if self._keeper is None or not self._keeper.is_kept:
            return None
        found = self._marks(item.ref.store).get(self._mark(item.ref.store, item))
        return None if found is None or found.item == item.ref.plain else found.at

    def list(self, store: StoreId) -> tuple[Rejection, ...]:
        """The marks of a store, the last one first."""
        return tuple(sorted(self._marks(store).values(), key=lambda one: one.at, reverse=True))

    def lift_mark(self, store: StoreId, start: str) -> int:
        """Lift a mark by its first digits.

        Raises:
            UserError: ``review.no_mark`` when there is none or are several that begin so.
        """
        found = [mark for mark in self._marks(store) if mark.startswith(start.lower())]
        if len(found) != 1 or len(start) < 4:
            raise UserError("review.no_mark", mark=start)
        return self._remove(store, found)

    def erase_with(self, plan: ErasePlan) -> int:
        """An erasure has taken texts out of the open stores: their marks go too."""
        return sum(self.erase(store.id, plan.texts) for store in self._library.stores())

    def erase(self, store: StoreId, texts: Iterable[str]) -> int:
        """The marks of these texts go with the texts themselves."""
        scopes = ("user", "project", "")
        marks = [self._mark_of(store, scope, text) for text in texts for scope in scopes]
        return self._remove(store, marks)

    # ---- inside

    def _remove(self, store: StoreId, marks: Iterable[str]) -> int:
        rows, known = self._rows(), self._marks(store)
        there = [mark for mark in dict.fromkeys(marks) if mark in known]
        if rows is None or not there:
            return 0
        removed = rows.remove(self._name(store), *there)
        for mark in there:
            known.pop(mark, None)
        return removed

    def _rows(self) -> RejectionRows | None:
        return None if self._keeper is None else self._keeper.ledger().rejections

    def _marks(self, store: StoreId) -> dict[str, Rejection]:
        with self._guard:
            known = self._known.get(store)
            if known is None:
                rows = self._rows()
                found = () if rows is None else rows.list(self._name(store))
                known = self._known[store] = {one.mark: one for one in found}
            return known

    def _mark(self, store: StoreId, item: Record) -> str:
        return self._mark_of(store, item.scope or "", item.text)

    def _mark_of(self, store: StoreId, scope: str, text: str) -> str:
        secret = None if self._keeper is None else self._keeper.ledger().secret()
        if secret is None:
            return ""
        return rejection_mark(secret, self._name(store), scope, " ".join(fold(text).split()))

    def _name(self, store: StoreId) -> str:
        """What outlives moving the file, where there is such a thing."""
        shelf = self._library.shelf(store)
        return shelf.salt.hex() if shelf.salt else str(store)

    def _on_closed(self, stores: Iterable[StoreId]) -> None:
        with self._guard:
            for store in stores:
                self._known.pop(store, None)
