# SPDX-License-Identifier: MIT
import json
import threading
from dataclasses import replace

import pytest
import scene
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget

from memory_gui.domain.errors import UserError
from memory_gui.domain.keptrecords import KeptRecords
from memory_gui.erasure.limits import PAPER, Limit
from memory_gui.erasure.proof import Find
from memory_gui.erasure.result import EraseState
from memory_gui.ui.pages.erase import ErasePage
from memory_gui.ui.widgets import DangerButton


def said(page: QWidget) -> str:
    labels = [w.text() for w in page.findChildren(QLabel) if w.isVisible()]
    views = [w.toPlainText() for w in page.findChildren(QPlainTextEdit) if w.isVisible()]
    return "\n".join(labels + views)


@pytest.fixture
def erase(fake, shown):
    def begin(count=3, **values):
        fake.library.fill([scene.memory(f"key_{n}", f"text {n}") for n in range(count)])
        fake.erasing.plan_value = scene.plan(count)
        fake.erasing.result = scene.result()
        for name, value in values.items():
            setattr(fake.erasing, name, value)
        return shown(ErasePage, tuple(fake.library.records))

    return begin


def test_the_plan_counts_what_goes_by_file_and_kind_and_names_a_sample(erase):
    page = erase(7, holders=(scene.AGENTAO,))
    text = said(page)
    for line in (
        "7 records, 1 older copy in the trash, and 2 proposals that repeat it",
        "atlas/.agentao/memory.db",
        "7 memories",
        "2 proposals, with evidence",
        "28 entries of the change log",
        "Key 0",
        "and 2 more",
        "agentao (pid 4121)",
        scene.LOG,
        "1 session summary in this store repeats it and stays",
    ):
        assert line in text, line


def test_the_plan_shows_what_is_foreign_and_carrying_it_out_is_the_yes(erase, fake, settled):
    plan = scene.plan(3)
    sql = "CREATE TRIGGER t AFTER DELETE ON memories BEGIN SELECT 1; END"
    stores = (replace(plan.stores[0], foreign_sql=(sql,)), *plan.stores[1:])
    kept = (KeptRecords(4, "keep.not_asked", 2),)
    page = erase(plan_value=replace(plan, stores=stores, kept_in_cases=kept))
    assert sql in said(page)
    assert "2 records that are erased or changed here were to be kept by case 4" in said(page)
    page.erase.click()
    settled()
    assert fake.called("run")[0][1]["despite_foreign"] is True


def test_cancel_has_the_keyboard_and_changes_nothing(erase, fake, qtbot, settled):
    page = erase()
    assert page.cancel.hasFocus()
    assert page.erase.text() == "Erase 6 records"
    with qtbot.waitSignal(page.closed):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    settled()
    assert not fake.called("run")


def test_only_the_act_itself_is_red(erase):
    page = erase()
    assert [w.objectName() for w in page.findChildren(DangerButton)] == ["erase.run"]


def test_by_keyboard_to_the_proof_and_the_receipt(erase, fake, settled, tmp_path, qtbot):
    page = erase()
    changes = []
    page.changed.connect(changes.append)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert page.erase.hasFocus()
    QTest.keyClick(page.erase, Qt.Key.Key_Space)
    settled()
    plan, kwargs = fake.called("run")[0]
    assert plan is fake.erasing.plan_value
    assert not kwargs.get("accept_side_files")
    assert page.result_view.heading.text() == "Proved gone"
    assert "content and structure" in said(page)
    assert changes[0].removed == tuple(fake.library.records)
    page.result_view.show_receipt.click()
    assert '"state": "proved"' in page.result_view.receipt.toPlainText()
    page.result_view.path.set_path(str(tmp_path / "receipt.json"))
    page.result_view.save.click()
    settled()
    assert "receipt.json" in page.result_view.saved.text()
    saved = tmp_path / "receipt.json"
    assert saved.stat().st_mode & 0o777 == 0o600
    receipt = json.loads(saved.read_text(encoding="utf-8"))
    assert (receipt["state"], receipt["signed"]) == ("proved", False)
    assert "Key 0" not in saved.read_text(encoding="utf-8")
    printed = tmp_path / "receipt.pdf"
    assert printed.read_bytes().startswith(b"%PDF")
    assert printed.stat().st_mode & 0o777 == 0o600
    page.result_view.save.click()  # a file that is there is never overwritten
    settled()
    assert page.frame.banner.text


