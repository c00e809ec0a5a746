# SPDX-License-Identifier: MIT
"""What does not go through: told once, with its cause and a way on."""

from dataclasses import replace

import pytest
import scene
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from reviewing import press, said
from scene import (
    CHINESE,
    HIDDEN,
    NEW,
    OLD_PORT,
    PREVIEWS,
    REPLACES,
    WITH_SECRET,
)

from memory_gui.domain.changes import Outcome
from memory_gui.domain.errors import UserError
from memory_gui.ui.records.bulk.acts import FOREIGN


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
