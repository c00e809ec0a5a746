# SPDX-License-Identifier: MIT
"""Names of widgets: one for tests and assistive tools to find them, one to be read aloud."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QLabel, QWidget

W = TypeVar("W", bound=QWidget)


def named(widget: W, object_name: str, spoken: str = "") -> W:
    """Give both names. A QLabel gets no spoken one: it would hide the label's text."""
    widget.setObjectName(object_name)
    if spoken and not isinstance(widget, QLabel):
        widget.setAccessibleName(spoken)
    return widget
