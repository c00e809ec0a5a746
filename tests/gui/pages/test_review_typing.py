# SPDX-License-Identifier: MIT
"""Approving faster than what it would do is worked out: nothing is decided on what was before."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from scene import ITEMS, NEW, OLD_PORT, PREVIEWS, preview

from memory_gui.domain.changes import Outcome
from memory_gui.ui.review.page import ReviewPage

TAKEN = replace(
    preview(NEW, Outcome.REPLACES, existing=OLD_PORT, warnings=("conflict",)),
    fields={"key": "deploy_port", "text": NEW.text, "proposed_key": "deploy_port_2"},
)


@pytest.fixture
def review(fake, shown, settled, monkeypatch):
    fake.library.fill(ITEMS)
    fake.review.previews.update(PREVIEWS)
    real, go_on = fake.review.preview, threading.Event()
    go_on.set()

    def worked_out(ref, fields=None):
        assert go_on.wait(30)
        fake.note("preview", dict(fields or {}))
        return TAKEN if (fields or {}).get("key") == "deploy_port" else real(ref, fields)

    monkeypatch.setattr(fake.review, "preview", worked_out)
    page = shown(ReviewPage, NEW.ref)
    settled()
    QTest.keyClick(page, Qt.Key.Key_E)
    settled()
    page.go_on = go_on
    return page


def approve(page):
    focus = QApplication.focusWidget() or page
    QTest.keyClick(focus, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_it_is_worked_out_for_what_is_typed_before_it_is_decided(review, fake, settled):
    review.editor.text.setPlainText("prefers answers of one line")
    approve(review)
    assert not fake.called("decide")
    settled()
    assert [{"text": "prefers answers of one line"}] in fake.called("preview")
    ((decision,),) = fake.called("decide")
    assert decision.fields == {"text": "prefers answers of one line"}


def test_a_key_typed_just_before_replaces_nothing_that_was_not_shown(review, fake, settled):
    review.editor.key.setText("deploy_port")
    approve(review)
    settled()
    assert not fake.called("decide")
    assert "would replace a saved memory" in review.frame.banner.text
    assert review.card.now.toPlainText() == OLD_PORT.text
    approve(review)
    settled()
    ((decision,),) = fake.called("decide")
    assert (decision.fields, decision.replaces) == ({"key": "deploy_port"}, OLD_PORT.etag)


def test_letters_typed_after_the_key_are_not_approved_by_it(review, fake, settled):
    review.go_on.clear()
    review.editor.text.setPlainText("prefers answers of one line")
    approve(review)
    review.editor.text.setPlainText("prefers answers of one line or")
    review.go_on.set()
    settled()
    assert not fake.called("decide")
    approve(review)
    settled()
    ((decision,),) = fake.called("decide")
    assert decision.fields == {"text": "prefers answers of one line or"}


def test_after_a_correction_was_given_up_a_approves_what_stands_there(review, fake, settled):
    review.editor.key.setText("deploy_port")
    approve(review)
    settled()
    review.go_on.clear()
    QTest.keyClick(review.editor, Qt.Key.Key_Escape)
    QTest.keyClick(QApplication.focusWidget() or review, Qt.Key.Key_A)
    review.go_on.set()
    settled()
    assert not fake.called("decide"), "nothing is shown yet of what it would do"
    QTest.keyClick(QApplication.focusWidget() or review, Qt.Key.Key_A)
    settled()
    ((decision,),) = fake.called("decide")
    assert (decision.fields, decision.replaces) == ({}, None)
