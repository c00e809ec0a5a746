# SPDX-License-Identifier: MIT
"""Waiting for what was asked of the services."""

from __future__ import annotations

import time

from PySide6.QtWidgets import QApplication

from memory_gui.ui.bridge import Bridge


def settle(bridge: Bridge, patience: float = 30.0) -> None:
    """Until nothing is on its way and what came back is shown."""
    end = time.monotonic() + patience
    quiet = 0
    while quiet < 3:
        assert time.monotonic() < end, "calls did not come back"
        QApplication.processEvents()
        quiet = 0 if bridge.busy else quiet + 1
        time.sleep(0.005)
