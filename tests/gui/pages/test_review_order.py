# SPDX-License-Identifier: MIT
"""Review and its rules decide on what is shown, whichever answer comes first."""

from __future__ import annotations

from dataclasses import replace

from fake_services import PROJECT, USER
from PySide6.QtCore import Qt
from reviewing import press, said
from scene import ITEMS, NEW
from test_rules import RULE

from memory_gui.domain.changes import Decision, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State
from memory_gui.services.reviewing.rules import Planned, RulePlan
from memory_gui.ui.review.rulespage import RulesPage


def test_the_queue_is_that_of_the_store_chosen_last(review, fake, settled, qtbot, held):
    other = replace(NEW, ref=Ref(USER, "review", ("0000beef",)))
    page = review(items=(*ITEMS, other))
    look = held(fake.review, "queue")
    page.choose_store(PROJECT)
    look.begun()
    page.choose_store(USER)
    qtbot.waitUntil(lambda: page._queue.ref == other.ref)
    look.let_go()
    settled()
    assert page._queue.ref == other.ref
    assert page._queue.place == (1, 1)


def test_what_waits_is_not_shown_among_what_is_decided(review, fake, settled, qtbot, held):
    page = review()
    look = held(fake.review, "queue")
    page.refresh()
    look.begun()
    page.which.setCurrentIndex(1)
    qtbot.waitUntil(lambda: "Nothing is decided yet" in said(page))
    look.let_go()
    settled()
    assert "Nothing is decided yet" in said(page)


def test_a_list_from_before_shows_nothing_that_is_decided_by_now(
    review, fake, settled, qtbot, held
):
    page = review()
    look = held(fake.review, "queue")
    page.refresh()
    look.begun()
    press(page, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: page.place.text() == "1 of 4")
    look.let_go()
    settled()
    assert page.place.text() == "1 of 4"
    assert fake.library.records[NEW.ref].state is State.REJECTED


def test_evidence_of_the_store_before_is_not_removed(review, fake, settled, qtbot, held):
    page = review()
    page.which.setCurrentIndex(1)
    settled()
    fake.review.with_evidence = lambda store=None: (NEW.ref,) if store is None else ()
    count = held(fake.review, "with_evidence")
    page.refresh()
    count.begun()
    page.choose_store(PROJECT)
    qtbot.waitUntil(lambda: page._store == PROJECT and not page._items.busy)
    count.let_go()
    settled()
    assert not page.evidence.isVisible()


def test_letters_typed_after_saving_are_not_approved_with_it(review, fake, settled, held):
    page = review()
    press(page, Qt.Key.Key_E)
    page.editor.text.setPlainText("seen")
    preview = held(fake.review, "preview")
    page._on_edited()
    preview.begun()
    page.editor.text.setPlainText("seen, and not meant yet")
    page._on_editor_changed()
    preview.let_go()
    settled()
    assert not fake.called("decide")
    assert page.editor.isVisible()


def test_a_failed_look_ends_no_act_on_several(review, fake, settled, held):
    page = review()
    page.many.click()
    settled()
    act = held(fake.review, "decide_all")
    page.several.reject.click()
    act.begun()
    page._many._on_not_looked(UserError("key.empty"))
    assert page._many.busy
    act.let_go()
    settled()
    assert not page._many.busy


def test_several_of_the_store_before_are_put_away(review, fake, settled, qtbot, held):
    page = review()
    look = held(fake.review, "waiting")
    page.many.click()
    look.begun()
    page.hide()  # elsewhere another store is chosen
    page.choose_store(USER)
    look.let_go()
    settled()
    page.show()
    assert page.several.isHidden()
    assert page.several._look is None


def test_the_plan_of_rules_is_that_of_the_store_chosen_last(fake, shown, settled, held):
    page = shown(RulesPage, PROJECT)
    one = Planned(RULE, Decision(Target(NEW.ref), Verdict.APPROVE), NEW.title)
    fake.rules.plan_next = RulePlan((one,), {}, 9)
    plan = held(fake.rules, "plan")
    page.look.click()
    plan.begun()
    row = page.store.findData(str(USER))
    page.store.setCurrentIndex(row)
    page.store.activated.emit(row)
    plan.let_go()
    settled()
    assert page.would.text() == ""
    assert page.look.isEnabled()


def test_a_rule_of_the_store_before_cannot_be_taken_off_here(fake, shown, settled, held):
    fake.rules.book.add_approving(PROJECT, 3)
    page = shown(RulesPage, PROJECT)
    assert page.list._rows.count()
    look = held(fake.rules.book, "of")
    row = page.store.findData(str(USER))
    page.store.setCurrentIndex(row)
    page.store.activated.emit(row)
    look.begun()
    assert page.list.findChild(object, "rules.remove0") is None
    look.let_go()
    settled()


def test_undo_pressed_twice_takes_back_that_decision_alone(review, fake, settled, held):
    fake.editing.trash([ITEMS[-1].ref])
    page = review()
    press(page, Qt.Key.Key_R)
    settled()
    undo = held(fake.editing, "undo")
    page._on_undo()
    undo.begun()
    page._on_undo()
    undo.let_go()
    settled()
    assert len(fake.called("undo")) == 1
