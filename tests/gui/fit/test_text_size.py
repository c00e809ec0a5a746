# SPDX-License-Identifier: MIT
"""All letters grow at once, and rows with them."""

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QWidget,
)

from memory_gui.ui.fonts import grown
from memory_gui.ui.widgets import Caption, TextLabel, TitleLabel


@pytest.fixture
def theme(window, qapp):
    theme = window._preferences._theme
    yield theme
    theme.use_text_scale(100)


def worn(qapp, settled):
    """A font goes to the widgets by posted events."""
    settled()
    qapp.processEvents()


def test_every_size_of_text_grows_live(window, theme, settled, qapp):
    labels = [TitleLabel("a"), TextLabel("b"), Caption("c")]
    for label in labels:
        label.setParent(window)
    before = [label.font().pointSizeF() for label in labels]
    theme.use_text_scale(200)
    worn(qapp, settled)
    assert [label.font().pointSizeF() for label in labels] == [2 * size for size in before]
    theme.use_text_scale(100)
    worn(qapp, settled)
    assert [label.font().pointSizeF() for label in labels] == before


def test_rows_are_as_high_as_their_letters(window, theme, settled, qapp):
    table = window.memories.list.table
    stores = window.findChild(QListWidget, "sidebar.stores")
    before = table.row_height, stores.sizeHintForRow(0)
    theme.use_text_scale(200)
    worn(qapp, settled)
    assert (table.row_height, stores.sizeHintForRow(0)) == (2 * before[0], 2 * before[1])
    assert table.row_height >= 2 * QFontMetrics(table.font()).height()
    theme.use_text_scale(100)
    worn(qapp, settled)
    assert (table.row_height, stores.sizeHintForRow(0)) == before


def test_the_setting_is_worn(window, fake, theme, settled, qapp):
    label = window.findChild(QLabel, "sidebar.views.label")
    before = label.font().pointSizeF()
    fake.settings.change(text_scale=150)
    window.go("settings_changed")
    worn(qapp, settled)
    assert label.font().pointSizeF() == pytest.approx(1.5 * before)
    assert grown(100) == 150
    fake.settings.change(text_scale=100)
    window.go("settings_changed")
    worn(qapp, settled)
    assert label.font().pointSizeF() == before


def test_the_palette_may_change_in_between(window, theme, settled, qapp):
    theme.use_text_scale(150)
    theme.use("dark")
    worn(qapp, settled)
    widget = window.findChild(QWidget, "sidebar.stores")
    assert widget.font().pointSizeF() == pytest.approx(15)
    theme.use("light")


def test_no_kind_of_widget_keeps_the_letters_it_had(window, theme, settled, qapp):
    kinds = (QPushButton, QLineEdit, QComboBox, QAbstractItemView)
    theme.use_text_scale(200)
    worn(qapp, settled)
    for kind in kinds:
        seen = [each for each in window.findChildren(kind) if each.isVisible()]
        assert seen, kind
        assert {each.font().pointSizeF() for each in seen} == {20.0}, kind
