# SPDX-License-Identifier: MIT
"""A page scrolls when its content is higher than its place, and only then."""

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QScrollArea, QWidget

from memory_gui.ui.pages.frame import CONTENT, Facts, Frame, padded
from memory_gui.ui.widgets import Panel, Rule, TextLabel

LONG = "a sentence that wraps where the place is narrow and not where it is wide, "


@pytest.fixture
def filled(qtbot):
    def fill(lines):
        frame = Frame("some")
        qtbot.addWidget(frame)
        panel = Panel()
        inside = padded(panel)
        for _ in range(lines):
            inside.addWidget(TextLabel(LONG))
        frame.content.addWidget(panel)
        frame.content.addStretch(1)
        frame.show_state(CONTENT)
        frame.resize(960, 640)
        with qtbot.waitExposed(frame):
            frame.show()
        return frame

    return fill


def bar(frame):
    return frame.findChild(QScrollArea, "some.scroll").verticalScrollBar()


def edges(frame):
    return [rule for rule in frame.findChildren(Rule) if rule.isVisible()]


def test_what_fits_does_not_scroll(filled):
    frame = filled(15)
    assert bar(frame).maximum() == 0
    assert not edges(frame)


def test_what_does_not_fit_scrolls_to_its_end_and_shows_an_edge(filled, qtbot):
    frame = filled(60)
    qtbot.waitUntil(lambda: bar(frame).maximum() > 0)
    assert edges(frame)
    bar(frame).setValue(bar(frame).maximum())
    last = [label for label in frame.findChildren(TextLabel) if label.text() == LONG][-1]
    area = frame.findChild(QWidget, "some.scroll")
    bottom = last.mapTo(area, last.rect().bottomLeft()).y()
    assert 0 < bottom < area.height()


class _Windows(QObject):
    """Counts what shows itself as a window of its own."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def eventFilter(self, watched, event):
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if shown and watched.isWindow():
            self.seen.append(type(watched).__name__)
        return False


def test_while_it_is_made_nothing_flashes_up_as_a_window(qapp, qtbot):
    windows = _Windows()
    qapp.installEventFilter(windows)
    try:
        frame = Frame("made")
        qtbot.addWidget(frame)
    finally:
        qapp.removeEventFilter(windows)
    assert windows.seen == []


def test_facts_under_the_same_names_change_in_place_and_are_never_without_height(qtbot):
    """After encrypting the card stood empty until the event loop came to its new rows."""
    facts = Facts("some.facts")
    qtbot.addWidget(facts)
    facts.show_rows([("Format", "Agentao"), ("Kept", "readable")])
    with qtbot.waitExposed(facts):
        facts.show()
    facts.resize(facts.sizeHint())
    labels, height = facts.findChildren(TextLabel), facts.layout().minimumSize().height()
    facts.show_rows([("Format", "Agentao"), ("Kept", "encrypted")])
    assert facts.texts == ["Format", "Agentao", "Kept", "encrypted"]
    assert facts.findChildren(TextLabel) == labels
    assert facts.layout().minimumSize().height() == height
    facts.show_rows([("Format", "Agentao")])
    assert facts.texts == ["Format", "Agentao"]
