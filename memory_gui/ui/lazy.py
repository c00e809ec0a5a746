# SPDX-License-Identifier: MIT
"""The window and with it Qt, loaded only by the front door that shows it."""

from __future__ import annotations

import builtins
from importlib import import_module
from types import ModuleType


def window() -> ModuleType:
    """``ui.run`` and with it Qt (150 ms), which no worker process needs."""
    import_module("PySide6.QtCore")
    _pass_features()
    return import_module("memory_gui.ui.run")


def _pass_features() -> None:
    """Import modules without PySide6's look for its ``__feature__`` switch, which we do not use.

    It takes the place of ``__import__`` and reads the source of every module that comes after it
    (``shibokensupport/feature.py``): a third of the time that our modules take, and their texts
    stay in memory.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


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


def hidden() -> ModuleType:
    """Characters that do not show."""
    return import_module("memory_gui.domain.hidden")


def signals() -> ModuleType:
    """What hears that the system wants the app to end."""
    return import_module("memory_gui.ui.shell.signals")


def arguments() -> ModuleType:
    """What may be given on the command line."""
    return import_module("memory_gui.ui.arguments")


def own_words() -> ModuleType:
    """The language of what Qt says itself."""
    return import_module("memory_gui.ui.shell.ownwords")


def clipboard() -> ModuleType:
    """The way to copy a text."""
    return import_module("memory_gui.ui.privacy.clipboard")


def capture() -> ModuleType:
    """What keeps windows out of captures."""
    return import_module("memory_gui.ui.privacy.capture")
