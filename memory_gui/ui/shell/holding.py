# SPDX-License-Identifier: MIT
"""Which stores the window holds: opened, closed, locked away, unlocked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.services.library.library import Library
from memory_gui.services.locking.drafts import Draft
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking


class Holding(QObject):
    """Knows what is open and whether the window is locked; tells of each change. GUI thread."""

    changed = Signal(object, bool)
    """tuple of OpenedStore, and whether before it there was none. Never while locked."""
    letting_go = Signal()
    """A person closes every store: forget what is shown of them."""
    covered = Signal(object)
    """Locked from now on; tuple of the names of what was open. Nothing is shown after it."""
    unlocked = Signal(object)
    """list of paths that did not open by themselves."""
    locked_away = Signal()
    """After ``covered``: no store is open any more, and no key is left."""
    emptied = Signal()
    """A person closed the last store."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.opened: tuple[OpenedStore, ...] = ()
        self.locked = False
        self._asking = Asking(context.bridge)
        self._locking: Handle | None = None
        self._unlock_wanted = False
        self.drafts_of: Callable[[], tuple[Draft, ...]] = tuple
        """What was typed and not saved; asked for before a lock."""

    def ask(self, _changes: object = None) -> None:
        """Ask the services what is open now."""
        self._asking.anew(self._context.services.library.stores, done=self.show)

    def show(self, opened: tuple[OpenedStore, ...]) -> None:
        """This is open now."""
        if not self.locked:
            first = bool(opened) and not self.opened
            self.opened = opened
            self.changed.emit(opened, first)

    def close_all(self) -> None:
        """Let go of every store."""
        self.opened = ()
        self._asking.drop()
        self.letting_go.emit()
        self._context.bridge.call(
            let_go_of_all, self._context.services.library, done=self._on_all_closed, in_turn=True
        )

    def close(self, store: StoreId) -> None:
        """Let go of one of several stores."""
        self._context.bridge.call(
            self._context.services.library.close, store, done=self.ask, in_turn=True
        )

    def cover(self) -> None:
        """From now on nothing is shown; the stores stay as they are."""
        self.locked = True
        names = tuple(one.name for one in self.opened)
        self.opened = ()
        self.covered.emit(names)

    def lock(self) -> None:
        """The locked page first, then let go of stores and keys."""
        if not self.locked:
            drafts = self.drafts_of()
            self.cover()
            self._context.bridge.drop()
            lock = self._context.services.lock.lock
            self._locking = self._context.bridge.call(
                lock, drafts, done=self._on_locked, broke=self._unlock_if_wanted, apart=True
            )

    def unlock(self) -> None:
        """Open again what was open, once all of it is closed."""
        self._unlock_wanted = self._locking is not None and not self._locking.finished
        if self._unlock_wanted:
            return
        self._context.bridge.call(
            self._context.services.lock.unlock,
            done=self._on_unlocked,
            failed=self._on_not_unlocked,
            broke=partial(self._on_unlocked, []),
            in_turn=True,
        )

    def _on_locked(self, _paths: list[str]) -> None:
        self.locked_away.emit()
        self._unlock_if_wanted()

    def _unlock_if_wanted(self) -> None:
        if self._unlock_wanted:
            self.unlock()

    def _on_all_closed(self, opened: tuple[OpenedStore, ...]) -> None:
        self._asking.drop()
        self.show(opened)
        if not opened:  # else one was opened since
            self.emptied.emit()

    def _on_not_unlocked(self, error: UserError | IntegrityError) -> None:
        """Nobody is kept out by it: the window is there, with what is open, and says why."""
        self._on_unlocked([])
        self._context.bridge.error.emit(error)

    def _on_unlocked(self, left: list[str]) -> None:
        self.locked = False
        self.unlocked.emit(left)


def let_go_of_all(library: Library) -> tuple[OpenedStore, ...]:
    """Close every store; what is open all the same. In a thread of the bridge."""
    library.close_all()
    return library.stores()
