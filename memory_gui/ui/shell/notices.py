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
from memory_gui.ui.shell.phrases import store_name
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
            "{name}: the agent no longer uses this format, so it can only be looked at."
        ),
        "foreign.objects": N_(
            "{name}: the database has triggers, views or tables that its agent did not make. "
            "Nothing is written before you have looked at them."
        ),
    }
)
_FOREIGN: Final = "foreign.objects"


class Notices(QObject):
    """Says it once, in a banner. GUI thread."""

    go = Signal(str, object)

    def __init__(self, context: Context, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._banner = banner

    def tell(self, stores: tuple[OpenedStore, ...]) -> None:
        """About stores that were just opened."""
        lines = list(self._lines(stores))
        if not lines:
            return
        say = self._context.words.say
        acts: list[tuple[str, Callable[[], object]]] = [
            (say("Look at them"), partial(self.go.emit, "protect", one.id))
            for one in stores
            if _FOREIGN in one.info.notes
        ]
        calm = all(one.key_place == KeyPlace.THIS_RUN for one in stores) and len(lines) == 1
        self._banner.tell("info" if calm else "warn", "\n".join(lines), *acts[:1])

    def _lines(self, stores: tuple[OpenedStore, ...]) -> Iterator[str]:
        words = self._context.words
        if any(one.key_place == KeyPlace.THIS_RUN for one in stores):
            yield words.say("No keychain can keep the sample’s key: it lasts until you quit.")
        for one in stores:
            for note in one.info.notes:
                if note in NOTES:
                    yield words.say(NOTES[note], name=store_name(words, one))
            if one.partner_problem is not None and one.info.role == "project":
                yield explain(words, one.partner_problem).text
