# SPDX-License-Identifier: MIT
"""The window over real stores of persistent memory and of facts: list, filter, edit, new, delete,
erase, and what it says of them.
"""

import shutil
from pathlib import Path

import pytest
from looking import child, text
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QWidget
from waiting import settle
from working import choose, erase, opened, press

DATA = Path(__file__).parents[1] / "data"


def type_in(window, **fields):
    for name, value in fields.items():
        widget = window.findChild(QWidget, f"editor.{name}")
        if isinstance(widget, QLineEdit):
            widget.setText(value)
        elif isinstance(widget, QComboBox):
            widget.setCurrentIndex(widget.findData(value))
        else:
            child(window, QPlainTextEdit, f"editor.{name}").setPlainText(value)


def banner_of(window, name):
    where = child(window, QWidget, name)
    return where.findChild(QLabel, "banner.text").text()


def test_persistent_memory(tmp_path, real_window):
    path = tmp_path / "state" / "memory.sqlite3"
    path.parent.mkdir()
    shutil.copy(DATA / "persistent-memory/workspace/state/memory.sqlite3", path)
    window = opened(real_window(tmp_path / "home"), path)
    told = text(window, "memories.told")
    assert "15 of 64 for one user (the fullest of 2) · 28 of 1,024" in told
    assert "first 5 by key" in told
    record = choose(window, "subject:lin-xiaoyu response_style")
    assert (record.subject, text(window, "detail.subject.value")) == ("lin-xiaoyu",) * 2
    assert text(window, "detail.label.subject") == "User"
    assert text(window, "detail.told") == "Reaches every prompt by itself."
    assert not child(window, QAbstractButton, "detail.trash").isVisible()
    assert child(window, QAbstractButton, "detail.delete").isVisible()

    window.memories.edit_current()
    settle(window.bridge)
    assert not child(window, QLineEdit, "editor.tags").isVisible()
    assert window.focusWidget().objectName() == "editor.text", "and not the user, who stays"
    type_in(window, text="Kurz und knapp", title="Not A Key")
    press(window, "editor.save")
    assert "A key is made of a–z" in banner_of(window, "editor.banner")
    type_in(window, title="response_style", subject="mateo-alvarez")
    press(window, "editor.save")  # the other user has that key
    assert "say so" in banner_of(window, "editor.banner")
    child(child(window, QWidget, "editor.banner"), QAbstractButton, "banner.action0").click()
    settle(window.bridge, 30)
    assert "with that key already" in banner_of(window, "editor.banner")
    type_in(window, subject="lin-xiaoyu", title="answer.style")
    press(window, "editor.save")
    record = choose(window, "answer.style")
    assert (record.text, record.source, record.extra["revision"]) == (
        "Kurz und knapp", "memory-gui", "4",
    )  # fmt: skip
    window.memories.undo()
    settle(window.bridge, 30)
    record = choose(window, "response_style subject:lin-xiaoyu")
    assert (record.source, record.extra["revision"]) == ("session-5", "5")

    window.memories.set_text("")
    window.memories.new_memory()
    settle(window.bridge)
    type_in(window, subject="lin-xiaoyu", title="trip", text="By train", type="episode")
    press(window, "editor.save")
    assert "29 of 1,024" in text(window, "memories.told")
    record = choose(window, "By train")
    assert (record.type, record.source) == ("episode", "memory-gui")
    press(window, "detail.delete")
    banner = child(window, QWidget, "memories.banner")
    assert "may stay in the file" in banner.findChild(QLabel, "banner.text").text()
    child(banner, QAbstractButton, "banner.action2").click()
    settle(window.bridge, 30)
    record = choose(window, "response_style subject:lin-xiaoyu")
    assert "Proved gone" in erase(window, [record.ref])
    assert b"zqo-persistent-026" not in path.read_bytes()


def test_a_malformed_row_is_said_and_mended(tmp_path, real_window):
    path = tmp_path / "memory.sqlite3"
    shutil.copy(DATA / "persistent-memory/refused/uppercase-key-row/memory.sqlite3", path)
    window = opened(real_window(tmp_path / "home"), path)
    assert "Malformed records: 1." in text(window, "memories.told")
    record = choose(window, '"Bad Key"')
    assert "Its key is not of a–z" in text(window, "detail.told")
    window.memories.edit_current()
    settle(window.bridge)
    type_in(window, title="good.key")
    press(window, "editor.save")
    assert "Malformed" not in text(window, "memories.told")
    assert choose(window, "good.key").ref != record.ref


@pytest.mark.parametrize(
    "name",
    [
        "with-vectors.db",
        pytest.param("research.db", marks=pytest.mark.soak),
        pytest.param("memory.db", marks=pytest.mark.soak),
    ],
)
def test_facts(tmp_path, real_window, name):
    path = Path(shutil.copy(DATA / "facts" / name, tmp_path / name))
    window = opened(real_window(tmp_path / "home"), path)
    assert "newest 500 facts" in text(window, "memories.told")
    record = choose(window, "钢琴 subject:user:lin-xiaoyu")
    assert text(window, "detail.title") == "user:lin-xiaoyu"
    window.memories.edit_current()
    settle(window.bridge)
    type_in(window, text="女儿叫小满，今年七岁，在学小提琴")
    press(window, "editor.save")
    now = choose(window, "小提琴")
    assert (now.ref, now.created_at) == (record.ref, record.created_at)
    assert "can never recall it" in text(window, "detail.told")
    assert ("no vector" in text(window, "detail.told")) is (name == "with-vectors.db")
    erase_a_job_as_one(window)
    assert b"job:report-42" not in path.read_bytes()


def erase_a_job_as_one(window):
    """Narrowed to a subject, everything about it goes by one button, whatever is searched for."""
    assert window.findChild(QAbstractButton, "facets.erase") is None
    window.memories.set_text("钢琴")
    window.memories.list.narrowing.choose({"subject": frozenset({"job:report-42"})})
    settle(window.bridge)
    assert window.memories.model.rowCount() == 0, "the search shows none of them"
    press(window, "facets.erase")
    assert window.page_name == "erase"
    press(window, "erase.run")
    settle(window.bridge, 60)
    labels = [label.text() for label in window.findChildren(QLabel) if label.isVisible()]
    assert "Proved gone" in labels
    press(window, "erase.done")
    window.memories.list.narrowing.choose({})
