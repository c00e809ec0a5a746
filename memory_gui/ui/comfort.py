# SPDX-License-Identifier: MIT
"""How large, how close together and how lively: what a person chose, kept on the application.

Text size comes to every widget as its font; the other two are asked for where they matter.
"""

from __future__ import annotations

from typing import Final

from PySide6 import QtWidgets
from PySide6.QtWidgets import QApplication

COMPACT: Final = "compactRows"
MOTION: Final = "motion"


def wear_comfort(app: QApplication, *, density: str, motion: str) -> None:
    """From now on. ``density`` comfortable or compact; ``motion`` system, full or reduced."""
    app.setProperty(COMPACT, density == "compact")
    app.setProperty(MOTION, motion)


def is_compact() -> bool:
    """Whether rows stand close together."""
    app = QApplication.instance()
    return app is not None and bool(app.property(COMPACT))


def is_still() -> bool:
    """Whether nothing should move: a person's choice, else the system's."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return False
    motion = app.property(MOTION)
    if motion in ("full", "reduced"):
        return bool(motion == "reduced")
    # By its module: QStyle takes as long to load as ten other classes.
    hint = QtWidgets.QStyle.StyleHint.SH_Widget_Animation_Duration
    return app.style().styleHint(hint) == 0