def test_more_than_twenty_need_their_number_typed(erase, fake, settled):
    page = erase(34)
    assert not page.erase.isEnabled()
    assert page.plan_view.number.hasFocus()
    QTest.keyClicks(page.plan_view.number, "33")
    assert not page.erase.isEnabled()
    page.plan_view.number.clear()
    QTest.keyClicks(page.plan_view.number, "37")  # three go that were not chosen by name
    assert page.erase.isEnabled()
    QTest.keyClick(page.plan_view.number, Qt.Key.Key_Tab)
    assert page.erase.hasFocus()
    QTest.keyClick(page.erase, Qt.Key.Key_Space)
    settled()
    assert len(fake.called("run")) == 1


def test_twenty_need_no_number(erase):
    page = erase(17)
    assert page.erase.isEnabled()
    assert not page.plan_view.number.isVisible()


def test_progress_names_each_step_once_in_order(erase, fake, settled):
    page = erase(ticks=(("delete", 0, 2), ("delete", 2, 2), ("vacuum", 0, 0)))
    page.erase.click()
    settled()
    assert page.steps_view.steps == ["delete", "vacuum"]


def test_stopped_in_time_nothing_was_changed(erase, fake, settled, qtbot):
    page = erase(gate=threading.Event())
    page.erase.click()
    qtbot.waitUntil(lambda: bool(fake.called("run")))
    assert not page.may_leave()
    page.cancel.click()
    settled()
    assert "Nothing was changed" in page.frame.banner.text
    assert page.plan_view.isVisible()
    assert page.may_leave()


def test_in_use_claims_nothing_and_can_be_tried_again(erase, fake, settled):
    page = erase(results=[scene.in_use(), scene.result()])
    page.erase.click()
    settled()
    assert page.result_view.heading.text() == "Not finished: agentao (pid 4121) has it open"
    assert "Proved" not in page.result_view.heading.text()
    assert not page.result_view.accept.isVisible()
    page.result_view.try_again.click()
    settled()
    assert page.result_view.heading.text() == "Proved gone"


def test_side_files_are_named_and_may_be_accepted(erase, fake, settled):
    page = erase(results=[scene.still_in_log(), scene.result()])
    page.erase.click()
    settled()
    assert page.result_view.heading.text() == "Not proved: still in agentao.log and 1.json"
    assert f"{scene.LOG} (7 places)" in said(page)
    before = page.result_view.document
    page.result_view.accept.click()
    settled()
    assert len(fake.called("run")) == 1  # nothing is erased or looked at again
    assert page.result_view.heading.text() == "Gone, except for what you accepted"
    text = said(page)
    assert "found nothing of it" not in text
    assert "Proved by" not in text
    assert "Traces found" not in text
    assert "4 memories" in text  # what the run took out
    after = page.result_view.document
    assert (after["counts"], after["steps"]) == (before["counts"], before["steps"])
    assert after["state"] == "proved"
    assert "limit.side_file" in [one["code"] for one in after["not_covered"]]


def test_what_is_not_proved_says_nothing_that_sounds_proved(erase, settled):
    page = erase(results=[scene.still_in_log()])
    page.erase.click()
    settled()
    assert "Proved by" not in said(page)
    assert "Traces found" not in said(page)


def test_the_plan_offers_to_take_the_summaries_that_repeat_it(erase, fake, settled):
    page = erase()
    fake.erasing.plan_value = replace(scene.plan(), stores=(scene.without_summaries(),))
    assert page.plan_view.include.text() == "Erase this summary too"
    page.plan_view.include.click()
    settled()
    chosen = fake.called("plan")[-1][0]
    assert chosen == (*fake.library.records, scene.SUMMARY)
    assert not page.plan_view.repeats.isVisible()


