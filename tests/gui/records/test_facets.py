# SPDX-License-Identifier: MIT
"""Filters beside the list: counts, choosing by mouse and keys, chips, what is left of the place."""

from dataclasses import replace

import pytest
from fake_services import record
from looking import child, press, table, text, titles
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QSplitter, QWidget

from memory_gui.domain.queries import Facet
from memory_gui.ui.records.facets.panel import FEW, FacetPanel
from memory_gui.ui.views import SUMMARIES


@pytest.fixture
def panel(window, settled):
    press(window, "memories.filters")
    settled()
    return child(window, FacetPanel, "facets")


def rows(panel):
    """What the panel says, as (facet, value, count) for each value."""
    for top in range(panel.topLevelItemCount()):
        head = panel.topLevelItem(top)
        for number in range(head.childCount()):
            yield head.text(0), head.child(number).text(0), head.child(number)


def counts(panel, facet):
    return {
        value: row.data(0, Qt.ItemDataRole.AccessibleTextRole)
        for name, value, row in rows(panel)
        if name == facet
    }


def chips(window):
    found = [b for b in window.findChildren(QAbstractButton) if "facets.chip" in b.objectName()]
    return [b.text() for b in found if b.isVisible()]


def click(qtbot, panel, facet, value):
    item = next(row for name, said, row in rows(panel) if (name, said) == (facet, value))
    panel.scrollToItem(item)
    spot = panel.visualItemRect(item).center()
    qtbot.mouseClick(panel.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def test_they_are_not_counted_before_somebody_looks(window, fake, settled):
    assert not child(window, FacetPanel, "facets").isVisible()
    assert not fake.called("facets")


def test_values_stand_with_their_counts(panel):
    assert counts(panel, "Type") == {
        "preference": "preference, 14",
        "profile": "profile, 7",
        "workflow": "workflow, 6",
        "decision": "decision, 7",
        "constraint": "constraint, 6",
    }
    assert counts(panel, "Tag") == {"no tags": "no tags, 26", "style": "style, 14", "zh": "zh, 14"}


def test_a_facet_with_one_value_narrows_nothing_and_is_not_shown(panel):
    assert "From" not in {name for name, _, _ in rows(panel)}
    assert "Agent" not in {name for name, _, _ in rows(panel)}


def test_a_click_narrows_the_list_and_a_chip_takes_it_back(qtbot, window, fake, panel, settled):
    click(qtbot, panel, "Type", "decision")
    settled()
    assert {window.memories.model.record(r).type for r in range(len(titles(window)))} == {
        "decision"
    }
    assert text(window, "memories.count").startswith("7 matches")
    assert chips(window) == ["Type: decision"]
    chip = child(window, QAbstractButton, "facets.chip0")
    assert chip.accessibleName() == "Remove the filter “Type: decision”"
    chip.click()
    settled()
    assert len(titles(window)) == 40
    assert chips(window) == []


def test_another_value_of_the_same_facet_widens_and_another_facet_narrows(
    qtbot, window, panel, settled
):
    click(qtbot, panel, "Type", "preference")
    settled()
    click(qtbot, panel, "Type", "decision")
    settled()
    assert len(titles(window)) == 21
    assert counts(panel, "Type")["workflow"] == "workflow, 6", "not narrowed by its own choice"
    click(qtbot, panel, "Tag", "zh")
    settled()
    shown = [window.memories.model.record(r) for r in range(len(titles(window)))]
    assert {(r.type, "zh" in r.tags) for r in shown} == {("preference", True)}
    assert chips(window) == ["Type: decision", "Type: preference", "Tag: zh"]
    press(window, "facets.clear")
    settled()
    assert len(titles(window)) == 40


def test_counts_follow_the_words(qtbot, window, panel, settled):
    window.search("german")
    qtbot.wait(250)
    settled()
    assert counts(panel, "Type") == {"profile": "profile, 7"}, "nothing else is left"
    window.search("")
    qtbot.wait(250)
    settled()
    assert len(counts(panel, "Type")) == 5


def test_by_keys_alone_the_keyboard_stays_where_it_is(qtbot, window, panel, settled):
    panel.setFocus()
    panel.setCurrentItem(panel.topLevelItem(1))
    assert panel.currentItem().text(0) == "Type"
    qtbot.keyClick(panel, Qt.Key.Key_Down)
    qtbot.keyClick(panel, Qt.Key.Key_Space)
    settled()
    assert chips(window) == ["Type: preference"]
    assert panel.currentItem().text(0) == "preference"
    assert panel.hasFocus()
    qtbot.keyClick(panel, Qt.Key.Key_Return)
    settled()
    assert chips(window) == []
    qtbot.keyClick(panel, Qt.Key.Key_Up)
    qtbot.keyClick(panel, Qt.Key.Key_Left)
    assert not panel.topLevelItem(1).isExpanded()
    window.memories.refresh()
    settled()
    assert not panel.topLevelItem(1).isExpanded(), "folded is folded"


def test_a_screen_reader_ticks_a_box(window, panel, settled):
    item = next(row for name, said, row in rows(panel) if (name, said) == ("Type", "profile"))
    item.setCheckState(0, Qt.CheckState.Checked)
    settled()
    assert chips(window) == ["Type: profile"]
    assert len(titles(window)) == 7


def test_many_values_wait_behind_more(qtbot, window, fake, panel, settled):
    for n in range(20):
        fake.library.put(replace(record(n), tags=(f"tag{n:02d}",)))
    window.memories.refresh()
    settled()
    assert len(counts(panel, "Tag")) == FEW + 1
    more = next(value for name, value, _ in rows(panel) if name == "Tag" and "more" in value)
    click(qtbot, panel, "Tag", more)
    settled()
    assert len(counts(panel, "Tag")) == 23


def test_what_is_chosen_stays_though_nothing_has_it_any_more(qtbot, window, fake, panel, settled):
    click(qtbot, panel, "Type", "profile")
    settled()
    for one in list(fake.library.records.values()):
        if one.type == "profile":
            fake.library.drop(one.ref)
    window.memories.refresh()
    settled()
    assert counts(panel, "Type")["profile"] == "profile, 0"
    none = child(window, QWidget, "memories.none")
    assert child(none, QLabel, "empty.text").text() == (
        "No record here fits all of the chosen filters."
    )
    press(none, "empty.act")
    settled()
    assert chips(window) == []
    assert titles(window)


def test_words_and_filters_that_find_nothing_together_are_both_named(qtbot, window, panel, settled):
    click(qtbot, panel, "Type", "profile")
    settled()
    window.search("no such words")
    qtbot.waitUntil(lambda: not window.memories.model.rowCount(), timeout=3_000)
    settled()
    none = child(window, QWidget, "memories.none")
    assert child(none, QLabel, "empty.text").text() == (
        "No record here contains these words and fits all of the chosen filters."
    )
    press(none, "empty.act")
    settled()
    assert chips(window) == []


def test_another_view_begins_without_filters(qtbot, window, panel, settled):
    click(qtbot, panel, "Type", "decision")
    settled()
    window.choose_view(SUMMARIES)
    settled()
    assert chips(window) == []
    assert len(titles(window)) == 2


def test_the_panel_is_remembered_and_lists_fit_beside_it(window, fake, panel, settled):
    assert fake.settings.values.filters_shown
    window.resize(1024, 640)
    settled()
    assert table(window).width() >= 220
    assert child(window, QWidget, "memories.new").visibleRegion().boundingRect().width() > 40


@pytest.mark.parametrize("read", [400, 460])
def test_the_record_has_its_width_back_when_they_go(window, settled, read):
    split = child(window, QSplitter, "memories.split")
    split.setSizes([sum(split.sizes()) - read, read])
    before = split.sizes()
    for _ in range(2):
        press(window, "memories.filters")
        settled()
        assert split.sizes()[1] < before[1]
        press(window, "memories.filters")
        settled()
        assert split.sizes() == before


def test_the_lock_empties_it(qtbot, window, panel, settled):
    click(qtbot, panel, "Tag", "zh")
    settled()
    window.lock()
    settled()
    assert panel.topLevelItemCount() == 0
    assert not [b for b in window.findChildren(QAbstractButton) if "zh" in b.text()]


def test_in_the_other_language(window, panel, settled):
    window._preferences.use_language("zh_CN")
    settled()
    assert panel.accessibleName() == "筛选"
    assert counts(panel, "类型")["偏好"] == "偏好，14"


def test_of_one_match_it_says_what_that_is_and_of_none_that_there_is_nothing(panel):
    """It was a blank grey strip beside the list."""
    panel.show_counts({"type": (Facet("decision", 1),), "scope": (Facet("user", 1),)})
    assert [(facet, value) for facet, value, _ in rows(panel)] == [
        ("Applies to", "everywhere"),
        ("Type", "decision"),
    ]
    panel.show_counts({})
    image = panel.viewport().grab().toImage()
    ground = image.pixelColor(1, 1)
    places = [(x, y) for x in range(0, image.width(), 2) for y in range(40)]
    assert sum(image.pixelColor(*place) != ground for place in places) > 40
