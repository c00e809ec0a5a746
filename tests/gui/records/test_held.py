# SPDX-License-Identifier: MIT
"""A record that a case keeps: what is refused is not offered, and the reason stands there."""

from datetime import date

from looking import child, table, text
from PySide6.QtWidgets import QWidget

from memory_gui.services.cases.holds import HoldLine
from memory_gui.ui.records.listing.rowmenu import row_menu
from memory_gui.ui.views import MEMORIES

TELLS = "Case 3 holds it until Jan 31, 2027: legal claims (GDPR 17(3)(e)). Lift the hold"


def test_it_is_said_before_it_is_tried(window, fake, settled):
    refs = []
    for row in (1, 2, 0):
        window.memories.go_to(row)
        refs.append(window.memories.right.detail.record.ref)
    hold = HoldLine(3, "hold", "hold.claims", date(2027, 1, 31), "2026-11-29", 0)
    fake.cases.kept = (hold,)
    fake.cases.kept_refs = dict.fromkeys(refs[:2], hold)
    settled()
    assert child(window, QWidget, "detail.erase").isEnabled()
    window.memories.go_to(1)
    settled()
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
    settled()
    assert text(window, "bulk.held") == "2 of them are kept by a case (3), and stay as they are."
    assert child(window, QWidget, "bulk.trash").isEnabled()
    erase = child(window, QWidget, "bulk.erase")
    assert not erase.isEnabled()
    assert "choose without them" in erase.accessibleDescription()
    table(window).select_ranges([(1, 2)])
    settled()
    assert not child(window, QWidget, "bulk.trash").isEnabled()
    window.memories.go_to(0)
    settled()
    assert not child(window, QWidget, "detail.held").isVisible()
    assert child(window, QWidget, "detail.erase").isEnabled()
    assert child(window, QWidget, "detail.erase").accessibleDescription() == ""
