# SPDX-License-Identifier: MIT
"""Every page fits a small screen, at the usual size of letters and at twice that.

Nothing is cut off without a sign: a text that has no room wraps, scrolls up and down, or ends in an
ellipsis on purpose; nothing scrolls sideways.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_services import PROJECT, FakeServices
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QTextDocument, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSlider,
    QCheckBox,
    QLabel,
    QLayout,
    QPushButton,
    QWidget,
)

from memory_gui.domain.errors import UserError
from memory_gui.services.home.discovery import Discovered, Found
from memory_gui.services.own.settings import SettingValues
from memory_gui.ui.home.discovery import DiscoveryPanel
from memory_gui.ui.pages.requests import KeyProblem
from memory_gui.ui.views import VIEWS
from memory_gui.ui.widgets.elided import ElidedLabel
from memory_gui.words import LANGUAGES

SMALLEST = QSize(1024, 640)
PATH = "/home/ann/work/clients/northwind/atlas-migration/.agentao/memory.db"


FOUND = {
    "asked": Discovered(asked=False, looks=False, roots=()),
    "found": Discovered(
        asked=True,
        looks=True,
        roots=("/home/ann/work/clients/northwind/atlas-migration",),
        found=(
            Found(Path(PATH), "agentao", "Agentao", opens=True, encrypted=True, is_database=True),
            Found(Path("/home/ann/.mem0/history.db"), "mem0", "Mem0", opens=False, encrypted=False,
                  is_database=True),
        ),
        done=True,
        unreadable=3,
        limits=("time",),
    ),
}  # fmt: skip


def go(window, name):
    """Show a page as a person would."""
    arguments = {
        "key": lambda: KeyProblem(PATH, UserError("key.needed", reason="locked", path=PATH)),
        "protect": lambda: PROJECT,
        "recovery": lambda: PROJECT,
        "export": lambda: window.memories.query,
        "which": lambda: UserError(
            "store.two_formats", path=PATH, formats="agentao, facts, sqlite"
        ),
    }
    views = {view.name: view for view in VIEWS}
    if name in ("new", "edit"):
        window.choose_view(views["memories"])
    if name == "new":
        window.memories.new_memory()
    elif name == "edit":
        window.memories.go_to(0)
        window.memories.edit_current()
    elif name in FOUND:
        panel = window.findChild(DiscoveryPanel)
        window._context.services.discovery.view = FOUND[name]
        panel.clear()
        window.go("start")
        panel.begin()
    elif name == "protect-key":
        window.go("protect", PROJECT)
    elif name in views:
        window.choose_view(views[name])
        window.memories.go_to(0)
    else:
        window.go(name, arguments.get(name, lambda: None)())


PAGES = ("start", "memories", "review", "summaries", "trash", "activity", "new", "edit",
         "protect", "export", "settings", "pending", "key", "shortcuts", "agent",
         "recovery", "protect-key", "asked", "found", "which")  # fmt: skip


@pytest.fixture(params=LANGUAGES)
def spoken(request, window, settled):
    window._preferences.use_language(request.param)
    settled()
    yield request.param
    window._preferences.use_language("en")
    settled()


@pytest.fixture(params=[100, 200], ids=["100 %", "200 %"])
def letters(request, window, fake: FakeServices, settled):
    theme = window._preferences._theme
    fake.settings.values = SettingValues(
        appearance="light", language=fake.settings.values.language, text_scale=request.param
    )
    theme.use_text_scale(request.param)
    settled()
    yield request.param
    theme.use_text_scale(100)


def visible(window, kind):
    return [one for one in window.findChildren(kind) if one.isVisible()]


def cut(label: QLabel) -> str:
    """What of a label cannot be read; empty when all can."""
    if not label.text():
        return ""
    room = label.contentsRect()
    if isinstance(label, ElidedLabel):  # on purpose, and whole where one points at it
        needed = QFontMetrics(label.font()).horizontalAdvance(label.text())
        shortened = needed > label.width() and not label.toolTip()
        return f"shortened to {label.width()} of {needed}" if shortened else ""
    if label.wordWrap():
        widest = widest_line(label, room.width())
        if widest > room.width() + 1:
            return f"a word of {widest} in {room.width()}"
        needed = label.heightForWidth(label.width())
        return "" if needed <= label.height() + 1 else f"{label.height()} of {needed} high"
    needed = QFontMetrics(label.font()).size(0, label.text()).width()
    return "" if needed <= room.width() + 1 else f"{room.width()} of {needed} wide"


def widest_line(label: QLabel, width: int) -> int:
    """Of its lines, broken at that width: a word that is wider still sticks out."""
    layout = QTextLayout(label.text().replace("\n", "\u2028"), label.font())
    anywhere = label.findChild(QTextDocument) is not None  # a selectable label breaks long words
    mode = QTextOption.WrapMode
    wrap = mode.WrapAtWordBoundaryOrAnywhere if anywhere else mode.WordWrap
    layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
    option = layout.textOption()
    option.setWrapMode(wrap)
    layout.setTextOption(option)
    layout.beginLayout()
    widest = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        widest = max(widest, line.naturalTextWidth())
    layout.endLayout()
    return int(widest)


def path_of(widget: QWidget) -> str:
    names = []
    at: QWidget | None = widget
    while at is not None and at.objectName() != "window":
        names.append(at.objectName() or type(at).__name__)
        at = at.parentWidget()
    return " < ".join(names[:4])


def outside(window, widget) -> bool:
    """Whether a part of it lies beyond the side of what holds it and does not scroll."""
    at, parent = widget, widget.parentWidget()
    x = 0
    while parent is not None and at is not window:
        x += at.x()
        if x < -1 or x + widget.width() > parent.width() + 1:
            return True
        at, parent = parent, parent.parentWidget()
    return False


def wrong_in(window, settled) -> list[str]:
    """What does not fit of what is shown, in the smallest window."""
    window.resize(SMALLEST)
    settled()
    window.centralWidget().updateGeometry()  # it remembers what the letters before needed
    window.layout().invalidate()
    least = window.minimumSizeHint()
    assert least.width() <= SMALLEST.width()
    assert least.height() <= SMALLEST.height()
    assert window.size() == SMALLEST
    wrong = [
        f"{path_of(label)}: {cut(label)}: {label.text()!r}"
        for label in visible(window, QLabel)
        if cut(label)
    ]
    wrong += [
        f"{path_of(button)}: {button.width()} of {button.sizeHint().width()}: {button.text()!r}"
        for button in visible(window, QPushButton)
        if button.text() and button.width() < button.sizeHint().width() - 1
    ]
    wrong += [
        f"{path_of(box)}: {box.height()} of {box.heightForWidth(box.width())}: {box.text()!r}"
        for box in visible(window, QCheckBox)
        if box.height() < box.heightForWidth(box.width())
    ]
    wrong += [
        f"{path_of(one)} lies outside"
        for kind in (QLabel, QPushButton, QCheckBox)
        for one in visible(window, kind)
        if outside(window, one)
    ]
    wrong += [
        f"{path_of(area)} scrolls sideways"
        for area in visible(window, QAbstractScrollArea)
        if _scrolls(area.horizontalScrollBar())
    ]
    return wrong


def test_each_page_fits(window, settled, spoken, letters):
    """One window goes through them all, as a person's does."""
    wrong = {}
    for name in PAGES:
        window.resize(SMALLEST)
        go(window, name)
        settled()
        if name == "protect-key":
            window.findChild(QPushButton, "protect.rotate").click()
            settled()
        if found := wrong_in(window, settled):
            wrong[name] = found
        window.memories.may_leave()
        settled()
    assert wrong == {}


def _scrolls(bar: QAbstractSlider) -> bool:
    return bar.maximum() > bar.minimum()


def test_the_window_may_be_that_small(window):
    assert window.minimumWidth() <= SMALLEST.width()
    assert window.minimumHeight() <= SMALLEST.height()
    layout = window.layout()
    assert isinstance(layout, QLayout)


def test_a_cut_text_is_noticed(window, settled):
    """The measure itself can fail."""
    label = QLabel("a text that is far too long", window)
    label.resize(20, 20)
    label.show()
    assert cut(label)
    label.setWordWrap(True)
    assert cut(label)
    label.resize(400, 40)
    assert not cut(label)
    label.setText("Encrypted")
    label.resize(30, 400)
    assert "a word" in cut(label)
