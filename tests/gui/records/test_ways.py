# SPDX-License-Identifier: MIT
"""Ways between the list, the clashes, the activity and the editor, in the real window."""

from datetime import UTC, datetime

import pytest
from fake_services import PROJECT, record
from looking import banner, child, press, press_in_banner, text, titles
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView, QPlainTextEdit, QWidget

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.services import BulkResult
from memory_gui.services.activity.activity import About, Happening, Who
from memory_gui.services.editing.clashes import Clash
from memory_gui.ui.views import ACTIVITY, TRASH


def clash_of(fake, trashed):
    holder = next(one for one in fake.library.records.values() if one.state is State.LIVE)
    values = {"title": trashed.title, "text": trashed.text, "tags": trashed.tags}
    return Clash(trashed.ref, values, holder, "tea", "tea_2")


class TestRestore:
    @pytest.fixture
    def refused(self, window, fake, settled):
        window.choose_view(TRASH)
        settled()
        window.memories.go_to(0)
        settled()
        trashed = window.memories.right.detail.record
        clash = clash_of(fake, trashed)
        fake.editing.held = {trashed.ref: clash}
        failed = ((trashed.ref, UserError("record.key_taken")),)
        fake.editing.restore = lambda refs, **more: BulkResult(ChangeSet(), 0, failed)
        press(window, "detail.restore")
        settled()
        return clash

    def test_a_taken_key_leads_to_the_choice(self, window, fake, settled, refused):
        assert "same key" in banner(window)
        press_in_banner(window, "Choose what becomes of them…")
        settled()
        assert window.page_name == "clash"
        assert [list(args) for args in fake.called("clashes")] == [[(refused.ref,)]]
        press(window, "clash.apply")
        settled()
        assert window.page_name == "memories"
        assert len(fake.called("settle")) == 1

    def test_merging_opens_the_editor_on_the_live_one(self, window, fake, settled, refused):
        press_in_banner(window, "Choose what becomes of them…")
        settled()
        press(window, "clash.0.merge")
        settled()
        assert window.page_name == "memories"
        assert window.memories.right.editor.record == refused.holder
        shown = child(window, QPlainTextEdit, "editor.text").toPlainText()
        assert refused.holder.text in shown
        assert str(refused.fields["text"]) in shown
        assert fake.called("settle") == []


def test_undo_of_what_clashes_leads_to_the_choice(qtbot, window, fake, settled):
    trashed = next(one for one in fake.library.records.values() if one.state is State.TRASH)
    fake.editing.held = {trashed.ref: clash_of(fake, trashed)}
    fake.fail_next["undo"] = UserError("undo.clash", count=1)
    window.memories.undo()
    settled()
    assert window.page_name == "clash"
    press(window, "clash.cancel")
    settled()
    assert window.page_name == "memories"


class TestActivity:
    @pytest.fixture
    def happened(self, window, fake, settled):
        one = next(iter(fake.library.records.values()))
        gone = record(777, store=PROJECT).ref
        fake.activity.happenings = [
            Happening(
                datetime.now(UTC), "", Who.AGENT, "update", "Agentao", one.ref.store,
                str(one.ref.store), 1, (About(ref, title),),
            )
            for ref, title in ((one.ref, one.title), (gone, "vanished just now"))
        ]  # fmt: skip
        window.choose_view(ACTIVITY)
        settled()
        return one

    def test_the_view_is_the_timeline_and_leads_to_the_record(
        self, qtbot, window, fake, settled, happened
    ):
        assert window.page_name == "activity"
        timeline = child(window, QListView, "activity.list")
        timeline.setCurrentIndex(timeline.model().index(1, 0))
        qtbot.keyClick(timeline, Qt.Key.Key_Return)
        settled()
        assert window.page_name == "memories"
        assert text(window, "detail.title") == happened.title
        assert happened.title in titles(window)

    def test_from_a_search_elsewhere_it_is_found_all_the_same(
        self, qtbot, window, fake, settled, happened
    ):
        window.memories.set_text("nothing has this text")
        timeline = child(window, QListView, "activity.list")
        timeline.setCurrentIndex(timeline.model().index(1, 0))
        qtbot.keyClick(timeline, Qt.Key.Key_Return)
        qtbot.wait(250)
        settled()
        assert window.page_name == "memories"

    def test_what_is_gone_meanwhile_is_said(self, qtbot, window, settled, happened):
        timeline = child(window, QListView, "activity.list")
        timeline.setCurrentIndex(timeline.model().index(2, 0))
        qtbot.keyClick(timeline, Qt.Key.Key_Return)
        settled()
        assert window.page_name == "activity"
        assert banner(window, "window.banner") == "There is no record to go to any more."

    def test_lock_empties_it(self, window, settled, happened):
        window.lock()
        settled()
        timeline = window.findChild(QListView, "activity.list")
        assert timeline.model().rowCount() == 0
        assert child(window, QWidget, "page.locked").isVisible()


class TestHistory:
    def test_the_record_tells_its_own_and_leads_to_all_of_it(self, qtbot, window, fake, settled):
        one = window.memories.right.detail.record
        fake.activity.happenings = [
            Happening(
                datetime.now(UTC), "", who, code, "Agentao", one.ref.store, str(one.ref.store),
                1, (About(one.ref, one.title),),
            )
            for who, code in [(Who.YOU, "edit"), (Who.AGENT, "update")] * 3
        ]  # fmt: skip
        window.memories.go_to(1)
        window.memories.go_to(0)
        shown = child(window, QWidget, "detail.history")
        qtbot.waitUntil(shown.isVisible, timeout=2_000)
        assert text(window, "detail.history.0").endswith("You: changed")
        assert text(window, "detail.history.1").endswith("Agentao: changed")
        press(window, "detail.history.all")
        settled()
        assert window.page_name == "activity"
        assert child(window, QWidget, "activity.only").isVisible()

    def test_of_one_without_a_history_nothing_stands_there(self, qtbot, window, settled):
        window.memories.go_to(2)
        qtbot.wait(300)
        settled()
        assert not child(window, QWidget, "detail.history").isVisible()
