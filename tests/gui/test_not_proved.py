# SPDX-License-Identifier: MIT
"""A result that is not proved is not forgotten when its page is closed."""

import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "pages"))

import scene
from PySide6.QtWidgets import QWidget

from memory_gui.ledger import PendingErase


def test_closing_it_says_where_it_stays_listed(window, fake, qtbot, settled):
    fake.erasing.plan_value = scene.plan(1)
    fake.erasing.result = scene.still_in_log()
    window.go("erase", tuple(list(fake.library.records)[:1]))
    settled()
    window.findChild(QWidget, "erase.run").click()
    settled()
    entry = PendingErase("01", str(scene.PROJECT), {}, "2026-11-28T21:04:00+00:00", 1, 0.0)
    fake.erasing.entries = (replace(entry, state="still-in"),)
    window.findChild(QWidget, "erase.done").click()
    settled()
    banner = window.findChild(QWidget, "window.banner")
    assert "1 erasure is not proved" in banner.text
    banner.findChild(QWidget, "banner.action0").click()
    settled()
    assert window.page_name == "pending"
