# SPDX-License-Identifier: MIT
"""What the open editor shows before it saves: changes, a taken key, another writer's version."""

from dataclasses import replace

import pytest
from fake_services import PROJECT
from looking import banner, child, press, press_in_banner, row_of, table, text
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QWidget

from memory_gui.domain.changes import ChangeSet, KeyHolder, Target
from memory_gui.domain.records import Ref
from memory_gui.services import BulkResult
from memory_gui.ui.widgets.diff_view import DiffView

TITLE = "deploy_port_1"
TEXT = "The service listens on 8080 behind the proxy. (1)"
THEIRS = "The service listens on 9090 behind the proxy. (1)"


@pytest.fixture
def editing(qtbot, window, settled):
    """The editor on a memory; gives its parts."""
    window.memories.go_to(row_of(window, TITLE))
    qtbot.keyClick(table(window), Qt.Key.Key_F2)
    settled()
    return Parts(window, qtbot, settled)


class Parts:
    def __init__(self, window, qtbot, settled):
        self.window, self._qtbot, self._settled = window, qtbot, settled
        self.ref = window.memories.right.detail.record.ref
        self.title = child(window, QLineEdit, "editor.title")
        self.text = child(window, QPlainTextEdit, "editor.text")
        self.save = child(window, QPushButton, "editor.save")
        self.changes = child(window, QWidget, "editor.changes")
        self.theirs = child(window, QWidget, "editor.theirs")
        self.editor = child(window, QWidget, "editor")

    def diff(self, where, name):
        return child(where, DiffView, f"{where.objectName()}.{name}")

    def typed(self, text):
        self.text.selectAll()
        self.text.insertPlainText(text)
        self.wait()

    def wait(self):
        self._qtbot.wait(250)
        self._settled()

    def banner(self):
        return banner(self.editor, "editor.banner")

    def press(self, label):
        press_in_banner(self.editor, label, "editor.banner")
        self._settled()


