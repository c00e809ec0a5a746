# SPDX-License-Identifier: MIT
"""Answers come in any order: one about what was shown before changes nothing of what is shown."""

from __future__ import annotations

import scene
from fake_services import PROJECT, USER
from PySide6.QtWidgets import QLabel, QWidget
from test_clash import clash
from test_key import RESULTS, problem
from test_pending import ENTRY

from memory_gui.domain.queries import Query
from memory_gui.services.erasing.standing import KeptClean
from memory_gui.ui.clashes.page import ClashPage
from memory_gui.ui.clashes.request import ClashRequest
from memory_gui.ui.pages import clean as clean_page
from memory_gui.ui.pages import erase as erase_page
from memory_gui.ui.pages import frame
from memory_gui.ui.pages import key as key_page
from memory_gui.ui.pages import settings as settings_page
from memory_gui.ui.pages.clean import CleanPage
from memory_gui.ui.pages.erase import ErasePage
from memory_gui.ui.pages.export import ExportPage
from memory_gui.ui.pages.key import KeyPage
from memory_gui.ui.pages.page import Page
from memory_gui.ui.pages.pending import PendingPage
from memory_gui.ui.pages.recovery import RecoveryPage
from memory_gui.ui.pages.settings import SettingsPage
from memory_gui.ui.pages.whole import Whole
from memory_gui.ui.shell.host import PageHost


def said(page: QWidget) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def test_all_of_a_store_is_planned_for_the_one_that_is_shown(fake, shown, settled, qtbot, held):
    page, went = shown(CleanPage, str(USER)), []
    page.go.connect(lambda _name, argument: went.append(argument))
    look = held(fake.library, "store")
    page.show_for(str(USER))
    look.begun()
    page.show_for(str(PROJECT))
    qtbot.waitUntil(lambda: page.frame.state == frame.CONTENT)
    look.let_go()
    settled()
    page.plan.click()
    assert went == [Whole(PROJECT)]


def test_keeping_clean_is_turned_as_the_store_that_is_shown_stands(
    fake, shown, settled, qtbot, held
):
    page = shown(CleanPage, str(USER))
    fake.standing.value = KeptClean(str(USER), False, True, True, "persist")
    look = held(fake.standing, "state")
    page.show_for(str(USER))
    look.begun()
    fake.standing.value = KeptClean(str(PROJECT), False, False, False, "wal")
    page.show_for(str(PROJECT))
    qtbot.waitUntil(page.turn.isEnabled)
    look.let_go()
    settled()
    assert page.turn.text() == "Change the journal mode and keep it clean"


def test_a_change_that_ends_after_a_lock_is_not_one_of_the_next_store(
    fake, shown, settled, qtbot, held
):
    page = shown(CleanPage, str(USER))
    act = held(clean_page, "turn")
    page.turn.click()
    act.begun()
    page.clear()
    fake.standing.value = KeptClean(str(PROJECT), False, False, False, "wal")
    page.show_for(str(PROJECT))
    qtbot.waitUntil(page.turn.isEnabled)
    act.let_go()
    settled()
    assert "written as its agent writes it" in said(page)


def test_what_is_erased_is_what_was_asked_for_last(fake, shown, settled, qtbot, held):
    fake.library.fill([scene.memory(f"key_{n}", f"text {n}") for n in range(2)])
    fake.erasing.plan_value = scene.plan(1)
    first, second = fake.library.records
    page = shown(ErasePage, (first,))
    plan = held(erase_page, "prepare")
    page.show_for((first,))
    plan.begun()
    page.show_for((second,))
    qtbot.waitUntil(lambda: page.frame.state == frame.CONTENT)
    plan.let_go()
    settled()
    assert page._refs == (second,)
    assert page._prepared.refs == (second,)


def test_an_erase_goes_on_where_something_else_broke(fake, shown, settled, context, held):
    fake.library.fill([scene.memory("key_0", "text 0")])
    fake.erasing.plan_value, fake.erasing.result = scene.plan(1), scene.result()
    page = shown(ErasePage, tuple(fake.library.records))
    act = held(erase_page, "run")
    page.erase.click()
    act.begun()
    context.bridge.bug.emit(ValueError("of something else"))
    assert page.run_view.running
    assert not page.may_leave()
    act.let_go()
    settled()
    assert "Proved gone" in said(page)


def test_a_list_from_before_names_no_erase_that_is_finished(fake, shown, settled, qtbot, held):
    fake.erasing.entries = (ENTRY,)
    page = shown(PendingPage)
    look = held(fake.erasing, "pending")
    page.refresh()
    look.begun()
    fake.erasing.entries = ()
    page.refresh()
    qtbot.waitUntil(lambda: page.frame.state == frame.EMPTY)
    look.let_go()
    settled()
    assert page.frame.state == frame.EMPTY


