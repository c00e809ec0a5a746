# SPDX-License-Identifier: MIT
"""Steps in the pages of a case."""

from __future__ import annotations

import looking
from fakes.cases import SUBJECT
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from memory_gui.ui.widgets import Button

NAME = SUBJECT.title


def press(page, name) -> None:
    """As elsewhere; and it must be one that can be pressed."""
    assert looking.child(page, Button, name).isEnabled(), name
    looking.press(page, name)


def key(widget, *keys) -> None:
    for one in keys:
        QTest.keyClick(widget, one)
    QApplication.processEvents()
