# SPDX-License-Identifier: MIT
"""The window over services in memory: lock, preferences, opening, its panes."""

import pytest
from looking import banner, child, press, shown, table, text, titles
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.ui.palette import DARK, LIGHT
from memory_gui.ui.views import TRASH


class TestLock:
    def test_it_leaves_no_text_in_any_widget(self, qtbot, window, fake, settled):
        window.memories.go_to(2)
        settled()
        child(window, QLineEdit, "search").setText("german")
        window.choose_view(TRASH)
        settled()
        table(window).selectAll()
        texts = {r.title for r in fake.library.records.values()}
        texts |= {r.text for r in fake.library.records.values()} | {"german", "atlas"}
        qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
        assert window.page_name == "locked", "the page first, before any call comes back"
        settled()
        assert fake.lock.is_locked
        left = [f"{w.objectName()}: {t}" for w, t in shown(window) if any(s in t for s in texts)]
        assert left == []
        assert window.memories.model.rowCount() == 0
        assert not child(window, QLineEdit, "search").isUndoAvailable()

    def test_what_is_typed_does_not_stand_in_its_way(self, window, settled):
        window.memories.go_to(2)
        window.memories.edit_current()
        child(window, QPlainTextEdit, "editor.text").setPlainText("half a thought")
        window.lock()
        settled()
        assert window.page_name == "locked"
        assert child(window, QPlainTextEdit, "editor.text").toPlainText() == ""
        assert not child(window, QPlainTextEdit, "editor.text").document().isUndoAvailable()

    def test_unlock_shows_it_again(self, window, settled):
        window.lock()
        settled()
        window.unlock()
        settled()
        assert window.page_name == "memories"
        assert len(titles(window)) == 40


class TestPreferences:
    def test_the_language_changes_live(self, window, fake, settled):
        window._preferences.use_language("zh_CN")
        settled()
        assert text(window, "memories.count") == "40 条记录"
        assert child(window, QWidget, "detail.edit").text() == "编辑"
        assert child(window, QWidget, "memories.list").accessibleName() == "记录"
        assert fake.settings.values.language == "zh_CN"
        window._preferences.use_language("en")
        settled()
        assert text(window, "memories.count") == "40 records"

    def test_light_and_dark(self, qapp, window, fake, settled):
        before = qapp.palette().window().color().lightness()
        press(window, "top.theme")
        settled()
        assert qapp.palette().window().color().lightness() < before
        assert fake.settings.values.appearance == "dark"
        assert strange_inks(window, DARK) == []
        press(window, "top.theme")
        settled()
        assert qapp.palette().window().color().lightness() == before
        assert strange_inks(window, LIGHT) == []


def strange_inks(window, tokens):
    """Labels whose colour is none of the palette that is worn."""
    inks = {getattr(tokens, name) for name in ("text", "muted", "accent", "danger", "warn", "ok")}
    return [
        (label.objectName(), label.palette().windowText().color().name())
        for label in window.findChildren(QLabel)
        if label.palette().windowText().color().name() not in inks
    ]


class TestOpening:
    def drop(self, window, mime):
        """As the system does it: it comes in over the window, then it is let go of."""
        rest = (mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        coming = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, *rest)
        QApplication.sendEvent(window, coming)
        QApplication.sendEvent(window, QDropEvent(QPoint(5, 5), Qt.DropAction.CopyAction, *rest))
        return coming.isAccepted()

    def test_a_dropped_folder_opens(self, window, fake, settled, tmp_path):
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(tmp_path))])
        assert self.drop(window, mime)
        settled()
        assert fake.called("open")[-1] == [str(tmp_path)]

    def test_nothing_else_does_and_nothing_while_it_is_locked(
        self, window, fake, settled, tmp_path
    ):
        opened = len(fake.called("open"))
        mime = QMimeData()
        mime.setUrls([QUrl("https://example.org/memory.db")])
        assert not self.drop(window, mime)
        window.lock()
        settled()
        mime.setUrls([QUrl.fromLocalFile(str(tmp_path))])
        assert not self.drop(window, mime)
        settled()
        assert len(fake.called("open")) == opened

    def test_what_cannot_be_opened_is_said_in_a_banner(self, window, fake, settled):
        fake.fail_next["open"] = UserError("store.missing", path="/nowhere")
        window.open_paths(["/nowhere"])
        settled()
        assert banner(window, "window.banner").startswith("There is no file at /nowhere.")

    def test_closing_all_stores_goes_back_to_the_start(self, window, fake, settled):
        window._commands.actions["close_stores"].trigger()
        settled()
        assert window.page_name == "start"
        assert fake.called("close_all")
        assert window.memories.model.rowCount() == 0

    def test_a_bug_is_said_without_its_message(self, window, fake, settled, capsys):
        fake.fail_next["open"] = ValueError("Ann grew up in Vienna")
        window.open_paths(["/x"])
        settled()
        assert "Something went wrong in the app itself" in banner(window, "window.banner")
        err = capsys.readouterr().err
        assert "ValueError" in err
        assert "fake_services.py" in err
        assert "Vienna" not in err


@pytest.mark.parametrize("size", [(960, 560), (1180, 760), (1600, 1000)])
def test_no_pane_is_squeezed(window, settled, size):
    window.resize(*size)
    settled()
    assert table(window).width() >= 240
    assert child(window, QWidget, "detail").width() >= 300
    assert child(window, QWidget, "sidebar").width() >= 180
