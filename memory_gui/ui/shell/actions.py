# SPDX-License-Identifier: MIT
"""Every act that has a key or stands in the menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QWidget

from memory_gui.ui.icons import Icon, icon
from memory_gui.ui.names import named
from memory_gui.ui.shell.refusing import REFUSABLE
from memory_gui.ui.visible import plain_tip
from memory_gui.words import N_, Words

LANGUAGE_NAMES: Final[Mapping[str, str]] = {"en": "English", "zh_CN": "简体中文"}
APPEARANCES: Final = (
    ("system", N_("Like the system")),
    ("light", N_("Light")),
    ("dark", N_("Dark")),
)


@dataclass(frozen=True, slots=True)
class Act:
    """What an action is called, its keys, and its icon in the menu."""

    name: str
    text: str
    keys: tuple[str, ...] = ()
    icon: Icon | None = None


ACTS: Final = (
    Act("home", N_("Home"), ("Alt+0", "Alt+Home"), Icon.HOME),
    Act("open", N_("Open a store…"), ("Ctrl+O",), Icon.DATABASE),
    Act("open_folder", N_("Open a project folder…"), ("Ctrl+Shift+O",), Icon.FOLDER),
    Act("sample", N_("Try the sample"), (), Icon.SAMPLE),
    Act("close_stores", N_("Close all stores"), ("Ctrl+W",), Icon.CLOSE),
    Act("new", N_("New memory"), ("Ctrl+N",), Icon.ADD),
    Act("edit", N_("Edit"), ("F2",), Icon.EDIT),
    Act("trash", N_("Move to trash"), ("Del",), Icon.TRASH),
    Act("undo", N_("Undo"), ("Ctrl+Z",), Icon.UNDO),
    Act("redo", N_("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), Icon.REDO),
    Act("erase", N_("Erase…"), ("Ctrl+Shift+E",), Icon.ERASE),
    Act("copy", N_("Copy the text"), ("Ctrl+C",), Icon.COPY),
    Act("hide", N_("Hide or show all texts"), ("Ctrl+Shift+H",), Icon.HIDDEN),
    Act("search", N_("Search"), ("Ctrl+F",), Icon.SEARCH),
    Act("filters", N_("Filters"), ("Ctrl+Shift+F",), Icon.FILTER),
    Act("saved", N_("Saved searches…"), (), Icon.SAVED),
    Act("export", N_("Export…"), ("Ctrl+E",), Icon.EXPORT),
    Act("protect", N_("Health and encryption…"), (), Icon.KEY),
    Act("clean", N_("Erase everything, keep clean…"), (), Icon.ERASE),
    Act("people", N_("Forget someone…"), ("Ctrl+Shift+P",), Icon.PERSON_GONE),
    Act("agent_view", N_("What the agent is given"), (), Icon.SEARCH),
    Act("agent_line", N_("Copy the line that starts the agent"), (), Icon.COPY),
    Act("convert", N_("Make a database of an old store"), (), Icon.DATABASE),
    Act("settings", N_("Settings"), ("Ctrl+,",), Icon.SETTINGS),
    Act("commands", N_("Commands…"), ("Ctrl+K",), Icon.COMMAND),
    Act("shortcuts", N_("Keyboard shortcuts"), ("Ctrl+/",), Icon.KEYBOARD),
    Act("lock", N_("Lock"), ("Ctrl+L",), Icon.LOCK),
    Act("quit", N_("Quit"), ("Ctrl+Q",), Icon.QUIT),
)

NEEDS_STORE: Final = (
    *("close_stores", "filters", "saved", "new", "edit", "trash", "copy"),
    *("erase", "export", "protect", "clean", "agent_view", "agent_line", "convert", "lock"),
)
"""What makes no sense before a store is open. ``Undoing`` sees to undo and redo."""


class Actions(QObject):
    """The window's QActions by name, and its menu. GUI thread.

    One that the open stores cannot do is disabled. Its keys say why, and so does its tip.
    """

    refused = Signal(str)
    """A person asked for one of those: the reason."""

    def __init__(
        self, words: Words, window: QWidget, do: Mapping[str, Callable[[], object]]
    ) -> None:
        super().__init__(window)
        self._words = words
        self._window = window
        self._actions: dict[str, QAction] = {}
        self._keys: dict[str, QShortcut] = {}
        """Of those that may be refused: heard only while they are."""
        self._reasons: Mapping[str, str] = {}
        for act in ACTS:
            action = QAction(window)
            action.setObjectName(f"act.{act.name}")
            action.setShortcuts([QKeySequence(keys) for keys in act.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            if act.icon is not None:
                action.setIcon(icon(act.icon, "danger" if act.name == "erase" else "muted"))
            action.triggered.connect(do[act.name])
            window.addAction(action)
            self._actions[act.name] = action
            if act.name in REFUSABLE:
                self._keys[act.name] = self._refusing(act)
        self.languages = named(QMenu(window), "menu.language")
        self.appearances = named(QMenu(window), "menu.appearance")
        self.languages.setIcon(icon(Icon.LANGUAGE, "muted"))
        self.appearances.setIcon(icon(Icon.THEME, "muted"))
        self.retranslate()

    def __getitem__(self, name: str) -> QAction:
        """One action."""
        return self._actions[name]

    def menu(self) -> list[QAction | QMenu | None]:
        """The entries of the menu behind the three dots; None is a line."""
        get = self._actions.__getitem__
        return [
            *map(get, ("home", "open", "open_folder", "sample", "close_stores")),
            None,
            *map(get, ("new", "undo", "redo")),
            None,
            get("export"),
            get("protect"),
            get("clean"),
            get("people"),
            get("agent_view"),
            get("agent_line"),
            get("hide"),
            self.appearances,
            self.languages,
            get("settings"),
            None,
            *map(get, ("commands", "shortcuts")),
            None,
            *map(get, ("lock", "quit")),
        ]

    def _refusing(self, act: Act) -> QShortcut:
        keys = QShortcut(self._window)
        keys.setKeys([QKeySequence(one) for one in act.keys])
        keys.setEnabled(False)
        keys.activated.connect(lambda: self.refused.emit(self.reason(act.name)))
        return keys

    def refuse(self, reasons: Mapping[str, str]) -> None:
        """Disable those, and no others that may be refused: name -> why, in words."""
        self._reasons = dict(reasons)
        for name, keys in self._keys.items():
            self._actions[name].setEnabled(name not in reasons)
            keys.setEnabled(name in reasons)
        self._tell_reasons()

    def reason(self, name: str) -> str:
        """Why one is refused; empty where it is not."""
        return self._reasons.get(name, "")

    def _tell_reasons(self) -> None:
        for name in self._keys:
            self._actions[name].setToolTip(plain_tip(self.reason(name)))

    def add_choices(
        self,
        menu: QMenu,
        values: tuple[str, ...],
        current: str,
        chosen: Callable[[str], object],
    ) -> None:
        """Fill a menu with values of which one is ticked."""
        group = QActionGroup(menu)
        for value in values:
            action = menu.addAction(value)
            action.setCheckable(True)
            action.setChecked(value == current)
            action.setData(value)
            group.addAction(action)
        group.triggered.connect(lambda action: chosen(str(action.data())))

    def tick(self, menu: QMenu, value: str) -> None:
        """Tick another value."""
        for action in menu.actions():
            action.setChecked(action.data() == value)

    def enable(self, names: tuple[str, ...], *, enabled: bool) -> None:
        """Allow or forbid some."""
        for name in names:
            self._actions[name].setEnabled(enabled)

    def rename(self, name: str, text: str) -> None:
        """Another text, already said in the language; until the next ``retranslate``."""
        self._actions[name].setText(text.replace("&", "&&"))

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        for act in ACTS:
            self._actions[act.name].setText(say(act.text))
        self._tell_reasons()
        self.languages.setTitle(say("Language"))
        self.appearances.setTitle(say("Appearance"))
        names = dict(APPEARANCES)
        for action in self.appearances.actions():
            action.setText(say(names[str(action.data())]))
        for action in self.languages.actions():
            action.setText(LANGUAGE_NAMES[str(action.data())])
