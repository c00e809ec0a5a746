# SPDX-License-Identifier: MIT
"""Rules of review: off until made, told before, listed one by one, and each can be taken back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_gui.domain.changes import Decision, Edit, NewRecord, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.ledger.reviewrules import BEGUN, DONE, TAKEN_BACK
from memory_gui.services import build_services
from memory_gui.words import Words


class Place:
    """A pair with a ledger."""

    def __init__(self, folder, keychain):
        self.folder, self.keychain = folder, keychain
        self.open()

    def open(self):
        self.services = build_services(
            words=Words(),
            home=self.folder / "home",
            data_dir=self.folder / "data",
            keychain=self.keychain,
        )
        self.project, self.user = self.services.library.open(self.folder / "atlas")
        self.rules, self.review = self.services.rules, self.services.review

    def propose(self, text, times=1, **fields):
        values = {"title": text[:20], "text": text, "scope": "project", "key": "k_" + text[:40]}
        new = NewRecord("review", {**values, **fields}, despite=frozenset({"secret"}))
        for _ in range(times):
            changes = self.review.propose(self.project.id, new).changes
        return changes.refs[0]

    def state(self, ref):
        return self.services.library.record(ref).state

    def memories(self):
        query = Query(kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))
        found = self.services.library.search(query, "title")
        return sorted(one.text for one in self.services.library.window(found.ids))


@pytest.fixture
def place(tmp_path, empty_store, memory_keychain):
    empty_store(tmp_path / "home/.agentao")
    empty_store(tmp_path / "atlas/.agentao")
    made = Place(tmp_path, memory_keychain)
    yield made
    made.services.close()


def test_nothing_is_decided_until_a_person_made_a_rule(place):
    ref = place.propose("likes green tea", times=9)
    run = place.rules.run()
    assert (run.approved, run.rejected, place.state(ref)) == (0, 0, State.PENDING)
    assert place.rules.book.of(place.project.id) == ()
    assert not (place.folder / "data/memory-gui.db").exists()


def test_seen_often_and_nothing_odd_is_approved_and_all_else_is_left_with_its_cause(place):
    services = place.services
    for title, text in (("theme", "the user prefers dark mode at night"), ("k_drinks", "tea")):
        values = {"title": title, "text": text, "scope": "project"}
        services.editing.add(place.project.id, NewRecord("memory", values))
    plain = place.propose("deploys on Friday", times=3)
    person = place.propose("lives in Bern", times=4, scope="user")
    place.propose("seen only twice", times=2)
    place.propose("the user prefers light mode at night", times=3)
    place.propose("the user prefers dark mode at nights", times=3)
    place.propose("pay at p\u0430ypal.com", times=3)
    place.propose("ring 13800138000 after noon", times=3)
    place.propose("plain text", times=3, evidence="ask ann@example.com about it")
    place.propose("the key is sk-ant-api03-" + "Zx9" * 12, times=3)
    place.propose("coffee, please", times=3, key="k_drinks")
    place.rules.book.add_approving(place.project.id, 3)
    plan = place.rules.plan()
    assert {one.decision.target.ref for one in plan.planned} == {plain, person}
    assert plan.left == {
        "opposite": 1, "alike": 1, "hidden": 1, "personal": 2, "replaces": 1, "secret": 1,
    }  # fmt: skip
    assert place.state(plain) is State.PENDING, "looking writes nothing"
    run = place.rules.run()
    assert (run.approved, run.rejected, run.failed) == (2, 0, ())
    assert {"deploys on Friday", "lives in Bern"} <= set(place.memories())
    assert services.editing.undo_text()[0] == "add", "what a rule did is on no undo stack"


def test_what_was_rejected_before_is_never_approved_by_a_rule(place):
    ref = place.propose("likes green tea")
    place.review.decide(Decision(Target(ref), Verdict.REJECT))
    place.propose("likes green tea", times=5)
    place.rules.book.add_approving(place.project.id, 2)
    assert place.rules.plan().left == {"rejected_before": 1}


def test_a_pattern_rejects_and_goes_before_approving(place):
    weather = place.propose("今天天气很好", times=5)
    other = place.propose("喜欢简洁的回答", times=5)
    place.rules.book.add_approving(place.project.id, 2)
    place.rules.book.add_rejecting(place.project.id, "今天*好")
    run = place.rules.run()
    assert (run.approved, run.rejected) == (1, 1)
    assert (place.state(weather), place.state(other)) == (State.REJECTED, State.APPROVED)
    kinds = [one.code for one in place.services.activity.list().happenings]
    assert {"rule_approve", "rule_reject"} <= set(kinds)


def test_each_decision_is_listed_and_taken_back_for_good(place):
    tea, deploy = place.propose("likes green tea", times=3), place.propose("deploys", times=3)
    town = place.propose("lives in Bern", times=3, scope="user")
    place.rules.book.add_approving(place.project.id, 3)
    place.rules.run()
    place.services.close()
    place.open()
    listed = place.rules.decisions.list(place.project.id)
    assert {one.ref for one in listed} == {tea, deploy, town}
    assert all(one.can_be_taken_back and one.act.state == DONE for one in listed)
    numbers = {one.ref: one.act.number for one in listed}
    done = place.rules.decisions.take_back(place.project.id, [numbers[tea], numbers[town]])
    assert (done.done, done.failed) == (2, ())
    assert place.memories() == ["deploys"]
    assert [place.state(ref) for ref in (tea, deploy, town)] == [
        State.PENDING, State.APPROVED, State.PENDING,
    ]  # fmt: skip
    states = {one.ref: one.act.state for one in place.rules.decisions.list(place.project.id)}
    assert states == {tea: TAKEN_BACK, deploy: DONE, town: TAKEN_BACK}
    again = place.rules.run()
    assert (again.approved, again.left) == (0, {"opened_again": 2}), "a rule is told only once"
    place.services.editing.undo()
    assert sorted(place.memories()) == ["deploys", "likes green tea", "lives in Bern"]
    assert [place.state(ref) for ref in (tea, deploy, town)] == [State.APPROVED] * 3


def test_what_was_changed_since_is_not_taken_back(place):
    ref = place.propose("likes green tea", times=3)
    place.rules.book.add_approving(place.project.id, 3)
    memory = place.rules.run().changes.added[0]
    place.services.editing.edit(Edit(Target(memory), {"text": "likes white tea"}))
    (one,) = place.rules.decisions.list(place.project.id)
    done = place.rules.decisions.take_back(place.project.id, [one.act.number])
    assert [error.code for _ref, error in done.failed] == ["rules.memory_changed"]
    assert place.state(ref) is State.APPROVED
    assert place.memories() == ["likes white tea"]


def test_what_a_person_opened_again_no_rule_decides_on(place):
    reopened, undone = place.propose("one thing", times=3), place.propose("another", times=3)
    place.rules.book.add_rejecting(place.project.id, "nothing like it")
    place.review.decide(Decision(Target(reopened), Verdict.REJECT))
    place.review.decide(Decision(Target(reopened), Verdict.REOPEN))
    place.review.decide(Decision(Target(undone), Verdict.APPROVE))
    place.services.editing.undo()
    place.rules.book.add_approving(place.project.id, 2)
    assert place.rules.plan().left == {"opened_again": 2}


def test_only_what_is_new_is_looked_at_again(place):
    place.rules.book.add_approving(place.project.id, 3)
    ref = place.propose("likes green tea", times=2)
    assert place.rules.run(only_new=True).approved == 0
    assert place.rules.plan(only_new=True).looked_at == 0
    place.propose("likes green tea")
    assert place.rules.run(only_new=True).approved == 1
    assert place.state(ref) is State.APPROVED


def test_a_resting_rule_and_one_that_was_removed_decide_nothing(place):
    place.propose("likes green tea", times=3)
    book, store = place.rules.book, place.project.id
    rule = book.add_approving(store, 3)
    assert book.add_approving(store, 3) == rule, "the same rule is one rule"
    book.set_running(store, rule.id, running=False)
    assert place.rules.plan().planned == ()
    book.set_running(store, rule.id[:4], running=True)
    assert len(place.rules.plan().planned) == 1
    book.remove(store, rule.id)
    assert book.of(store) == ()
    with pytest.raises(UserError, match=r"rules\.unknown"):
        book.remove(store, rule.id)
    with pytest.raises(UserError, match=r"rules\.seen"):
        book.add_approving(store, 1)


def test_a_decision_that_a_stop_left_is_settled(place):
    done, undone = place.propose("one thing"), place.propose("another")
    rule = place.rules.book.add_rejecting(place.project.id, "thing")
    rows = place.rules.book.made()
    for ref in (done, undone):
        rows.begin(rule, ref.kind, ref.plain)
    place.review.decide(Decision(Target(done), Verdict.REJECT))
    old = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    with place.services.keeper.ledger().connection() as connection, connection.writing():
        connection.change("UPDATE review_by_rule SET at = ?", (old,))
    assert {one.state for one in rows.decided(place.rules.book.name(place.project.id))} == {BEGUN}
    (listed,) = place.rules.decisions.list(place.project.id)
    assert (listed.ref, listed.act.state) == (done, DONE)


def test_a_proposal_of_our_own_queue_is_approved_by_a_person_only(
    tmp_path, empty_store, memory_keychain
):
    path = empty_store(tmp_path / "home/.agentao")
    services = build_services(
        words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=memory_keychain
    )
    store = services.library.open(path)[0]
    tea = {"title": "tea", "text": "likes green tea", "scope": "user"}
    for _ in range(5):
        services.review.propose(store.id, NewRecord("review", tea))
    services.review.propose(store.id, NewRecord("review", {**tea, "text": "the weather is fine"}))
    services.rules.book.add_approving(store.id, 2)
    services.rules.book.add_rejecting(store.id, "weather")
    run = services.rules.run()
    assert (run.approved, run.rejected, run.left) == (0, 1, {"own": 1})
    (one,) = services.rules.decisions.list(store.id)
    assert services.rules.decisions.take_back(store.id, [one.act.number]).done == 1
    assert len(services.review.items()) == 2
    services.close()


def test_without_a_keychain_there_are_no_rules(pair):
    with pytest.raises(UserError, match=r"rules\.nowhere"):
        pair.services.rules.book.add_approving(pair.project.id, 3)
    assert pair.services.rules.run().approved == 0
