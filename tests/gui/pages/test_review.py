# SPDX-License-Identifier: MIT
from dataclasses import replace

import pytest
import scene
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget
from scene import (
    CHINESE,
    HIDDEN,
    ITEMS,
    NEW,
    OLD_PORT,
    PREVIEWS,
    PROJECT,
    REPLACES,
    SECRET,
    USER,
    WITH_SECRET,
)

from memory_gui.domain.changes import Outcome, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import State
from memory_gui.ui.pages.marking import Mark
from memory_gui.ui.records.bulk.acts import FOREIGN
from memory_gui.ui.review.page import ReviewPage


@pytest.fixture
def review(fake, shown, settled):
    fake.library.fill(ITEMS)
    fake.review.previews.update(PREVIEWS)

    def begin(item=None, items=ITEMS):
        if items is not ITEMS:
            fake.library.records.clear()
            fake.library.fill(items)
        page = shown(ReviewPage, item.ref if item else None)
        settled()
        return page

    return begin


def press(page, key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget() or page, key, modifier)


def said(page: QWidget) -> str:
    """Every text that a person sees on the page now."""
    labels = [w.text() for w in page.findChildren(QLabel) if w.isVisible()]
    views = [w.toPlainText() for w in page.findChildren(QPlainTextEdit) if w.isVisible()]
    return "\n".join(labels + views)


def test_the_proposal_stands_beside_its_evidence_with_the_match_marked(review):
    page = review()
    assert page.place.text() == "1 of 5"
    assert page.card.text.toPlainText() == NEW.text
    assert Mark.FOUND in page.card.evidence.marks
    for shown in ("everywhere", "preference", "short_answers", "3 times"):
        assert shown in said(page)
    assert page.card.outcome.text() == "Adds a new memory"


def test_by_keys_alone_approve_reject_move_and_take_back(review, fake, settled):
    page = review()
    press(page, Qt.Key.Key_J)
    settled()
    assert page.place.text() == "2 of 5"
    press(page, Qt.Key.Key_A)
    settled()
    (decision,) = fake.called("decide")[0]
    assert decision.target.ref == REPLACES.ref
    assert decision.target.etag == REPLACES.etag
    assert decision.verdict is Verdict.APPROVE
    assert decision.replaces == OLD_PORT.etag
    assert page.place.text() == "2 of 4"
    press(page, Qt.Key.Key_K)
    settled()
    press(page, Qt.Key.Key_R)
    settled()
    (decision,) = fake.called("decide")[1]
    assert (decision.target.ref, decision.verdict) == (NEW.ref, Verdict.REJECT)
    assert decision.replaces is None
    press(page, Qt.Key.Key_Z)
    settled()
    assert fake.called("undo")


def test_the_queue_is_of_the_store_that_is_chosen(review, fake, settled):
    """Beside the number of one store, nobody decides on what another one proposes."""
    other = replace(NEW, ref=replace(NEW.ref, store=USER, key="77"), text="of another store")
    page = review(items=[*ITEMS, other])
    assert page.place.text() == "1 of 6"
    page.choose_store(USER)
    settled()
    assert page.place.text() == "1 of 1"
    assert page.card.text.toPlainText() == "of another store"
    assert page._many.store == USER
    press(page, Qt.Key.Key_E)
    page.editor.text.setPlainText("typed")
    page.choose_store(PROJECT)  # what is typed stays until it is saved or given up
    page.refresh()
    settled()
    assert page.editor.text.toPlainText() == "typed"
    page.editor.given_up.emit()
    settled()
    assert page.place.text() == "1 of 5"
    page.show_for(other.ref)  # one that is named is shown all the same
    settled()
    assert page.card.text.toPlainText() == "of another store"


def test_replacing_shows_both_texts_with_changed_words(review):
    page = review(REPLACES)
    assert page.card.outcome.text() == "Replaces a memory"
    assert page.card.now.isVisible()
    assert Mark.REMOVED in page.card.now.marks
    assert Mark.ADDED in page.card.afterwards.marks
    assert page.card.now.toPlainText() == OLD_PORT.text


