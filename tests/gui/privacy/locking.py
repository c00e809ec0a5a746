# SPDX-License-Identifier: MIT
"""Run by ``test_after_lock.py`` in a process of its own: use the window, lock it, look.

Prints one line of JSON. The words that are looked for are put together only when looking, so that
this file's own constants are not what is found.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.keys import RawKey
from memory_gui.services import build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.ui.bridge import Bridge
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.palette import Theme
from memory_gui.ui.views import ACTIVITY, MEMORIES, REVIEW, SUMMARIES, TRASH
from memory_gui.ui.window import MainWindow
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

PIECES = ("zqx", "canary", "维也纳")


def canary(number: int = 0) -> str:
    """A text of a memory that nothing else says."""
    return "".join(PIECES) + f"-{number}"


def needle() -> str:
    """What all of them have in common."""
    return "".join(PIECES)


def secret() -> bytes:
    """The store's key, made anew each time it is compared."""
    return bytes([7, 1]) * 16


class Desk:
    """The window in use."""

    def __init__(self, folder: Path) -> None:
        self.app = QApplication(["memory-gui"])
        load_fonts()
        self.app.setFont(base_font(shipped=True))
        self.folder = folder
        self.store = folder / "atlas" / ".agentao" / "memory.db"
        self.store.parent.mkdir(parents=True)
        create_store(self.store, RawKey(secret()))
        words = Words("en")
        self.services = build_services(
            words=words, home=folder / "home", data_dir=folder / "data", keychain=NoKeychain()
        )
        self.services.library.open(self.store, key=RawKey(secret()))
        self.bridge = Bridge()
        context = Context(self.services, self.bridge, words)
        self.window = MainWindow(context, Theme(self.app, "light"), self.services.library.stores)
        self.privacy = context.privacy
        self.window.show()
        self.window.begin()
        self.settle()

    def settle(self, seconds: float = 60.0) -> None:
        """Until nothing is on its way."""
        end, quiet = time.monotonic() + seconds, 0
        while quiet < 5:
            assert time.monotonic() < end, "calls did not come back"
            QApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            quiet = 0 if self.bridge.busy else quiet + 1
            time.sleep(0.01)

    def pause(self, seconds: float) -> None:
        """Let timers run out."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.005)
        self.settle()

    def use(self) -> None:
        """As a person would: look, search, edit, undo, copy, open a dialog."""
        editing, store = self.services.editing, self.services.library.stores()[0].id
        for number in range(6):
            fields = {"title": f"{canary(number)} title", "text": canary(number) * 3}
            fields |= {"tags": (f"{canary(number)}tag",), "scope": "project"}
            editing.add(store, NewRecord("memory", fields))
        proposal = {"title": f"{canary(50)} title", "text": canary(50), "scope": "project"}
        self.services.review.propose(store, NewRecord("review", proposal))
        window = self.window
        window._holding.ask()  # the store was opened behind the window's back
        self.settle()
        window.choose_view(MEMORIES)
        self.settle()
        assert window.memories.model.rowCount() == 6, window.memories.model.rowCount()
        window.search(needle())
        self.pause(0.4)
        for row in range(3):
            window.memories.go_to(row)
            self.settle()
        window.memories.trash_selected()
        self.settle()
        for view in (TRASH, REVIEW, MEMORIES):
            window.choose_view(view)
            self.pause(0.2)
            window.memories.go_to(0)
            self.settle()
        window.memories.toggle_filters()
        self.pause(0.3)
        refs = tuple(ref for ref in (window.memories.list.record.ref,) if ref is not None)
        for page, argument in (("erase", refs), ("protect", store), ("start", None)):
            window.go(page, argument)
            self.pause(0.4)
        for view in (ACTIVITY, SUMMARIES, REVIEW):
            window.choose_view(view)
            self.pause(0.3)
        self._correct(window.findChild(QWidget, "page.review"))
        window.memories.refresh()
        window._panes.host.show_page("memories", force=True)
        window.choose_view(MEMORIES)
        self.pause(0.3)
        window.memories.go_to(0)
        self.settle()
        self.privacy.clipboard.copy(canary(1))
        window.memories.edit_current()
        self.settle()
        self._type(f" {canary(99)} half-typed")
        self._float()
        self.pause(0.3)

    def _correct(self, page: QWidget) -> None:
        """A correction in the review that is left half-typed."""
        page.bar.edit_wanted.emit()
        page.editor.text.insertPlainText(canary(60))
        page.editor.tags.insert(canary(61))
        page.editor.key.insert(canary(62))

    def _type(self, text: str) -> None:
        editor = self.window.memories.right.editor
        assert self.window.memories.right.editing
        fields = [one for one in editor.findChildren(QPlainTextEdit) if not one.isReadOnly()]
        fields[0].insertPlainText(text)

    def _float(self) -> None:
        """A dialog and a menu with texts in them."""
        dialog = QDialog(self.window)
        dialog.setObjectName("floating")
        layout = QVBoxLayout(dialog)
        layout.addWidget(QLabel(canary(77)))
        dialog.open()
        menu = QMenu(canary(78), self.window)
        menu.addAction(canary(79))
        menu.aboutToHide.connect(menu.deleteLater)
        dialog.finished.connect(dialog.deleteLater)
        menu.popup(self.window.pos())

    def lock(self) -> float:
        """Lock; seconds until no store was open, without those that we waited for a core."""
        done = []
        waited = waited_for_a_core()
        self.window._holding.locked_away.connect(lambda: done.append(time.monotonic()))
        started = time.monotonic()
        self.window.lock()
        end = started + 60
        while not done and time.monotonic() < end:
            QApplication.processEvents()
            time.sleep(0.002)
        spent = time.monotonic() - started - (waited_for_a_core() - waited)
        self.settle()
        self.pause(0.3)
        return spent


def waited_for_a_core() -> float:
    """For how many seconds threads of ours were ready and the system ran something else."""
    found = Path("/proc/self/task").glob("*/schedstat")
    return sum(int(one.read_text().split()[1]) for one in found) / 1e9


def texts_in_widgets() -> list[str]:
    """What any widget, shown or not, says to eyes and screen readers."""
    found = []
    for widget in QApplication.allWidgets():
        for name in ("text", "toPlainText", "windowTitle", "toolTip", "currentText", "title",
                     "accessibleName", "accessibleDescription", "placeholderText"):  # fmt: skip
            method = getattr(widget, name, None)
            if callable(method):
                try:
                    said = method()
                except TypeError:
                    continue
                if isinstance(said, str) and needle() in said:
                    found.append(f"{type(widget).__name__} {widget.objectName()} {name}")
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is not None and interface.isValid():
            for kind in (QAccessible.Text.Name, QAccessible.Text.Value):
                if needle() in interface.text(kind):
                    found.append(f"accessible {widget.objectName()} {kind}")
    return found


def undo_left() -> list[str]:
    """Undo steps of any text field."""
    found = []
    for widget in QApplication.allWidgets():
        document = getattr(widget, "document", None)
        if callable(document) and document().isUndoAvailable():
            found.append(widget.objectName())
        if getattr(widget, "isUndoAvailable", None) and widget.isUndoAvailable():
            found.append(widget.objectName())
    return found


def holders(wanted, limit: int = 8) -> list[str]:
    """Python objects that hold a text or bytes for which ``wanted`` is true, and who holds them."""
    gc.collect()
    found = []
    every = gc.get_objects()
    skip = {id(every), id(found)}
    for owner in every:
        if id(owner) in skip or owner is sys.modules.get(__name__) or owner is globals():
            continue
        for thing in leaves(owner):
            if wanted(thing):
                above = [type(one).__name__ for one in gc.get_referrers(owner)][:4]
                found.append(f"{type(owner).__name__} in {above}: {describe(owner)}")
                break
        if len(found) >= limit:
            break
    return found


def leaves(owner: object):
    """Texts and bytes right below an object; gc forgets tuples that hold nothing else."""
    waiting = list(gc.get_referents(owner))
    while waiting:
        thing = waiting.pop()
        if type(thing) in (str, bytes, bytearray):
            yield thing
        elif type(thing) in (tuple, frozenset, dict) and not gc.is_tracked(thing):
            waiting.extend(gc.get_referents(thing))


def describe(owner: object) -> str:
    """Enough to find it in the source."""
    if isinstance(owner, dict):
        return f"keys {list(owner)[:6]}"[:200]
    return repr(type(owner))


def frames(wanted) -> list[str]:
    """Locals of running threads."""
    found = []
    for number, newest in sys._current_frames().items():
        frame = newest
        while frame is not None:
            for name, value in frame.f_locals.items():
                if type(value) in (str, bytes) and wanted(value):
                    found.append(f"{number} {frame.f_code.co_qualname} {name}")
            frame = frame.f_back
    return found


def descriptors(store: Path) -> list[str]:
    """Open files on the store."""
    found = []
    for number in os.listdir("/proc/self/fd"):
        try:
            link = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
        if str(store.parent) in link:
            found.append(link)
    return found


def main() -> None:
    """Use, lock, look."""
    desk = Desk(Path(sys.argv[1]))
    desk.use()

    def says(thing) -> bool:
        if isinstance(thing, str):
            return needle() in thing
        return needle().encode() in bytes(thing)

    def is_key(thing) -> bool:
        if isinstance(thing, str):
            return secret().hex() in thing.lower()
        return secret() in bytes(thing)

    before = {
        "widgets": len(texts_in_widgets()),
        "objects": len(holders(says)),
        "clipboard": needle() in QGuiApplication.clipboard().text(),
        "descriptors": len(descriptors(desk.store)),
        "undo": len(undo_left()),
        "keys": len(holders(is_key)),
    }
    seconds = desk.lock()
    timers = [
        one.objectName() or type(one.parent()).__name__
        for widget in QApplication.topLevelWidgets()
        for one in widget.findChildren(QTimer)
        if one.isActive() and not one.isSingleShot()
    ]
    after = {
        "widgets": texts_in_widgets(),
        "undo": undo_left(),
        "clipboard": QGuiApplication.clipboard().text(),
        "objects": holders(says),
        "frames": frames(says),
        "keys": holders(is_key),
        "descriptors": descriptors(desk.store),
        "title": desk.window.windowTitle(),
        "dialogs": [
            one.objectName() for one in QApplication.topLevelWidgets()
            if one.isVisible() and one is not desk.window
        ],
        "page": desk.window.page_name,
        "timers": timers,
    }  # fmt: skip
    desk.window.unlock()
    desk.settle()
    print(json.dumps({"before": before, "after": after, "seconds": seconds}))
    desk.window.close()
    desk.bridge.close()
    desk.services.close()
    assert isinstance(desk.window, QObject)
    assert isinstance(desk.window, QWidget)


if __name__ == "__main__":
    main()
