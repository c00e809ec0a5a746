# SPDX-License-Identifier: MIT
"""The window over LangGraph's files: places in a tree, JSON that is checked, whole threads."""

import shutil
import time
from pathlib import Path

from looking import child, text
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QWidget
from waiting import settle
from working import choose, opened, press

from memory_gui.ui.records.facets.panel import FacetPanel

DATA = Path(__file__).parents[1] / "data" / "langgraph"


def typed(window):
    """Wait for what is said while somebody types."""
    time.sleep(0.3)
    settle(window.bridge, 30)


def test_a_store(tmp_path, real_window):
    path = Path(shutil.copy(DATA / "store-with-vectors.sqlite", tmp_path / "store.sqlite"))
    window = opened(real_window(tmp_path / "home"), path)
    told = text(window, "memories.told")
    assert "LangGraph left in the file: 3" in told
    assert "expired and are still in the file: 1" in told
    record = choose(window, "subject:memories.lin-xiaoyu expired")
    assert str(record.state) == "expired"
    window.memories.set_text("")
    settle(window.bridge)
    window.memories.toggle_filters()
    settle(window.bridge, 30)
    panel = child(window, FacetPanel, "facets")
    rows = panel.findItems("lin-xiaoyu", Qt.MatchFlag.MatchEndsWith | Qt.MatchFlag.MatchRecursive)
    assert [row.text(0).count("\u2003") for row in rows] == [1, 1]
    record = choose(window, "peanuts subject:memories.lin-xiaoyu")
    window.go("erase", (record.ref,))
    settle(window.bridge, 30)
    said = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    assert "1 record and 1 vector. This cannot be undone." in said
    assert any("item:memories.mateo-alvarez/fact-05" in text for text in said)
    press(window, "erase.cancel")
    choose(window, "peanuts subject:memories.lin-xiaoyu")
    window.memories.edit_current()
    settle(window.bridge)
    fault = child(window, QLabel, "editor.text.fault")
    field = child(window, QPlainTextEdit, "editor.text")
    whole = field.toPlainText()
    field.setPlainText(whole.replace('"text":', '"text"'))
    typed(window)
    assert "line 2" in fault.text()
    assert fault.isVisible()
    press(window, "editor.save")
    assert "line 2" in child(window, QWidget, "editor.banner").findChild(QLabel).text()
    field.setPlainText(whole.replace("peanuts", "hazelnuts"))
    typed(window)
    assert not fault.isVisible()
    press(window, "editor.save")
    assert '"text": "Allergic to hazelnuts' in choose(window, "hazelnuts").text


def test_checkpoints(tmp_path, real_window):
    path = Path(shutil.copy(DATA / "checkpoints.sqlite", tmp_path / "checkpoints.sqlite"))
    window = opened(real_window(tmp_path / "home"), path)
    assert "Erasing a message takes its whole thread" in text(window, "memories.told")
    record = choose(window, "kind:message type:human Ginkgo")
    assert record.subject == "lin-xiaoyu:t-1"
    assert not child(window, QAbstractButton, "detail.edit").isVisible()
    assert child(window, QAbstractButton, "detail.erase").isEnabled()
