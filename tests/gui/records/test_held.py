# SPDX-License-Identifier: MIT
"""A record that a case keeps: what is refused is not offered, and the reason stands there."""

from datetime import date

import pytest
from looking import child, table, text
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.ui.records.listing.rowmenu import row_menu
from memory_gui.ui.views import MEMORIES

TELLS = "Case 3 holds it until Jan 31, 2027: legal claims (GDPR 17(3)(e)). Lift the hold"


@pytest.fixture
def known(window, settled, qtbot):
    """Wait until it is known what keeps the chosen ones."""

    def wait():
        asked = (window.memories.right.held._asking, window.memories.list._holding._asking)
        qtbot.waitUntil(lambda: not any(one.busy for one in asked))
        settled()

    return wait


def test_it_is_said_before_it_is_tried(window, fake, known):
    refs = []
    for row in (1, 2, 0):
        window.memories.go_to(row)
        refs.append(window.memories.right.detail.record.ref)
    hold = HoldLine(3, "hold", "hold.claims", date(2027, 1, 31), "2026-11-29", 0)
    fake.cases.kept = (hold,)
    fake.cases.kept_refs = dict.fromkeys(refs[:2], hold)
    known()
    assert child(window, QWidget, "detail.erase").isEnabled()
    window.memories.go_to(1)
    known()
    assert text(window, "detail.held").startswith(TELLS)
    for name in ("edit", "trash", "erase"):
        button = child(window, QWidget, f"detail.{name}")
        assert (button.isVisible(), button.isEnabled()) == (True, False)
        assert button.toolTip() == button.accessibleDescription() == text(window, "detail.held")
    do = dict.fromkeys(("edit", "trash", "erase"), window.close)
    refused = window.memories.right.held.refused
    menu = row_menu(window, fake.words, MEMORIES, do, refused=refused)
    able = {one.text(): one.isEnabled() for one in menu.actions() if one.text()}
    assert able == {"Edit": False, "Move to trash": False, "Erase…": False}
    table(window).select_ranges([(0, 2)])
    known()
    assert text(window, "bulk.held") == "2 of them are kept by a case (3), and stay as they are."
    assert child(window, QWidget, "bulk.trash").isEnabled()
    erase = child(window, QWidget, "bulk.erase")
    assert not erase.isEnabled()
    assert "choose without them" in erase.accessibleDescription()
    table(window).select_ranges([(1, 2)])
    known()
    assert not child(window, QWidget, "bulk.trash").isEnabled()
    window.memories.go_to(0)
    known()
    assert not child(window, QWidget, "detail.held").isVisible()
    assert child(window, QWidget, "detail.erase").isEnabled()
    assert child(window, QWidget, "detail.erase").accessibleDescription() == ""


def test_who_runs_through_the_list_asks_for_the_last_one_only(window, fake, known, qtbot):
    known()
    timers = [
        one._asking._timer for one in (window.memories.right.held, window.memories.list._holding)
    ]
    for timer in timers:
        timer.setInterval(600_000)  # however slow this machine is
    asked = []
    kept_by, holds = fake.cases.kept_by, fake.cases.holds
    fake.cases.kept_by = lambda refs: asked.append(refs) or kept_by(refs)
    fake.cases.holds = lambda *case: asked.append("several") or holds(*case)
    window.memories.go_to(0)
    window.memories.list.focus_list()
    for _ in range(4):
        qtbot.keyClick(table(window), Qt.Key.Key_Down)
    assert asked == []
    timers[0].timeout.emit()
    known()
    assert asked == [(window.memories.right.detail.record.ref,)]
    for _ in range(3):
        qtbot.keyClick(table(window), Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    timers[1].timeout.emit()
    known()
    assert asked[1:] == ["several"]
