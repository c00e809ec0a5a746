# SPDX-License-Identifier: MIT
"""Every screen looks as it was last looked at: each palette and language, under the pinned font.

``make baselines`` keeps how they look now; look at each before that is committed. What differs is
saved in build/picture-differences, with the picture of before and of now.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path

import pytest
from comparing import ALLOWED, differing, load, reduced, save, save_difference
from fake_services import PROJECT, USER, FakeServices, some_records
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication
from waiting import settle

sys.path.insert(0, str(Path(__file__).parent / "pages"))

import scene

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.ledger import LastSeen
from memory_gui.services.glances import Glance
from memory_gui.services.homeview import Card, Cause, HomeView, Problem
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.pages.requests import KeyProblem
from memory_gui.ui.palette import Theme
from memory_gui.ui.views import VIEWS
from memory_gui.ui.window import MainWindow
from memory_gui.words import Words

FOLDER = Path(__file__).parent / "baselines"
DIFFERENCES = Path(__file__).resolve().parents[2] / "build" / "picture-differences"
UPDATE = os.environ.get("UPDATE_BASELINES") == "1"
NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
SIZE = (1180, 760)
MODES = ("light", "dark")
LANGUAGES = ("en", "zh_CN")
LONGEST_MS = 2_000
"""A timer that waits longer is none of a screen's: the idle lock."""


class Frozen(datetime):
    """It is always the same moment."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return NOW.astimezone(tz) if tz is not None else NOW.replace(tzinfo=None)


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The window's clock and zone."""
    for name, module in list(sys.modules.items()):
        ours = name.startswith("memory_gui.") and getattr(module, "datetime", None) is datetime
        if ours:
            monkeypatch.setattr(module, "datetime", Frozen)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def steady(qapp: QApplication) -> Iterator[None]:
    """No caret blinks."""
    before = qapp.cursorFlashTime()
    qapp.setCursorFlashTime(0)
    yield
    qapp.setCursorFlashTime(before)


def home_view() -> HomeView:
    """Every kind of card and some problems."""
    far = "/home/ann/work/clients/northwind/migration/.agentao/memory.db"
    gone = "/media/stick/.agentao/memory.db"
    changed = NOW.timestamp() - 7_200
    cards = (
        Card(
            str(PROJECT), "atlas", "Agentao",
            Glance(encrypted=True, writable=True, changed_at=changed),
            store=PROJECT, seen=LastSeen(1204, 7, 12, ""), live=True,
            holders=(OpenBy(4121, "agentao"),),
        ),
        Card(
            str(USER), "you", "Agentao",
            Glance(encrypted=False, writable=True, changed_at=changed - 200_000),
            store=USER, seen=LastSeen(31, 0, 0, ""), live=True,
        ),
        Card(
            far, "migration", "Agentao",
            Glance(encrypted=True, writable=True, changed_at=changed - 900_000),
            seen=LastSeen(98_123, 120, 3, "2026-11-20T08:00:00+00:00"),
        ),
        Card(gone, "stick", "Agentao", Glance(error=UserError("store.missing", path=gone))),
    )  # fmt: skip
    key = UserError("key.needed", path=far, reason="locked", backend="SecretService.Keyring")
    problems = (
        Problem(Cause.GONE, gone, "stick", error=UserError("store.missing", path=gone)),
        Problem(Cause.KEY, far, "migration", error=key),
        Problem(Cause.IN_USE, str(PROJECT), "atlas", holders=(OpenBy(4121, "agentao"),)),
    )
    return HomeView(cards, problems, True, (str(USER),), True)


@dataclass
class Stage:
    """The window with its fake services."""

    window: MainWindow
    fake: FakeServices
    bridge: Bridge

    def settle(self) -> None:
        """Until no call is on its way, and nothing waits for typing to end or to show itself."""
        end = time.monotonic() + 30
        while True:
            settle(self.bridge, 30)
            soon = [
                timer
                for timer in self.window.findChildren(QTimer)
                if timer.isActive() and timer.isSingleShot() and timer.interval() <= LONGEST_MS
            ]
            if not soon:
                return
            assert time.monotonic() < end, [timer.parent() for timer in soon]
            time.sleep(0.01)

    def view(self, name: str) -> None:
        self.window.choose_view(next(view for view in VIEWS if view.name == name))
        self.settle()
        self.window.memories.go_to(0)

    def press(self, name: str) -> None:
        self.window.findChild(QAbstractButton, name).click()


def start(on: Stage) -> None:
    on.fake.home.view = HomeView((), (), True, (str(USER),), True)
    on.window.go("start")


def home(on: Stage) -> None:
    on.fake.home.view = home_view()
    on.window.go("start")


def edit(on: Stage) -> None:
    on.view("memories")
    on.window.memories.edit_current()


def new(on: Stage) -> None:
    on.window.memories.new_memory()


