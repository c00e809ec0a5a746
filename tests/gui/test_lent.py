# SPDX-License-Identifier: MIT
"""What the window says while another copy of the app works on a store, and what it does for one."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from fake_services import PROJECT, USER
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from waiting import settle

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.services import build_services
from memory_gui.services.neighbours import Neighbours
from memory_gui.services.neighbours.desk import Wishes
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.palette import Theme
from memory_gui.ui.shell.asked import Asked
from memory_gui.ui.window import MainWindow
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

TEXT = "the canary of this test sings at seven every morning"
CLI = Path(sys.executable).with_name("memory-cli")
TERMINAL = UserError("store.let_go", pid="7")
WINDOW = UserError("store.let_go_window", pid="8")


def said(window: MainWindow) -> str:
    """The quiet banner's text; empty while it is hidden."""
    where = window.findChild(QWidget, "window.lent")
    return where.findChild(QLabel, "banner.text").text() if where.isVisible() else ""


def titles(window: MainWindow) -> list[str]:
    model = window.memories.model
    return [model.data(model.index(row, 0)) for row in range(model.rowCount())]


def until(true, seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        QApplication.processEvents()
        if true():
            return True
        time.sleep(0.01)
    return False


def test_it_names_what_is_lent_and_to_whom_and_goes_by_itself(window, fake):
    assert said(window) == ""
    fake.library.lent_stores = {PROJECT: TERMINAL, USER: WINDOW}
    assert until(lambda: said(window))
    assert said(window).splitlines() == [
        "atlas: in use by the terminal. It comes back by itself.",
        "You, everywhere: in use by another window. It comes back by itself.",
    ]
    fake.library.lent_stores = {}
    assert until(lambda: not said(window))


def test_the_lock_takes_it_away(window, fake):
    fake.library.lent_stores = {PROJECT: TERMINAL}
    assert until(lambda: said(window))
    window.cover()
    assert said(window) == ""


@pytest.fixture
def asked(window, fake):
    fake.desk = SimpleNamespace(wishes=Wishes())
    made = Asked(fake, window)
    yield made
    made.close()


def in_a_thread(work) -> object:
    got = []
    thread = threading.Thread(target=lambda: got.append(work()))
    thread.start()
    thread.join(5)
    return got[0]


def test_a_lock_that_is_asked_for_from_a_thread_covers_the_window(window, fake, asked):
    in_a_thread(fake.desk.wishes.lock)
    assert until(lambda: window.page_name == "locked")


@pytest.mark.qt_log_ignore(r"does not support raise\(\)", extend=True)
def test_paths_that_are_asked_for_from_a_thread_are_opened(window, fake, asked, settled):
    assert in_a_thread(lambda: fake.desk.wishes.open(["/a/b.db"])) is True
    settled()
    assert ("open", "/a/b.db") in [call[:2] for call in fake.calls]


def test_a_window_that_is_gone_takes_no_wishes(window, fake, asked):
    asked.close()
    assert (fake.desk.wishes.lock, fake.desk.wishes.open) == (None, None)


@pytest.fixture
def real(qtbot, qapp, fonts, tmp_path):
    """A window over real services that listen, with two memories; and its store."""
    place = tmp_path / "atlas/.agentao"
    place.mkdir(parents=True)
    create_store(place / "memory.db", None)
    folder = tmp_path / "run/memory-gui"
    folder.parent.mkdir(mode=0o700)
    folder.mkdir(mode=0o700)
    services = build_services(
        words=Words("en"),
        home=tmp_path / "home",
        data_dir=tmp_path / "data",
        keychain=NoKeychain(),
        neighbours=Neighbours([folder], front="window"),
    )
    services.listen()
    bridge = Bridge()
    window = MainWindow(
        Context(services, bridge, Words("en")), Theme(qapp, "light"), services.library.stores
    )
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    asked = Asked(services, window)
    window.open_paths([str(place)])
    settle(bridge, 30)
    store = services.library.stores()[0].id
    for title, text in (("canary", TEXT), ("other", "is kept")):
        fields = {"title": title, "text": text, "scope": "project"}
        services.editing.add(store, NewRecord("memory", fields))
    window.memories.refresh()
    settle(bridge)
    yield window, services, place / "memory.db"
    asked.close()
    window.memories.clear()
    window.close()
    bridge.close()
    services.close()


def cli(folder: Path, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [str(CLI), *arguments, "--no-keychain"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder / "home"),
            "XDG_DATA_HOME": str(folder / "data-cli"),
            "XDG_RUNTIME_DIR": str(folder / "run"),
        },
    )


def ended(process: subprocess.Popen) -> str:
    """Its output, with the window alive meanwhile."""
    assert until(lambda: process.poll() is not None, 60)
    out, _ = process.communicate()
    assert process.returncode == 0, out
    return out


def test_the_terminal_erases_what_the_window_shows(real, tmp_path):
    window, _services, store = real
    assert sorted(titles(window)) == ["canary", "other"]
    record = window.memories.model.record(titles(window).index("canary"))
    assert record is not None
    out = ended(cli(tmp_path, "erase", str(store), record.ref.key[0], "--yes"))
    assert "proved" in out
    assert until(lambda: titles(window) == ["other"], 3)
    assert until(lambda: not said(window), 3)
    assert TEXT.encode() not in store.read_bytes()


def test_the_terminal_locks_the_window(real, tmp_path):
    window, services, _store = real
    assert ended(cli(tmp_path, "lock")) == "1 window is locked.\n"
    assert until(lambda: window.page_name == "locked")
    assert services.lock.is_locked
    assert titles(window) == []
