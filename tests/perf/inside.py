# SPDX-License-Identifier: MIT
"""The app's window in this process, over real services, and waiting for what it does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from beating import until
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication, QLineEdit

from memory_gui.services import build_services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.palette import Theme
from memory_gui.ui.records.listing.finding import Found
from memory_gui.ui.shell.interpreter import Interpreter
from memory_gui.ui.window import MainWindow
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words


def pause(seconds: float) -> None:
    """Let the event loop run for a while."""
    end = time.monotonic() + seconds
    until(lambda: time.monotonic() > end)


@contextmanager
def app_window(app: QApplication, home: Path) -> Iterator[MainWindow]:
    """As the app makes it, with no store open."""
    load_fonts()
    app.setFont(base_font(shipped=True))
    words = Words("en")
    services = build_services(words=words, home=home, data_dir=home / "data", keychain=NoKeychain())
    services.settings.change(auto_lock_minutes=0)  # nobody touches a key here for minutes
    bridge = Bridge()
    window = MainWindow(
        Context(services, bridge, words), Theme(app, "light"), services.library.stores
    )
    window.show()
    until(window.windowHandle().isExposed)
    interpreter = Interpreter(window)
    window.begin()
    until(lambda: not bridge.busy)
    yield window
    interpreter.close()
    window.memories.clear()
    window.close()
    bridge.close()
    services.close()


class Typing:
    """Puts texts into the search box, and sees when their answers stand in the list."""

    def __init__(self, window: MainWindow) -> None:
        self._box = window.findChild(QLineEdit, "search")
        self._list = window.memories.list
        self._loop = QEventLoop()
        self._waiting = ""
        self._ended = 0.0
        self._list.model.modelReset.connect(self._on_shown)
        self._list.model.dataChanged.connect(self._on_shown)  # where the same ones are found
        self._list.searching.found.connect(self._on_found)

    def first_page(self, text: str) -> float:
        """Seconds from the text in the box until the model has the first page of its answer.

        Its ids, that is, and the records of all rows that are seen.
        """
        return self._type(text, "page")

    def counted(self, text: str) -> float:
        """Seconds until it has all of them, and says how many they are."""
        return self._type(text, "count")

    def _type(self, text: str, until_: str) -> float:
        if self._box.text() == text:  # two words may begin alike
            self._box.setText("")
            pause(0.3)
        self._waiting = until_
        begun = time.perf_counter()
        self._box.setText(text)
        self._loop.exec()
        return self._ended - begun

    def _on_shown(self) -> None:
        """The model has new rows."""
        query = self._list._shown
        if self._waiting == "page" and query is not None and query.text == self._box.text():
            self._end()

    def _on_found(self, found: Found) -> None:
        """The list, which was told before, has shown it and said its number."""
        listing = found.listing
        if (
            self._waiting == "count"
            and not listing.counting
            and listing.query.text == self._box.text()
        ):
            self._end()

    def _end(self) -> None:
        self._ended = time.perf_counter()
        self._waiting = ""
        model, table = self._list.model, self._list.table
        seen = range(min(table.rows_in_sight()[1], len(model.ids)))
        assert seen
        assert all(model.record(row) is not None for row in seen)
        self._loop.quit()
