# SPDX-License-Identifier: MIT
"""The menu says what Undo and Redo would do, and lets nobody ask for what is not there."""

import pytest
from looking import banner, child, press
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit

from memory_gui.ui.records.bulk.turned import act_phrase
from memory_gui.words import Words


def entry(window, name):
    found = window.findChild(QAction, f"act.{name}")
    assert found is not None
    return found


def test_before_any_change_there_is_nothing_to_undo(window):
    assert entry(window, "undo").text() == "Undo"
    assert not entry(window, "undo").isEnabled()
    assert not entry(window, "redo").isEnabled()


def test_it_names_the_last_act_and_then_the_one_that_was_taken_back(window, settled):
    window.memories.go_to(0)
    window.memories.trash_selected()
    settled()
    assert entry(window, "undo").text() == "Undo: move 1 record to the trash"
    entry(window, "undo").trigger()
    settled()
    assert not entry(window, "undo").isEnabled()
    assert entry(window, "redo").text() == "Redo: move 1 record to the trash"


def test_what_was_taken_back_is_told_by_its_kind_and_the_title_of_the_only_record(window, settled):
    window.memories.go_to(0)
    title = window.memories.model.record(0).title
    window.memories.trash_selected()
    settled()
    entry(window, "undo").trigger()
    settled()
    assert banner(window) == f"Taken back: move “{title}” to the trash."
    entry(window, "redo").trigger()
    settled()
    assert banner(window) == f"Done again: move “{title}” to the trash."


def test_of_several_it_is_told_how_many(window, settled):
    window.memories.list.table.select_ranges([(0, 2)])
    window.memories.trash_selected()
    settled()
    entry(window, "undo").trigger()
    settled()
    assert banner(window) == "Taken back: move 3 records to the trash."


def test_no_title_is_left_when_texts_are_hidden_nor_told_while_they_are(window, settled):
    window.memories.go_to(0)
    title = window.memories.model.record(0).title
    window.memories.edit_current()
    settled()
    child(window, QLineEdit, "editor.tags").setText("tea")
    press(window, "editor.save")
    settled()
    assert banner(window).startswith(f"“{title}” is saved.")
    entry(window, "hide").trigger()
    assert banner(window).startswith("Saved.")
    entry(window, "undo").trigger()
    settled()
    assert banner(window) == "Taken back: change 1 record."
    entry(window, "hide").trigger()
    assert banner(window) == f"Taken back: change “{title}”."


def test_it_follows_the_language(window, fake, settled):
    fake.editing.trash([record.ref for record in list(fake.library.records.values())[:3]])
    window.retranslate()
    settled()
    assert entry(window, "undo").text() == "Undo: move 3 records to the trash"


def test_the_lock_leaves_nothing_to_undo(window, settled):
    window.memories.go_to(0)
    window.memories.trash_selected()
    settled()
    window.lock()
    assert entry(window, "undo").text() == "Undo"
    assert not entry(window, "undo").isEnabled()


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_act_has_words_and_its_number(language):
    words = Words(language)
    acts = ["add", "edit", "trash", "restore", "delete", "tag", "approve", "reject", "reopen"]
    acts.append("remove")
    said = [act_phrase(words, act, 3) for act in acts]
    assert all("3" in one for one in said)
    assert len(set(said)) == len(acts)
    assert act_phrase(words, "new_in_a_later_version", 3) == ""
