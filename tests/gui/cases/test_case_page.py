# SPDX-License-Identifier: MIT
"""A case from the list to its end, by the keyboard, and what a lock leaves of it."""

from __future__ import annotations

import json
import sys
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

sys.path.insert(0, str(Path(__file__).parents[1]))

from fakes.cases import PROJECT, SUBJECT, one_case, some_cases, some_finds
from looking import banner, child, press_in_banner, shown, text

from memory_gui.cases.case import CaseState
from memory_gui.cases.finds import Decision, Finds, Heap
from memory_gui.domain.records import State
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.holds import HoldLine
from memory_gui.services.cases.returning import Back
from memory_gui.ui.cases.page import CasePage
from memory_gui.ui.cases.tabs import Tabs
from memory_gui.ui.shell.sidebar import Sidebar
from memory_gui.ui.widgets import Button

NAME = SUBJECT.title


@pytest.fixture
def page(fake, window, settled) -> CasePage:
    """The case of one person, in the window, with what was found."""
    fake.cases.known, fake.cases.found = some_cases(), some_finds()
    window.go("case", one_case().number)
    settled()
    made = window._panes.host.page
    assert isinstance(made, CasePage)
    press(made, "case.look")
    settled()
    return made


def press(page, name) -> None:
    button = child(page, Button, name)
    assert button.isVisible(), name
    assert button.isEnabled(), name
    button.click()


def key(widget, *keys) -> None:
    for one in keys:
        QTest.keyClick(widget, one)
    QApplication.processEvents()


def test_by_keys_from_the_list_to_the_receipt(fake, window, settled, tmp_path):
    fake.cases.known, fake.cases.found = some_cases(), some_finds()
    child(window, Sidebar, "sidebar").people_wanted.emit()
    settled()
    rows = window._panes.host.page.rows
    assert rows.hasFocus()
    assert rows.item(1).text() == NAME
    key(rows, Qt.Key.Key_Down, Qt.Key.Key_Return)
    settled()
    page = window._panes.host.page
    assert page.parts.foot.look.hasFocus()
    key(page.parts.foot.look, Qt.Key.Key_Space)
    settled()
    finds = page.parts.finds
    assert finds.list.hasFocus()
    key(finds.list, Qt.Key.Key_K)  # what is surely about the person stays for a reason only
    assert finds.hold.reason.hasFocus()
    assert finds.hold.hold.text() == "Keep"
    assert not finds.hold.until.isVisible()
    finds.hold.reason.choose("keep.not_asked")
    finds.hold.hold.click()
    settled()
    assert "kept: the request is not about it" in text(page, "case.find.where")
    assert finds.list.hasFocus()
    key(finds.list, Qt.Key.Key_Down, Qt.Key.Key_U)
    settled()
    assert [one[:2] for one in fake.called("case_decide")] == [
        [(1,), Decision.KEEP],
        [(2,), Decision.NONE],
    ]
    press(page, "case.to_plan")
    settled()
    word, run = page.parts.plan.word, page.parts.foot.run
    assert word.hasFocus()
    key(word, Qt.Key.Key_Return)
    assert fake.called("case_run") == []
    assert not run.isEnabled()
    QTest.keyClicks(word, "2")
    assert run.isEnabled()
    key(word, Qt.Key.Key_Return)
    settled()
    assert fake.called("case_run") == [["2", False]]
    assert text(page, "case.result") == "Done, and proved in every store"
    assert page.parts.run.answer.hasFocus()
    key(page.parts.run.answer, Qt.Key.Key_Space)
    settled()
    answer = page.parts.answer
    assert f"Dear {NAME}," in answer.text.toPlainText()
    answer.receipt_path.set_path(str(tmp_path / "receipt.json"))
    key(answer.receipt_path.line, Qt.Key.Key_Return)
    settled()
    assert (tmp_path / "receipt.pdf").read_bytes().startswith(b"%PDF")


def test_a_screen_reader_hears_each_find_with_its_match_and_its_fate(page):
    rows = page.parts.finds.list
    spoken = QAccessible.queryAccessibleInterface(rows)
    heard = [spoken.child(n).text(QAccessible.Text.Name) for n in range(spoken.childCount())]
    assert any("zofia_contact" in one and "erase" in one and NAME in one for one in heard)
    tabs = child(page, Tabs, "case.heaps")
    assert [tabs.tabText(n) for n in range(3)] == [
        "Surely about the person (4)",
        "Shared with others (1)",
        "Mentions, unsure (2)",
    ]