def test_summaries_that_still_repeat_it_are_erased_as_part_of_the_same_act(erase, fake, settled):
    page = erase(results=[scene.still_in_summary(), scene.result()])
    page.erase.click()
    settled()
    heading = "Not proved: still in session summaries in this store"
    assert page.result_view.heading.text() == heading
    assert "files of the agent" not in said(page)
    fake.erasing.plan_value = scene.plan_of_summary()
    page.result_view.more.click()
    settled()
    assert fake.called("plan")[-1][0] == (scene.SUMMARY,)
    assert page.erase.text() == "Erase 1 record"
    page.erase.click()
    settled()
    plan = fake.called("run")[-1][0]
    assert {rows.kind for store in plan.stores for rows in store.rows} == {
        "memory", "review", "event", "summary",
    }  # fmt: skip
    assert page.result_view.heading.text() == "Proved gone"


def test_a_long_file_name_is_cut_in_its_middle_in_the_heading(erase, settled):
    name = "0123456789abcdef" * 8 + ".json"
    finds = (Find(f"/home/ann/atlas/{name}", "session", 1),)
    proof = replace(scene.PROOF, finds=finds)
    page = erase(results=[scene.result(EraseState.NOT_PROVED, proof=proof)])
    page.erase.click()
    settled()
    heading = page.result_view.heading
    assert "…" in heading.text()
    assert heading.fontMetrics().horizontalAdvance(max(heading.text().split(), key=len)) < 500
    right = heading.mapTo(page, heading.rect().bottomRight()).x()
    assert right <= page.width()


def test_saving_stays_in_sight_when_the_receipt_is_shown(erase, settled):
    page = erase()
    page.erase.click()
    settled()
    page.result_view.show_receipt.click()
    settled()
    bottom = page.result_view.save.rect().bottomRight()
    assert page.result_view.save.mapTo(page, bottom).y() < page.done.mapTo(page, QPoint()).y()
    assert page.result_view.receipt.isVisible()


def test_a_wrapped_path_and_its_number_begin_at_the_same_height(erase, settled):
    page = erase()
    going = page.plan_view.going
    for label in going.findChildren(QLabel):
        assert label.alignment() & Qt.AlignmentFlag.AlignTop or label.height() < 30


def test_a_failure_goes_back_to_the_plan_with_its_cause(erase, fake, settled):
    page = erase()
    fake.fail_next["run"] = UserError("store.missing", path="/gone")
    page.erase.click()
    settled()
    assert "There is no file at /gone." in page.frame.banner.text
    assert page.plan_view.isVisible()


def test_a_plan_that_cannot_be_made_says_why(fake, shown):
    fake.fail_next["plan"] = UserError("store.missing", path="/gone")
    page = shown(ErasePage, (scene.NEW.ref,))
    assert "There is no file at /gone." in said(page)
    assert not page.erase.isVisible()


def test_after_the_lock_no_title_and_no_plan_is_left(erase):
    page = erase(7)
    page.clear()
    assert not [w for w in page.findChildren(QLabel) if "Key 0" in w.text()]
    page.erase.click()
    assert not page.run_view.running


def test_nothing_chosen_plans_nothing(fake, shown):
    page = shown(ErasePage, ())
    assert "Nothing is chosen" in said(page)
    assert not fake.called("plan")


def test_a_bug_while_erasing_leaves_nothing_running_and_claims_nothing(erase, fake, settled):
    page = erase()
    went = []
    page.go.connect(lambda name, argument: went.append(name))
    fake.fail_next["run"] = ZeroDivisionError()
    page.erase.click()
    settled()
    assert page.may_leave()
    assert page.plan_view.isVisible()
    assert "stopped before it was proved" in page.frame.banner.text
    page.frame.banner.findChild(QWidget, "banner.action0").click()
    assert went == ["pending"]


