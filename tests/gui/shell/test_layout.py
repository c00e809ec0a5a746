# SPDX-License-Identifier: MIT
"""The window comes back where it was, and never where nobody could reach it."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QSplitter

from memory_gui.services.own.layout import WindowLayout
from memory_gui.ui.shell.host import PageHost
from memory_gui.ui.shell.layout import Layout, fitting

SCREEN = QRect(0, 0, 1920, 1080)
SECOND = QRect(1920, 0, 1280, 1024)


@pytest.mark.parametrize(
    ("place", "screens", "expected"),
    [
        ((100, 50, 1200, 800), [SCREEN], (100, 50, 1200, 800)),
        ((2000, 50, 1200, 800), [SCREEN, SECOND], (2000, 50, 1200, 800)),
        ((2000, 50, 1200, 800), [SCREEN], (360, 140, 1200, 800)),
        ((-5000, -5000, 1200, 800), [SCREEN], (360, 140, 1200, 800)),
        ((1900, 50, 1200, 800), [SCREEN], (360, 140, 1200, 800)),
        ((100, -50, 1200, 800), [SCREEN], (360, 140, 1200, 800)),
        ((0, 0, 4000, 3000), [SCREEN], (0, 0, 1920, 1080)),
        ((5, 6, 700, 800), [], (5, 6, 700, 800)),
    ],
)
def test_a_place_is_within_reach(place, screens, expected):
    assert fitting(QRect(*place), screens) == QRect(*expected)


def layout_of(window, layout):
    return Layout(window, window.findChild(PageHost, "pages"), layout, [SCREEN])


def sizes(window, name):
    return window.findChild(QSplitter, name).sizes()


def test_it_comes_back_as_it_was(window, settled):
    window.resize(1300, 800)
    window.findChild(QSplitter, "window.split").setSizes([260, 1040])
    settled()
    seen = layout_of(window, WindowLayout()).now()
    assert (seen.width, seen.height, seen.maximized) == (1300, 800, False)
    before = sizes(window, "window.split")
    window.resize(1100, 700)
    window.findChild(QSplitter, "window.split").setSizes([200, 900])
    settled()
    layout_of(window, seen)
    settled()
    assert (window.width(), window.height()) == (1300, 800)
    assert sizes(window, "window.split") == pytest.approx(before, abs=2)


def test_what_was_not_shown_keeps_its_widths(window):
    layout = layout_of(window, WindowLayout(1, 1, 1200, 760, panes={"other.split": (3, 4)}))
    assert layout.now().panes["other.split"] == (3, 4)


def test_widths_that_do_not_fit_are_left(window, settled):
    before = sizes(window, "window.split")
    for odd in ((1, 2, 3), (), (0, 900)):
        layout_of(window, WindowLayout(panes={"window.split": odd}))
        settled()
        assert sizes(window, "window.split") == before


def test_a_maximized_window_is_maximized_again(window):
    layout = layout_of(window, WindowLayout(0, 0, 1200, 760, maximized=True))
    assert window.isMaximized()
    assert layout.now().maximized
    window.showNormal()


def test_only_splitters_of_ours_are_named(window):
    for name in layout_of(window, WindowLayout()).now().panes:
        assert name.endswith(".split")
