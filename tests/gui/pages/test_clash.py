# SPDX-License-Identifier: MIT
"""Two records that want one key: what is shown, chosen, and asked of the services."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services import BulkResult
from memory_gui.services.editing.clashes import Choice, Clash, Way
from memory_gui.ui.clashes.page import MOST_CARDS, ClashPage
from memory_gui.ui.clashes.request import ClashRequest, MergeRequest

PROJECT = StoreId("/home/ann/atlas/.agentao/memory.db")


def clash(number=0, kind="memory", ways=(Way.SWAP, Way.BOTH, Way.LEAVE)):
    ref = Ref(PROJECT, kind, (f"{number:08x}",))
    holder = Record(
        Ref(PROJECT, kind, (f"feed{number:04x}",)),
        "00000000000000aa",
        State.PENDING if kind == "review" else State.LIVE,
        "deploy_port",
        "The service listens on 9090 behind the new proxy.",
    )
    fields = {
        "title": "Deploy port",
        "text": "The service listens on 8080 behind the proxy.",
        "key": "deploy_port",
        "scope": "project",
        "tags": ("net",),
    }
    return Clash(ref, fields, holder, "deploy_port", "deploy_port_2", ways)


@pytest.fixture
def page(shown, fake):
    def show(*clashes, act="restore"):
        fake.editing.held = {one.ref: one for one in clashes}
        return shown(ClashPage, ClashRequest(act, tuple(one.ref for one in clashes)))

    return show


def apply(page):
    return page.findChild(QPushButton, "clash.apply")


def settled_with(fake):
    ((chosen,),) = fake.called("settle")
    return [(one.ref, choice) for one, choice in chosen]


class TestShown:
    def test_both_texts_and_the_key(self, page):
        (card,) = page(clash()).cards
        assert card.old.toPlainText() == "The service listens on 8080 behind the proxy."
        assert card.now.toPlainText() == "The service listens on 9090 behind the new proxy."
        assert card.old_name.text() == "Deploy port"
        assert "deploy_port" in card.findChild(QLabel, "clash.0.heading").text()

    def test_keeping_both_is_proposed_with_a_free_key(self, page):
        (card,) = page(clash()).cards
        assert card.choice == Choice(Way.BOTH, "deploy_port_2")
        assert card.key.isVisible()

    def test_each_way_says_what_it_does(self, page):
        (card,) = page(clash()).cards
        hint = card.findChild(QLabel, "clash.0.hint")
        said = {}
        for row in range(card.way.count()):
            card.way.setCurrentIndex(row)
            said[Way(card.way.currentData())] = hint.text()
        assert "trash" in said[Way.SWAP]
        assert "Undo" in said[Way.SWAP]
        assert said[Way.LEAVE] == "Nothing is changed."
        assert not card.key.isVisible()

    def test_a_proposal_is_rejected_not_trashed(self, page):
        (card,) = page(clash(kind="review")).cards
        card.way.setCurrentIndex(card.way.findData(Way.SWAP))
        assert "rejected" in card.findChild(QLabel, "clash.0.hint").text()
        assert not card.merge.isVisible()

    def test_a_way_that_is_not_open_is_not_offered(self, page):
        (card,) = page(clash(kind="review", ways=(Way.SWAP, Way.LEAVE))).cards
        assert card.way.findData(Way.BOTH) == -1
        assert card.choice.way is Way.LEAVE

    def test_when_nothing_is_in_the_way_it_says_so(self, page):
        assert page().frame.state == "empty"

    def test_what_cannot_be_read_is_an_error_with_a_way_to_try_again(self, shown, fake, settled):
        fake.fail_next["clashes"] = UserError("store.locked", path="x")
        page = shown(ClashPage, ClashRequest("restore", (clash().ref,)))
        assert page.frame.state == "error"
        fake.editing.held = {clash().ref: clash()}
        page.frame.error.acted.emit()
        settled()
        assert len(page.cards) == 1


class TestDone:
    def test_what_was_chosen_is_asked_for(self, page, fake, settled, qtbot):
        one, other, third = clash(1), clash(2), clash(3)
        shown = page(one, other, third)
        first, second, last = shown.cards
        first.key.setText("old_port")
        second.way.setCurrentIndex(second.way.findData(Way.SWAP))
        last.way.setCurrentIndex(last.way.findData(Way.LEAVE))
        assert apply(shown).text() == "Bring 2 records back"
        with qtbot.waitSignals([shown.closed, shown.changed]):
            apply(shown).click()
        assert settled_with(fake) == [
            (one.ref, Choice(Way.BOTH, "old_port")),
            (other.ref, Choice(Way.SWAP, "deploy_port_2")),
            (third.ref, Choice(Way.LEAVE, "deploy_port_2")),
        ]

    def test_without_a_key_it_cannot_be_done(self, page):
        shown = page(clash())
        shown.cards[0].key.setText("  ")
        assert not apply(shown).isEnabled()
        shown.cards[0].key.setText("x")
        assert apply(shown).isEnabled()

    def test_undo_goes_on_in_the_ways_chosen(self, page, fake, settled, qtbot):
        fake.editing.trash([next(iter(fake.library.records))]) if fake.library.records else None
        fake.editing._undo.append(("trash", []))
        one = clash(1)
        shown = page(one, act="undo")
        assert apply(shown).text() == "Undo so"
        with qtbot.waitSignal(shown.closed):
            apply(shown).click()
        ((choices,),) = fake.called("undo_so")
        assert choices == {one.ref: (one, Choice(Way.BOTH, "deploy_port_2"))}

    def test_cancel_writes_nothing(self, page, fake, qtbot):
        shown = page(clash())
        with qtbot.waitSignal(shown.closed):
            shown.findChild(QPushButton, "clash.cancel").click()
        assert fake.called("settle") == []

    def test_what_failed_stays_and_says_why(self, page, fake, settled):
        one, other = clash(1), clash(2)
        shown = page(one, other)
        failed = ((other.ref, UserError("record.key_taken")),)
        fake.editing.settle = lambda chosen: BulkResult(ChangeSet(changed=(one.ref,)), 1, failed)
        apply(shown).click()
        settled()
        assert [card.clash.ref for card in shown.cards] == [other.ref]
        assert "same key" in shown.frame.banner.text

    def test_merge_goes_to_the_editor_and_writes_nothing(self, page, fake, qtbot):
        one = clash()
        shown = page(one)
        with qtbot.waitSignal(shown.go) as went:
            shown.cards[0].merge.click()
        name, request = went.args
        assert name == "merge"
        assert request == MergeRequest(
            one.holder, "Deploy port", "The service listens on 8080 behind the proxy.", ("net",)
        )
        assert fake.called("settle") == []

    def test_thousands_are_settled_in_turns(self, page, fake, settled):
        many = [clash(n) for n in range(MOST_CARDS + 5)]
        shown = page(*many)
        assert len(shown.cards) == MOST_CARDS
        apply(shown).click()
        settled()
        assert [card.clash.ref for card in shown.cards] == [one.ref for one in many[MOST_CARDS:]]


class TestKept:
    def test_what_was_chosen_survives_another_programs_writing(self, page, settled):
        shown = page(clash())
        shown.cards[0].key.setText("my_own")
        shown.refresh()
        settled()
        assert shown.cards[0].key.text() == "my_own"

    def test_but_not_when_the_other_record_is_another_one_now(self, page, fake, settled):
        shown = page(clash())
        shown.cards[0].key.setText("my_own")
        other = clash()
        changed = Record(other.holder.ref, "00000000000000bb", State.LIVE, "t", "changed")
        fake.editing.held = {other.ref: Clash(other.ref, other.fields, changed, "k", "k_2")}
        shown.refresh()
        settled()
        assert shown.cards[0].key.text() == "k_2"
        assert shown.cards[0].now.toPlainText() == "changed"

    def test_texts_are_hidden_with_all_others(self, page, context):
        shown = page(clash())
        context.privacy.hiding.set_hidden(hidden=True)
        (card,) = shown.cards
        assert "8080" not in card.old.toPlainText()
        assert not card.old_name.isVisible()
        context.privacy.hiding.set_hidden(hidden=False)
        assert "8080" in card.old.toPlainText()

    def test_lock_leaves_nothing(self, page):
        shown = page(clash())
        shown.clear()
        words = [one.text() for one in shown.findChildren(QLabel)]
        words += [one.text() for one in shown.findChildren(QLineEdit)]
        assert not any("deploy" in word.lower() for word in words)
        assert shown.cards == ()


def test_where_looking_breaks_one_can_still_leave(page, fake, settled, monkeypatch):
    shown = page(clash())

    def breaks(_refs):
        raise ValueError("ours to mend")

    monkeypatch.setattr(fake.editing, "clashes", breaks)
    shown.refresh()
    settled()
    assert shown.frame.state == "content"
    assert not apply(shown).isEnabled()
    assert shown.findChild(QPushButton, "clash.cancel").isVisible()