def test_nothing_is_chosen_that_may_be_somebody_elses(page):
    unsure = page.parts.finds._finds.heap(Heap.MENTIONS)
    assert {one.decision for one in unsure} == {Decision.NONE}
    page.parts.finds.heaps.setCurrentIndex(2)
    assert "Nothing here is chosen by itself" in text(page, "case.heap.hint")
    assert page.parts.finds.model.rowCount() == 2
    copy = page.parts.copy.heaps
    assert [copy[heap].isChecked() for heap in (Heap.SURE, Heap.SHARED, Heap.MENTIONS)] == [
        True,
        True,
        False,
    ]


def test_a_hold_has_a_reason_and_an_end(page, fake, settled):
    finds = page.parts.finds
    finds.select(0)
    press(page, "case.hold")
    hold = finds.hold
    hold.reason.choose("hold.claims")
    hold.until.setText("2027-02-30")
    assert not hold.hold.isEnabled()
    hold.until.setText("2027-01-31")
    hold.who.setText("Ann")
    press(page, "case.hold.give")
    settled()
    (numbers, decision, more) = fake.called("case_decide")[0]
    assert (numbers, decision) == ((1,), Decision.HOLD)
    assert more == {
        "reason": "hold.claims", "text": "", "who": "Ann", "until": date(2027, 1, 31)
    }  # fmt: skip
    assert "held: legal claims" in text(page, "case.find.where")
    press(page, "case.undecided")
    settled()
    assert fake.called("case_lift") == [[(1,)]]


def test_what_a_record_cannot_is_not_offered(page, fake):
    page.parts.finds.select(3)  # a log
    able = {decision: button.isEnabled() for decision, button in page.parts.finds.acts.items()}
    assert able[Decision.ERASE]
    assert able[Decision.KEEP]
    assert not able[Decision.RESTRICT]
    assert not able[Decision.REDACT]
    key(page.parts.finds.list, Qt.Key.Key_T)
    assert banner(page, "case.banner").startswith("1 of 1 chosen finds cannot be decided so")
    assert fake.called("case_decide") == []


def test_a_store_that_was_busy_leaves_the_case_open(page, fake, settled):
    fake.cases.state = EraseState.NOT_FINISHED
    press(page, "case.to_plan")
    settled()
    page.parts.plan.word.setText("4")
    press(page, "case.run.button")
    settled()
    assert text(page, "case.result") == "Not finished: some stores are still to come"
    press(page, "case.result.again")
    settled()
    assert len(fake.called("case_find")) == 2


def test_the_copy_is_written_sealed_only_with_the_passphrase_typed_twice(
    page, fake, settled, tmp_path
):
    press(page, "case.to_copy")
    copy = page.parts.copy
    assert not copy.write.isEnabled()
    copy.passphrase.setText("four words that fit")
    copy.again.setText("four words that fix")
    assert not copy.write.isEnabled()
    copy.form_of.choose("zip")
    assert copy.path.line.text() == "~/copy-of-case-7.zip"
    assert not copy.passphrase.isVisible()
    copy.path.set_path(str(tmp_path / "copy.zip"))
    press(page, "case.copy.write")
    settled()
    with zipfile.ZipFile(tmp_path / "copy.zip") as packed:
        data = json.loads(packed.read("data.json"))
    assert len(data["records"]) == 5
    assert copy.passphrase.text() == ""
    assert "5 records were written" in text(page, "case.copy.done")


def test_time_is_extended_with_a_reason_only(page, fake, settled):
    page.parts.show(0, final=False)
    press(page, "case.extend")
    form = page.parts.request.extend_form
    assert "December 10, 2026" in text(page, "case.extend_form.lead")
    assert not form.give.isEnabled()
    form.reason.setText("many stores")
    form.give.click()
    settled()
    assert fake.called("case_extend") == [["many stores", None]]
    assert "many stores" in page.parts.request.facts.texts


def test_a_wrong_record_is_corrected_without_leaving_the_case(page, fake, settled):
    finds = page.parts.finds
    press(page, "case.correct")
    settled()
    form = finds.correct
    assert form.text.hasFocus()
    assert form.text.toPlainText() == "Zofia Quillfeather, zofia.q@example.org, is on call."
    assert not form.correct.isEnabled()
    form.text.setPlainText("Nobody is on call.")
    press(page, "case.correct.give")
    settled()
    assert fake.called("case_correct") == [[1, {"text": "Nobody is on call."}]]
    assert banner(page, "case.banner").startswith("Corrected. The old text is gone for good")
    assert finds.model.rowCount() == 3
    finds.select(2)  # a log has no text of its own
    assert not child(page, Button, "case.correct").isVisible()


