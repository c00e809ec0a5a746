# SPDX-License-Identifier: MIT
"""Trash, restore, delete and undo from the list, over services in memory."""

from dataclasses import replace

from fake_services import PROJECT, USER
from looking import banner, child, press, press_in_banner, table, text, titles
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.ui.views import TRASH


class TestTrash:
    def test_del_moves_to_the_trash_and_the_next_row_is_shown(self, qtbot, window, fake, settled):
        before = titles(window)
        window.memories.go_to(3)
        ref = window.memories.right.detail.record.ref
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        assert fake.called("trash") == [[(ref,)]]
        assert titles(window) == before[:3] + before[4:]
        assert text(window, "detail.title") == before[4]
        assert banner(window).startswith("1 record is in the trash. A session of Agentao")

    def test_undo_brings_it_back(self, qtbot, window, settled):
        before = titles(window)
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled()
        assert titles(window) == before
        press_in_banner(window, "Redo")
        settled()
        assert len(titles(window)) == 39

    def test_several_at_once(self, qtbot, window, fake, settled):
        table(window).selectAll()
        settled()
        assert child(window, QWidget, "bulk.erase").isVisible()
        assert not child(window, QWidget, "detail.edit").isVisible()
        press(window, "bulk.trash")
        settled()
        assert len(fake.called("trash")[0][0]) == 40
        assert banner(window).startswith("40 records are in the trash.")

    def test_restore(self, window, fake, settled):
        window.choose_view(TRASH)
        settled()
        window.memories.go_to(0)
        press(window, "detail.restore")
        settled()
        assert len(titles(window)) == 3
        assert [r.state for r in fake.library.records.values()].count(State.TRASH) == 3

    def test_delete_asks_first(self, window, fake, settled):
        window.choose_view(TRASH)
        settled()
        window.memories.go_to(0)
        press(window, "detail.delete")
        assert fake.called("delete") == []
        assert "parts of its text may stay in the file" in banner(window)
        press_in_banner(window, "Delete 1 record")
        settled()
        assert len(titles(window)) == 3

    def test_a_failure_is_said(self, qtbot, window, fake, settled):
        fake.fail_next["trash"] = UserError("key.empty")
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        assert banner(window) == "An empty passphrase opens nothing."
        assert len(titles(window)) == 40


class TestAgentNote:
    def test_it_is_said_once(self, qtbot, window, settled):
        window.memories.go_to(0)
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        assert "until it saves a memory itself" in banner(window)
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        assert banner(window) == "1 record is in the trash."

    def test_where_no_agent_keeps_a_prompt_nothing_is_said(self, qtbot, window, fake, settled):
        for store in (PROJECT, USER):
            one = fake.library.opened[store]
            fake.library.opened[store] = replace(one, info=replace(one.info, format="other"))
        window._holding.ask()
        settled()
        qtbot.keyClick(table(window), Qt.Key.Key_Delete)
        settled()
        assert banner(window) == "1 record is in the trash."
