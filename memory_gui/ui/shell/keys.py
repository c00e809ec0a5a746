# SPDX-License-Identifier: MIT
"""How keys are written for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtGui import QKeySequence

_ARROWS: Final = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→"}


def shown_keys(keys: Sequence[str]) -> str:
    """As this system writes them: ``Ctrl+K``, ``⌘K``."""
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(_shown(one, native) for one in keys)


def _shown(keys: str, form: QKeySequence.SequenceFormat) -> str:
    """Qt's Chinese for an arrow is "下方向", which stands on no keyboard."""
    start, plus, last = keys.rpartition("+")
    arrow = _ARROWS.get(last)
    if arrow is None:
        return QKeySequence(keys).toString(form)
    whole = QKeySequence(f"{start}{plus}A").toString(form)
    return f"{whole[:-1]}{arrow}"
