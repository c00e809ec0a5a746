# SPDX-License-Identifier: MIT
"""Where a new memory can be written: one place for each agent's project that is open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from memory_gui.domain.changes import Capability
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import StoreId
from memory_gui.services import OpenedStore
from memory_gui.ui.icons import icon
from memory_gui.ui.names import named
from memory_gui.ui.phrases import store_names
from memory_gui.ui.records.editing.able import addable
from memory_gui.ui.shell.storestate import look_of
from memory_gui.words import Words, formats

_READ_ONLY: Final = frozenset({"opened.read_only", "opened.from_copy"})


def homes_of(
    opened: Sequence[OpenedStore], chosen: Collection[StoreId] = ()
) -> tuple[OpenedStore, ...]:
    """Stores in which a memory can be written; of a pair the project's, which leads to both."""
    able = [
        one
        for one in opened
        if Capability.ADD in one.info.capabilities and not _READ_ONLY & set(one.info.notes)
    ]
    wanted = [one for one in able if one.id in chosen] if chosen else able
    projects = {one.id for one in wanted if one.info.role != "user"}
    reached = {one.partner for one in wanted if one.id in projects}
    return tuple(one for one in wanted if one.id in projects or one.id not in reached)


def homes_menu(
    parent: QWidget,
    words: Words,
    homes: Sequence[OpenedStore],
    choose: Callable[[OpenedStore, Kind], object],
) -> QMenu:
    """Asks for one of several stores, and for the kind where a store has several."""
    menu = named(QMenu(parent), "memories.new.menu", words.say("Where the new memory is kept"))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    names = store_names(words, homes)
    for one in homes:
        kinds = addable(one)
        for kind in kinds:
            name = names[one.id]
            if len(kinds) > 1:
                of_kind = formats.one(words, kind.name)
                name = words.say("{store}: {kind}", store=name, kind=of_kind)
            act = partial(choose, one, kind)
            menu.addAction(icon(*look_of(one, None)), name.replace("&", "&&"), act)
    return menu
