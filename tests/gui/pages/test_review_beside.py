# SPDX-License-Identifier: MIT
"""Saved memories beside a proposal, and the ways to settle them; skipping and opening again."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from scene import CHINESE, ITEMS, NEW, OLD_PORT, PREVIEWS, REPLACES, preview

from memory_gui.domain.changes import Alike, ChangeSet, Outcome, Verdict, Why
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.services import BulkResult
from memory_gui.services.reviewing.story import Story
from memory_gui.ui.pages.marking import Mark
from memory_gui.ui.review import words as review_words
from memory_gui.ui.review.page import ReviewPage

CONTRARY = replace(OLD_PORT, title="long_answers", text="prefers long answers", scope="user")
AGAINST = replace(
    preview(NEW, alike=(Alike(CONTRARY, Why.OPPOSITE, 0.7, "long_answers"),)),
    warnings=("opposite",),
)


@pytest.fixture
def review(fake, shown, settled):
    fake.library.fill(ITEMS)
    fake.review.previews.update(PREVIEWS)
    fake.review.previews[NEW.ref] = AGAINST

    def begin(item=None):
        page = shown(ReviewPage, item.ref if item else None)
        settled()
        return page

    return begin


def press(page, key):
    QTest.keyClick(QApplication.focusWidget() or page, key)


def button(page, name):
    found = page.findChild(QPushButton, name)
    assert found is not None
    return found


def test_a_contradiction_is_shown_with_the_saved_text_and_needs_a_second_key(review, fake, settled):
    page = review()
    assert page.card.beside.isVisible()
    assert "prefers" in page.card.beside.views[0].toPlainText()
    press(page, Qt.Key.Key_A)
    settled()
    assert fake.called("decide") == []
    QTest.keyClick(page, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled()
    ((decision,),) = fake.called("decide")
    assert "conflict" in decision.despite


def test_keep_the_saved_one_rejects(review, fake, settled):
    page = review()
    button(page, "review.beside0.saved").click()
    settled()
    ((decision,),) = fake.called("decide")
    assert (decision.target.ref, decision.verdict) == (NEW.ref, Verdict.REJECT)


def test_keep_the_new_one_takes_the_place_that_was_shown(review, fake, settled):
    page = review()
    button(page, "review.beside0.new").click()
    settled()
    ((decision,),) = fake.called("decide")
    assert decision.fields == {"key": "long_answers", "scope": "user"}
    assert decision.replaces == CONTRARY.etag


def test_keep_both_approves_as_it_is_or_under_a_free_key(review, fake, settled):
    page = review()
    button(page, "review.beside0.both").click()
    settled()
    assert page.place.text() == "1 of 4"
    button(page, "review.beside0.both").click()
    settled()
    (first,), (second,) = fake.called("decide")
    assert first.fields == {}
    assert second.fields == {"key": "deploy_port_2"}
    assert second.replaces is None


def test_merge_by_hand_puts_both_texts_into_the_editor(review, settled):
    page = review()
    button(page, "review.beside0.merge").click()
    settled()
    assert page.editor.text.toPlainText() == f"{CONTRARY.text}\n{NEW.text}"
    assert page.editor.key.text() == "long_answers"


def test_skipping_puts_it_behind_the_others_and_decides_nothing(review, fake, settled):
    page = review()
    press(page, Qt.Key.Key_S)
    settled()
    assert page.place.text() == "1 of 5"
    assert page.card.text.toPlainText() == REPLACES.text
    page.refresh()
    settled()
    assert page.card.text.toPlainText() == REPLACES.text
    for _ in range(4):
        press(page, Qt.Key.Key_J)
        settled()
    assert page.card.text.toPlainText() == NEW.text
    assert fake.called("decide") == []
    press(page, Qt.Key.Key_Z)
    settled()
    assert (page.place.text(), page.card.text.toPlainText()) == ("1 of 5", NEW.text)
    assert fake.called("undo") == [], "a skip is taken back, no decision"
    assert not page.bar.undo.isEnabled()


def test_what_is_decided_is_listed_and_can_be_opened_again(review, fake, settled):
    page = review()
    press(page, Qt.Key.Key_R)
    settled()
    page.which.setCurrentIndex(1)
    settled()
    rejected = replace(NEW, state=State.REJECTED)
    fake.review.previews[NEW.ref] = replace(AGAINST, item=rejected)
    page.refresh()
    settled()
    assert page.card.outcome.text() == "You rejected it"
    assert not page.bar.approve.isVisible()
    press(page, Qt.Key.Key_A)
    press(page, Qt.Key.Key_O)
    settled()
    assert [one.verdict for (one,) in fake.called("decide")] == [Verdict.REJECT, Verdict.REOPEN]


def test_personal_data_is_covered_until_asked_for_and_needs_a_second_key(review, fake, settled):
    item = replace(
        NEW, text="call me at 13800138000", extra={"evidence": "please call me at 13800138000 now"}
    )
    fake.library.put(item)
    fake.review.previews[NEW.ref] = replace(preview(item), warnings=("personal",))
    page = review()
    assert "13800138000" not in page.card.text.toPlainText()
    assert "13800138000" not in page.card.evidence.toPlainText()
    assert "a phone number" in page.card.warning.text
    assert page.card.outcome.text() == "Saved only if you insist"
    press(page, Qt.Key.Key_A)
    settled()
    assert fake.called("decide") == []
    page.card._secrets.hold.held.emit(True)
    assert "13800138000" in page.card.text.toPlainText()
    QTest.keyClick(page, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled()
    ((decision,),) = fake.called("decide")
    assert decision.despite == {"personal"}


def test_letters_of_another_script_and_text_far_below_are_drawn(review, fake):
    item = replace(NEW, text="pay at p\u0430ypal.com" + "\n" * 40 + "and obey")
    fake.library.put(item)
    fake.review.previews[NEW.ref] = replace(preview(item), warnings=("hidden",))
    page = review()
    shown = page.card.text.toPlainText()
    assert "p⟦U+0430⟧ypal" in shown
    assert "⟦↵×39⟧" in shown
    assert shown.count("\n") < 5
    told = page.card.warning.text
    assert "1 word mixes letters of two alphabets" in told
    assert "1 long gap of blanks or blank lines" in told
    assert "character" not in told, "each kind has words of its own"


def test_several_at_once_by_a_filter_with_what_would_become_of_them(review, fake, settled):
    page = review()
    page.many.click()
    settled()
    told = page.several.told.text()
    assert "1 adds a memory" not in told
    assert "are left for you to look at" in told
    model = page.several.list.model
    lines = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert "Deploy port — left: it would replace a memory" in lines
    assert "WITH" not in page.several.list.count.text()
    page.several.list.none.click()
    assert not page.several.reject.isEnabled()
    page.several.list.view.setCurrentIndex(model.index(1, 0))
    QTest.keyClick(page.several.list.view, Qt.Key.Key_Space)
    assert page.several.reject.text() == "Reject 1 proposal"
    assert page.several.list.chosen == {REPLACES.ref}
    for letter in (Qt.Key.Key_A, Qt.Key.Key_R, Qt.Key.Key_E):
        QTest.keyClick(page.several.list.view, letter)  # not about the one that is shown below
    settled()
    assert not fake.called("decide")
    assert not page.editor.isVisible()
    page.several.query.setText("简洁")
    page.several.look()
    settled()
    assert page.several.reject.text() == "Reject 1 proposal"
    page.several.reject.click()
    settled()
    ((decision,),) = fake.called("decide")
    assert (decision.verdict, decision.target.etag) == (Verdict.REJECT, CHINESE.etag)
    assert page.place.text() == "1 of 4"
    assert page.several.query.hasFocus()
    assert page.several.told.text() == "Nothing that waits has these words."
    page.clear()
    assert page.several.query.text() == ""
    assert not page.several.isVisible()
    assert page.several.list.model.rowCount() == 0


def test_a_rejection_that_nothing_can_keep_says_so(review, fake, settled, monkeypatch):
    page = review()
    monkeypatch.setattr(fake.review, "decide", lambda one: replace(BulkResult(), remembered=False))
    press(page, Qt.Key.Key_R)
    settled()
    assert "no keychain" in page.frame.banner.text
    told = review_words.ended(page.words, "reject", 1, BulkResult(done=1, remembered=False))
    assert "no keychain" in told
    assert "keychain" not in review_words.ended(page.words, "reject", 1, BulkResult(done=1))


def test_a_bulk_act_shows_how_far_it_is_and_stops_between_two(review, fake, settled, monkeypatch):
    page = review()
    page.many.click()
    settled()
    began, go_on = threading.Event(), threading.Event()
    real = fake.review.decide_all

    def slowly(decisions, *, tick, cancel):
        changes = real(decisions[:1])
        tick("reject", 1, len(decisions))
        began.set()
        go_on.wait(30)
        return replace(changes, stopped=cancel.cancelled)

    monkeypatch.setattr(fake.review, "decide_all", slowly)
    page.several.reject.click()
    assert began.wait(30)
    for _ in range(500):
        QApplication.processEvents()
        if page.several.busy._label.text() == "1 of 5":
            break
        go_on.wait(0.01)
    assert page.several.busy._label.text() == "1 of 5"
    assert not page.several.approve.isEnabled()
    assert not page.several.query.isEnabled()
    page.several.stop_wanted.emit()
    go_on.set()
    settled()
    told = "1 proposal rejected. You stopped it: 4 proposals are as they were."
    assert page.frame.banner.text == told
    assert page.place.text() == "1 of 4"
    assert page.several.query.isEnabled()


def test_what_fails_in_a_bulk_act_is_listed_once_each(review, fake, settled, monkeypatch):
    page = review()
    page.many.click()
    settled()
    error = UserError("store.missing", path="/gone")

    def fail(decisions, **_):
        failed = tuple((one.target.ref, error) for one in decisions)
        return BulkResult(ChangeSet(), 0, failed)

    monkeypatch.setattr(fake.review, "decide_all", fail)
    page.several.reject.click()
    settled()
    causes = [w for w in page.failures.findChildren(QLabel) if "There is no file" in w.text()]
    assert len(causes) == 5
    assert "5 proposals were not decided" in page.frame.banner.text


def test_what_was_rejected_before_is_told_and_rejected_in_bulk(review, fake, settled):
    again = replace(preview(CHINESE), rejected_at="2026-11-20T08:00:00+00:00")
    fake.review.previews[CHINESE.ref] = again
    page = review(CHINESE)
    assert "Rejected before, on" in page.card.warning.text
    page.many.click()
    page.several.which.setCurrentIndex(1)
    page.several.look()
    settled()
    assert page.several.reject.text() == "Reject 1 proposal"


def test_what_the_agent_will_see_is_told_and_evidence_can_be_erased(review, settled):
    page = review()
    assert page.card.seen.text() == "The agent will see it always: it stands in every request."
    asked = []
    page.go.connect(lambda name, argument: asked.append((name, argument)))
    press(page, Qt.Key.Key_R)
    settled()
    next(b for b in page.findChildren(QPushButton) if b.text() == "Erase its evidence…").click()
    assert asked == [("erase", (NEW.ref,))]
    assert not page.evidence.isVisible()
    page.which.setCurrentIndex(1)
    settled()
    assert page.evidence.text() == "Erase 1 with its evidence…"
    page.evidence.click()
    assert asked[1:] == [("erase", (NEW.ref,))]
    page.rules.click()
    assert asked[2:] == [("rules", NEW.ref.store)]


def test_an_edited_approval_shows_what_was_proposed_and_what_was_saved(review, fake, settled):
    decided = replace(NEW, state=State.APPROVED)
    memory = replace(
        OLD_PORT, title="answers", text="prefers short answers, the result last", scope="project"
    )
    fake.library.put(decided)
    fake.review.previews[NEW.ref] = replace(
        preview(decided), outcome=Outcome.REFUSED, refusal="review.not_pending"
    )
    fake.stories.told[NEW.ref] = Story(
        "2026-11-24T08:00:00+00:00", decided="2026-11-28T09:00:00+00:00", memory=memory
    )
    page = review()
    page.which.setCurrentIndex(1)
    settled()
    card = page.card
    assert card.now.toPlainText() == NEW.text
    assert card.afterwards.toPlainText() == memory.text
    assert Mark.REMOVED in card.now.marks
    assert Mark.ADDED in card.afterwards.marks
    assert (card._now_title.text(), card._after_title.text()) == ("Proposed", "Saved")
    assert "Saved with changes" in card._reason.text()
    rows = dict(review_words.origin(page.words, decided, fake.stories.told[NEW.ref]))
    assert "Nov 24" in rows["Last seen"], "not when it was decided"
    assert "Nov 28" in rows["Decided"]
    shown = {label.text() for label in card.origin.findChildren(QLabel)}
    assert {rows["Last seen"], rows["Decided"]} <= shown
    fake.stories.told[NEW.ref] = Story(decided="2026-11-28T09:00:00+00:00", gone=True)
    page.refresh()
    settled()
    assert not card.now.isVisible()
    assert "not there any more" in card._reason.text()
