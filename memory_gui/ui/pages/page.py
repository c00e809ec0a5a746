# SPDX-License-Identifier: MIT
"""What a page of the window is: the small contract between the shell and its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memory_gui.ui.context import Context

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.domain.records import StoreId
    from memory_gui.services import Services
    from memory_gui.services.locking.drafts import Draft


class Page(QWidget):
    """A page in the window's stack. The shell makes it once, when it is first shown.

    The shell calls ``show_for`` when a person goes there, ``refresh`` after changes (its own and
    other programs'), ``retranslate`` after the language changed, and ``clear`` on lock: after it,
    no text of a memory and no key may be left in any widget, model or attribute.
    """

    changed = Signal(object)
    """A ChangeSet: what the page's act touched; the shell redraws lists and counts."""
    go = Signal(str, object)
    """Ask the shell for another page: (name, argument), see ``memory_gui.ui.pages``."""
    closed = Signal()
    """Back to where the person came from."""
    told = Signal(str, str)
    """Ask for a banner: (tone ``info|ok|warn|danger``, sentence already said in the language)."""

    icon_name = "info"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.bridge = context.bridge
        self.words = context.words

    @property
    def services(self) -> Services:
        """What the page shows and asks to act."""
        return self.context.services

    def show_for(self, argument: object) -> None:
        """The page is about to be shown; ``argument`` is what ``go`` carried."""

    def choose_store(self, store: StoreId | None) -> None:
        """A person chose one of the open stores in the left pane, or (None) all of them."""

    def refresh(self) -> None:
        """Something changed in a store: ask the services again, keeping selection and place."""

    def retranslate(self) -> None:
        """Say all texts again."""

    def clear(self) -> None:
        """Forget every text and key."""

    def drafts(self) -> tuple[Draft, ...]:
        """What was typed and not saved; asked for before the window locks."""
        return ()

    def may_leave(self) -> bool:
        """Whether nothing unsaved would be lost; a page that says no shows why itself."""
        return True
