# SPDX-License-Identifier: MIT
"""A store that its agent no longer reads, made into one that it does: asked for, done, told."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.changes import Capability, Converted
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.context import Context
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Banner
from memory_gui.words.errors import explain


def convertible(stores: Iterable[OpenedStore]) -> list[OpenedStore]:
    """Those of which a store of the present format can be made."""
    return [one for one in stores if Capability.CONVERT in one.info.capabilities]


class Converter(QObject):
    """Does it off the GUI thread and says so in a banner. GUI thread."""

    open_wanted = Signal(str)
    """The path of the new store."""

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner

    def convert_one(self, stores: Iterable[OpenedStore]) -> None:
        """The first that can be converted; says so when none can."""
        found = convertible(stores)
        if not found:
            say = self._context.words.say
            text = say("Its agent reads this store as it is: there is nothing to convert.")
            self._banner.tell("info", text)
            return
        self.convert(found[0].id)

    def convert(self, store: StoreId) -> None:
        """Make it at the place where its agent looks."""
        run = self._context.services.converting.run
        self._context.bridge.call(run, store, done=self._on_done, failed=self._on_failed)

    def _on_done(self, made: Converted) -> None:
        words = self._context.words
        text = words.many(
            "{n} record is in {path} now: read back and compared.",
            "{n} records are in {path} now: read back and compared.",
            made.records,
            path=visible(made.path),
        )
        stays = words.say("The old file stays as it is until you erase it.")
        act = (words.say("Open it"), partial(self.open_wanted.emit, made.path))
        self._banner.tell("ok", f"{text} {stays}", act)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._banner.tell("warn", explain(self._context.words, error).text)
