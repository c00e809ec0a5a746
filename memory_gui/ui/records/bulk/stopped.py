# SPDX-License-Identifier: MIT
"""Acts over several records that were stopped in their middle: go on, or take back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import BulkResult, OpenedStore, Services
from memory_gui.services.editing.editing import Editing
from memory_gui.services.editing.stopped import StoppedAct
from memory_gui.services.reviewing.stopped import ACTS as DECISIONS
from memory_gui.services.reviewing.stopped import BACK
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.phrases import store_name
from memory_gui.ui.widgets import Banner
from memory_gui.words.stopped import how_far

_BACK: Final[Mapping[str, str]] = MappingProxyType({"trash": "restore", "restore": "trash"})
"""Act -> what takes it back. Decisions are taken up by the page that shows them."""

Found = tuple[StoreId, StoppedAct]


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Decisions that were stopped: go on with them, or take ``back`` what was decided."""

    store: StoreId
    one: StoppedAct
    back: bool


class StoppedNotice(QObject):
    """A banner of its own; one act at a time. GUI thread."""

    act_wanted = Signal(object, object)
    """(name of an act, a tuple of Refs)."""
    decisions_wanted = Signal(object)
    """A TakeUp; ``taken_up`` says that it was heard."""

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner
        self._opened: dict[StoreId, OpenedStore] = {}
        self._looked: set[StoreId] = set()
        self._found: list[Found] = []
        self._taken: list[Found] = []
        """Gone on with, taken back or left: not told again, however late a look comes back."""
        self._asking = Asking(context.bridge)

    def follow(self, opened: Sequence[OpenedStore]) -> None:
        """These are open: look at those that were not looked at yet."""
        self._opened = {one.id: one for one in opened}
        self._looked &= self._opened.keys()
        new = self._opened.keys() - self._looked
        self._looked |= new
        self._found = [one for one in self._found if one[0] in self._opened]
        if new:
            self._look()
        self._tell()

    def tell(self, store: StoreId, one: StoppedAct) -> None:
        """Tell of one that was found."""
        self._found.append((store, one))
        self._tell()

    def look_again(self, _changes: object = None) -> None:
        """Something was done: what is told may be finished by it."""
        if (self._found or self._asking.busy) and self._opened:
            self._look()

    def _look(self) -> None:
        """In all that is open: only the newest look counts."""
        self._asking.anew(
            stopped_in,
            self._context.services.editing,
            sorted(self._opened),
            done=self._on_looked,
            failed=self._on_failed,
        )

    def clear(self) -> None:
        """Forget them."""
        self._asking.drop()
        self._opened, self._looked, self._found = {}, set(), []
        self._taken = []
        self._banner.dismiss()

    def retranslate(self) -> None:
        """Say it again."""
        self._tell()

    def _on_looked(self, found: list[Found]) -> None:
        self._found = [one for one in found if one[0] in self._opened and one not in self._taken]
        self._tell()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """Using the store tells what is wrong."""

    def _tell(self) -> None:
        if not self._found:
            self._banner.dismiss()
            return
        say = self._context.words.say
        store, one = self._found[0]
        ways: list[tuple[str, Callable[[], object]]] = []
        if one.act != "tag":  # which tags it was about is not written down
            ways.append((say("Go on"), partial(self._go_on, one)))
        if one.act in {*_BACK, *BACK} and one.reached:
            ways.append((say("Take back"), partial(self._take_back, one)))
        ways.append((say("Leave it so"), self._leave))
        words = self._context.words
        name = store_name(words, self._opened[store])
        told = how_far(words, one.act, store=name, done=one.done, total=one.total)
        self._banner.tell("warn", told, *ways)

    def taken_up(self) -> None:
        """The page of decisions goes on with it, or takes it back, and forgets it then."""
        self._next()

    def _go_on(self, one: StoppedAct) -> None:
        if one.act in DECISIONS:
            self.decisions_wanted.emit(TakeUp(self._found[0][0], one, back=False))
            return
        self._next()
        self.act_wanted.emit(one.act, one.left)

    def _take_back(self, one: StoppedAct) -> None:
        if one.act in DECISIONS:
            self.decisions_wanted.emit(TakeUp(self._found[0][0], one, back=True))
            return
        self._leave()
        self.act_wanted.emit(_BACK[one.act], one.reached)

    def _leave(self) -> None:
        store, one = self._found[0]
        forget = self._context.services.editing.forget_stopped
        self._context.bridge.call(forget, store, one, in_turn=True)
        self._next()

    def _next(self) -> None:
        self._taken.append(self._found.pop(0))
        self._tell()


def stopped_in(editing: Editing, stores: Collection[StoreId]) -> list[Found]:
    """What was stopped in some stores. In a thread of the bridge."""
    return [(store, one) for store in stores for one in editing.stopped(store)]


def act_of(services: Services, name: str) -> Callable[..., BulkResult]:
    """An act of the editing on refs, by its name."""
    act: Callable[..., BulkResult] = getattr(services.editing, name)
    return act
