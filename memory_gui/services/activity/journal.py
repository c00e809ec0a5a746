# SPDX-License-Identifier: MIT
"""Keeps what was done with this app: act, time, records by opaque ids. No content, no key."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.ledger.journal import KEPT, Act, ActFile, ActRows, opaque
from memory_gui.services.own.known import LedgerKeeper, is_sample


@dataclass(slots=True)
class Doing:
    """An act on its way: what it is about is filled in while it runs."""

    refs: Collection[Ref] = ()
    count: int | None = None
    """How many records, where that is not how many refs."""


class Journal:
    """Any thread; nothing here asks a keychain.

    An act is written to a small file; what lies there goes into the ledger when the ledger is
    opened for something else. Where a person wants no list of stores kept (``wanted``), and of the
    sample, acts are kept in memory until the app ends.
    """

    def __init__(
        self, keeper: LedgerKeeper, data_dir: Path, front: str, *, wanted: Callable[[], bool]
    ) -> None:
        self._keeper = keeper
        self._file = ActFile(data_dir)
        self._front = front
        self._wanted = wanted
        self._guard = threading.Lock()
        self._now: list[Act] = []
        self.version = 0
        """Another number after each change that was made here."""
        keeper.when_opened(self._take_in)

    @contextmanager
    def doing(self, code: str) -> Iterator[Doing]:
        """Around an act; nothing is kept of one that fails before it touched anything."""
        began = time.monotonic()
        doing = Doing()
        try:
            yield doing
        finally:
            if doing.refs:
                self.done(code, doing.refs, doing.count, time.monotonic() - began)

    def done(
        self,
        code: str,
        refs: Collection[Ref],
        count: int | None = None,
        seconds: float = 0.0,
        at: str = "",
    ) -> None:
        """Keep an act that was done, for each store that it was about.

        ``at`` is when it ended (ISO 8601, UTC); now, where nothing is given.
        """
        stores, now = dict.fromkeys(ref.store for ref in refs), at or _now()
        for store in stores:
            mine = [ref for ref in refs if ref.store == store]
            number = count if count is not None and len(stores) == 1 else len(mine)
            names = opaque((ref.kind, ref.key) for ref in mine)
            self._keep(Act(now, int(seconds * 1000), code, self._front, str(store), number, names))

    def store_done(self, store_path: str, code: str) -> None:
        """Keep an act on a whole store (encrypt, decrypt, rotate)."""
        self._keep(Act(_now(), 0, code, self._front, store_path, 0))

    def list(self) -> tuple[Act, ...]:
        """The last ones, newest first. Of a ledger that is not open only what waits for it."""
        rows = self._rows()
        kept = () if rows is None else rows.list()
        with self._guard:
            now = tuple(self._now)
        both = sorted((*now, *self._file.list(), *kept), key=lambda act: act.at, reverse=True)
        return tuple(both[:KEPT])

    def clear(self) -> None:
        """Keep none of them."""
        self.version += 1
        with self._guard:
            self._now.clear()
        self._file.clear()
        rows = self._rows()
        if rows is not None:
            rows.clear()

    def forget(self, store_path: str) -> None:
        """Keep no act on a sample that is gone."""
        with self._guard:
            self._now = [act for act in self._now if act.store_path != store_path]

    def _keep(self, act: Act) -> None:
        self.version += 1
        if is_sample(act.store_path) or not self._wanted():
            with self._guard:
                self._now = [*self._now, act][-KEPT:]
            return
        self._file.put(act)
        if self._keeper.is_open:
            self._take_in()

    def _rows(self) -> ActRows | None:
        return self._keeper.ledger().acts if self._keeper.is_open else None

    def _take_in(self) -> None:
        rows = self._rows()
        if rows is None:
            return
        with suppress(UserError):  # another copy of the app holds the ledger: the next time
            self._file.hand_over(rows.put)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
