# SPDX-License-Identifier: MIT
"""How the window's parts lie: the top line, the banner, the panes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from memory_gui.ui.tokens import SIDEBAR_WIDTH, SPACE_M
from memory_gui.ui.widgets import Rule

PANES_WIDTH: Final = 1180
"""How wide the window begins."""


def make_work(top: QWidget, told: Sequence[QWidget], panes: QSplitter) -> QWidget:
    """Put them together; ``panes`` has the sidebar and the pages already.

    ``told`` come and go below the top line: what goes on, what happened.
    """
    panes.setHandleWidth(1)
    panes.setChildrenCollapsible(False)
    panes.setStretchFactor(1, 1)
    panes.setSizes([SIDEBAR_WIDTH, PANES_WIDTH - SIDEBAR_WIDTH])
    between = QVBoxLayout()
    between.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
    for one in told:
        between.addWidget(one)
    work = QWidget()
    column = QVBoxLayout(work)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(top)
    column.addLayout(between)
    column.addWidget(Rule())
    column.addWidget(panes, 1)
    return work
