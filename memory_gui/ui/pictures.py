# SPDX-License-Identifier: MIT
"""Draws the main screens on the sample store, with the shipped fonts, without a display.

For ``memory-cli tour --pictures`` and ``make pictures``: light and dark, English and Chinese.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QEventLoop,
    QMessageLogContext,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref
from memory_gui.services import Services
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.cases.page import CasePage
from memory_gui.ui.cases.pictures import case_pictures
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.pages.registry import PAGES
from memory_gui.ui.pages.requests import KeyProblem
from memory_gui.ui.palette import Theme
from memory_gui.ui.pictures_keys import draw_keys
from memory_gui.ui.records.editing.pictures import editing_pictures
from memory_gui.ui.records.pictures import list_pictures
from memory_gui.ui.shell.sample import SampleSession
from memory_gui.ui.views import ACTIVITY, MEMORIES, REVIEW, SUMMARIES, TRASH
from memory_gui.ui.widgets import Banner
from memory_gui.ui.window import MainWindow
from memory_gui.words import LANGUAGES, Words

SIZE: Final = (1180, 760)
_PATIENCE_S: Final = 60.0
_SEARCHES: Final = {"en": "answer", "zh_CN": "回答"}


@dataclass(slots=True)
class _Set:
    """The window in one palette and language, and where its pictures go."""

    window: MainWindow
    context: Context
    out_dir: Path
    ending: str

    @property
    def services(self) -> Services:
        """Those of the sample."""
        return self.context.services

    def take(self, name: str) -> Path:
        """Wait until nothing moves, then draw what is there."""
        self.settle()
        path = self.out_dir / f"{name}-{self.ending}.png"
        if not self.window.grab().save(str(path)):
            raise UserError("pictures.not_written", path=str(path))
        return path

    def open_sample(self) -> None:
        """Open it and wait for its first row: a picture without a store would show nothing."""
        self.window.open_sample()
        end = time.monotonic() + _PATIENCE_S
        while not self.window.memories.model.rowCount():
            if time.monotonic() > end:
                raise RuntimeError("the sample did not open")
            self.pause(0.1)
        self.dismiss()

    def settle(self) -> None:
        """Until every call has come back and been shown."""
        end = time.monotonic() + _PATIENCE_S
        quiet = 0
        while quiet < 3 and time.monotonic() < end:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            quiet = 0 if self.context.bridge.busy else quiet + 1
            time.sleep(0.01)

    def dismiss(self) -> None:
        """Take the window's banner away."""
        for banner in self.window.findChildren(Banner):
            banner.dismiss()

    def press(self, name: str) -> None:
        """Press a button by its object name."""
        button = self.window.findChild(QAbstractButton, name)
        if button is not None:
            button.click()

    def act(self, name: str) -> None:
        """Do one of the menu's acts."""
        action = self.window.findChild(QAction, f"act.{name}")
        if action is not None:
            action.trigger()

    def pause(self, seconds: float) -> None:
        """Let timers of the window (typing, spinner) run out."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
            time.sleep(0.01)
        self.settle()


def draw(services: Services, out_dir: Path) -> list[Path]:
    """Draw every main screen on a sample of its own, which is gone afterwards; the files written.

    Makes a QApplication on the offscreen platform when there is none. Call it in the main thread,
    while no other store is open: some records are erased to show how that ends.

    Raises:
        UserError: ``pictures.not_written``.
    """
    app = QApplication.instance()
    if app is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        qInstallMessageHandler(_say_what_matters)
        app = QApplication(["memory-gui"])
    assert isinstance(app, QApplication)  # noqa: S101 - a program with a window has this one
    load_fonts()
    app.setFont(base_font(shipped=True))
    out_dir.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    sample = SampleSession(services)
    try:
        for mode in ("light", "dark"):
            theme = Theme(app, mode)
            for language in LANGUAGES:
                ending = f"{mode}-{language.split('_')[0]}"
                context = Context(services, Bridge(), Words(language))
                window = MainWindow(context, theme, sample.open)
                written.extend(_draw_set(_Set(window, context, out_dir, ending)))
                sample.end()  # the next set begins with the same records
    finally:
        sample.end()
    return written


def _say_what_matters(_kind: QtMsgType, _where: QMessageLogContext, text: str | None) -> None:
    """Without a display Qt says of every window that its size cannot be proposed to anybody."""
    if text and "propagateSizeHints" not in text:
        sys.stderr.write(text + "\n")


def _draw_set(one: _Set) -> Iterator[Path]:
    window = one.window
    window.resize(*SIZE)
    window.show()
    try:
        yield one.take("start")
        one.open_sample()
        window.go("start")
        yield one.take("home")
        for screen in (_lists, _hidden, _editor, _pages, _protect, _look, _cases, _erase):
            yield from screen(one)
        window.cover()
        yield one.take("locked")
    finally:
        window.close()
        one.context.bridge.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _lists(one: _Set) -> Iterator[Path]:
    memories = one.window.memories
    one.window.choose_view(MEMORIES)
    one.settle()
    memories.go_to(_longest(one))
    yield one.take("memories")
    one.window.search(_SEARCHES[one.context.words.language])
    one.pause(0.3)
    memories.go_to(0)
    yield one.take("search")
    one.window.search("")
    one.pause(0.3)
    yield from list_pictures(one, memories, one.window.stopped)
    for name, view in (("summaries", SUMMARIES), ("activity", ACTIVITY), ("trash", TRASH)):
        one.window.choose_view(view)
        one.settle()
        memories.go_to(0)
        yield one.take(name)
    one.window.choose_view(MEMORIES)
    one.settle()


def _hidden(one: _Set) -> Iterator[Path]:
    hiding = one.context.privacy.hiding
    one.window.memories.go_to(_longest(one))
    hiding.set_hidden(hidden=True)
    yield one.take("hidden")
    hiding.set_hidden(hidden=False)


def _longest(one: _Set) -> int:
    """Of the first rows the one that says most."""
    model = one.window.memories.model
    rows = range(min(8, model.rowCount()))
    return max(rows, key=lambda row: len(_text(model.record(row))), default=0)


def _text(record: Record | None) -> str:
    return record.text if record is not None else ""


def _editor(one: _Set) -> Iterator[Path]:
    memories = one.window.memories
    memories.go_to(_longest(one))
    memories.edit_current()
    one.pause(0.4)
    yield one.take("edit")
    memories.may_leave()
    yield from editing_pictures(one, memories, one.services, one.window.go)
    memories.new_memory()
    one.pause(0.3)
    yield one.take("new")
    memories.may_leave()
    one.settle()


def _pages(one: _Set) -> Iterator[Path]:
    stores = one.services.library.stores()
    refs = _some_refs(one, 3)
    folder = tempfile.TemporaryDirectory()
    path = str(_strange_file(Path(folder.name)))
    problem = UserError("key.needed", reason="absent", path=path)
    screens: tuple[tuple[str, str, Callable[[], object]], ...] = (
        ("review", "review", lambda: None),
        ("erase-plan", "erase", lambda: refs),
        ("agent-view", "agent", lambda: None),
        ("settings", "settings", lambda: None),
        ("protect", "protect", lambda: stores[-1].id if stores else ""),
        ("key", "key", lambda: KeyProblem(path, problem)),
    )
    for name, page, argument in screens:
        if page not in PAGES:
            continue
        if page == "review":
            one.window.choose_view(REVIEW)
        else:
            one.window.go(page, argument())
        one.pause(0.3)
        yield one.take(name)
        one.window.choose_view(MEMORIES)
        one.settle()
    yield from draw_keys(one, path)
    one.window.choose_view(MEMORIES)
    one.settle()
    folder.cleanup()


def _look(one: _Set) -> Iterator[Path]:
    """The box of Ctrl+K and the sheet of keys."""
    one.window.go("shortcuts")
    yield one.take("shortcuts")
    one.window.choose_view(MEMORIES)
    one.settle()
    one.act("commands")
    one.settle()
    yield one.take("commands")
    one.act("commands")


def _protect(one: _Set) -> Iterator[Path]:
    """Who can open a store, before its key or its encryption is changed."""
    stores = one.services.library.stores()
    for name, button in (("protect-readable", "decrypt"), ("protect-key", "rotate")):
        one.window.go("protect", stores[-1].id if stores else "")
        one.pause(0.3)
        one.press(f"protect.{button}")
        one.pause(0.3)
        yield one.take(name)
        one.press("protect.cancel")
        one.window.choose_view(MEMORIES)
        one.settle()


def _cases(one: _Set) -> Iterator[Path]:
    """Somebody is to be forgotten."""

    def page() -> object:
        return one.window.findChild(CasePage)

    yield from case_pictures(one, one.services, one.window.go, page)
    one.window.choose_view(MEMORIES)
    one.settle()


def _erase(one: _Set) -> Iterator[Path]:
    one.window.go("erase", _some_refs(one, 1))
    one.pause(0.3)
    one.press("erase.run")
    one.pause(1.0)
    yield one.take("erase-result")
    one.press("erase.done")
    one.settle()


def _strange_file(folder: Path) -> Path:
    """Random bytes, as an encrypted store looks to who has no key."""
    path = folder / "atlas" / ".agentao" / "memory.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(os.urandom(4096))
    return path


def _some_refs(one: _Set, count: int) -> tuple[Ref, ...]:
    model = one.window.memories.model
    records = (model.record(row) for row in range(min(count, model.rowCount())))
    return tuple(record.ref for record in records if record is not None)
