# SPDX-License-Identifier: MIT
"""The menu of the selected rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QWidget

from memory_gui.domain.changes import Capability
from memory_gui.ui.icons import Icon, icon
from memory_gui.ui.names import named
from memory_gui.ui.views import ACTIVITY, MEMORIES, TRASH, View
from memory_gui.ui.visible import plain_button, plain_tip
from memory_gui.words import Words


def row_menu(
    parent: QWidget,
    words: Words,
    view: View,
    do: Mapping[str, Callable[[], object]],
    able: Capability = ~Capability.NONE,
    *,
    subject: str = "",
    refused: tuple[Collection[str], str] = ((), ""),
) -> QMenu:
    """What can be done with rows of a view; ``do`` has edit, trash, restore, erase, erase_subject.

    ``subject`` is who or what the one row is about; ``refused``: acts that a case refuses, and why.
    """
    say = words.say
    menu = named(QMenu(parent), "memories.menu", say("Records"))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)

    def add(act: str, looks: QIcon, text: str, how: str) -> None:
        action = menu.addAction(looks, text, do[how])
        if act in refused[0]:
            action.setEnabled(False)
            action.setToolTip(plain_tip(refused[1]))

    if view is TRASH:
        add("restore", icon(Icon.RESTORE), say("Restore"), "restore")
        add("delete", icon(Icon.CLOSE), say("Delete…"), "trash")
    elif view is MEMORIES:
        if Capability.EDIT in able:
            add("edit", icon(Icon.EDIT), say("Edit"), "edit")
        if Capability.TRASH in able:
            add("trash", icon(Icon.TRASH), say("Move to trash"), "trash")
        elif Capability.DELETE in able:
            add("delete", icon(Icon.CLOSE), say("Delete…"), "trash")
    if view is not ACTIVITY and Capability.ERASE in able:
        menu.addSeparator()
        add("erase", icon(Icon.ERASE, "danger"), say("Erase…"), "erase")
        if subject:
            text = plain_button(say("Erase everything about {subject}…", subject=subject))
            menu.addAction(icon(Icon.ERASE, "danger"), text, do["erase_subject"])
    return menu
