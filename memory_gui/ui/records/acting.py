# SPDX-License-Identifier: MIT
"""What is done with the chosen rows: asks for what is missing, then hands on to the acts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.changes import Capability
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.services.library.library import Library
from memory_gui.ui.context import Context
from memory_gui.ui.records.bulk.acts import Acts
from memory_gui.ui.records.bulk.bar import deletes_at_once
from memory_gui.ui.records.bulk.chosen import Chosen, refs_of
from memory_gui.ui.records.listing.pane import ListPane
from memory_gui.ui.views import MEMORIES, TRASH
from memory_gui.words import formats

MOST_SHOWN: Final = 1_000
"""Records that are selected again because an act failed for them."""
MOST_TAGS: Final = 500

MayLeave = Callable[[], bool]


class Acting(QObject):
    """Between the list's selection and the acts. GUI thread.

    ``may_leave`` says whether nothing typed would be lost.
    """

    export_wanted = Signal(object)
    """A tuple of Refs."""

    def __init__(
        self, context: Context, pane: ListPane, acts: Acts, may_leave: MayLeave, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._list = pane
        self._acts = acts
        self._may_leave = may_leave
        pane.bar.acted.connect(self.do)
        pane.bar.tags_wanted.connect(self._on_tags_wanted)
        pane.bar.tags_opened.connect(self._on_tags_opened)
        pane.narrowing.chips.erase_wanted.connect(self.erase_about)
        pane.failures.select_wanted.connect(self._on_select_wanted)

    def do(self, act: str) -> None:
        """One of the acts of the bar, by its name."""
        {
            "trash": self.trash,
            "restore": self.restore,
            "delete": self.trash,
            "erase": self.erase,
            "export": self.export,
        }[act]()

    def trash(self) -> None:
        """Move the chosen records to the trash; in the trash, ask to delete them."""
        chosen = self._chosen()
        if chosen is None:
            return
        view, able = self._list.searching.view, self._list.searching.able
        if view is TRASH or deletes_at_once(view, able):
            self._acts.ask_delete(chosen)
        elif view is MEMORIES and Capability.TRASH in able:
            self._acts.trash(chosen)
            self._list.focus_list()  # the button goes, and the next one would be "Undo"
        elif view is MEMORIES:
            self._list.banner.tell("info", self._why_not("delete"))
        else:
            say = self._context.words.say
            self._list.banner.tell("info", say("Only memories can go to the trash."))

    def _why_not(self, act: str) -> str:
        """The reason that one of the stores gives."""
        words = self._context.words
        codes = (one.info.reasons.get(act, "") for one in self._list.searching.opened)
        found = next((text for code in codes if (text := formats.reason(words, code))), "")
        return found or words.say("Nothing can be written here: it can only be read.")

    def restore(self) -> None:
        """Take the chosen records out of the trash."""
        self._acts.restore(self._list.chosen_rows())
        self._list.focus_list()

    def erase(self) -> None:
        """Go to the erase page with the chosen records."""
        chosen = self._chosen()
        if chosen is not None:
            self._acts.erase(chosen)

    def erase_about(self, subject: str) -> None:
        """Go to the erase page with everything about a subject, in the stores that are listed."""
        if self._may_leave():
            self._acts.erase_about(subject, self._list.searching.stores)

    def export(self) -> None:
        """Go to the export page with the chosen records."""
        chosen = self._chosen()
        if chosen is not None:
            self._context.bridge.call(
                refs_of, self._context.services.library, chosen, done=self._on_refs_found
            )

    def _chosen(self) -> Chosen | None:
        """The chosen rows, where there are some and nothing typed is in the way."""
        chosen = self._list.chosen_rows()
        if not self._may_leave():
            return None
        if not chosen:
            self._list.say_none_chosen()
            return None
        return chosen

    def _on_refs_found(self, refs: tuple[Ref, ...]) -> None:
        if refs:
            self.export_wanted.emit(refs)

    def _on_tags_wanted(self, add: tuple[str, ...], remove: tuple[str, ...]) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self._acts.tag(chosen, add, remove)

    def _on_tags_opened(self) -> None:
        self._context.bridge.call(
            known_tags,
            self._context.services.library,
            self._list.searching.query,
            done=self._list.bar.tags.offer,
        )

    def _on_select_wanted(self, refs: tuple[Ref, ...]) -> None:
        self._context.bridge.call(
            numbers_of, self._context.services.library, refs[:MOST_SHOWN], done=self._list.select
        )


def known_tags(library: Library, query: Query) -> list[str]:
    """The tags that a list has, the most frequent first. In a thread of the bridge."""
    return [one.value for one in library.facets(query)["tag"] if one.value][:MOST_TAGS]


def numbers_of(library: Library, refs: Sequence[Ref]) -> list[int]:
    """The listing ids of records. In a thread of the bridge."""
    return [number for ref in refs if (number := library.id_of(ref)) is not None]