def test_a_recovery_key_is_shown_on_the_page_of_its_store_only(fake, shown, settled, qtbot, held):
    first, second = list(fake.library.opened)[:2]
    page = shown(RecoveryPage, first)
    make = held(fake.recovery, "make")
    page.show_key.click()
    make.begun()
    page.show_for(second)
    qtbot.waitUntil(lambda: page.frame.state == frame.CONTENT)
    make.let_go()
    settled()
    assert page.sheets.views == []
    assert page.show_key.isVisible()


def test_the_cause_is_that_of_the_store_that_is_asked_about(fake, shown, settled, qtbot, held):
    fake.library.key_result = RESULTS["locked"]
    page = shown(KeyPage, problem(reason="locked"))
    look = held(key_page, "look_up")
    page.show_for(problem(path="/a/memory.db", reason="locked"))
    look.begun()
    fake.library.key_result = RESULTS["denied"]
    page.show_for(problem(path="/b/memory.db", reason="denied"))
    qtbot.waitUntil(lambda: page.frame.state == frame.CONTENT)
    cause = page.cause.text()
    look.let_go()
    settled()
    assert page.cause.text() == cause
    assert page._result.result == RESULTS["denied"]


def test_an_undo_is_chosen_among_its_own_clashes(fake, shown, settled, qtbot, held):
    one, other = clash(0), clash(1)
    fake.editing.held = {one.ref: one}
    page = shown(ClashPage, ClashRequest("restore", (one.ref,)))
    look = held(fake.editing, "clashes")
    page.refresh()
    look.begun()
    fake.editing.held = {other.ref: other}
    page.show_for(ClashRequest("undo"))
    qtbot.waitUntil(lambda: page.frame.state == frame.CONTENT)
    look.let_go()
    settled()
    assert [card.clash.ref for card in page.cards] == [other.ref]


def test_the_count_is_that_of_what_is_exported(fake, shown, settled, qtbot, held):
    fake.library.fill(scene.ITEMS)
    page = shown(ExportPage, Query(text="nowhere"))
    count = held(fake.library, "search")
    page.show_for(Query(text="nowhere"))
    count.begun()
    page.show_for(Query(text="port"))
    qtbot.waitUntil(lambda: page.frame.state == frame.CONTENT)
    count.let_go()
    settled()
    assert page.export.text() == "Export 1 record"
    assert page.export.isEnabled()


def test_what_is_written_by_now_is_told_and_leads_nobody_away(
    fake, shown, settled, qtbot, held, tmp_path
):
    fake.library.fill(scene.ITEMS)
    page, told, closed = shown(ExportPage, Query(text="port")), [], []
    page.told.connect(lambda _tone, text: told.append(text))
    page.closed.connect(lambda: closed.append(page))
    write = held(fake.exporting, "export")
    page.path.set_path(str(tmp_path / "out.json"))
    page.export.click()
    write.begun()
    page.show_for(Query(text="port"))
    qtbot.waitUntil(lambda: page.frame.state == frame.CONTENT)
    write.let_go()
    settled()
    assert "out.json" in told[0]
    assert closed == []


def test_a_stop_that_comes_too_late_says_that_the_file_is_there(
    fake, shown, settled, held, tmp_path
):
    fake.library.fill(scene.ITEMS)
    page, told = shown(ExportPage, Query(text="port")), []
    page.told.connect(lambda _tone, text: told.append(text))
    write = held(fake.exporting, "export")
    page.path.set_path(str(tmp_path / "out.json"))
    page.export.click()
    write.begun()
    page.frame.stopped.emit()
    write.let_go()
    settled()
    assert "1 record was written to" in told[0]
    assert page.frame.banner.text == ""


def test_a_switch_stays_as_it_was_set(fake, shown, settled, qtbot, held):
    page = shown(SettingsPage)
    box = page.rows["remember_stores"].box
    assert box.isChecked()
    read = held(settings_page, "values_of")
    page.refresh()
    read.begun()
    box.click()
    qtbot.waitUntil(lambda: page._values.remember_stores is False)
    read.let_go()
    settled()
    assert not box.isChecked()


def test_a_page_that_was_left_leads_nobody_away(context, qtbot):
    host, closed = PageHost(context), []
    qtbot.addWidget(host)
    pages = Page(context), Page(context)
    for number, page in enumerate(pages):
        host.add(f"page{number}", page)
    host.closed.connect(lambda: closed.append(host.name))
    host.show_page("page1")
    pages[0].closed.emit()
    assert closed == []
    pages[1].closed.emit()
    assert closed == ["page1"]