def test_it_is_not_closed_with_something_undecided_unless_that_is_chosen(page, fake, settled):
    number = page._case.number
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


def test_a_lock_empties_it(page, window, settled):
    window.cover()
    QApplication.processEvents()
    held = [what for _widget, what in shown(page) if "Zofia" in what or "仇夏莲" in what]
    assert held == []
    assert page._finds is None
    assert page.parts.finds.model.rowCount() == 0


def test_a_new_case_says_how_each_name_is_read(fake, window, settled):
    window.go("case_new")
    settled()
    page = window._panes.host.page
    begin = child(page, Button, "case_new.begin")
    assert not begin.isEnabled()
    child(page, QLineEdit, "case_new.name").setText(NAME)
    child(page, QPlainTextEdit, "case_new.also").setPlainText(
        "zofia.q@example.org\n+48 601 234 567"
    )
    said = text(page, "case_new.read_as")
    assert said == (
        f"Looked for as name: {NAME}, e-mail: zofia.q@example.org, telephone: +48 601 234 567"
    )
    page.received.setText("2027-01-31")
    assert page.due.day == date(2027, 2, 28)
    page.term.choose("45-days")
    assert page.due.day == date(2027, 3, 17)
    begin.click()
    settled()
    (wanted,) = fake.called("case_new")[0]
    assert wanted.subject.title == NAME
    assert wanted.due is None
    assert window.page_name == "case"


def test_a_request_is_changed_and_what_was_typed_outlives_a_lock(page, fake, window, settled):
    page.parts.show(0, final=False)
    press(page, "case.change")
    settled()
    form = window._panes.host.page
    assert text(window, "case_new.title") == "Change the request"
    assert form.also.given == ("zofia.q@example.org", "+48 601 234 567", "仇夏莲")
    assert form.drafts() == ()
    form.also.setPlainText("仇夏莲\nzq_1984")
    form.notes.setPlainText("came by post")
    window.lock()
    settled()
    window.unlock()
    settled()
    press_in_banner(window, "Go on with it", "window.draft")
    settled()
    press(window, "case_new.begin")
    settled()
    (given,) = fake.called("case_edit")[0]
    assert [one.text for one in given["subject"].named] == [NAME, "仇夏莲", "zq_1984"]
    assert (given["notes"], given["identity"].at) == ("came by post", "2026-11-11")
    assert window.page_name == "case"
    assert page.parts.request.isVisible()


def test_home_shows_what_is_due_and_leads_there(fake, window, settled):
    fake.cases.known = some_cases()
    window.go("start")
    settled()
    assert "Mateo Álvarez: a copy of what is held (Art. 15)" in text(window, "start.due0")
    press(window, "start.due1.show")
    settled()
    assert window.page_name == "case"
    assert text(window, "case.title") == NAME


def test_cases_that_cannot_be_read_are_not_passed_over(fake, window, settled):
    fake.cases.known, fake.cases.is_kept = some_cases(), False
    window.go("start")
    settled()
    said = "Secret Service is locked. Cases that may be due cannot be read."
    assert text(window, "start.due.unread") == said
    window.go("cases")
    settled()
    assert text(window, "cases.unkept") == said
    press(window, "cases.again")
    settled()
    assert fake.called("keeper_again") == [[]]
    assert window._panes.host.page.rows.count() == 3
    window.go("start")
    settled()
    assert "Mateo" in text(window, "start.due0")


def test_a_list_of_people_becomes_cases_of_those_who_have_none(fake, window, settled, tmp_path):
    fake.cases.known = some_cases()
    window.go("cases")
    settled()
    page = window._panes.host.page
    press(window, "cases.list_wanted")
    form = page.form
    file = tmp_path / "people.csv"
    file.write_text("subject;also\nAda;ada@x.example\nx\n")
    form.path.set_path(str(file))
    press(window, "cases.from_list.read")
    settled()
    assert "line 3" in text(window, "cases.from_list.told")
    file.write_text(f"subject;also\nAda Byron;ada@x.example\n{NAME};\n李雷;\n")
    press(window, "cases.from_list.read")
    settled()
    said = text(window, "cases.from_list.told")
    assert said == "Ada Byron, 李雷\n1 person has a case already that waits"
    form.right.choose("access")
    press(window, "cases.from_list.make")
    settled()
    made = [one for (one,) in fake.called("case_new")]
    assert [(one.subject.title, one.right) for one in made] == [
        ("Ada Byron", "access"),
        ("李雷", "access"),
    ]
    assert page.rows.count() == 5
    assert banner(window, "cases.banner") == "2 cases were made."
    window.cover()
    assert not form.isVisible()


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
