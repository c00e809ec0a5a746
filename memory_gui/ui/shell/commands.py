# SPDX-License-Identifier: MIT
"""What the acts of the menu and of the keys do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from memory_gui.domain.records import StoreId
from memory_gui.services.agent.starting import start_line
from memory_gui.ui.context import Context
from memory_gui.ui.pages.requests import OpenRequest
from memory_gui.ui.shell.actions import NEEDS_STORE, Actions
from memory_gui.ui.shell.converting import Converter
from memory_gui.ui.shell.holding import Holding
from memory_gui.ui.shell.navigation import Navigation
from memory_gui.ui.shell.panes import Panes
from memory_gui.ui.shell.refusing import refusals
from memory_gui.ui.views import VIEWS, View


class Commands(QObject):
    """Has the window's actions. GUI thread.

    ``more`` are the acts of others by their names in ``actions.ACTS``: open, quit, ….
    """

    def __init__(
        self,
        context: Context,
        panes: Panes,
        holding: Holding,
        navigation: Navigation,
        *,
        more: Mapping[str, Callable[[], object]],
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._words = context.words
        self._hiding = context.privacy.hiding
        self._clipboard = context.privacy.clipboard
        self._panes = panes
        self.converter = Converter(context, panes.banner, window)
        self.converter.open_wanted.connect(lambda path: navigation.go("open", OpenRequest(path)))
        self._holding = holding
        self._navigation = navigation
        self.actions = Actions(context.words, window, {**self._acts(), **more})
        self.actions.refused.connect(lambda why: panes.banner.tell("info", why))
        panes.sidebar.stores_chosen.connect(self.say_chosen)
        panes.sidebar.close_wanted.connect(self.close_store)
        panes.sidebar.home_wanted.connect(partial(navigation.go, "start"))
        panes.sidebar.people_wanted.connect(partial(navigation.go, "cases"))
        panes.sidebar.protect_wanted.connect(partial(navigation.go, "protect"))
        panes.top.set_menu(self.actions.menu())
        for number, view in enumerate(VIEWS, 1):
            keys = QShortcut(QKeySequence(f"Alt+{number}"), window)
            keys.activated.connect(partial(self._choose_view, view))

    def allow(self, *, opened: bool) -> None:
        """What can be done depends on whether a store is open, and on which it is."""
        self.actions.refuse({})
        self.actions.enable(NEEDS_STORE, enabled=opened)
        if opened:
            self.say_chosen()

    def protect(self) -> None:
        """Show the health of the chosen store; of all, of one that was changed by others."""
        opened = self._holding.opened
        foreign = [one.id for one in opened if "foreign.objects" in one.info.notes]
        chosen = self._panes.sidebar.stores or [*foreign, *(one.id for one in opened)][:1]
        for store in chosen:
            self._navigation.go("protect", store)

    def close_stores(self) -> None:
        """Let go of the chosen store; of all, where all are chosen."""
        chosen = self._panes.sidebar.stores
        if not chosen:
            self._close_all()
        for store in chosen:
            self.close_store(store)

    def close_store(self, store: StoreId) -> None:
        """Let go of one store, unless something typed would be lost."""
        if all(one.id == store for one in self._holding.opened):
            self._close_all()
            return
        page = self._panes.host.page
        if page is None or page.may_leave():
            self._holding.close(store)

    def say_chosen(self, _stores: object = None) -> None:
        """Name what Ctrl+W would close, and refuse what the chosen stores cannot do."""
        say, one = self._words.say, bool(self._panes.sidebar.stores)
        self.actions.rename(
            "close_stores", say("Close this store") if one else say("Close all stores")
        )
        chosen, opened = self._panes.sidebar.stores, self._holding.opened
        shown = [one for one in opened if not chosen or one.id in chosen]
        if shown and not self._holding.locked:
            self.actions.refuse(refusals(self._words, shown))

    def _close_all(self) -> None:
        page = self._panes.host.page
        if page is None or page.may_leave():
            self._holding.close_all()

    def _acts(self) -> dict[str, Callable[[], object]]:
        panes, go = self._panes, self._navigation.go
        return {
            "home": partial(go, "start"),
            "close_stores": self.close_stores,
            "new": self._new_memory,
            "edit": partial(self._in_list, "edit_current"),
            "trash": partial(self._in_list, "trash_selected"),
            "undo": panes.memories.undo,
            "redo": panes.memories.redo,
            "erase": partial(self._in_list, "erase_selected"),
            "copy": partial(self._in_list, "copy_current"),
            "hide": self._hiding.toggle,
            "search": panes.top.focus_search,
            "filters": self._filters,
            "saved": self._saved,
            "export": self._export,
            "protect": self.protect,
            "clean": self._clean,
            "people": partial(go, "cases"),
            "agent_view": self._show_agent_view,
            "agent_line": self._copy_agent_line,
            "convert": self._convert,
            "settings": partial(go, "settings"),
            "shortcuts": partial(go, "shortcuts"),
            "lock": self._holding.lock,
        }

    def _saved(self) -> None:
        """Open the menu of saved searches."""
        if self._panes.host.name != "memories":
            self._navigation.choose_view(self._panes.memories.view)
        self._panes.memories.open_saved()

    def _filters(self) -> None:
        """Show or hide what the list can be narrowed to."""
        if self._panes.host.name != "memories":
            self._navigation.choose_view(self._panes.memories.view)
        self._panes.memories.toggle_filters()

    def _export(self) -> None:
        self._navigation.go("export", self._panes.memories.query)

    def _clean(self) -> None:
        """Erase everything of the chosen store, else of the first one; keep it clean."""
        chosen = [*self._panes.sidebar.stores, *(one.id for one in self._holding.opened)]
        for store in chosen[:1]:
            self._navigation.go("clean", store)

    def _show_agent_view(self) -> None:
        """What the agent of the chosen store is given."""
        self._navigation.go("agent", next(iter(self._panes.sidebar.stores), None))

    def _copy_agent_line(self) -> None:
        """What starts the agent of the chosen store, else of the first project that is open."""
        chosen = self._panes.sidebar.stores
        opened = sorted(self._holding.opened, key=lambda one: one.info.role != "project")
        lines = (start_line(one.info) for one in opened if not chosen or one.id in chosen)
        line = next(filter(None, lines), None)
        say = self._words.say
        if line is None:
            self._panes.banner.tell("info", say("No agent can be started over this store."))
            return
        self._clipboard.copy_plain(line)
        self._panes.banner.tell("info", say("Copied, for a terminal: {line}", line=line))

    def _convert(self) -> None:
        """The chosen store, else the first open one of which a newer one can be made."""
        chosen = self._panes.sidebar.stores
        self.converter.convert_one(
            one for one in self._holding.opened if not chosen or one.id in chosen
        )

    def _choose_view(self, view: View) -> None:
        if self._holding.opened and self._panes.sidebar.offers(view):
            self._navigation.choose_view(view)
        elif self._holding.opened:
            name = self._words.say(view.title)
            text = self._words.say("{view}: no open store can have such records.", view=name)
            self._panes.banner.tell("info", text)

    def _new_memory(self) -> None:
        self._navigation.choose_view(VIEWS[0])
        self._panes.memories.new_memory()

    def _in_list(self, act: str) -> None:
        """Acts on the list's selection only say so while another page is shown."""
        if self._panes.host.name == "memories":
            getattr(self._panes.memories, act)()
        else:
            self._panes.banner.tell("info", self._words.say("Choose a record in the list first."))
