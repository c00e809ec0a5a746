# SPDX-License-Identifier: MIT
"""Answers about cases come in any order: each counts for its own case, and none is lost."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtWidgets import QLineEdit

sys.path.insert(0, str(Path(__file__).parents[1]))

from looking import banner, child

from memory_gui.cases.finds import Decision
from memory_gui.domain.errors import UserError
from memory_gui.ui.cases import acts, list_form
from memory_gui.ui.widgets import Button

LONG = 30_000  # ms; nothing here waits so long unless it is broken


def decisions(page, *numbers):
    return [one.decision for one in page.now.finds.finds if one.number in numbers]


def test_two_decisions_in_a_row_both_stay(page, fake, settled, held):
    decide = held(fake.cases, "decide")
    for number in (1, 2):
        page.parts.finds.decided.emit([number], Decision.NONE, None)
    decide.begun()
    decide.let_go()
    settled()
    assert decisions(page, 1, 2) == [Decision.NONE, Decision.NONE]
    assert [one[0] for one in fake.called("case_decide")] == [(1,), (2,)]


def test_a_decision_that_waited_when_it_locked_is_told_and_never_done(
    page, window, fake, settled, held
):
    decide = held(fake.cases, "decide")
    for number in (1, 2):
        page.parts.finds.decided.emit([number], Decision.NONE, None)
    decide.begun()
    window.lock()
    decide.let_go()
    settled()
    window.unlock()
    settled()
    assert "decide on finds of case 7. Nothing" in banner(window, "window.unbegun")
    window.go("case", 7)
    settled()
    page._on_look()
    settled()
    page.parts.finds.decided.emit([3], Decision.KEEP, None)
    settled()
    assert [one[0] for one in fake.called("case_decide")] == [(1,), (3,)]
    assert decisions(page, 3) == [Decision.KEEP]


def test_after_a_refusal_the_next_decision_is_not_made_on_what_it_left(page, fake, settled, held):
    decide = held(fake.cases, "decide")
    fake.fail_next["case_decide"] = UserError("case.hold_reason")
    for number in (1, 2):
        page.parts.finds.decided.emit([number], Decision.NONE, None)
    decide.begun()
    decide.let_go()
    settled()
    assert [one[0] for one in fake.called("case_decide")] == [(1,)]
    page.parts.finds.decided.emit([3], Decision.NONE, None)
    settled()
    assert decisions(page, 1, 3) == [Decision.ERASE, Decision.NONE]


def test_a_decision_on_its_way_keeps_none_of_the_next_case_waiting_for_it(
    page, fake, settled, qtbot, held
):
    decide = held(fake.cases, "decide")
    page.parts.finds.decided.emit([1], Decision.NONE, None)
    decide.begun()
    page.show_for(fake.cases.known[1])
    qtbot.waitUntil(lambda: page.now.case is not None, timeout=LONG)
    page._on_look()
    qtbot.waitUntil(lambda: page.now.finds is not None, timeout=LONG)
    page.parts.finds.decided.emit([2], Decision.NONE, None)
    decide.let_go()
    settled()
    assert decisions(page, 1, 2) == [Decision.ERASE, Decision.NONE]


def test_the_case_that_is_shown_is_the_one_asked_for_last(page, window, fake, settled, qtbot, held):
    first, second = fake.cases.known[:2]
    page.show_for(second.number)
    settled()
    look = held(acts, "look")
    page.show_for(first)
    look.begun()
    page.show_for(second)
    qtbot.waitUntil(lambda: page.now.case is not None, timeout=LONG)
    look.let_go()
    settled()
    assert page.now.case.number == second.number


def test_a_search_for_one_person_is_not_shown_in_the_case_of_another(
    page, fake, settled, qtbot, held
):
    other = fake.cases.known[1]
    look = held(acts, "find")
    page._on_look()
    look.begun()
    page.show_for(other)
    qtbot.waitUntil(lambda: page.now.case is not None, timeout=LONG)
    look.let_go()
    settled()
    assert page.now.case.number == other.number
    assert page.now.finds is None


def test_a_decision_that_comes_late_leads_nobody_back_to_its_case(page, fake, settled, qtbot, held):
    other = fake.cases.known[1]
    decide = held(fake.cases, "decide")
    page.parts.finds.decided.emit([1], Decision.NONE, None)
    decide.begun()
    page.show_for(other)
    qtbot.waitUntil(lambda: page.now.case is not None, timeout=LONG)
    page._on_look()
    qtbot.waitUntil(lambda: page.now.finds is not None, timeout=LONG)
    decide.let_go()
    settled()
    assert page.now.case.number == other.number


def test_two_presses_make_one_case(fake, window, settled, held):
    window.go("case_new")
    settled()
    page = window._panes.host.page
    child(page, QLineEdit, "case_new.name").setText("Ann Other")
    write = held(fake.cases, "new")
    begin = child(page, Button, "case_new.begin")
    begin.click()
    write.begun()
    begin.click()
    write.let_go()
    settled()
    assert len(fake.called("case_new")) == 1


def test_cases_are_made_of_the_list_that_is_named(fake, window, settled, tmp_path, held):
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for file in files:
        file.write_text(f"Person of {file.stem}\n", encoding="utf-8")
    window.go("cases")
    settled()
    form = window._panes.host.page.form
    form.ask()
    form.path.set_path(str(files[0]))
    look = held(list_form, "read")
    form.look.click()
    look.begun()
    form.path.set_path(str(files[1]))
    look.let_go()
    settled()
    assert form._read is None
    assert not form.make.isVisible()
