# SPDX-License-Identifier: MIT
"""From services to a window on screen, and tidily back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget

from memory_gui import lazy as heavy
from memory_gui.services.own.layout import LayoutFile
from memory_gui.ui import lazy
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.icons import window_icon
from memory_gui.ui.palette import STYLE, STYLED, Theme
from memory_gui.ui.shell.early import Early
from memory_gui.ui.shell.host import PageHost
from memory_gui.ui.shell.interpreter import Interpreter
from memory_gui.ui.shell.layout import Layout
from memory_gui.ui.shell.starting import Starting
from memory_gui.ui.window import MainWindow
from memory_gui.words import Words

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.services import OpenedStore, Services
    from memory_gui.ui.shell.asked import Asked
    from memory_gui.ui.shell.sample import SampleSession
    from memory_gui.ui.shell.signals import EndSignals

NAME: Final = "memory-gui"
FRAME: Final = QSize(16, 56)
"""Most that a desktop puts around a window."""
DESKTOP_ID: Final = "io.github.memory_gui.MemoryGui"


class Look(Protocol):
    """The settings that are worn at the first paint."""

    @property
    def appearance(self) -> str:
        """``system``, ``light`` or ``dark``."""

    @property
    def text_scale(self) -> int:
        """In percent."""


def application(arguments: Sequence[str] = ()) -> QApplication:
    """The one QApplication, with our name and fonts."""
    app = QApplication([NAME, "-style", STYLE, *arguments])
    app.setProperty(STYLED, True)
    app.setApplicationName(NAME)
    app.setDesktopFileName(DESKTOP_ID)
    load_fonts()
    app.setFont(base_font())
    return app


def fit(window: QWidget, room: QSize) -> None:
    """Make it no larger than the free part of the screen, with the frame around it."""
    window.resize(window.size().boundedTo(room - FRAME))


def run_window(
    make: Callable[[], Services],
    words: Words,
    look: Look,
    layout_file: LayoutFile,
    stores: Sequence[str],
    *,
    sample: bool,
) -> int:
    """Show the window, make it whole and open the stores after its first paint; until it is closed.

    ``make`` gives the services; it is called once, in a thread, and what it raises is raised here.
    """
    app = application()
    theme = Theme(app, look.appearance, look.text_scale)
    bridge = Bridge()
    context = Context(None, bridge, words)
    rest = _Rest(context)
    window = MainWindow(context, theme, rest.open_sample)
    starting = Starting(window, context, make)

    def begin() -> None:
        rest.begin(window)
        layout.wear()
        window.begin()
        window.listen()
        window.open_paths(list(stores))
        if sample:
            window.open_sample()
        early.let_go()
        rest.warm(window)

    starting.done.connect(begin)
    ends: list[EndSignals] = []

    def listen() -> None:
        app.setWindowIcon(window_icon())
        qt_words = lazy.own_words().QtsOwnWords(app)
        qt_words.use(words.language)
        window.language_changed.connect(qt_words.use)
        ends.append(lazy.signals().EndSignals(window))
        ends[0].came.connect(window.end)

    starting.began.connect(listen)
    fit(window, window.screen().availableGeometry().size())
    layout = _remembered(window, layout_file, app)
    window.show()
    early = Early(window)
    interpreter = Interpreter(window)
    status = app.exec()
    layout_file.save(layout.now())
    early.close()
    for end in ends:
        end.close()
    bridge.close()
    rest.end()
    interpreter.close()  # last: until then a thread that comes back could collect a widget
    if starting.problem is not None:
        raise starting.problem
    return status


class _Rest:
    """What a whole window has beside it: other copies' wishes, the sample, pages made early."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._sample: SampleSession | None = None
        self._asked: Asked | None = None

    def begin(self, window: MainWindow) -> None:
        services = self._context.services
        self._sample = lazy.sample().SampleSession(services)
        self._asked = lazy.asked().Asked(services, window)

    def warm(self, window: MainWindow) -> None:
        self._context.bridge.call(heavy.index, apart=True)  # the first store waits for it
        lazy.warming().Warming(_pages_of(window), window)

    def open_sample(self) -> tuple[OpenedStore, ...]:
        """In a thread of the bridge."""
        assert self._sample is not None  # noqa: S101 - the window is whole
        return self._sample.open()

    def end(self) -> None:
        if self._asked is not None:
            self._asked.close()
        if self._sample is not None:
            self._sample.end()


def _remembered(window: MainWindow, file: LayoutFile, app: QApplication) -> Layout:
    """As it lay when it was last closed."""
    screens = [screen.availableGeometry() for screen in app.screens()]
    return Layout(window, _pages_of(window), file.read(), screens)


def _pages_of(window: MainWindow) -> PageHost:
    host = window.findChild(PageHost, "pages")
    assert isinstance(host, PageHost)  # noqa: S101 - the window has one
    return host


def run_selftest() -> int:
    """Print one line per thing looked at; 1 when something is missing."""
    application(["-platform", "offscreen"])
    findings = lazy.selftest().selftest()
    for one in findings:
        sys.stdout.write(f"{'ok  ' if not one.problem else 'FAIL'} {one.what} {one.problem}\n")
    return int(any(one.problem for one in findings))
