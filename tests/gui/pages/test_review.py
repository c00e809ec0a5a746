# SPDX-License-Identifier: MIT
"""One proposal fills the view; it is decided by a key, told, and taken back."""

from dataclasses import replace

import scene
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget
from reviewing import press, said
from scene import (
    HIDDEN,
    ITEMS,
    NEW,
    OLD_PORT,
    PROJECT,
    REPLACES,
    SECRET,
    USER,
    WITH_SECRET,
)

from memory_gui.domain.changes import Verdict
from memory_gui.domain.records import State
from memory_gui.ui.pages.marking import Mark


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


def test_a_secret_is_warned_of_before_it_is_approved(review, fake, settled):
    page = review(WITH_SECRET)
    assert "password or a key" in page.card.warning.text
    assert SECRET not in page.card.warning.text
    press(page, Qt.Key.Key_A)
    settled()
    assert not fake.called("decide")


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


def test_an_endless_text_shows_its_beginning(review, fake):
    page = review(items=(scene.proposal("long", "word " * 2_000_000, ""),))
    shown = page.card.text.toPlainText()
    assert len(shown) < 45_000
    assert shown.endswith("⟦… +9980000⟧")


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
