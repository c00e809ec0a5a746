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


def errors() -> ModuleType:
    """The words of all errors (20 ms)."""
    return import_module("memory_gui.words.errors")


def macos() -> ModuleType:
    """Calls into macOS."""
    return import_module("memory_gui.ui.privacy.macos")


def home_body() -> ModuleType:
    """What Home shows of stores."""
    return import_module("memory_gui.ui.home.body")


def whole() -> ModuleType:
    """What makes the window whole after its first paint."""
    return import_module("memory_gui.ui.shell.whole")


def selftest() -> ModuleType:
    """What looks whether this copy is complete."""
    return import_module("memory_gui.ui.selftest")


def sample() -> ModuleType:
    """The sample for this run."""
    return import_module("memory_gui.ui.shell.sample")


def asked() -> ModuleType:
    """What other running copies ask."""
    return import_module("memory_gui.ui.shell.asked")


def warming() -> ModuleType:
    """What makes pages before they are wanted."""
    return import_module("memory_gui.ui.shell.warming")