class TestTheKey:
    def plan(self, **values):
        plan = scene.plan(3)
        first = replace(plan.stores[0], encrypted=True, key_policy="new", **values)
        return replace(plan, stores=(first, *plan.stores[1:]))

    def test_a_new_one_is_said_first_and_may_be_declined(self, erase, fake, settled):
        page = erase(plan_value=self.plan())
        assert "gets a new key, and the old one is destroyed" in said(page)
        assert page.plan_view.keep_key.isVisible()
        page.plan_view.keep_key.click()
        settled()
        text = said(page)
        assert "gets a new key" not in text
        assert "keeps its key" in text
        page.erase.click()
        settled()
        (plan, _options) = fake.called("run")[0]
        assert {store.key_policy for store in plan.stores} == {"keep"}

    def test_and_accepted_again(self, erase, fake, settled):
        page = erase(plan_value=self.plan())
        page.plan_view.keep_key.click()
        page.plan_view.keep_key.click()
        page.erase.click()
        settled()
        assert fake.called("run")[0][0].stores[0].key_policy == "new"

    def test_the_paper_that_stops_working_is_named_once(self, erase):
        paper = Limit(PAPER, {"date": "2026-11-02"})
        plan = replace(self.plan(paper="2026-11-02"), not_covered=(paper, Limit("limit.flash")))
        page = erase(plan_value=plan)
        text = said(page)
        assert text.count("The paper of November 2, 2026 stops working") == 1
        assert "the old one is destroyed" not in text

    def test_an_old_key_that_waits_is_no_plain_proof(self, erase, fake, settled):
        page = erase(plan_value=self.plan(paper="2026-11-02"))
        done = scene.result()
        key = "new-old-kept-until-recovery"
        stores = tuple(replace(store, key=key) for store in done.stores)
        paper = Limit(PAPER, {"date": "2026-11-02"})
        fake.erasing.result = replace(done, stores=stores, not_covered=(paper,))
        page.erase.click()
        settled()
        heading = page.result_view.heading.text()
        assert "The store has a new key" in heading
        assert "kept until the new recovery key is confirmed" in heading
        assert "stops working" not in said(page)
        gone = []
        page.go.connect(lambda name, store: gone.append((name, store)))
        page.result_view.recovery.click()
        assert gone == [("recovery", stores[0].path)]

    def test_a_readable_store_has_no_word_of_keys(self, erase):
        plan = scene.plan(3)
        stores = tuple(replace(store, encrypted=False) for store in plan.stores)
        page = erase(plan_value=replace(plan, stores=stores))
        assert not page.plan_view.keys.isVisible()
        assert not page.plan_view.keep_key.isVisible()


def test_an_erase_that_waits_goes_on_by_itself_when_the_other_program_lets_go(
    erase, fake, settled, monkeypatch, qtbot
):
    monkeypatch.setattr("memory_gui.ui.pages.waiting.EVERY_MS", 20)
    page = erase(results=[scene.in_use()])
    page.erase.click()
    settled()
    assert page.run_view.outcome.result.state is EraseState.NOT_FINISHED
    qtbot.waitUntil(lambda: len(fake.called("is_free")) > 1, timeout=5000)
    assert len(fake.called("run")) == 1
    fake.erasing.free = True
    qtbot.waitUntil(lambda: len(fake.called("run")) == 2, timeout=5000)
    settled()
    assert page.result_view.heading.text() == "Proved gone"


def test_the_lock_ends_the_waiting(erase, fake, settled, monkeypatch, qtbot):
    monkeypatch.setattr("memory_gui.ui.pages.waiting.EVERY_MS", 20)
    page = erase(results=[scene.in_use()])
    page.erase.click()
    settled()
    assert page._waiting.active
    page.clear()
    assert not page._waiting.active
    asked = len(fake.called("is_free"))
    qtbot.wait(100)
    assert len(fake.called("is_free")) <= asked + 1


def test_files_of_the_agent_are_left_alone_where_a_person_says_so(erase, fake, settled):
    page = erase(held=(("/x/memory.db", 9, 5),))
    assert "held for about 9 seconds" in said(page)
    page.plan_view.keep_files.setChecked(True)
    page.erase.click()
    settled()
    assert fake.called("run")[0][1]["clean_side_files"] is False


def test_whole_transcripts_go_where_a_person_says_so(erase, fake, settled):
    made = scene.plan()
    file = replace(made.side_files[1], what="session", cleanable=True)
    stores = tuple(replace(store, side_files=(file,)) for store in made.stores)
    page = erase(plan_value=replace(made, stores=stores))
    assert page.plan_view.whole_files.isVisible()
    page.plan_view.whole_files.setChecked(True)
    page.erase.click()
    settled()
    (plan, _) = fake.called("run")[0]
    assert [one.whole for one in plan.side_files] == [True]
