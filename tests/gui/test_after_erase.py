# SPDX-License-Identifier: MIT
"""After an erase none of our own copies is left: widgets, lists, undo, drafts, search, clipboard.

Over the real services: a person reads, searches, copies, edits and half-types what then goes.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from waiting import settle

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.services.locking.drafts import Draft
from memory_gui.stores.formats.agentao.create import create_store

KEY = RawKey(bytes(range(32)))
WORD = "zqcanary"
TEXT = f"the {WORD} of this test sings at seven"
METHODS = ("text", "toPlainText", "windowTitle", "toolTip", "currentText", "title",
           "accessibleName", "accessibleDescription", "placeholderText")  # fmt: skip


def in_widgets():
    """Widgets that say the word, shown or not; and undo steps of a text field."""
    found = []
    for widget in QApplication.allWidgets():
        for name in METHODS:
            method = getattr(widget, name, None)
            if callable(method):
                try:
                    said = method()
                except TypeError:
                    continue
                if isinstance(said, str) and WORD in said:
                    found.append(f"{widget.objectName()} {name}")
        document = getattr(widget, "document", None)
        if callable(document) and WORD in document().toPlainText():
            found.append(f"{widget.objectName()} document")
    return found


def in_the_list(window):
    model = window.memories.model
    return [row for row in range(model.rowCount()) if WORD in repr(model.record(row))]


def in_files(folder: Path):
    return [
        str(file)
        for file in folder.rglob("*")
        if file.is_file() and WORD.encode() in file.read_bytes()
    ]


def in_objects():
    """Python texts of the app that still say it, apart from this test's own."""
    gc.collect()
    mine = {id(sys.modules[__name__].__dict__)}
    found = []
    for owner in gc.get_objects():
        if id(owner) in mine or type(owner).__name__ in ("frame", "cell", "function", "module"):
            continue
        for thing in gc.get_referents(owner):
            if type(thing) is str and WORD in thing and thing not in (WORD, TEXT, __doc__):
                found.append(f"{type(owner).__name__}: {thing[:60]!r}")
    return found


def test_nothing_of_it_is_left_anywhere(real_window, tmp_path, qapp):
    store = tmp_path / "atlas/.agentao/memory.db"
    store.parent.mkdir(parents=True)
    create_store(store, KEY)
    window = real_window(tmp_path / "home")
    window._opener.open(str(store), KEY)
    settle(window.bridge, 30)
    services = window._context.services
    (opened,) = services.library.stores()
    new = {"title": f"{WORD} title", "text": TEXT + " every morning", "scope": "project"}
    (ref,) = services.editing.add(opened.id, NewRecord("memory", new)).changes.added
    services.editing.edit(Edit(Target(ref), {"text": TEXT + " every evening"}))
    window.memories.refresh()
    window.search(WORD)
    settle(window.bridge, 30)
    window.memories.go_to(0)
    settle(window.bridge, 30)
    window.memories.copy_current()
    services.drafts.seal([Draft(opened.id, {"text": TEXT + " in a draft"}, ref)])
    settle(window.bridge, 30)
    assert in_widgets()
    assert services.drafts.waiting()
    assert WORD in QGuiApplication.clipboard().text()
    window.go("erase", (ref,))
    settle(window.bridge, 30)
    window.findChild(QWidget, "erase.run").click()
    settle(window.bridge, 60)
    window.findChild(QWidget, "erase.done").click()
    settle(window.bridge, 30)
    assert window.page_name == "memories"
    assert in_widgets() == []
    assert in_the_list(window) == []
    assert QGuiApplication.clipboard().text() == ""
    assert services.editing.undo_text() is None
    assert services.drafts.waiting() == ()
    assert services.library.search(Query(WORD)).total == 0
    assert in_files(tmp_path) == []
    assert in_objects() == []
