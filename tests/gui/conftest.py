# SPDX-License-Identifier: MIT
"""The window over services in memory. No timer of ours may run on after its test."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).parent))

from fake_services import FakeServices, some_records
from waiting import settle

from memory_gui.services import build_services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.palette import Theme
from memory_gui.ui.window import MainWindow
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words


@pytest.fixture(scope="session")
def fonts(qapp: QApplication) -> tuple[str, ...]:
    families = load_fonts()
    qapp.setFont(base_font(shipped=True))
    return families


@pytest.fixture(autouse=True)
def no_timer_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test after which one of our timers still runs."""
    yield
    if "qapp" not in request.fixturenames:
        return
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    running = [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in QApplication.topLevelWidgets()
        for timer in widget.findChildren(QTimer)
        if timer.isActive() and not timer.isSingleShot()
    ]
    assert not running, f"timers left running in {running}"


@pytest.fixture
def fake() -> FakeServices:
    services = FakeServices()
    services.library.fill(some_records())
    return services


@pytest.fixture
def window(qtbot, qapp, fonts, fake) -> Iterator[MainWindow]:
    """The window, shown, with the fake stores open and its first row selected."""
    bridge = Bridge()
    theme = Theme(qapp, "light")
    made = MainWindow(Context(fake, bridge, Words("en")), theme, lambda: fake.library.open("x"))
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.begin()
    made.open_sample()
    settle(bridge)
    made.bridge = bridge  # type: ignore[attr-defined] # for settled()
    yield made
    made.memories.clear()
    made.close()
    bridge.close()


@pytest.fixture
def settled(window: MainWindow) -> Callable[[], None]:
    return lambda: settle(window.bridge)  # type: ignore[attr-defined] # set above


@pytest.fixture
def real_window(qtbot, qapp, fonts, tmp_path) -> Iterator[Callable[[Path], MainWindow]]:
    """Make windows over the real services, for a home; nothing between is faked."""
    made = []

    def make(home: Path) -> MainWindow:
        words = Words("en")
        services = build_services(
            words=words, home=home, data_dir=tmp_path / "data", keychain=NoKeychain()
        )
        bridge = Bridge()
        theme = Theme(qapp, "light")
        window = MainWindow(Context(services, bridge, words), theme, services.library.stores)
        qtbot.addWidget(window)
        with qtbot.waitExposed(window):
            window.show()
        window.begin()
        settle(bridge)
        window.bridge = bridge  # type: ignore[attr-defined] # for settle()
        made.append((window, bridge, services))
        return window

    yield make
    for window, bridge, services in made:
        window.memories.clear()
        window.close()
        bridge.close()
        services.close()
