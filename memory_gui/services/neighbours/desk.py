# SPDX-License-Identifier: MIT
"""What other running copies of the app may ask of this one. Called from the listener's threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from memory_gui.domain.errors import MemoryGuiError
from memory_gui.domain.records import Ref
from memory_gui.services.library.lending import Lease, Lending, names_of
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.locking.lock import Lock
from memory_gui.services.neighbours import ANSWER_S, Asker, lent_to
from memory_gui.services.undo.stack import UndoStack

_LOOK = 0.02
"""Seconds between two looks whether the window has locked."""


@dataclass(slots=True)
class Wishes:
    """What only a window can do, set by it; called from a thread that is not its own.

    ``lock`` covers the window and then locks; ``open`` opens paths and says whether it will.
    """

    lock: Callable[[], None] | None = None
    open: Callable[[list[str]], bool] | None = None


@dataclass(slots=True)
class _Lent:
    lease: Lease
    shelves: list[tuple[Shelf, frozenset[Ref]]] = field(default_factory=list)
    """With the records that undo knows and that were there."""


class Desk:
    """Answers hold, let go, lock, open."""

    def __init__(self, library: Library, lending: Lending, stack: UndoStack, lock: Lock) -> None:
        self._library = library
        self._lending = lending
        self._stack = stack
        self._lock = lock
        self._turn = threading.Lock()
        self.wishes = Wishes()

    def holds(self, paths: Sequence[str]) -> list[str]:
        """Those of the paths that are open here now."""
        shelves = self._library.shelves()
        mine = names_of([one.info.path for one in shelves if not one.away])
        return [path for path in paths if names_of([path]) & mine]

    def claims(self, paths: Sequence[str]) -> list[str]:
        """Those of the paths on which an erase or a change of encryption runs here."""
        return [path for path in paths if self._lending.claimed(path)]

    def let_go(self, paths: Sequence[str], asker: Asker) -> object:
        """Close both connections on the stores and open none until ``take_back``.

        What is in memory stays. Raises ``Refused``.
        """
        lent = _Lent(self._lending.lend(paths, lent_to(asker.front, asker.pid)))
        with self._turn:
            try:
                self._close(lent)
            except BaseException:
                self._lending.end(lent.lease)
                self._reopen(lent)
                raise
        return lent

    def take_back(self, given: object) -> None:
        """Open again, as the stores are now; what undo knew of records that went is forgotten."""
        assert isinstance(given, _Lent)  # noqa: S101 - what ``let_go`` gave
        with self._turn:
            try:
                self._reopen(given)
            finally:
                self._lending.end(given.lease)

    def lock(self) -> bool:
        """Lock the window; False where there is none."""
        wish = self.wishes.lock
        if wish is None:
            return False
        wish()
        until = time.monotonic() + ANSWER_S / 2
        while not self._lock.is_locked and time.monotonic() < until:
            time.sleep(_LOOK)
        self._lock.lock()  # a window that hangs lets go of its keys all the same
        return True

    def open(self, paths: Sequence[str]) -> bool:
        """Have the window open paths; False where there is none, or it is locked."""
        wish = self.wishes.open
        return wish is not None and not self._lock.is_locked and wish(list(paths))

    # ---- inside

    def _close(self, lent: _Lent) -> None:
        for shelf in self._library.still():
            if not names_of([shelf.info.path]) & lent.lease.names:
                continue
            lent.shelves.append((shelf, self._remembered(shelf)))
            with suppress(MemoryGuiError):  # closed meanwhile
                shelf.let_go(lent.lease.why, patience=self._lending.patience)
            partner = self._library.partner_of(shelf)
            if partner is not None and not partner.away:
                # Its thread may have this store open beside its own, for one act.
                with suppress(MemoryGuiError):
                    partner.screen(lambda _store: None)

    def _remembered(self, shelf: Shelf) -> frozenset[Ref]:
        refs: list[Ref] = []
        try:
            refs = self._stack.refs(shelf.id)
            found = shelf.fetch(refs)
        except MemoryGuiError:
            return frozenset(refs)
        return frozenset(ref for ref, one in zip(refs, found, strict=True) if one is not None)

    def _reopen(self, lent: _Lent) -> None:
        for shelf, remembered in lent.shelves:
            if shelf.closed or self._lending.lent(shelf.info.path, beside=lent.lease) is not None:
                continue
            with suppress(MemoryGuiError):  # told by ``poll`` until it can be opened again
                self._library.rejoin(shelf)
                refs = list(remembered)
                gone = zip(refs, shelf.fetch(refs), strict=True)
                self._stack.drop(ref for ref, one in gone if one is None)
