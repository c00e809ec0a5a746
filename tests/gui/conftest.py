# SPDX-License-Identifier: MIT
"""The window over services in memory. No timer of ours may run on after its test.

Widgets end in the GUI thread: the cycle collector runs there, between tests, and nowhere else.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

sys.path.insert(0, str(Path(__file__).parent))

from fake_services import FakeServices, some_records
from shuffling import SEED, shuffled
from waiting import Held, settle, with_patience

from memory_gui.services import build_services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.palette import Theme
from memory_gui.ui.window import MainWindow
from memory_gui.vault.keychain import AnyKeychain, NoKeychain
from memory_gui.words import Words


@pytest.fixture(scope="session", autouse=True)
def clipboard_emptied() -> Iterator[None]:
    """Leave no data of ours in the clipboard when the interpreter ends.

    Offscreen, Qt keeps it in a static of libQt6Gui. That goes in ``exit()``, when Python is no
    more, and the wrapper of a QMimeData that was made in Python then ends the process by signal 11.
    """
    yield
    if isinstance(app := QApplication.instance(), QApplication):
        app.clipboard().clear()


@pytest.fixture(scope="session", autouse=True)
def modules_frozen() -> None:
    """What is imported by now is never garbage: collecting between tests need not look at it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is waited for may take long on a busy machine: only a standstill is a failure."""
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitExposed"):
        monkeypatch.setattr(QtBot, name, with_patience(getattr(QtBot, name)))


@pytest.fixture(autouse=True)
def answers_shuffled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With MEMORY_GUI_SHUFFLE, answers come in an order of chance (``shuffling.py``)."""
    if SEED:
        monkeypatch.setattr(Bridge, "call", shuffled(Bridge.call, request.node.nodeid))


@pytest.fixture(autouse=True)
def collected_here() -> Iterator[None]:
    """Collect cycles in the GUI thread only, as ``ui/shell/interpreter.py`` does for the app.

    Left to itself the collector runs in whatever thread allocates, such as the bridge's. A widget
    in a cycle is then destroyed there, which hangs or ends the process by signal 11.
    """
    gc.disable()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    gc.enable()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[object, str], Held]]:
    """Keep back the first answer of a function of an object, by its name."""
    made: list[Held] = []

    def hold(owner: object, name: str) -> Held:
        made.append(Held(monkeypatch, owner, name))
        return made[-1]

    yield hold
    for one in made:
        one.let_go()


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
def real_window(qtbot, qapp, fonts, tmp_path) -> Iterator[Callable[..., MainWindow]]:
    """Make windows over the real services, for a home; nothing between is faked."""
    made = []

    def make(home: Path, keychain: AnyKeychain | None = None) -> MainWindow:
        words = Words("en")
        services = build_services(
            words=words, home=home, data_dir=tmp_path / "data", keychain=keychain or NoKeychain()
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