def test_hidden_characters_are_drawn_and_need_another_key(review, fake, settled):
    page = review(HIDDEN)
    assert "pay⟦U+200B⟧pal⟦U+202E⟧" in page.card.text.toPlainText()
    assert "\u202e" not in said(page)
    assert "\u200b" not in said(page)
    assert "3 characters that do not show" in page.card.warning.text
    press(page, Qt.Key.Key_A)
    settled()
    assert not fake.called("decide")
    assert "Not approved yet" in page.frame.banner.text
    press(page, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled()
    (decision,) = fake.called("decide")[0]
    assert decision.despite == {"hidden"}


def test_the_other_list_has_nothing_to_do_with_a_warning(review, settled):
    page = review(HIDDEN)
    press(page, Qt.Key.Key_A)
    settled()
    assert page.frame.banner.isVisible()
    page.which.setCurrentIndex(1)
    settled()
    assert not page.frame.banner.isVisible()


def test_hidden_characters_need_another_key_in_the_editor_too(review, fake, settled):
    page = review(HIDDEN)
    press(page, Qt.Key.Key_E)
    assert "pay⟦U+200B⟧pal⟦U+202E⟧" in page.editor.drawn.text()
    page.editor.tags.setText("pay")
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    press(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    page.editor.approve.click()
    settled()
    assert not fake.called("decide")
    assert "Not approved yet" in page.frame.banner.text
    press(page, Qt.Key.Key_Return, both)
    settled()
    (decision,) = fake.called("decide")[0]
    assert decision.despite == {"hidden"}
    assert decision.fields == {"tags": ("pay",)}
    assert not page.editor.drawn.text()


def test_what_is_drawn_below_the_editor_goes_with_what_does_not_show(review):
    page = review(HIDDEN)
    press(page, Qt.Key.Key_E)
    page.editor.hide_texts("hidden")
    assert not page.editor.drawn.text()
    page.editor.hide_texts("")
    assert page.editor.drawn.isVisible()
    page.editor.text.setPlainText("pay at paypal")
    assert not page.editor.drawn.isVisible()


def test_a_secret_is_warned_of_before_it_is_approved(review, fake, settled):
    page = review(WITH_SECRET)
    assert "password or a key" in page.card.warning.text
    assert SECRET not in page.card.warning.text
    press(page, Qt.Key.Key_A)
    settled()
    assert not fake.called("decide")


def test_a_refused_key_comes_with_another_one(review, fake, settled):
    page = review(CHINESE)
    assert page.card.outcome.text() == "Cannot be saved like this"
    take = page.findChild(QWidget, "review.take_key")
    assert "preference_2" in take.text()
    take.click()
    assert page.editor.isVisible()
    assert page.editor.fields() == {"key": "preference_2"}
    QTest.keyClick(page.editor.key, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled()
    (decision,) = fake.called("decide")[0]
    assert decision.fields == {"key": "preference_2"}


def test_edit_then_approve_in_place(review, fake, settled):
    page = review()
    press(page, Qt.Key.Key_E)
    assert page.editor.isVisible()
    assert not page.card.proposal.isVisible()
    assert page.editor.text.hasFocus()
    # Letters that are acts elsewhere are letters here.
    QTest.keyClicks(page.editor.text, "a r z ")
    assert page.editor.fields() == {"text": "a r z " + NEW.text}
    assert not fake.called("decide")
    page.editor.tags.setText("style，答案, ")
    assert page.editor.fields()["tags"] == ("style", "答案")
    QTest.keyClick(page.editor.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled()
    (decision,) = fake.called("decide")[0]
    assert decision.verdict is Verdict.APPROVE
    assert decision.fields["text"].startswith("a r z ")
    assert not page.editor.isVisible()


def test_escape_leaves_the_proposal_as_it_was(review, fake):
    page = review()
    press(page, Qt.Key.Key_E)
    QTest.keyClicks(page.editor.text, "x")
    assert not page.may_leave()
    QTest.keyClick(page.editor.text, Qt.Key.Key_Escape)
    assert not page.editor.isVisible()
    assert page.card.text.toPlainText() == NEW.text
    assert page.may_leave()
    assert not fake.called("decide")


def test_a_failure_is_listed_once_with_its_cause_and_not_tried_again(review, fake, settled):
    page = review()
    for _ in range(2):
        fake.fail_next["decide"] = UserError("store.missing", path="/gone")
        press(page, Qt.Key.Key_A)
        settled()
        if page.place.text() != "1 of 5":
            press(page, Qt.Key.Key_K)
            settled()
    assert len(fake.called("decide")) == 2  # each by a key of the person
    causes = [w for w in page.failures.findChildren(QLabel) if "There is no file" in w.text()]
    assert len(causes) == 1
    assert page.place.text() == "1 of 5"
    press(page, Qt.Key.Key_A)
    settled()
    assert not page.failures.isVisible()
    assert page.place.text() == "1 of 4"


def test_nothing_is_approved_before_its_outcome_is_known(review, fake, settled, monkeypatch):
    monkeypatch.setattr(
        fake.review,
        "preview",
        lambda ref, fields: (_ for _ in ()).throw(UserError("store.missing", path="/x")),
    )
    page = review()
    press(page, Qt.Key.Key_A)
    settled()
    assert not fake.called("decide")
    assert "There is no file" in page.card.outcome.text()
    press(page, Qt.Key.Key_R)
    settled()
    assert len(fake.called("decide")) == 1


def test_when_the_last_one_is_decided_nothing_waits(review, fake, settled):
    page = review(items=(NEW,))
    assert page.place.text() == "1 of 1"
    press(page, Qt.Key.Key_A)
    settled()
    assert "Nothing waits for you" in said(page)
    assert fake.library.records[NEW.ref].state is State.APPROVED
    press(page, Qt.Key.Key_Z)
    settled()
    assert fake.called("undo")


def test_reading_fails_with_its_cause_and_a_way_to_try_again(review, fake, settled, monkeypatch):
    def broken(*args, **kwargs):
        raise UserError("store.missing", path="/gone/memory.db")

    real = fake.review.items
    monkeypatch.setattr(fake.review, "items", broken)
    page = review()
    assert "There is no file at /gone/memory.db." in said(page)
    monkeypatch.setattr(fake.review, "items", real)
    page.findChild(QWidget, "review.error").findChild(QWidget, "empty.act").click()
    settled()
    assert page.place.text() == "1 of 5"


def test_after_the_lock_no_text_is_left(review):
    page = review(REPLACES)
    press(page, Qt.Key.Key_E)
    page.clear()
    everything = [w.text() for w in page.findChildren(QLabel)]
    everything += [w.toPlainText() for w in page.findChildren(QPlainTextEdit)]
    assert not [text for text in everything if "9090" in text or "8080" in text]
    assert page.card.preview is None


def test_the_language_changes_while_a_proposal_is_shown(review, context):
    page = review()
    context.words.use("zh_CN")
    page.retranslate()
    assert page.place.text() != "1 of 5"
    assert page.card.text.toPlainText() == NEW.text


def test_foreign_objects_lead_to_where_they_are_read(review, fake, settled):
    page = review()
    went = []
    page.go.connect(lambda name, argument: went.append((name, argument)))
    fake.fail_next["decide"] = UserError(FOREIGN, sql="CREATE TRIGGER x", count=1, path="/x")
    press(page, Qt.Key.Key_R)
    settled()
    page.frame.banner.findChild(QWidget, "banner.action0").click()
    assert went == [("protect", NEW.ref.store)]
    assert page.place.text() == "1 of 5"


def test_an_endless_text_shows_its_beginning(review, fake):
    page = review(items=(scene.proposal("long", "word " * 2_000_000, ""),))
    shown = page.card.text.toPlainText()
    assert len(shown) < 45_000
    assert shown.endswith("⟦… +9980000⟧")


def test_what_changed_meanwhile_is_shown_and_decided_anew(review, fake, settled):
    page = review(REPLACES)
    newer = replace(OLD_PORT, etag="00000000000000bb", text="The service listens on 7070.")
    fake.review.previews[REPLACES.ref] = replace(PREVIEWS[REPLACES.ref], existing=newer)
    fake.fail_next["decide"] = UserError("review.target_changed")
    press(page, Qt.Key.Key_A)
    settled()
    assert page.place.text() == "2 of 5"
    assert "7070" in page.card.now.toPlainText()
    assert not page.failures.isVisible()
    assert page.frame.banner.text
    press(page, Qt.Key.Key_A)
    settled()
    assert fake.called("decide")[-1][0].replaces == newer.etag


def test_after_a_bug_the_item_can_be_decided_again(review, fake, settled):
    page = review()
    fake.fail_next["decide"] = ZeroDivisionError()
    press(page, Qt.Key.Key_R)
    settled()
    press(page, Qt.Key.Key_R)
    settled()
    assert page.place.text() == "1 of 4"


def test_each_decision_is_told_with_a_way_back(review, fake, settled):
    page = review()
    for key, told in ((Qt.Key.Key_A, "Approved: "), (Qt.Key.Key_R, "Rejected: ")):
        decided = page.card.heading.text()
        press(page, key)
        settled()
        assert page.frame.banner.text == told + decided
    undo = page.frame.banner.findChild(QWidget, "banner.action0")
    assert undo.text() == "Undo"
    undo.click()
    settled()
    assert fake.called("undo")


def test_what_was_told_is_not_left_in_another_language(review, context, settled):
    page = review()
    press(page, Qt.Key.Key_R)
    settled()
    context.words.use("zh_CN")
    page.retranslate()
    assert page.frame.banner.text == ""


@pytest.fixture(params=[(), ("secret",)])
def refused(review, fake, request):
    """No insisting helps, whatever else is odd about it."""
    fake.review.previews[NEW.ref] = scene.preview(
        NEW, Outcome.REFUSED, refusal="scope.partner_missing", warnings=request.param
    )
    return review(NEW)


@pytest.mark.parametrize("item", [HIDDEN, WITH_SECRET, CHINESE])
def test_what_can_be_insisted_on_stays_possible(review, item):
    assert review(item).bar.approve.isEnabled()


def test_what_cannot_be_approved_is_not_offered(refused, fake, settled):
    page = refused
    assert not page.bar.approve.isEnabled()
    assert page.bar.reject.isEnabled()
    press(page, Qt.Key.Key_A)
    settled()
    assert not fake.called("decide")
    assert page.frame.banner.text == "It cannot be approved like this. The reason is below."
    press(page, Qt.Key.Key_J)
    settled()
    assert page.bar.approve.isEnabled()


def test_a_scope_in_a_cause_is_named_as_on_the_page(refused, fake, settled):
    page = refused
    page.bar.edit.click()
    fake.fail_next["decide"] = UserError("scope.other_store", scope="user")
    page.editor.insisted.emit()
    settled()
    assert "“everywhere”" in page.editor.saved_as.text()


def test_the_key_under_which_it_is_filed_stands_in_the_editor(review, fake):
    bare = replace(NEW, subject=None)
    fake.review.previews[bare.ref] = scene.preview(replace(NEW, subject="short_answers"))
    page = review(bare, [bare])
    press(page, Qt.Key.Key_E)
    assert page.editor.key.text() == "short_answers"
    assert page.editor.fields() == {}, "nobody changed it"


def test_a_text_that_is_only_read_has_no_caret(review):
    assert review().card.text.cursorWidth() == 0


def test_undo_is_offered_only_where_a_decision_can_be_taken_back(review, fake, settled):
    page = review()
    assert not page.bar.undo.isEnabled()
    press(page, Qt.Key.Key_Z)
    settled()
    assert not fake.called("undo")
    press(page, Qt.Key.Key_R)
    settled()
    assert page.bar.undo.isEnabled()
    page.bar.undo.click()
    settled()
    assert fake.called("undo")
    assert not page.bar.undo.isEnabled()


def test_what_was_done_in_the_list_is_not_taken_back_from_here(review, fake, settled):
    page = review()
    fake.editing.trash([NEW.ref])
    page.refresh()
    settled()
    assert not page.bar.undo.isEnabled()


def test_a_warning_is_told_anew_in_another_language(review, context, settled):
    page = review(WITH_SECRET)
    press(page, Qt.Key.Key_A)
    settled()
    assert page.frame.banner.text == "Not approved yet: read the warning below first."
    context.words.use("zh_CN")
    page.retranslate()
    assert page.frame.banner.text == context.words.say(
        "Not approved yet: read the warning below first."
    )
    assert "请" in page.frame.banner.text or "警告" in page.frame.banner.text
