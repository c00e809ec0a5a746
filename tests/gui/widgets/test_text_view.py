# SPDX-License-Identifier: MIT
"""The view of a text keeps its feet at every width."""

import subprocess
import sys

import pytest
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from memory_gui.ui.pages.text_view import TextView

TEXT = (
    "The service listens on 8080 behind the proxy. Ask Ben before the port is moved; the firewall "
    "of the office has to be opened first, which takes a day. 部署前请先通知运维。"
)

EVERY_WIDTH = f"""
import os
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.pages.text_view import TextView
app = QApplication([])
load_fonts()
app.setFont(base_font(shipped=True))
host = QWidget()
layout = QVBoxLayout(host)
view = TextView("v", lines=3)
layout.addWidget(view)
layout.addStretch(1)
host.show()
for width in range(120, 700, 3):
    for lines in (1, 2, 3, 6):
        view._lines = lines
        host.resize(width, 200)
        view.show_text({TEXT!r})
        app.processEvents()
print("stands")
"""


def test_at_every_width_and_height(fonts):
    """It was a recursion without end of the bar that comes and goes, which ended the program."""
    ran = subprocess.run(
        [sys.executable, "-c", EVERY_WIDTH],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.stdout.strip() == "stands", (ran.returncode, ran.stderr[-400:])


@pytest.fixture
def view(qtbot, fonts):
    host = QScrollArea()
    inside = QWidget()
    layout = QVBoxLayout(inside)
    made = TextView("v", lines=3)
    layout.addWidget(made)
    layout.addStretch(1)
    host.setWidget(inside)
    host.setWidgetResizable(True)
    qtbot.addWidget(host)
    host.resize(300, 200)
    host.show()
    made.host = host
    return made


def test_a_bar_only_where_there_is_more_than_is_shown(view):
    view.show_text("short")
    assert not view.verticalScrollBar().isVisible()
    view.show_text("line\n" * 40)
    assert view.verticalScrollBar().isVisible()
    assert view.verticalScrollBar().maximum() > 0
    view.show_text("short")
    assert not view.verticalScrollBar().isVisible()
