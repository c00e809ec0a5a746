# SPDX-License-Identifier: MIT
"""Who changed what and when, as a page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fake_services import PROJECT, USER, record
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel, QPushButton

from memory_gui.domain.errors import UserError
from memory_gui.services.activity.activity import About, Happening, Who
from memory_gui.ui.activity.model import DayRow, Row
from memory_gui.ui.activity.page import ActivityPage

NOON = datetime.now().astimezone().replace(hour=12, minute=0, second=0, microsecond=0)
SECRET = "sk-ant-api03-" + "Zx9" * 12


def happening(code="edit", who=Who.YOU, *titles, hours=0, count=None, store=PROJECT, **more):
    about = tuple(
        About(record(n, store=store).ref, title) for n, title in enumerate(titles or ("tea",))
    )
    return Happening(
        (NOON - timedelta(hours=hours)).astimezone(UTC),
        "",
        who,
        code,
        "Agentao" if who is Who.AGENT else more.pop("by", ""),
        store,
        str(store),
        len(about) if count is None else count,
        about,
        **more,
    )


@pytest.fixture
def page(shown, fake):
    def show(*happenings, argument=None):
        fake.activity.happenings = list(happenings)
        return shown(ActivityPage, argument)

    return show


def rows(page):
    model = page.model
    return [model.data(model.index(n, 0)) for n in range(model.rowCount())]


class TestRows:
    def test_a_heading_for_each_day_and_what_happened_on_it(self, page):
        shown = page(
            happening("trash", Who.YOU, "tea", "coffee"),
            happening("update", Who.AGENT, "deploy_port", hours=24),
            happening("create", Who.AGENT, "", hours=24 * 9),
        )
        said = rows(shown)
        assert said[0] == "Today"
        assert "You: moved to the trash, 2 records: tea · coffee" in said[1]
        assert said[2] == "Yesterday"
        assert "Agentao: changed, deploy_port" in said[3]
        assert "20" in said[4]  # the year of a full date
        assert "a record that is not there any more" in said[5]
        assert isinstance(shown.model.row(0), DayRow)
        assert isinstance(shown.model.row(1), Row)

    def test_the_model_keeps_qts_rules(self, page, qtbot):
        shown = page(happening(), happening(hours=30))
        mode = QAbstractItemModelTester.FailureReportingMode.Fatal
        tester = QAbstractItemModelTester(shown.model, mode)
        shown.model.say()
        shown.model.clear()
        assert tester.model() is shown.model

    def test_headings_cannot_be_chosen(self, page):
        shown = page(happening())
        assert not shown.model.flags(shown.model.index(0, 0)) & Qt.ItemFlag.ItemIsSelectable
        assert shown.model.flags(shown.model.index(1, 0)) & Qt.ItemFlag.ItemIsSelectable
        assert shown.model.rowCount(shown.model.index(0, 0)) == 0
        assert shown.model.data(QModelIndex()) is None

    def test_programs_in_the_terminal(self, page):
        shown = page(
            happening("list", Who.PROGRAM, count=12, by="agentao", store=None, in_terminal=True)
        )
        assert "agentao, in the terminal: used list, 12 records" in rows(shown)[1]

    def test_a_secret_in_a_title_is_dots(self, page):
        shown = page(happening("edit", Who.YOU, f"key {SECRET}"))
        assert SECRET not in rows(shown)[1]

    def test_hidden_texts_leave_numbers(self, page, context):
        shown = page(happening("trash", Who.YOU, "tea", "coffee"))
        context.privacy.hiding.set_hidden(hidden=True)
        assert "tea" not in " ".join(rows(shown))
        assert "2 records" in rows(shown)[1]
        context.privacy.hiding.set_hidden(hidden=False)
        assert "tea" in rows(shown)[1]


class TestGoing:
    def test_enter_goes_to_the_record(self, page, qtbot):
        one = happening("edit", Who.YOU, "tea")
        shown = page(one)
        shown.list.setCurrentIndex(shown.model.index(1, 0))
        with qtbot.waitSignal(shown.go) as went:
            qtbot.keyClick(shown.list, Qt.Key.Key_Return)
        assert went.args == ["record", one.about[0].ref]

    def test_of_one_that_is_gone_it_says_so(self, page, qtbot):
        shown = page(happening("edit", Who.YOU, ""))
        shown.list.setCurrentIndex(shown.model.index(1, 0))
        with qtbot.assertNotEmitted(shown.go):
            qtbot.keyClick(shown.list, Qt.Key.Key_Return)
        assert shown.banner.text == "There is no record to go to any more."

    def test_of_a_closed_store_it_says_what_to_do(self, page, qtbot):
        one = happening("edit", Who.YOU, "")
        closed = Happening(
            one.at, "", one.who, one.code, "", None, "/elsewhere/memory.db", 1, one.about
        )
        shown = page(closed)
        shown.list.setCurrentIndex(shown.model.index(1, 0))
        qtbot.keyClick(shown.list, Qt.Key.Key_Return)
        assert shown.banner.text == "Open the store to see the record."


class TestFilters:
    def test_by_whom_what_and_where(self, page, fake, settled):
        shown = page(happening(), happening("update", Who.AGENT), happening(store=USER))
        shown.who.setCurrentIndex(shown.who.findData(Who.AGENT))
        settled()
        assert len(rows(shown)) == 2
        shown.group.setCurrentIndex(shown.group.findData("erased"))
        settled()
        wanted, _limit = fake.called("activity")[-1]
        assert (wanted.who, wanted.groups) == (frozenset({Who.AGENT}), frozenset({"erased"}))
        shown.store.setCurrentIndex(shown.store.findData(USER))
        settled()
        wanted, _limit = fake.called("activity")[-1]
        assert wanted.stores == frozenset({USER})
        shown.choose_store(PROJECT)  # in the left pane
        settled()
        wanted, _limit = fake.called("activity")[-1]
        assert (shown.store.currentData(), wanted.stores) == (PROJECT, {PROJECT})

    def test_the_chosen_store_counts_from_the_first_look(self, context, fake, qtbot, settled):
        fake.activity.happenings = [happening(), happening(store=USER)]
        page = ActivityPage(context)
        qtbot.addWidget(page)
        page.choose_store(USER)
        page.show_for(None)
        settled()
        wanted, _limit = fake.called("activity")[-1]
        assert (page.store.currentData(), wanted.stores) == (USER, {USER})

    def test_one_records_history_and_back_to_all(self, page, fake, settled):
        one = record(0, store=PROJECT, title="tea")
        fake.library.put(one)
        other = happening("edit", Who.YOU, "x", "coffee")
        shown = page(happening(), other, argument=one.ref)
        only = shown.findChild(QPushButton, "activity.only")
        assert only.isVisible()
        assert only.text() == "Only “tea”"
        assert not shown.who.isVisible()
        only.click()
        settled()
        assert not only.isVisible()
        assert shown.who.isVisible()

    def test_older_ones_are_shown_on_demand(self, page, settled):
        shown = page(*[happening(hours=n) for n in range(450)])
        more = shown.findChild(QPushButton, "activity.more")
        happened = list(map(shown.model.row, range(shown.model.rowCount())))
        assert sum(isinstance(row, Row) for row in happened) == 200
        more.click()
        settled()
        more.click()
        settled()
        happened = list(map(shown.model.row, range(shown.model.rowCount())))
        assert sum(isinstance(row, Row) for row in happened) == 450
        assert not more.isVisible()


class TestStates:
    def test_empty(self, page):
        shown = page()
        assert not shown.list.isVisible()
        none = shown.findChild(QLabel, "empty.title")
        assert none.text() == "Nothing happened yet"

    def test_error_and_try_again(self, shown, fake, settled):
        fake.fail_next["activity"] = UserError("store.locked", path="x")
        fake.activity.happenings = [happening()]
        page = shown(ActivityPage)
        assert not page.list.isVisible()
        page._error.acted.emit()
        settled()
        assert page.list.isVisible()

    def test_a_writing_agent_is_followed_without_losing_the_place(self, page, fake, settled):
        shown = page(*[happening(hours=n) for n in range(30)])
        at = 9
        shown.list.setCurrentIndex(shown.model.index(at, 0))
        chosen = shown.model.row(at).happening
        fake.activity.happenings.insert(0, happening("update", Who.AGENT, "new"))
        shown.refresh()
        settled()
        row = shown.model.row(shown.list.currentIndex().row())
        assert row.happening == chosen

    def test_forgetting_asks_first(self, page, fake, settled):
        shown = page(happening())
        shown.findChild(QPushButton, "activity.forget").click()
        assert fake.called("forget_acts") == []
        buttons = [b for b in shown.banner.findChildren(QPushButton) if b.text() == "Forget it"]
        buttons[0].click()
        settled()
        assert len(fake.called("forget_acts")) == 1
        assert rows(shown) == []

    def test_lock_leaves_nothing(self, page):
        shown = page(happening("edit", Who.YOU, "tea"))
        shown.clear()
        assert rows(shown) == []
        words = [one.text() for one in shown.findChildren(QLabel)]
        words += [one.text() for one in shown.findChildren(QPushButton)]
        assert not any("tea" in word for word in words)

    def test_in_chinese(self, page, context, settled):
        shown = page(happening("soft_delete", Who.AGENT, "深色"))
        context.words.use("zh_CN")
        shown.retranslate()
        assert "Agentao：移入回收站、深色" in rows(shown)[1]
