# SPDX-License-Identifier: MIT
"""What has the keyboard, by its name: for what is made anew below it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def focused(inside: QWidget) -> str:
    """The name of the widget in it that has the keyboard; else empty."""
    widget = inside.focusWidget()
    return widget.objectName() if widget is not None and widget.hasFocus() else ""
