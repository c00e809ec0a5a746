# SPDX-License-Identifier: MIT
"""The window over fake services, at a moment that never passes, drawn when it has come to rest."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from functools import cache
from pathlib import Path

from comparing import ALLOWED, Levels, differing, load, reduced, save, save_difference
from fake_services import FakeServices
from looking import shown
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtGui import QFont, QRawFont
from PySide6.QtWidgets import QAbstractButton, QApplication
from shiboken6 import isValid
from waiting import settle

from memory_gui.ui.bridge import Bridge
from memory_gui.ui.views import VIEWS
from memory_gui.ui.window import MainWindow

FOLDER = Path(__file__).parents[1] / "baselines"
DIFFERENCES = Path(__file__).resolve().parents[3] / "build" / "picture-differences"
UPDATE = os.environ.get("UPDATE_BASELINES") == "1"
NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
LONGEST_MS = 2_000
"""A timer that waits longer is none of a screen's: the idle lock."""
PATIENCE_S = 60.0


class Frozen(datetime):
    """It is always the same moment."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return NOW.astimezone(tz) if tz is not None else NOW.replace(tzinfo=None)


@dataclass
class Stage:
    """The window with its fake services; it takes pictures as ``memory_gui.ui.pictures`` does."""

    window: MainWindow
    fake: FakeServices
    bridge: Bridge
    ending: str
    families: tuple[str, ...] = ()
    wrong: list[str] = field(default_factory=list)
    """What was found wrong with the pictures taken."""
    taken: list[str] = field(default_factory=list)

    @property
    def services(self) -> FakeServices:
        return self.fake

    def settle(self) -> None:
        """Until no call is on its way, and nothing waits for typing to end or to show itself."""
        end = time.monotonic() + PATIENCE_S
        while True:
            settle(self.bridge, PATIENCE_S)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            soon = [
                timer
                for timer in self.window.findChildren(QTimer)
                if timer.isActive() and timer.isSingleShot() and timer.interval() <= LONGEST_MS
            ]
            if not soon:
                return
            assert time.monotonic() < end, [timer.parent() for timer in soon]
            _hasten(soon)

    def at_rest(self) -> Levels:
        """What is drawn once it is the same twice: a layout may be settled only by being shown."""
        end = time.monotonic() + PATIENCE_S
        self.settle()
        before = self.window.grab().toImage()
        while True:
            self.settle()
            now = self.window.grab().toImage()
            if before == now:
                return reduced(now)
            assert time.monotonic() < end, "it does not come to rest"
            before = now

    def take(self, name: str) -> str:
        """Compare what is drawn now with the picture of that name, or keep it."""
        self.wrong += compare(self.at_rest(), f"{name}-{self.ending}")
        self.wrong += [f"{name}: {sign!r} is in none of our fonts" for sign in self.strange_signs()]
        if QApplication.activeWindow() is None:
            self.wrong.append(
                f"{name}: the keyboard is nowhere: something was a window for a moment"
            )
        self.taken.append(name)
        return name

    def pause(self, _seconds: float) -> None:
        """As long as it needs."""
        self.settle()

    def press(self, name: str) -> None:
        button = self.window.findChild(QAbstractButton, name)
        assert button is not None, name
        button.click()
        self.settle()

    def view(self, name: str) -> None:
        self.window.choose_view(next(view for view in VIEWS if view.name == name))
        self.settle()
        self.window.memories.go_to(0)
        self.settle()

    def strange_signs(self) -> Iterator[str]:
        """Signs that would be drawn with whatever font this machine has."""
        texts = {text for widget, text in shown(self.window) if widget.isVisible()}
        signs = sorted({sign for text in texts for sign in text if sign.isprintable()})
        yield from (sign for sign in signs if not _drawn_by_us(sign, self.families))


def _hasten(timers: list[QTimer]) -> None:
    """Let them ring now: nothing is on its way that could still stop one."""
    waits = [(timer, timer.interval()) for timer in timers]
    for timer in timers:
        timer.start(0)
    QCoreApplication.processEvents()
    for timer, wait in waits:
        if isValid(timer):
            timer.setInterval(wait)


@cache
def _fonts(families: tuple[str, ...]) -> tuple[QRawFont, ...]:
    return tuple(QRawFont.fromFont(QFont(family)) for family in families)


@cache
def _drawn_by_us(sign: str, families: tuple[str, ...]) -> bool:
    return any(font.supportsCharacter(ord(sign)) for font in _fonts(families))


def compare(now: Levels, name: str) -> list[str]:
    """What is wrong with one picture."""
    file = FOLDER / f"{name}.png"
    if UPDATE:
        if not file.exists() or not _alike(load(file), now):
            save(now, file)
        return []
    if not file.exists():
        save(now, DIFFERENCES / file.name)
        return [f"{name}: there is none yet"]
    before = load(file)
    if before.shape != now.shape:
        save(now, DIFFERENCES / file.name)
        return [f"{name}: {now.shape[:2]} instead of {before.shape[:2]}"]
    share = float(differing(before, now).mean())
    if share <= ALLOWED:
        return []
    save_difference(before, now, DIFFERENCES / file.name)
    return [f"{name}: {share:.2%} of it"]


def _alike(before: Levels, now: Levels) -> bool:
    return before.shape == now.shape and not differing(before, now).any()
