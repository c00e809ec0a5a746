# SPDX-License-Identifier: MIT
"""A label that stands still costs nothing, and breaks what has no blank."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QPaintEvent, QTextDocument, QTextOption
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from memory_gui.ui.icons import Icon, icon_px
from memory_gui.ui.tokens import BODY_PT
from memory_gui.ui.widgets import IconButton
from memory_gui.ui.widgets.labels import TextLabel
from memory_gui.ui.widgets.mark import IconMark

WAIT_MS = 300
MODE = QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere


class Counting(TextLabel):
    """Counts how often it is painted."""

    painted = 0
    host: QWidget

    def paintEvent(self, event: QPaintEvent) -> None:
        """Count, then paint."""
        self.painted += 1
        super().paintEvent(event)


@pytest.fixture
def label(qtbot: QtBot, fonts: None) -> Counting:
    """One that can be selected, shown in a window."""
    host = QWidget()
    layout = QVBoxLayout(host)
    made = Counting("/home/lin/" + "x" * 200, selectable=True)
    layout.addWidget(made)
    host.resize(QSize(300, 200))
    qtbot.addWidget(host)
    host.show()
    qtbot.waitExposed(host)
    qtbot.wait(WAIT_MS)
    made.host = host
    return made


def test_one_that_stands_still_is_not_painted_again(qtbot: QtBot, label: Counting) -> None:
    """Each painting asked for the next one: a fifth of a processor, for nothing to see."""
    before = label.painted

    qtbot.wait(WAIT_MS)

    assert label.painted - before <= 1


@pytest.mark.parametrize(
    "act",
    [
        lambda label: label.setText("/home/ben/" + "y" * 300),
        lambda label: label.window().resize(QSize(220, 240)),
        lambda label: QApplication.setStyle("Fusion"),
    ],
    ids=["text", "size", "style"],
)
def test_long_words_are_broken_again_after(
    qtbot: QtBot, label: Counting, act: Callable[[Counting], object]
) -> None:
    """Qt takes its own way of wrapping up again with each of these."""
    act(label)
    qtbot.wait(50)

    document = label.findChild(QTextDocument)
    assert document is not None
    assert document.defaultTextOption().wrapMode() == MODE


def test_icons_grow_with_the_letters_beside_them(qtbot, qapp, fonts):
    before = qapp.font()
    mark, button = IconMark(Icon.LOCK, "text"), IconButton(Icon.COPY, "Copy")
    for widget in (mark, button):
        qtbot.addWidget(widget)
    assert (icon_px(), mark.width()) == (16, 16)
    try:
        larger = QFont(before)
        larger.setPointSizeF(2 * BODY_PT)
        qapp.setFont(larger)
        mark.letters_changed()
        assert (icon_px(), mark.width()) == (22, 22)
        assert button.sizeHint().height() > 30
    finally:
        qapp.setFont(before)


def test_its_height_is_counted_once_for_each_width_and_anew_when_it_changed(
    qtbot: QtBot, fonts: None
) -> None:
    """Layouts ask a hundred times; what they are told is what Qt would count now."""
    label = TextLabel("a few words " * 20)
    qtbot.addWidget(label)

    def right() -> bool:
        fresh = TextLabel(label.text())
        qtbot.addWidget(fresh)
        fresh.setFont(label.font())
        fresh.setContentsMargins(label.contentsMargins())
        return label.heightForWidth(200) == fresh.heightForWidth(200)

    seen = [label.heightForWidth(200)]
    for change in (
        lambda: label.setText("a few words " * 60),
        lambda: label.setFont(QFont(label.font().family(), 30)),
        lambda: label.setContentsMargins(0, 90, 0, 0),
        lambda: label.setText("one"),
    ):
        change()
        assert right()
        seen.append(label.heightForWidth(200))
    assert len(set(seen)) == len(seen)
    for width in range(1_000):
        label.heightForWidth(width)
    assert len(label._heights) <= 16
