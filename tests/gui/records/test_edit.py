# SPDX-License-Identifier: MIT
"""Editing a record beside the list, over services in memory."""

from dataclasses import replace

import pytest
from fake_services import PROJECT
from looking import banner, child, press, press_in_banner, row_of, table, text, titles
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QScrollArea, QWidget

from memory_gui.domain.errors import UserError


class TestEdit:
    def open(self, qtbot, window, settled, title="deploy_port_1"):
        window.memories.go_to(row_of(window, title))
        qtbot.keyClick(table(window), Qt.Key.Key_F2)
        settled()

    @pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_S])
    def test_f2_edits_and_ctrl_return_or_ctrl_s_saves(self, qtbot, window, fake, settled, key):
        self.open(qtbot, window, settled)
        field = child(window, QPlainTextEdit, "editor.text")
        field.setPlainText("The service listens on 9090.")
        qtbot.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
        settled()
        [(edit,)] = fake.called("edit")
        assert edit.fields == {"text": "The service listens on 9090."}
        assert edit.target.etag == f"{1:016x}"
        assert text(window, "detail.title") == "deploy_port_1"
        assert "9090" in child(window, QPlainTextEdit, "detailText").toPlainText()
        assert banner(window).startswith("“deploy_port_1” is saved. A session of Agentao")

    def test_nothing_changed_saves_nothing(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        press(window, "editor.save")
        settled()
        assert fake.called("edit") == []
        assert not child(window, QWidget, "editor").isVisible()

    def test_escape_forgets_what_was_typed(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        field = child(window, QLineEdit, "editor.title")
        field.setText("other")
        qtbot.keyClick(field, Qt.Key.Key_Escape)
        assert field.text() == "other", "once may be a slip"
        qtbot.keyClick(field, Qt.Key.Key_Escape)
        assert fake.called("edit") == []
        assert field.text() == ""
        assert not field.isUndoAvailable()

    def test_how_much_the_agent_reads_stands_below_the_text(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        child(window, QPlainTextEdit, "editor.text").setPlainText("x" * 300)
        assert "300" in text(window, "editor.text.reach")

    def test_f2_again_does_not_begin_anew(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        field = child(window, QLineEdit, "editor.title")
        field.setText("other")
        qtbot.keyClick(field, Qt.Key.Key_F2)
        assert field.text() == "other"

    def test_choosing_another_row_ends_an_edit_without_changes(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        window.memories.go_to(0)
        settled()
        assert not child(window, QWidget, "editor").isVisible()
        assert text(window, "detail.title") == titles(window)[0]

    def test_choosing_another_row_keeps_what_was_typed(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        child(window, QLineEdit, "editor.title").setText("other")
        window.memories.go_to(0)
        settled()
        assert child(window, QLineEdit, "editor.title").text() == "other"

    def test_limits_hold_before_saving(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        save = child(window, QWidget, "editor.save")
        title = child(window, QLineEdit, "editor.title")
        title.setText("x" * 120)
        assert save.isEnabled()
        title.setText("x" * 121)
        assert not save.isEnabled()
        assert text(window, "editor.title.count") == "121 of 120"
        title.setText("x")
        child(window, QPlainTextEdit, "editor.text").setPlainText("y" * 4_001)
        assert not save.isEnabled()

    def test_it_shows_how_the_agent_files_it(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        child(window, QLineEdit, "editor.title").setText("Deploy Port")
        qtbot.wait(250)
        settled()
        assert text(window, "editor.preview") == "The agent files it as deploy_port (decision)."

    def test_tags_are_split_at_commas_of_both_languages(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        child(window, QLineEdit, "editor.tags").setText("one, two，三、 two")
        press(window, "editor.save")
        settled()
        [(edit,)] = fake.called("edit")
        assert edit.fields == {"tags": ("one", "two", "三")}

    def test_another_writer_is_shown_in_the_open_editor(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        child(window, QPlainTextEdit, "editor.text").setPlainText("mine")
        ref = window.memories.right.detail.record.ref
        theirs = replace(fake.library.records[ref], text="theirs", etag="f" * 16)
        fake.library.foreign_change(theirs)
        editor = child(window, QWidget, "editor")
        qtbot.waitUntil(lambda: banner(editor, "editor.banner") != "", timeout=2_500)
        assert child(window, QPlainTextEdit, "editor.text").toPlainText() == "mine"
        press_in_banner(editor, "Keep mine", "editor.banner")
        settled()
        assert fake.library.records[ref].text == "mine"

    def test_another_writer_of_the_record_before_is_not_one_of_this(
        self, qtbot, window, fake, settled, held
    ):
        self.open(qtbot, window, settled)
        before = window.memories.right.detail.record.ref
        fake.library.put(replace(fake.library.records[before], text="theirs", etag="f" * 16))
        look = held(fake.library, "record")
        window.memories.right.stores_changed()
        look.begun()
        qtbot.keyClick(child(window, QLineEdit, "editor.title"), Qt.Key.Key_Escape)
        window.memories.go_to(0)
        qtbot.keyClick(table(window), Qt.Key.Key_F2)
        child(window, QPlainTextEdit, "editor.text").setPlainText("mine")
        look.let_go()
        settled()
        assert banner(child(window, QWidget, "editor"), "editor.banner") == ""
        assert window.memories.right.editor.record.ref != before

    def test_what_was_saved_ends_no_edit_that_was_begun_since(
        self, qtbot, window, fake, settled, held
    ):
        self.open(qtbot, window, settled)
        child(window, QPlainTextEdit, "editor.text").setPlainText("saved")
        save = held(fake.editing, "edit")
        press(window, "editor.save")
        save.begun()
        window.memories.right._session.end()
        window.memories.go_to(0)
        qtbot.keyClick(table(window), Qt.Key.Key_F2)
        child(window, QPlainTextEdit, "editor.text").setPlainText("mine")
        save.let_go()
        settled()
        assert child(window, QPlainTextEdit, "editor.text").toPlainText() == "mine"
        assert child(window, QWidget, "editor").isVisible()

    def test_a_lost_race_writes_nothing_until_a_person_decides(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        ref = window.memories.right.detail.record.ref
        fake.library.put(replace(fake.library.records[ref], text="theirs", etag="f" * 16))
        child(window, QPlainTextEdit, "editor.text").setPlainText("mine")
        press(window, "editor.save")
        settled()
        assert fake.library.records[ref].text == "theirs"
        editor = child(window, QWidget, "editor")
        assert "Another program changed" in banner(editor, "editor.banner")
        press_in_banner(editor, "Take theirs", "editor.banner")
        settled()
        assert child(window, QPlainTextEdit, "editor.text").toPlainText() == "theirs"

    def test_saving_before_the_answer_is_told_at_the_question(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        ref = window.memories.right.detail.record.ref
        fake.library.put(replace(fake.library.records[ref], text="theirs", etag="f" * 16))
        field = child(window, QPlainTextEdit, "editor.text")
        field.setPlainText("mine")
        field.setFocus()
        editor, save = child(window, QWidget, "editor"), child(window, QWidget, "editor.save")
        bar = child(window, QScrollArea, "editor.scroll").verticalScrollBar()
        for said in ("Nothing is lost yet", "Nothing was saved. First choose which to keep"):
            bar.setValue(bar.maximum())
            qtbot.keyClick(field, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
            settled()
            assert said in banner(editor, "editor.banner")
            assert field.hasFocus()
            assert bar.value() == 0
            assert not save.isEnabled()
        assert fake.library.records[ref].text == "theirs"
        press_in_banner(editor, "Both", "editor.banner")
        assert save.isEnabled()

    @pytest.mark.parametrize("way", ["close", "escape"])
    def test_a_question_that_was_put_away_is_asked_again(self, qtbot, window, fake, settled, way):
        self.open(qtbot, window, settled)
        ref = window.memories.right.detail.record.ref
        fake.library.put(replace(fake.library.records[ref], text="theirs", etag="f" * 16))
        field = child(window, QPlainTextEdit, "editor.text")
        field.setPlainText("mine")
        press(window, "editor.save")
        settled()
        editor = child(window, QWidget, "editor")
        if way == "close":
            editor.banner.dismiss()
        else:
            qtbot.keyClick(field, Qt.Key.Key_Escape)
        press(window, "editor.save")
        settled()
        assert "Nothing is lost yet" in banner(editor, "editor.banner")
        assert fake.library.records[ref].text == "theirs"

    def test_an_error_stays_in_the_editor(self, qtbot, window, fake, settled):
        self.open(qtbot, window, settled)
        fake.fail_next["edit"] = UserError("key.empty")
        child(window, QLineEdit, "editor.title").setText("other")
        press(window, "editor.save")
        settled()
        editor = child(window, QWidget, "editor")
        assert banner(editor, "editor.banner") == "An empty passphrase opens nothing."
        assert child(window, QLineEdit, "editor.title").text() == "other"

    def test_going_elsewhere_with_something_typed_asks(self, qtbot, window, settled):
        self.open(qtbot, window, settled)
        child(window, QLineEdit, "editor.title").setText("other")
        window.go("start")
        assert window.page_name == "memories"
        assert "Save or cancel" in banner(child(window, QWidget, "editor"), "editor.banner")

    def test_ctrl_n_writes_a_new_memory(self, qtbot, window, fake, settled):
        qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        settled()
        child(window, QLineEdit, "editor.title").setText("likes tea")
        child(window, QPlainTextEdit, "editor.text").setPlainText("Ann likes tea.")
        press(window, "editor.save")
        settled()
        [(store, new)] = fake.called("add")
        assert store == PROJECT
        assert new.kind == "memory"
        assert new.fields == {"title": "likes tea", "text": "Ann likes tea.", "scope": "project"}
        assert text(window, "detail.title") == "likes tea"


def test_another_record_is_shown_by_the_time_a_long_one_is_read(qtbot, window, fake, settled, held):
    """The editor opens for what is on the right, or not at all."""
    first = window.memories.right.detail.record
    fake.library.put(replace(first, more=1))
    window.memories.refresh()
    settled()
    read = held(fake.library, "record")
    qtbot.keyClick(table(window), Qt.Key.Key_F2)
    read.begun()
    window.memories.go_to(5)
    qtbot.waitUntil(lambda: window.memories.right.detail.record.ref != first.ref, timeout=30_000)
    read.let_go()
    settled()
    assert not child(window, QWidget, "editor").isVisible()
