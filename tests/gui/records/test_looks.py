# SPDX-License-Identifier: MIT
"""How the list looks: its order and direction, its density; both remembered."""

import pytest
from looking import child, press, table, titles
from PySide6.QtWidgets import QAbstractButton, QComboBox

from memory_gui.domain.queries import SORTS
from memory_gui.ui.records.listing.delegate import COMPACT_HEIGHT, ROW_HEIGHT
from memory_gui.ui.records.listing.orders import ORDERS, Order


def test_every_order_of_the_services_is_offered():
    assert set(ORDERS) == set(SORTS)


@pytest.mark.parametrize("name", SORTS)
def test_each_works_in_both_directions(window, fake, settled, name):
    box = child(window, QComboBox, "memories.sort")
    box.setCurrentIndex((box.findData(name) + 1) % box.count())
    settled()  # else both are asked at once, and which is asked of the services last is chance
    box.setCurrentIndex(box.findData(name))
    settled()
    first = Order.first(name).text
    assert fake.called("search")[-1][1] == first
    press(window, "memories.direction")
    settled()
    assert {fake.called("search")[-1][1], first} == {name, f"-{name}"}
    assert fake.settings.values.list_order == Order.parse(first).turned().text


def test_the_direction_has_a_name(window, settled):
    button = child(window, QAbstractButton, "memories.direction")
    assert button.accessibleName() == "The newest first"
    button.click()
    assert button.accessibleName() == "The oldest first"
    box = child(window, QComboBox, "memories.sort")
    box.setCurrentIndex(box.findData("title"))
    assert button.accessibleName() == "From A to Z"
    settled()
    assert titles(window) == sorted(titles(window))


def test_what_is_remembered_is_worn(window, fake, settled):
    fake.settings.change(list_order="title", density="compact", filters_shown=True)
    window._preferences.apply()
    settled()
    assert titles(window) == sorted(titles(window))
    assert child(window, QComboBox, "memories.sort").currentData() == "title"
    assert table(window).row_height == COMPACT_HEIGHT
    assert child(window, QAbstractButton, "memories.filters").isChecked()


@pytest.mark.parametrize("text", ["", "-", "nonsense", "-nonsense", "--title"])
def test_an_order_that_is_not_known_is_the_usual_one(text):
    assert Order.parse(text) == Order()


def test_one_line_a_row_keeps_place_and_is_written_down(window, fake, settled):
    window.memories.go_to(20)
    table(window).verticalScrollBar().setValue(15 * ROW_HEIGHT)
    press(window, "memories.density")
    settled()
    assert fake.settings.values.density == "compact"
    assert table(window).rowHeight(0) == COMPACT_HEIGHT
    assert table(window).verticalScrollBar().value() == 15 * COMPACT_HEIGHT
    button = child(window, QAbstractButton, "memories.density")
    assert button.accessibleName() == "Two lines a row"
    button.click()
    assert table(window).rowHeight(0) == ROW_HEIGHT
