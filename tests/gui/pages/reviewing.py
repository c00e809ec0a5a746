# SPDX-License-Identifier: MIT
"""A person before the review page: what they press, and what they see."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget


def press(page: QWidget, key: Qt.Key, modifier: object = Qt.KeyboardModifier.NoModifier) -> None:
    """A key, where the keyboard is."""
    QTest.keyClick(QApplication.focusWidget() or page, key, modifier)


def said(page: QWidget) -> str:
    """Every text that a person sees on the page now."""
    labels = [w.text() for w in page.findChildren(QLabel) if w.isVisible()]
    views = [w.toPlainText() for w in page.findChildren(QPlainTextEdit) if w.isVisible()]
    return "\n".join(labels + views)
