# SPDX-License-Identifier: MIT
"""How a case ends: answered, refused, closed without a name; and what comes after it."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[1]))

from casesteps import press
from fakes.cases import PROJECT, SUBJECT, one_case, some_cases, some_finds
from looking import banner, child, press_in_banner, shown, text

from memory_gui.cases.case import CaseState
from memory_gui.cases.finds import Decision, Finds
from memory_gui.domain.records import State
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.answering.returning import Back
from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.answer_view import Closing
from memory_gui.ui.pages import frame
from memory_gui.ui.widgets import Button


def test_it_is_not_closed_with_something_undecided_unless_that_is_chosen(page, fake, settled):
    number = page.now.case.number
    fake.cases.known[0] = one_case(number, waiting={"x": (2, 0)}, outcome={"at": "x"})
    page._on_step(4)
    settled()
    close = child(page, Button, "case.close")
    assert text(page, "case.close.undecided").startswith("2 finds that are surely about")
    assert not close.isEnabled()
    page.parts.answer.outcome.choose("withdrawn")
    assert close.isEnabled()
    assert not page.parts.answer.leave_undecided.isVisible()
    page.parts.answer.outcome.choose("closed")
    page.parts.answer.leave_undecided.click()
    press(page, "case.close")
    settled()
    assert fake.called("case_close")[0][1]["leave_undecided"] is True


def test_what_remains_in_other_files_is_accepted_with_a_reason(page, fake, settled):
    fake.cases.state = EraseState.NOT_PROVED
    press(page, "case.to_plan")
    settled()
    page.parts.plan.word.setText("4")
    press(page, "case.run.button")
    settled()
    assert text(page, "case.result.remains.line0").endswith(
        "atlas/AGENTAO.md (2 places): a person wrote this file"
    )
    assert text(page, "case.result.remains.line1").endswith("old.jsonl (1 place)")
    press(page, "case.result.remains.accept")
    form = page.parts.run.remains
    assert form.reason.hasFocus()
    form.reason.choose("hold.other")
    assert not form.give.isEnabled()
    form.reason.choose("hold.obligation")
    form.give.click()
    settled()
    assert fake.called("case_accept") == [["hold.obligation", ""]]
    assert banner(page, "case.banner").startswith("Accepted.")
    assert page.parts.answer.isVisible()
    assert "a legal obligation" in text(page, "case.remains.accepted.line0")
    assert "except for these places" in page.parts.answer.text.toPlainText()
    assert not child(page, Button, "case.remains.accept").isVisible()


def test_an_answered_case_is_run_again_under_its_number(fake, window, settled):
    fake.cases.known, fake.cases.found = some_cases(), some_finds()
    window.go("case", 3)
    settled()
    page = window._panes.host.page
    press(page, "case.rerun")
    again = page.parts.again
    assert again.name.hasFocus()
    again.name.setText("Mateo Álvarez")
    press(page, "case.again.look")
    settled()
    assert banner(page, "case.banner").startswith("These are not the names of case 3.")
    again.name.setText(SUBJECT.title)
    press(page, "case.again.look")
    settled()
    assert page.parts.finds.list.hasFocus()
    press(page, "case.to_plan")
    settled()
    page.parts.plan.word.setText("4")
    press(page, "case.run.button")
    settled()
    assert fake.called("case_run") == [["4", False]]
    assert page.now.case.number == 3
    window.cover()
    assert [what for _widget, what in shown(page) if "Zofia" in what or "仇夏莲" in what] == []


def test_a_restriction_that_was_found_again_is_lifted(page, fake, settled):
    kept = {"decision": Decision.KEEP, "reason": "restricted", "state": State.TRASH}
    fake.cases.found = fake.cases.found.decided([2], lambda one: replace(one, **kept))
    press(page, "case.look_again")
    settled()
    page.parts.finds.select(1)
    assert "restricted: in the trash" in text(page, "case.find.where")
    press(page, "case.undecided")
    settled()
    assert fake.called("case_lift") == [[(2,)]]


def test_who_is_not_found_is_answered_all_the_same(page, fake, settled):
    fake.cases.found = Finds(SUBJECT, looked=(PROJECT,), records=12)
    press(page, "case.look_again")
    settled()
    assert text(page, "case.heap.hint").startswith("Nothing was found about this person.")
    assert not child(page, Button, "case.to_plan").isVisible()
    press(page, "case.to_answer")
    settled()
    assert page.parts.answer.isVisible()


def test_closing_leaves_no_name_in_the_window(page, fake, window, settled):
    press(page, "case.to_plan")
    settled()
    page.parts.plan.word.setText("4")
    press(page, "case.run.button")
    settled()
    press(page, "case.result.answer")
    settled()
    press(page, "case.close")
    settled()
    (outcome, more) = fake.called("case_close")[0]
    assert outcome is CaseState.CLOSED
    assert more == {"reason": "", "keep_until": None, "leave_undecided": False}
    left = [what for _widget, what in shown(page) if "Zofia" in what or "仇夏莲" in what]
    assert left == []


def test_what_stays_for_a_closed_case_is_lifted_after_a_second_yes(fake, window, settled):
    fake.cases.known = some_cases()
    fake.cases.kept = (
        HoldLine(3, "hold", "hold.claims", date(2027, 1, 31), "2026-11-29", 2),
        HoldLine(3, "restrict", "", None, "2026-11-29", 1),
    )
    window.go("case", 3)
    settled()
    page = window._panes.host.page
    page._go(0)
    assert (
        text(page, "case.stays0")
        == "2 records, until January 31, 2027: legal claims (GDPR 17(3)(e))"
    )
    assert text(page, "case.stays1") == "1 record: restricted, in the trash"
    press(page, "case.stays.lift")
    assert page.parts.request.held.no.hasFocus()
    press(page, "case.stays.yes")
    settled()
    assert fake.called("case_lift_closed") == [[3]]
    said = banner(page, "case.banner")
    assert said == "3 records need not stay any more, 1 is seen by its agent again"
    assert not page.parts.request.held.isVisible()


def test_somebody_who_is_back_is_named_by_the_case_alone(fake, window, settled):
    ref = next(iter(fake.library.records))
    fake.cases.known, fake.cases.returned = some_cases(), [Back(3, ref, "name")]
    window._back.look([ref.store])
    settled()
    assert banner(window, "window.back") == "1 record names somebody who was forgotten (case 3)."
    press_in_banner(window, "Show the case", "window.back")
    settled()
    assert text(window, "case.title") == "Case 3"
    window.cover()
    assert banner(window, "window.back") == ""


def test_where_the_app_itself_breaks_nothing_looks_as_if_it_still_ran(
    page, window, fake, settled, monkeypatch
):
    def breaks(*_values, **_more):
        raise ValueError("ours to mend")

    finds = page.now.finds
    for act, begin in (
        ("find", page._on_look),
        ("close", partial(page.answering._on_closing, Closing(CaseState.CLOSED, "", None))),
        ("lift", page.changing._on_lift_wanted),
        ("copy", partial(page.copying._on_wanted, SimpleNamespace())),
        ("correct", partial(page.correcting._on_given, finds.finds[0], {})),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(acts, act, breaks)
            begin()
            assert page.frame.state == frame.BUSY, act
            settled()
        assert page.frame.state == frame.CONTENT, act
    with monkeypatch.context() as patched:
        patched.setattr(fake.cases, "plan", breaks)
        page._make_plan()
        settled()
        assert page.frame.state == frame.CONTENT
    page._make_plan()
    settled()
    with monkeypatch.context() as patched:
        patched.setattr(acts, "run", breaks)
        page.parts.plan.word.setText(page.running.plan.word)
        page.running.run()
        assert page.running.active
        settled()
        assert not page.running.active
    with monkeypatch.context() as patched:
        patched.setattr(acts, "look", breaks)
        page.show_for(fake.cases.known[1])
        settled()
        assert page.frame.state == frame.EMPTY
    window.go("case_new", fake.cases.known[0])
    settled()
    form = window._panes.host.page
    with monkeypatch.context() as patched:
        patched.setattr(fake.cases, "edit", breaks)
        form._on_create()
        settled()
    assert form.frame.state == frame.CONTENT
