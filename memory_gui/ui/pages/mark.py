# SPDX-License-Identifier: MIT
"""A small icon at the beginning of a row."""

from __future__ import annotations

from memory_gui.ui.widgets.mark import IconMark as MarkIcon

__all__ = ["MarkIcon"]
