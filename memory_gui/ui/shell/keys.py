# SPDX-License-Identifier: MIT
"""How keys are written for people."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QKeySequence


def shown_keys(keys: Sequence[str]) -> str:
    """As this system writes them: ``Ctrl+K``, ``⌘K``."""
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(QKeySequence(one).toString(native) for one in keys)
