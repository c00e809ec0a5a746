# SPDX-License-Identifier: MIT
"""What a person should know about a store that was just opened."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final

from PySide6.QtCore import QObject, Signal

from memory_gui.services import KeyPlace, OpenedStore
from memory_gui.ui.context import Context
from memory_gui.ui.phrases import store_name
from memory_gui.ui.protect.told import told
from memory_gui.ui.shell.converting import convertible
from memory_gui.ui.widgets import Banner
from memory_gui.words import N_
from memory_gui.words.errors import explain

NOTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "opened.from_copy": N_(
            "{name}: its folder is read-only or full, so a copy in memory is shown. "
            "Nothing can be changed."
        ),
        "opened.read_only": N_("{name}: the file may not be written, so it can only be read."),
        "opened.newer_schema": N_(
            "{name}: a newer version of the agent wrote this, so it can only be looked at."
        ),
        "opened.old_format": N_(
            "{name}: the agent no longer uses this format. It can be looked at and erased, or a "
            "database be made of it."
        ),
        "foreign.objects": N_(
            "{name}: the database has triggers, views or tables that its agent did not make. "
            "Nothing is written before you have looked at them."
        ),
    }
)
_FOREIGN: Final = "foreign.objects"
_ABSENT: Final = "pair.absent"


class Notices(QObject):
    """Says it once, in a banner. GUI thread."""

    go = Signal(str, object)

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner
        self._stores: tuple[OpenedStore, ...] = ()
        self._said = ""

    def tell(self, stores: tuple[OpenedStore, ...]) -> None:
        """About stores that were just opened."""
        self._stores = stores
        context = self._context
        context.bridge.call(told, context.services, context.words, done=self._on_told)
        lines = list(self._lines(stores))
        if not lines:
            return
        say = self._context.words.say
        acts: list[tuple[str, Callable[[], object]]] = [
            (say("Look at them"), partial(self.go.emit, "protect", one.id))
            for one in stores
            if _FOREIGN in one.info.notes
        ]
        acts += [
            (say("Make a database of it"), partial(self.go.emit, "convert", one.id))
            for one in convertible(stores)
        ]
        calm = not any(self._warnings(stores))
        self._banner.tell("info" if calm else "warn", "\n".join(lines), *acts[:1])
        self._said = self._banner.text

    def _on_told(self, lines: list[str]) -> None:
        """Changes of keys and encryption that were stopped earlier."""
        if lines and self._stores:
            shown = self._banner.text if self._banner.text == self._said else ""
            self._banner.tell("warn", "\n".join(filter(None, [shown, *lines])))

    def retranslate(self) -> None:
        """Say again what is still shown."""
        if self._said and self._banner.text == self._said:
            self.tell(self._stores)

    def forget(self) -> None:
        """No store is open any more."""
        self._stores, self._said = (), ""

    def _lines(self, stores: tuple[OpenedStore, ...]) -> Iterator[str]:
        words = self._context.words
        if any(one.key_place == KeyPlace.THIS_RUN for one in stores):
            yield words.say("No keychain can keep the sample’s key: it lasts until you quit.")
        yield from self._warnings(stores)
        for one in stores:
            if _partner_code(one) == _ABSENT:
                yield words.say("The agent has saved nothing about you yet, only this project.")

    def _warnings(self, stores: tuple[OpenedStore, ...]) -> Iterator[str]:
        words = self._context.words
        for one in stores:
            for note in one.info.notes:
                if note in NOTES:
                    yield words.say(NOTES[note], name=store_name(words, one))
            if one.partner_problem is not None and _partner_code(one) not in ("", _ABSENT):
                yield explain(words, one.partner_problem).text


def _partner_code(one: OpenedStore) -> str:
    """Why the agent's memory of the person is not open; empty when it is."""
    wanted = one.partner_problem is not None and one.info.role == "project"
    return one.partner_problem.code if wanted and one.partner_problem is not None else ""
