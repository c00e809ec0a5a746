# SPDX-License-Identifier: MIT
"""A bulk decision that a kill stopped: told with its number, gone on with, or taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory_gui.domain.changes import Decision, Edit, NewRecord, Target, Verdict
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.ledger.begun import BegunActs
from memory_gui.services import build_services
from memory_gui.services.home.view import Cause
from memory_gui.services.reviewing.bulk import plan_bulk
from memory_gui.words import Words


def propose(pair, text, **fields):
    new = NewRecord("review", {"title": "x", "text": text, "scope": "project", **fields})
    (ref,) = pair.services.review.propose(pair.project.id, new).changes.refs
    return ref


def memories(pair, state=State.LIVE):
    query = Query(kinds=frozenset({"memory"}), states=frozenset({state}))
    found = pair.services.library.search(query, "title").ids
    return sorted(one.text for one in pair.services.library.window(found))


def kill(pair, act, refs, upto):
    """As a kill leaves it that came when ``upto`` of them were done."""
    review, verdict = pair.services.review, Verdict(act)
    plan = plan_bulk(review, refs, verdict)
    begun = BegunActs(pair.folder / "data")
    entry = begun.begin(str(pair.project.id), act, [(ref.kind, ref.key) for ref in refs])
    review.decide_all(plan.decisions[:upto])
    begun.leave(entry, upto)
    (stopped,) = pair.services.stopped.of(pair.project.id)
    return stopped


@pytest.fixture
def five(pair):
    keys = (("a", "user"), ("b", "project"), ("c", "user"), ("d", "project"), ("e", "project"))
    return [propose(pair, f"fact {key}{key}{key}", key=key, scope=scope) for key, scope in keys]


def states(pair, refs):
    return [one.state for one in pair.services.review.look_up(refs).values()]


def test_it_goes_on_and_is_told_no_more(pair, five):
    stopped = kill(pair, "approve", five, 2)
    assert (stopped.done, stopped.total, stopped.left) == (2, 5, tuple(five[2:]))
    result = pair.services.stopped.go_on(pair.project.id, stopped)
    assert (result.done, result.failed) == (3, ())
    assert states(pair, five) == [State.APPROVED] * 5
    assert pair.services.stopped.of(pair.project.id) == ()


def test_of_two_stopped_acts_each_item_is_decided_once(pair, five):
    first = kill(pair, "approve", five, 2)
    begun = BegunActs(pair.folder / "data")
    records = [(ref.kind, ref.key) for ref in first.left]
    begun.leave(begun.begin(str(pair.project.id), "approve", records), 0)
    one, two = pair.services.stopped.of(pair.project.id)
    assert set(two.left) == set(one.left)
    assert pair.services.stopped.go_on(pair.project.id, one).done == 3
    again = pair.services.stopped.go_on(pair.project.id, two)
    assert (again.done, again.failed) == (0, ())
    assert pair.services.stopped.of(pair.project.id) == ()


def test_what_its_agent_changed_since_or_hides_something_is_left_once(pair, five):
    hidden = propose(pair, "pay at p\u0430ypal.com", key="pay")  # before the act, which it knows
    stopped = kill(pair, "approve", five, 2)
    more = replace(stopped, left=(*stopped.left[:1], hidden))
    result = pair.services.stopped.go_on(pair.project.id, more)
    assert result.done == 1
    assert [(ref, error.code) for ref, error in result.failed] == [(hidden, "review.hidden")]
    long_ago = replace(stopped, left=stopped.left[1:], started_at="2020-01-01T00:00:00+00:00")
    result = pair.services.stopped.go_on(pair.project.id, long_ago)
    assert result.done == 0
    assert [error.code for _, error in result.failed] == ["record.changed"] * 2


def test_approvals_are_taken_back_and_that_is_undone_as_one(pair, five):
    pair.add(
        "b", "fact bbb", tags=("note",)
    )  # saved before: approving closes the item, and adds nothing
    stopped = kill(pair, "approve", five, 3)
    assert memories(pair) == ["fact aaa", "fact bbb", "fact ccc"]
    result = pair.services.stopped.take_back(pair.project.id, stopped)
    assert (result.done, result.failed) == (3, ())
    assert states(pair, five) == [State.PENDING] * 5
    assert memories(pair, State.TRASH) == ["fact aaa", "fact ccc"]
    assert pair.services.stopped.of(pair.project.id) == ()
    assert pair.services.editing.undo_text() == ("unapprove", 3)
    pair.services.editing.undo()
    assert memories(pair) == ["fact aaa", "fact bbb", "fact ccc"]
    assert states(pair, five[:3]) == [State.APPROVED] * 3


def test_one_whose_memory_was_changed_since_stays_approved(pair, five):
    stopped = kill(pair, "approve", five, 2)
    memory = pair.services.review.preview(five[1]).existing
    pair.services.editing.edit(Edit(Target(memory.ref), {"text": "another fact"}))
    result = pair.services.stopped.take_back(pair.project.id, stopped)
    assert result.done == 1
    assert [error.code for _, error in result.failed] == ["rules.memory_changed"]
    assert states(pair, five[:2]) == [State.PENDING, State.APPROVED]
    assert memories(pair) == ["another fact"]


def test_rejections_are_taken_back(pair, five):
    stopped = kill(pair, "reject", five, 4)
    result = pair.services.stopped.take_back(pair.project.id, stopped)
    assert (result.done, result.failed) == (4, ())
    assert states(pair, five) == [State.PENDING] * 5


def test_a_stop_in_taking_back_is_told_and_finished(pair, five):
    """The memory goes first: what was stopped between the two is found approved, without it."""
    stopped = kill(pair, "approve", five, 3)
    begun = BegunActs(pair.folder / "data")
    pair.services.editing.forget_stopped(pair.project.id, stopped)
    entry = begun.begin(
        str(pair.project.id), "unapprove", [(ref.kind, ref.key) for ref in stopped.reached]
    )
    memory = pair.services.review.preview(five[0]).existing
    pair.services.editing.trash([memory.ref])
    begun.leave(entry, 0)
    (again,) = pair.services.stopped.of(pair.project.id)
    assert (again.act, again.done, again.total) == ("unapprove", 0, 3)
    result = pair.services.stopped.go_on(pair.project.id, again)
    assert (result.done, result.failed) == (3, ())
    assert memories(pair) == []
    assert states(pair, five) == [State.PENDING] * 5
    assert pair.services.stopped.of(pair.project.id) == ()


def test_of_the_queue_of_our_own_it_is_told_too(tmp_path, empty_store, memory_keychain):
    services = build_services(
        words=Words(),
        home=tmp_path / "home",
        data_dir=tmp_path / "data",
        keychain=memory_keychain,
    )
    store = services.library.open(empty_store(tmp_path / "home/.agentao"))[0]
    make = services.review.proposals.propose
    refs = [make(store.id, {"text": f"likes {what}", "scope": "user"}) for what in ("tea", "rye")]
    begun = BegunActs(tmp_path / "data")
    entry = begun.begin(str(store.id), "reject", [(ref.kind, ref.key) for ref in refs])
    services.review.decide(Decision(Target(refs[0]), Verdict.REJECT))
    begun.leave(entry, 1)
    (stopped,) = services.stopped.of(store.id)
    assert (stopped.done, stopped.left) == (1, (refs[1],))
    assert services.stopped.take_back(store.id, stopped).done == 1
    assert {services.review.item(ref).state for ref in refs} == {State.PENDING}
    services.close()


def test_home_tells_of_it_while_the_store_is_closed(pair, five, services_in):
    kill(pair, "approve", five, 2)
    assert [one.cause for one in pair.services.home.look().problems] == []
    pair.services.close()
    services = services_in(pair.folder)
    (problem,) = services.home.look().problems
    assert (problem.cause, problem.code) == (Cause.STOPPED, "approve")
    assert problem.name == "atlas"
    assert (problem.done, problem.count, problem.path) == (2, 5, str(pair.project.id))
    running = BegunActs(pair.folder / "data").begin(problem.path, "trash", [("m", ("1",))])
    assert len(services.home.look().problems) == 1, "what runs is not stopped"
    BegunActs(pair.folder / "data").remove(running)
