# SPDX-License-Identifier: MIT
"""Closes whatever floats above the window: no dialog, menu or tooltip stands in a lock's way."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QDialog, QMenu, QToolTip


def close_floating() -> None:
    """Reject dialogs, close menus and popups."""
    QToolTip.hideText()
    for widget in QApplication.topLevelWidgets():
        if not widget.isVisible():
            continue
        if isinstance(widget, QDialog):
            QDialog.done(widget, QDialog.DialogCode.Rejected)  # not its own: that may ask
            widget.hide()
        elif isinstance(widget, QMenu):
            widget.close()
    popup = QApplication.activePopupWidget()
    if popup is not None:
        popup.close()
