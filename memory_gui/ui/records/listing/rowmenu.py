# SPDX-License-Identifier: MIT
"""The menu of the selected rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from memory_gui.domain.changes import Capability
from memory_gui.ui.icons import Icon, icon
from memory_gui.ui.names import named
from memory_gui.ui.views import ACTIVITY, MEMORIES, TRASH, View
from memory_gui.ui.visible import plain_button
from memory_gui.words import Words


def row_menu(
    parent: QWidget,
    words: Words,
    view: View,
    do: Mapping[str, Callable[[], object]],
    able: Capability = ~Capability.NONE,
    *,
    subject: str = "",
) -> QMenu:
    """What can be done with rows of a view; ``do`` has edit, trash, restore, erase, erase_subject.

    ``subject`` is who or what the one row is about.
    """
    say = words.say
    menu = named(QMenu(parent), "memories.menu", say("Records"))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if view is TRASH:
        menu.addAction(icon(Icon.RESTORE), say("Restore"), do["restore"])
        menu.addAction(icon(Icon.CLOSE), say("Delete…"), do["trash"])
    elif view is MEMORIES:
        if Capability.EDIT in able:
            menu.addAction(icon(Icon.EDIT), say("Edit"), do["edit"])
        if Capability.TRASH in able:
            menu.addAction(icon(Icon.TRASH), say("Move to trash"), do["trash"])
        elif Capability.DELETE in able:
            menu.addAction(icon(Icon.CLOSE), say("Delete…"), do["trash"])
    if view is not ACTIVITY and Capability.ERASE in able:
        menu.addSeparator()
        menu.addAction(icon(Icon.ERASE, "danger"), say("Erase…"), do["erase"])
        if subject:
            text = plain_button(say("Erase everything about {subject}…", subject=subject))
            menu.addAction(icon(Icon.ERASE, "danger"), text, do["erase_subject"])
    return menu
