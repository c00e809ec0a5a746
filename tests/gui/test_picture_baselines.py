# SPDX-License-Identifier: MIT
"""Every screen looks as it was last looked at: each palette and language, under the pinned font.

``make baselines`` keeps how they look now; look at each before that is committed. What differs is
saved in build/picture-differences, with the picture of before and of now.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from comparing import ALLOWED, differing, load, save, save_difference
from fake_services import FakeServices, some_records
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

sys.path.insert(0, str(Path(__file__).parent / "pages"))

import scene
from drawn.foreign import STORES, draw
from drawn.screens import NAMES, REELS, happenings
from drawn.stage import DIFFERENCES, FOLDER, UPDATE, Frozen, Stage
from drawn.tour import TOUR

from memory_gui.services import build_services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.comfort import MOTION
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font
from memory_gui.ui.pages.registry import PAGES
from memory_gui.ui.palette import Theme
from memory_gui.ui.window import MainWindow
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

SIZE = (1180, 760)
MODES = ("light", "dark")
LANGUAGES = ("en", "zh_CN")
NOT_KEPT: dict[str, str] = {}
"""Screens of the tour without a picture that is kept, and why."""


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The window's clock and zone. Pages are loaded when they are wanted: here before that."""
    for page in PAGES.values():
        page.load()
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
def steady(qapp: QApplication, fonts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """No caret blinks, nothing turns, and the letters are ours whatever a test before has set."""
    blinks, moves, font = qapp.cursorFlashTime(), qapp.property(MOTION), qapp.font()
    qapp.setCursorFlashTime(0)
    qapp.setProperty(MOTION, "reduced")
    qapp.setFont(base_font(shipped=True))
    yield fonts
    qapp.setCursorFlashTime(blinks)
    qapp.setProperty(MOTION, moves)
    qapp.setFont(font)


def services(mode: str, language: str) -> FakeServices:
    """The same ones each time."""
    fake = FakeServices()
    fake.library.fill(some_records())
    fake.settings.values = replace(fake.settings.values, appearance=mode, language=language)
    for item in scene.ITEMS:
        fake.library.put(item)
    fake.review.previews.update(scene.PREVIEWS)
    fake.activity.happenings = happenings()
    search = fake.library.search
    fake.library.search = lambda *a, **k: replace(search(*a, **k), ms=3.0)
    return fake


@pytest.fixture
def stage(qtbot, qapp, frozen, steady) -> Iterator[Callable[[str, str], Stage]]:
    made: list[Stage] = []

    def make(mode: str, language: str) -> Stage:
        fake, bridge, theme = services(mode, language), Bridge(), Theme(qapp, mode)
        context = Context(fake, bridge, Words(language))
        window = MainWindow(context, theme, lambda: fake.library.open("x"))
        qtbot.addWidget(window)
        window.resize(*SIZE)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        window.begin()
        window.open_sample()
        made.append(Stage(window, fake, bridge, f"{mode}-{language.partition('_')[0]}", steady))
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
@pytest.mark.parametrize("reel", REELS)
def test_every_screen_looks_as_before(stage, mode, language, reel):
    on = stage(mode, language)
    go, names = REELS[reel]
    go(on)
    assert on.wrong == [], f"look at {DIFFERENCES}; `make baselines` keeps them as they are now"
    assert tuple(on.taken) == names


@pytest.mark.parametrize("name", STORES)
def test_a_store_of_another_agent_looks_as_before(qtbot, qapp, frozen, steady, tmp_path, name):
    store = STORES[name]
    mode, language = store.ending.split("-")
    words = Words({"zh": "zh_CN"}.get(language, language))
    real = build_services(
        words=words, home=tmp_path / "home", data_dir=tmp_path / "own", keychain=NoKeychain()
    )
    real.settings.change(appearance=mode, language=words.language)
    search = real.library.search
    real.library.search = lambda *a, **k: replace(search(*a, **k), ms=3.0)
    bridge, theme = Bridge(), Theme(qapp, mode)
    window = MainWindow(Context(real, bridge, words), theme, real.library.stores)
    qtbot.addWidget(window)
    window.resize(*SIZE)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    window.begin()
    on = Stage(window, real, bridge, store.ending, steady)
    on.settle()
    draw(on, tmp_path, store)
    window.memories.clear()
    window.close()
    bridge.close()
    real.close()
    Theme(qapp, "light")
    assert on.wrong == [], f"look at {DIFFERENCES}; `make baselines` keeps them as they are now"


def test_there_is_a_picture_of_every_screen_and_none_too_many():
    wanted = {
        f"{name}-{mode}-{language.split('_')[0]}.png"
        for name in NAMES
        for mode in MODES
        for language in LANGUAGES
    }.union(*(store.files for store in STORES.values()))
    there = {file.name for file in FOLDER.glob("*.png")}
    if UPDATE:
        for name in there - wanted:
            (FOLDER / name).unlink()
        return
    assert there == wanted
    assert sum(file.stat().st_size for file in FOLDER.glob("*.png")) < 4_000_000


def test_all_that_the_tour_draws_is_kept():
    assert set(TOUR) - set(NAMES) == set(NOT_KEPT)
    assert len(NAMES) == len(set(NAMES))


def test_a_moved_button_is_noticed_and_shown(stage, tmp_path):
    on = stage("light", "en")
    before = on.at_rest()
    on.window._panes.sidebar.hide()
    now = on.at_rest()
    assert differing(before, now).mean() > ALLOWED
    assert not differing(before, before).any()
    save(before, tmp_path / "one.png")
    assert differing(load(tmp_path / "one.png"), before).mean() < ALLOWED / 10
    save_difference(before, now, tmp_path / "two.png")
    assert load(tmp_path / "two.png").shape[0] == 3 * before.shape[0]


def test_a_sign_of_none_of_our_fonts_is_noticed(stage):
    on = stage("light", "en")
    assert list(on.strange_signs()) == []
    label = QLabel("ᚠ", on.window)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.show()
    assert list(on.strange_signs()) == ["ᚠ"]