class TestWhatWillBeSaved:
    def test_is_shown_word_by_word(self, editing):
        assert not editing.changes.isVisible()
        editing.typed(THEIRS)
        view = editing.diff(editing.changes, "text")
        assert "−8080+9090" in view.toPlainText()
        assert view.accessibleDescription() == "Goes: 8080\nComes: 9090"
        assert not editing.diff(editing.changes, "title").isVisible()
        editing.title.setText("deploy_port")
        editing.wait()
        assert editing.diff(editing.changes, "title").isVisible()

    def test_the_other_fields_have_a_line_each(self, editing):
        child(editing.window, QLineEdit, "editor.tags").setText("net, zh")
        editing.wait()
        assert text(editing.window, "editor.changes.rest") == "Tags: none → net · zh"

    def test_goes_away_with_the_last_change(self, editing):
        editing.typed("other")
        assert editing.changes.isVisible()
        editing.typed(TEXT)
        assert not editing.changes.isVisible()

    def test_ctrl_z_in_the_text_takes_typing_back(self, editing, qtbot, fake):
        editing.typed("other")
        qtbot.keyClick(editing.text, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert editing.text.toPlainText() == TEXT
        assert fake.called("undo") == []
        qtbot.keyClick(
            editing.text,
            Qt.Key.Key_Z,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )
        assert editing.text.toPlainText() == "other"

    def test_counts_as_the_agent_does(self, editing):
        editing.title.setText("  " + "x" * 120 + "  ")
        assert text(editing.window, "editor.title.count") == "120 of 120"
        assert editing.save.isEnabled()
        editing.text.setPlainText(" \n" + "y" * 4_000 + "\n")
        assert text(editing.window, "editor.text.count") == "4,000 of 4,000"
        assert editing.save.isEnabled()


class TestKeyTaken:
    @pytest.fixture
    def taken(self, editing, fake):
        other = next(ref for ref in fake.library.records if ref != editing.ref)
        fake.editing.holder = KeyHolder(other, "tea", "tea_2")
        editing.title.setText("tea")
        editing.wait()
        return other

    def test_is_shown_before_saving(self, editing, taken):
        assert text(editing.window, "editor.taken.text").startswith(
            "Another memory has the key “tea”."
        )
        assert not editing.save.isEnabled()

    def test_another_title_frees_it(self, editing, taken):
        editing.title.setText("coffee")
        editing.wait()
        assert not child(editing.window, QWidget, "editor.taken").isVisible()
        assert editing.save.isEnabled()

    def test_a_key_of_its_own(self, editing, taken, fake, settled):
        press(editing.window, "editor.taken.other")
        editing.wait()
        assert text(editing.window, "editor.preview").startswith("The agent files it as")
        press(editing.window, "editor.save")
        settled()
        [(edit,)] = fake.called("edit")
        assert edit.fields == {"title": "tea", "key": "tea_2"}

    def test_typing_another_title_forgets_the_chosen_key(
        self, editing, taken, fake, qtbot, settled
    ):
        press(editing.window, "editor.taken.other")
        editing.title.selectAll()
        qtbot.keyClicks(editing.title, "x")
        editing.wait()
        press(editing.window, "editor.save")
        settled()
        [(edit,)] = fake.called("edit")
        assert "key" not in edit.fields

    def test_in_its_place(self, editing, taken, fake, settled):
        calls = []
        fake.editing.edit = lambda edit, **more: calls.append((edit, more)) or _done(edit)
        press(editing.window, "editor.taken.swap")
        settled()
        [(edit, more)] = calls
        assert edit.fields == {"title": "tea"}
        assert more == {"instead": Target(taken)}
        assert not editing.editor.isVisible()

    def test_editing_that_one_with_both_texts(self, editing, taken, fake, settled):
        editing.typed("My own words.")
        press(editing.window, "editor.taken.merge")
        editing.wait()
        other = fake.library.records[taken]
        assert editing.text.toPlainText() == f"{other.text}\nMy own words."
        assert editing.title.text() == other.title
        press(editing.window, "editor.save")
        settled()
        [(edit,)] = fake.called("edit")
        assert edit.target == Target(taken, other.etag)

    def test_of_a_new_memory(self, window, qtbot, fake, settled):
        store = window.memories.list.searching.opened[0]
        window.memories.right.write_new(store, window.memories.list.searching.opened)
        fake.editing.holder = KeyHolder(Ref(PROJECT, "memory", ("feedbeef",)), "tea", "tea_2")
        child(window, QLineEdit, "editor.title").setText("tea")
        child(window, QPlainTextEdit, "editor.text").setPlainText("green")
        qtbot.wait(250)
        settled()
        assert not child(window, QPushButton, "editor.save").isEnabled()
        press(window, "editor.taken.other")
        press(window, "editor.save")
        settled()
        [(_store, new)] = fake.called("add")
        assert new.fields["key"] == "tea_2"


def _done(edit):
    return BulkResult(ChangeSet(changed=(edit.target.ref,)), 1)


class TestAnotherWriter:
    def wrote(self, editing, fake, qtbot, **fields):
        theirs = replace(fake.library.records[editing.ref], etag="f" * 16, **fields)
        fake.library.foreign_change(theirs)
        qtbot.waitUntil(lambda: editing.banner() != "", timeout=2_500)

    def test_what_it_changed_is_shown_at_once(self, editing, fake, qtbot):
        editing.typed(TEXT + " Ask Ben.")
        self.wrote(editing, fake, qtbot, text=THEIRS)
        assert "Another program changed" in editing.banner()
        assert "−8080+9090" in editing.diff(editing.theirs, "text").toPlainText()
        assert editing.text.toPlainText() == TEXT + " Ask Ben."

    def test_an_editor_in_which_nothing_was_typed_follows(self, editing, fake, qtbot):
        self.wrote(editing, fake, qtbot, text=THEIRS)
        assert editing.text.toPlainText() == THEIRS
        assert editing.banner() == "Another program has just changed this memory."

    def test_both_changes_in_one_text_with_what_will_be_saved(self, editing, fake, qtbot, settled):
        editing.typed(TEXT + " Ask Ben.")
        self.wrote(editing, fake, qtbot, text=THEIRS, tags=("net",))
        editing.press("Both")
        editing.wait()
        assert editing.text.toPlainText() == THEIRS + " Ask Ben."
        assert "+ Ask Ben" in editing.diff(editing.changes, "text").toPlainText()
        assert "8080" not in editing.diff(editing.changes, "text").toPlainText()
        assert not editing.theirs.isVisible()
        press(editing.window, "editor.save")
        settled()
        [(edit,)] = fake.called("edit")
        assert edit.target.etag == "f" * 16
        assert edit.fields == {"text": THEIRS + " Ask Ben."}
        assert fake.library.records[editing.ref].tags == ("net",)

    def test_the_same_words_stand_side_by_side_and_are_pointed_out(self, editing, fake, qtbot):
        editing.typed(TEXT.replace("8080", "7070"))
        self.wrote(editing, fake, qtbot, text=THEIRS)
        editing.press("Both")
        assert editing.text.toPlainText() == TEXT.replace("8080", "9090 / 7070")
        assert "side by side" in editing.banner()

    def test_bringing_together_can_be_taken_back_by_ctrl_z(self, editing, fake, qtbot):
        mine = TEXT + " Ask Ben."
        editing.typed(mine)
        self.wrote(editing, fake, qtbot, text=THEIRS)
        editing.press("Both")
        editing.text.undo()
        assert editing.text.toPlainText() == mine

    def test_mine_is_saved_over_theirs(self, editing, fake, qtbot):
        editing.typed("mine")
        self.wrote(editing, fake, qtbot, text=THEIRS)
        editing.press("Keep mine")
        assert fake.library.records[editing.ref].text == "mine"

    def test_one_that_was_taken_away_can_be_saved_as_new(self, editing, fake, qtbot, settled):
        editing.typed("mine")
        fake.library.drop(editing.ref)
        fake.library.foreign.add(editing.ref.store)
        qtbot.waitUntil(lambda: editing.banner() != "", timeout=2_500)
        assert "took this memory away" in editing.banner()
        editing.press("Save as new")
        press(editing.window, "editor.save")
        settled()
        [(_store, new)] = fake.called("add")
        assert new.fields["text"] == "mine"


class TestOverALock:
    def test_what_was_typed_is_given_and_taken_up_again(self, editing, fake, settled):
        right = editing.window.memories.right
        assert right.typed() is None
        editing.typed("half a thou")
        draft = right.typed()
        assert (draft.ref, draft.etag) == (editing.ref, f"{1:016x}")
        record, opened = (
            fake.library.records[editing.ref],
            editing.window.memories.list.searching.opened,
        )
        right.clear()
        assert editing.text.toPlainText() == ""
        assert "half" not in editing.diff(editing.changes, "text").toPlainText()
        assert right.take_up(draft, record, opened)
        editing.wait()
        assert editing.text.toPlainText() == "half a thou"
        assert editing.changes.isVisible()
        assert right.editor.dirty

    def test_on_a_record_that_was_changed_meanwhile(self, editing, fake):
        right, opened = editing.window.memories.right, editing.window.memories.list.searching.opened
        editing.typed("half a thou")
        draft = right.typed()
        right.clear()
        record = replace(fake.library.records[editing.ref], text=THEIRS, etag="f" * 16)
        assert right.take_up(draft, record, opened)
        assert "Another program changed" in editing.banner()
        editing.wait()
        assert "half a thou" in editing.diff(editing.changes, "text").toPlainText()

    def test_a_closed_store_takes_nothing_up(self, editing):
        right = editing.window.memories.right
        editing.typed("half a thou")
        draft = right.typed()
        right.clear()
        assert not right.take_up(draft, None, ())


class TestHidden:
    def test_the_editor_is_covered_and_keeps_what_was_typed(self, editing):
        hiding = editing.window.memories.context.privacy.hiding
        editing.typed("mine")
        hiding.set_hidden(hidden=True)
        assert not editing.text.isVisible()
        cover = child(editing.window, QWidget, "editor.hidden")
        press(cover, "empty.act")
        assert editing.text.isVisible()
        assert editing.text.toPlainText() == "mine"
