# SPDX-License-Identifier: MIT
"""A case from the list to its end, by the keyboard, and what a lock leaves of it."""

from __future__ import annotations

import json
import sys
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).parents[1]))

from casesteps import NAME, key, press
from fakes.cases import PROJECT, one_case, some_cases, some_finds, some_plan
from looking import banner, child, shown, text

from memory_gui.cases.finds import Decision, Heap, OtherCase
from memory_gui.domain.keptrecords import KeptRecords
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.running.plans import StorePart
from memory_gui.ui.cases.plan_view import CasePlanView
from memory_gui.ui.cases.tabs import Tabs
from memory_gui.ui.shell.sidebar import Sidebar
from memory_gui.ui.widgets import Button, TextLabel
from memory_gui.words import Words


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


def test_the_plan_names_what_other_cases_have_decided(qtbot):
    view = CasePlanView(Words())
    qtbot.addWidget(view)
    held = OtherCase(4, Decision.HOLD, "hold.claims")
    finds = some_finds().decided([1], lambda one: replace(one, other=held))
    erase = ErasePlan((), kept_in_cases=(KeptRecords(5, "keep.not_asked", 2),))
    parts = (StorePart(PROJECT, "Agentao", "agentao", erase=erase),)
    view.show_plan(replace(some_plan(one_case(), finds), held=1, parts=parts))
    said = "\n".join(label.text() for label in view.findChildren(TextLabel))
    assert "1 find stays: held by case 4: legal claims (GDPR 17(3)(e))" in said
    assert "is held" not in said  # not told twice
    assert "2 records that are erased or changed here were to be kept by case 5" in said
    view.wipe()
    assert "case 5" not in "".join(label.text() for label in view.findChildren(TextLabel))


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
    assert text(page, "case.find.way") == ""


def test_what_only_its_agent_can_take_out_says_what_can_be_done(page, fake, settled):
    bare = {"can": frozenset({Decision.KEEP}), "why": ("by_agent",), "agent": "Letta"}
    fake.cases.found = fake.cases.found.decided([1], lambda one: replace(one, **bare))
    press(page, "case.look_again")
    settled()
    assert text(page, "case.find.way").startswith("What you can do: change or delete the agent")
    erase = page.parts.finds.acts[Decision.ERASE]
    assert not erase.isEnabled()
    assert erase.toolTip() == erase.accessibleDescription() == text(page, "case.find.way")
    row = page.parts.finds.model.index(0)
    heard = row.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "its agent keeps this for itself: it can only be kept" in heard


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


def test_a_lock_empties_it(page, window, settled):
    window.cover()
    QApplication.processEvents()
    held = [what for _widget, what in shown(page) if "Zofia" in what or "仇夏莲" in what]
    assert held == []
    assert page.now.finds is None
    assert page.parts.finds.model.rowCount() == 0
