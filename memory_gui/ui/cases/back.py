# SPDX-License-Identifier: MIT
"""Says that somebody who was forgotten is named again in an open store."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore, Services
from memory_gui.services.cases.answering.returning import Back
from memory_gui.ui.context import Context
from memory_gui.ui.pages.storelooks import StoreLooks
from memory_gui.ui.widgets import Banner

_LATER_MS: Final = 30_000
"""An agent writes often, and a store is read as a whole for this."""


def look(services: Services, stores: Collection[StoreId]) -> dict[StoreId, tuple[Back, ...]]:
    """By store who is back in it. Asks nobody where no case was ever made. Any thread."""
    found: dict[StoreId, tuple[Back, ...]] = {}
    for store in stores if services.cases.any_yet else ():
        try:
            found[store] = services.cases.back(store)
        except UserError:
            found[store] = ()  # it was closed or lent meanwhile
    return found


class BackNotice(QObject):
    """A banner of its own, until it is closed or nothing is back. GUI thread.

    It names the case and how many records; nobody knows the name any more. The clock of the case
    stays as it is.
    """

    wanted = Signal(str, object)
    """A page and what it shows: the refs to erase, or the number of a case."""

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner
        self._looks = StoreLooks[tuple[Back, ...]](context, look, self._say)
        self._changed: set[StoreId] = set()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_LATER_MS)
        self._later.timeout.connect(self._on_later)

    def follow(self, opened: Collection[OpenedStore]) -> None:
        """What is open now; stores that were not open before are looked at."""
        self._looks.follow([one.id for one in opened])

    def look(self, stores: Collection[StoreId]) -> None:
        """Look at some: after opening, after an import, after another program wrote."""
        self._looks.look(stores)

    def look_later(self, stores: Collection[StoreId]) -> None:
        """Other programs wrote: look once, when half a minute is over."""
        self._changed |= set(stores)
        if not self._later.isActive():
            self._later.start()

    def look_again(self, _changes: object = None) -> None:
        """After an act of ours, as long as somebody is named."""
        self._looks.look_again()

    def clear(self) -> None:
        """Name nobody any more."""
        self._looks.clear()
        self._changed.clear()
        self._later.stop()
        self._banner.dismiss()

    def retranslate(self) -> None:
        """Say it again."""
        self._say()

    def _on_later(self) -> None:
        changed, self._changed = self._changed, set()
        self.look(changed)

    def _say(self) -> None:
        words = self._context.words
        back = [one for some in self._looks.found.values() for one in some]
        if not back:
            self._banner.dismiss()
            return
        refs = tuple(dict.fromkeys(one.ref for one in back))
        numbers = sorted({one.case for one in back})
        text = words.many(
            "{n} record names somebody who was forgotten (case {cases}).",
            "{n} records name somebody who was forgotten (case {cases}).",
            len(refs),
            cases=words.row(list(map(str, numbers))),
        )
        self._banner.tell(
            "warn",
            text,
            (words.say("Erase them again…"), partial(self.wanted.emit, "erase", refs)),
            (words.say("Show the case"), partial(self.wanted.emit, "case", numbers[0])),
        )
