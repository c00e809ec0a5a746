# SPDX-License-Identifier: MIT
"""Each screen says so when it has nothing, when it waits, when it failed and when it is locked."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fake_services import PROJECT
from looking import shown
from PySide6.QtWidgets import QLabel

sys.path.insert(0, str(Path(__file__).parent / "pages"))

import scene

from memory_gui.domain.errors import UserError
from memory_gui.services.home.view import HomeView
from memory_gui.ui.pages.requests import KeyProblem
from memory_gui.ui.views import VIEWS
from memory_gui.ui.widgets.busy import Spinner

PATH = "/home/ann/beta/.agentao/memory.db"
FAILED = UserError("store.missing", path=PATH)


@dataclass(frozen=True)
class Screen:
    """``part`` and ``method``: of the services, what it waits for. ``empty``: its words for that.

    No ``empty``: it always has something. No ``method``: it waits for nothing.
    """

    name: str
    part: str = ""
    method: str = ""
    empty: str = ""
    argument: Callable[[Any], object] = lambda window: None
    meanwhile: str = ""
    """What is shown while it waits, where that is of more use than a spinner."""


SCREENS = (
    Screen("start", "home", "look", "What do your agents remember?", meanwhile="atlas"),
    Screen("memories", "library", "search", "Nothing here yet", meanwhile="40 records"),
    Screen("trash", "library", "search", "trash is empty", meanwhile="40 records"),
    Screen("summaries", "library", "search", "Nothing here yet", meanwhile="40 records"),
    Screen("activity", "activity", "list", "Nothing"),
    Screen("review", "review", "items", "Nothing"),
    Screen("erase", "erasing", "plan", "", lambda window: (window.memories.model.record(0).ref,)),
    Screen("pending", "erasing", "pending", "No erasure is unfinished"),
    Screen("protect", "library", "store", "", lambda window: PROJECT),
    Screen("recovery", "recovery", "state", "", lambda window: PROJECT),
    Screen("agent", "agent_views", "view"),
    Screen("key", "library", "key_state", "", lambda window: KeyProblem(
        PATH, UserError("key.needed", reason="absent", path=PATH)), PATH),
    Screen("settings"),
    Screen("export", "", "", "", lambda window: window.memories.query),
)  # fmt: skip
WAITING = [one for one in SCREENS if one.method]
EMPTY = [one for one in SCREENS if one.empty]


@pytest.fixture(autouse=True)
def plan(fake):
    fake.erasing.plan_value = scene.plan()


def ids(screen: Screen) -> str:
    return screen.name


def go(window, screen: Screen) -> None:
    views = {view.name: view for view in VIEWS}
    if screen.name in views:
        window.choose_view(views[screen.name])
        window.memories.refresh()
    else:
        window.go(screen.name, screen.argument(window))


def said(window) -> str:
    return "\n".join(one.text() for one in window.findChildren(QLabel) if one.isVisible())


def patch(monkeypatch, fake, screen: Screen, work: Callable[..., object]) -> None:
    monkeypatch.setattr(getattr(fake, screen.part), screen.method, work)


@pytest.mark.parametrize("screen", EMPTY, ids=ids)
def test_it_says_that_it_has_nothing(window, fake, settled, screen):
    fake.library.records.clear()
    fake.home.view = HomeView((), (), True, True)
    window.memories.refresh()
    settled()
    go(window, screen)
    settled()
    assert screen.empty in said(window)


@pytest.mark.parametrize("screen", WAITING, ids=ids)
def test_it_says_that_it_waits(window, fake, settled, qtbot, monkeypatch, screen):
    if screen.name == "start":
        go(window, screen)  # seen before: the first look is asked for as the window opens
        settled()
        window.go("settings")
    gate = threading.Event()
    real = getattr(getattr(fake, screen.part), screen.method)
    patch(monkeypatch, fake, screen, lambda *a, **k: (gate.wait(20), real(*a, **k))[1])
    try:
        go(window, screen)
        qtbot.waitUntil(lambda: _tells(window, screen), timeout=8000)
    finally:
        gate.set()
    settled()
    assert not any(one.isVisible() for one in window.findChildren(Spinner))


def _tells(window, screen: Screen) -> bool:
    if screen.meanwhile:
        return screen.meanwhile in said(window)
    return any(one.isVisible() for one in window.findChildren(Spinner))


@pytest.mark.parametrize("screen", WAITING, ids=ids)
def test_it_says_what_went_wrong_and_recovers(window, fake, settled, monkeypatch, screen):
    def fail(*_args: object, **_more: object) -> object:
        raise FAILED

    with monkeypatch.context() as broken:
        patch(broken, fake, screen, fail)
        go(window, screen)
        settled()
        assert PATH in said(window)
    window.go("settings")
    settled()
    go(window, screen)
    settled()
    assert window.page_name != "settings"


@pytest.mark.parametrize("screen", SCREENS, ids=ids)
def test_locked_it_shows_the_locked_page_and_holds_nothing(window, fake, settled, screen):
    go(window, screen)
    settled()
    window.lock()
    assert window.page_name == "locked"
    assert window._panes.root.currentWidget() is window._panes.lock_host
    settled()
    texts = {one.text for one in fake.library.records.values()}
    held = [text for _widget, text in shown(window) if text in texts or PATH in text]
    assert held == []
