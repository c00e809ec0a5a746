# SPDX-License-Identifier: MIT
"""Waiting for what was asked of the services."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
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


PATIENCE_MS = 30_000


def with_patience(wait: Callable[..., Any]) -> Callable[..., Any]:
    """One of pytest-qt's waits, which gives up no sooner than after half a minute."""

    @functools.wraps(wait)
    def patient(bot: object, *args: Any, timeout: int = PATIENCE_MS, **more: Any) -> Any:
        return wait(bot, *args, timeout=max(timeout, PATIENCE_MS), **more)

    return patient


class Held:
    """A function whose first answer is kept back: what is asked after it is answered before it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self._real = getattr(owner, name)
        self._begun, self._go, self._first = threading.Event(), threading.Event(), True
        monkeypatch.setattr(owner, name, self._call)

    def _call(self, *args: Any, **more: Any) -> Any:
        first, self._first = self._first, False
        try:
            return self._real(*args, **more)
        finally:
            if first:
                self._begun.set()
                self._go.wait(60)

    def begun(self) -> None:
        """Until it is asked for the first time; the next ones are not kept back."""
        end = time.monotonic() + 30
        while not self._begun.wait(0.005):
            assert time.monotonic() < end, "it was never asked"
            QApplication.processEvents()

    def let_go(self) -> None:
        """Now the first answer may come."""
        self._go.set()
