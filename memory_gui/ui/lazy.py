# SPDX-License-Identifier: MIT
"""The window and with it Qt, loaded only by the front door that shows it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def window() -> ModuleType:
    """``ui.run`` and with it Qt (150 ms), which no worker process needs."""
    return import_module("memory_gui.ui.run")


def pictures() -> ModuleType:
    """``ui.pictures``, which draws the main screens without a display."""
    return import_module("memory_gui.ui.pictures")
