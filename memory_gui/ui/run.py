# SPDX-License-Identifier: MIT
"""From services to a window on screen, and tidily back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QSize, QTimer, QTranslator
from PySide6.QtWidgets import QApplication, QWidget

from memory_gui.services import Services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.icons import window_icon
from memory_gui.ui.palette import Theme
from memory_gui.ui.selftest import selftest
from memory_gui.ui.shell.asked import Asked
from memory_gui.ui.shell.host import PageHost
from memory_gui.ui.shell.interpreter import Interpreter
from memory_gui.ui.shell.layout import Layout
from memory_gui.ui.shell.sample import SampleSession
from memory_gui.ui.shell.signals import EndSignals
from memory_gui.ui.shell.warming import Warming
from memory_gui.ui.window import MainWindow
from memory_gui.words import Words

NAME: Final = "memory-gui"
FRAME: Final = QSize(16, 56)
"""Most that a desktop puts around a window."""
DESKTOP_ID: Final = "io.github.memory_gui.MemoryGui"


def application(arguments: Sequence[str] = ()) -> QApplication:
    """The one QApplication, with our name and fonts."""
    app = QApplication([NAME, *arguments])
    app.setApplicationName(NAME)
    app.setDesktopFileName(DESKTOP_ID)
    load_fonts()
    app.setFont(base_font())
    app.setWindowIcon(window_icon())
    return app


class QtsOwnWords(QObject):
    """Keeps Qt's own dialogs (choosing a file) in the window's language."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._translator: QTranslator | None = None

    def use(self, language: str) -> None:
        """Another language; English is built in."""
        if self._translator is not None:
            self._app.removeTranslator(self._translator)
            self._translator = None
        QLocale.setDefault(QLocale(language))
        translator = QTranslator(self)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if translator.load(f"qtbase_{language}", folder):
            self._app.installTranslator(translator)
            self._translator = translator


def fit(window: QWidget, room: QSize) -> None:
    """Make it no larger than the free part of the screen, with the frame around it."""
    window.resize(window.size().boundedTo(room - FRAME))


class _FirstPaint(QObject):
    """Does something once, right after the window was painted for the first time."""

    def __init__(self, window: MainWindow, then: Callable[[], None]) -> None:
        super().__init__(window)
        self._then = then
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer_timeout)
        window.painted.connect(self._on_window_painted)

    def _on_window_painted(self) -> None:
        if not self._timer.isActive():
            self._timer.start(0)

    def _on_timer_timeout(self) -> None:
        self._then()
        self.deleteLater()


def run_window(services: Services, words: Words, stores: Sequence[str], *, sample: bool) -> int:
    """Show the window, open the stores after its first paint, return when it is closed."""
    app = application()
    values = services.settings.values
    theme = Theme(app, values.appearance, values.text_scale)
    bridge = Bridge()
    session = SampleSession(services)
    qt_words = QtsOwnWords(app)
    qt_words.use(words.language)
    window = MainWindow(Context(services, bridge, words), theme, session.open)
    window.language_changed.connect(qt_words.use)

    def begin() -> None:
        window.begin()
        window.listen()
        window.open_paths(list(stores))
        if sample:
            window.open_sample()
        Warming(_pages_of(window), window)

    _FirstPaint(window, begin)
    ends = EndSignals(window)
    ends.came.connect(window.end)
    asked = Asked(services, window)
    fit(window, window.screen().availableGeometry().size())
    layout = _remembered(window, services, app)
    window.show()
    interpreter = Interpreter(window)
    status = app.exec()
    services.layout.save(layout.now())
    asked.close()
    ends.close()
    bridge.close()
    session.end()
    interpreter.close()  # last: until then a thread that comes back could collect a widget
    return status


def _remembered(window: MainWindow, services: Services, app: QApplication) -> Layout:
    """As it lay when it was last closed."""
    screens = [screen.availableGeometry() for screen in app.screens()]
    return Layout(window, _pages_of(window), services.layout.read(), screens)


def _pages_of(window: MainWindow) -> PageHost:
    host = window.findChild(PageHost, "pages")
    assert isinstance(host, PageHost)  # noqa: S101 - the window has one
    return host


def run_selftest() -> int:
    """Print one line per thing looked at; 1 when something is missing."""
    application(["-platform", "offscreen"])
    findings = selftest()
    for one in findings:
        sys.stdout.write(f"{'ok  ' if not one.problem else 'FAIL'} {one.what} {one.problem}\n")
    return int(any(one.problem for one in findings))