def hidden(on: Stage) -> None:
    on.view("memories")
    on.window._context.privacy.hiding.set_hidden(hidden=True)


def shown_again(on: Stage) -> None:
    on.window._context.privacy.hiding.set_hidden(hidden=False)


def erase_plan(on: Stage) -> None:
    on.fake.erasing.plan_value = scene.plan()
    on.view("memories")
    on.window.go("erase", (on.window.memories.model.record(0).ref,))


def erase_result(on: Stage) -> None:
    on.fake.erasing.result = scene.result()
    on.press("erase.run")


def key(on: Stage) -> None:
    path = "/home/ann/beta/.agentao/memory.db"
    on.window.go("key", KeyProblem(path, UserError("key.needed", reason="absent", path=path)))


def commands(on: Stage) -> None:
    on.view("memories")
    on.window._quick.toggle()


def without_commands(on: Stage) -> None:
    on.window._quick.toggle()


def leave(on: Stage) -> None:
    on.window.memories.may_leave()


SCREENS: dict[str, Callable[[Stage], object]] = {
    "start": start,
    "home": home,
    "memories": lambda on: on.view("memories"),
    "hidden": hidden,
    "": shown_again,
    "summaries": lambda on: on.view("summaries"),
    "trash": lambda on: on.view("trash"),
    "activity": lambda on: on.view("activity"),
    "review": lambda on: on.view("review"),
    "edit": edit,
    " ": leave,
    "new": new,
    "  ": leave,
    "protect": lambda on: on.window.go("protect", PROJECT),
    "export": lambda on: on.window.go("export", on.window.memories.query),
    "settings": lambda on: on.window.go("settings"),
    "pending": lambda on: on.window.go("pending"),
    "shortcuts": lambda on: on.window.go("shortcuts"),
    "key": key,
    "commands": commands,
    "   ": without_commands,
    "erase-plan": erase_plan,
    "erase-result": erase_result,
    "locked": lambda on: on.window.lock(),
}
"""In this order. A name of spaces only leads from one to the next."""
NAMES = [name for name in SCREENS if name.strip()]


@pytest.fixture
def stage(qtbot, qapp, fonts, frozen, steady) -> Iterator[Callable[[str, str], Stage]]:
    made: list[Stage] = []

    def make(mode: str, language: str) -> Stage:
        fake = FakeServices()
        fake.library.fill(some_records())
        fake.settings.values = replace(fake.settings.values, appearance=mode, language=language)
        for item in scene.ITEMS:
            fake.library.put(item)
        fake.review.previews.update(scene.PREVIEWS)
        search = fake.library.search
        fake.library.search = lambda *a, **k: replace(search(*a, **k), ms=3.0)
        bridge = Bridge()
        theme = Theme(qapp, mode)
        context = Context(fake, bridge, Words(language))
        window = MainWindow(context, theme, lambda: fake.library.open("x"))
        qtbot.addWidget(window)
        window.resize(*SIZE)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        window.begin()
        window.open_sample()
        made.append(Stage(window, fake, bridge))
        made[-1].settle()
        return made[-1]

    yield make
    for one in made:
        one.window.memories.clear()
        one.window.close()
        one.bridge.close()
    Theme(qapp, "light")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", MODES)
def test_every_screen_looks_as_before(stage, mode, language):
    on = stage(mode, language)
    wrong = []
    for name, go in SCREENS.items():
        go(on)
        on.settle()
        if name.strip():
            wrong += compare(on, f"{name}-{mode}-{language.split('_')[0]}")
    assert wrong == [], f"look at {DIFFERENCES}; `make baselines` keeps them as they are now"


def compare(on: Stage, name: str) -> list[str]:
    """What is wrong with one picture."""
    now, file = reduced(on.window.grab().toImage()), FOLDER / f"{name}.png"
    if UPDATE:
        if not file.exists() or differing(load(file), now).any():
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


def test_there_is_a_picture_of_every_screen_and_none_too_many():
    wanted = {
        f"{name}-{mode}-{language.split('_')[0]}.png"
        for name in NAMES
        for mode in MODES
        for language in LANGUAGES
    }
    assert {file.name for file in FOLDER.glob("*.png")} == wanted
    assert sum(file.stat().st_size for file in FOLDER.glob("*.png")) < 4_000_000


def test_a_moved_button_is_noticed_and_shown(stage, tmp_path):
    on = stage("light", "en")
    before = reduced(on.window.grab().toImage())
    on.window._panes.sidebar.hide()
    on.settle()
    now = reduced(on.window.grab().toImage())
    assert differing(before, now).mean() > ALLOWED
    assert not differing(before, before).any()
    save(before, tmp_path / "one.png")
    assert differing(load(tmp_path / "one.png"), before).mean() < ALLOWED / 10
    save_difference(before, now, tmp_path / "two.png")
    assert load(tmp_path / "two.png").shape[0] == 3 * before.shape[0]
