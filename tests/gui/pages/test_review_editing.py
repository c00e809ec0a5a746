# SPDX-License-Identifier: MIT
"""A proposal is corrected in place, and approved as it then is."""

from dataclasses import replace

import scene
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from reviewing import press, said
from scene import CHINESE, HIDDEN, NEW, PROJECT

from memory_gui.domain.changes import Outcome, ReviewPreview, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.stores.formats.server_memory.records import KINDS


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


def test_a_key_of_which_nothing_is_left_is_shown_with_one_that_is_free(review, fake, settled):
    bare = replace(CHINESE, subject=None, extra={"key_normalized": "茶"})
    refused = scene.preview(bare, Outcome.REFUSED, refusal="record.key_empty")
    fake.review.previews[bare.ref] = replace(refused, fields={"proposed_key": "note"})
    page = review(bare, [bare])
    assert "茶" in said(page)
    page.findChild(QWidget, "review.take_key").click()
    assert page.editor.fields() == {"key": "note"}
    page.editor.given_up.emit()
    press(page, Qt.Key.Key_E)
    assert (page.editor.key.text(), page.editor.fields()) == ("茶", {})


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


def test_the_key_under_which_it_is_filed_stands_in_the_editor(review, fake):
    bare = replace(NEW, subject=None)
    fake.review.previews[bare.ref] = scene.preview(replace(NEW, subject="short_answers"))
    page = review(bare, [bare])
    press(page, Qt.Key.Key_E)
    assert page.editor.key.text() == "short_answers"
    assert page.editor.fields() == {}, "nobody changed it"


GRAPH_ITEM = replace(
    NEW, ref=Ref(PROJECT, "proposal", ("5f3a9c21",)), title="Bob", text="Likes rye.", subject=None
)
ASKS = ReviewPreview(
    GRAPH_ITEM,
    Outcome.REFUSED,
    {"title": "Bob", "text": "Likes rye."},
    None,
    refusal="record.field_empty",
    cause=UserError("record.field_empty", field="type"),
)


def test_a_store_with_fields_of_its_own_is_asked_for_those(review, fake, settled):
    """A memory graph takes no entity without its type, and knows no scope, key or tags."""
    store = fake.library.opened[PROJECT]
    info = replace(store.info, declared=KINDS, format="mcp-server-memory")
    fake.library.opened[PROJECT] = replace(store, info=info)
    fake.review.own, fake.review.previews[GRAPH_ITEM.ref] = (GRAPH_ITEM,), ASKS
    page = review(items=())
    assert "“Type” is empty" in said(page)
    assert "Name" in said(page)
    assert "Applies to" not in said(page)
    assert not page.bar.approve.isEnabled()
    press(page, Qt.Key.Key_E)
    editor = page.editor
    assert not any(one.isVisible() for one in (editor.key, editor.scope, editor.tags))
    name, type_ = (editor.findChild(QLineEdit, f"review.edit.{n}") for n in ("title", "type"))
    assert (name.text(), type_.text(), editor.fields()) == ("Bob", "", {})
    saved = {"title": "Bob", "type": "person", "text": "Likes rye."}
    fake.review.previews[GRAPH_ITEM.ref] = replace(
        ASKS, outcome=Outcome.NEW, fields=saved, refusal=None, cause=None
    )
    QTest.keyClicks(type_, "person")
    QTest.keyClick(type_, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    settled()
    (decision,) = fake.called("decide")[0]
    assert (decision.fields, decision.verdict) == ({"type": "person"}, Verdict.APPROVE)
    page.clear()
    assert (name.text(), type_.text()) == ("", "")
