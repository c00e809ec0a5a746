# SPDX-License-Identifier: MIT
"""Approving, rejecting, reopening over the pair, and taking it back."""

from __future__ import annotations

import pytest

from memory_gui.domain.changes import Decision, NewRecord, Outcome, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State


def propose(pair, title, text, **fields):
    values = {"title": title, "text": text, "scope": "project", **fields}
    result = pair.services.review.propose(pair.project.id, NewRecord("review", values))
    return pair.read(result.changes.added[0])


def live(pair):
    query = Query(kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))
    found = pair.services.library.window(pair.services.library.search(query, "title").ids)
    return [(record.text, record.ref.store) for record in found]


def approve(item, **more):
    return Decision(Target(item.ref, item.etag), Verdict.APPROVE, **more)


def test_what_waits_is_listed_oldest_first(pair):
    first, second = propose(pair, "one", "a"), propose(pair, "two", "b")
    assert {item.ref for item in pair.services.review.items()} == {first.ref, second.ref}
    pair.services.review.decide(Decision(Target(first.ref), Verdict.REJECT))
    assert [item.ref for item in pair.services.review.items()] == [second.ref]
    assert [i.ref for i in pair.services.review.items(states=[State.REJECTED])] == [first.ref]


def test_approving_saves_a_memory_and_undo_takes_both_back(pair):
    item = propose(pair, "tea", "likes green tea")
    assert pair.services.review.preview(item.ref).outcome is Outcome.NEW
    pair.services.review.decide(approve(item))
    assert live(pair) == [("likes green tea", pair.project.id)]
    assert pair.read(item.ref).state is State.APPROVED
    pair.services.editing.undo()
    assert live(pair) == []
    assert pair.read(item.ref).state is State.PENDING
    pair.services.editing.redo()
    assert live(pair) == [("likes green tea", pair.project.id)]
    assert pair.read(item.ref).state is State.APPROVED


def test_what_belongs_to_the_person_goes_to_the_persons_database(pair):
    item = propose(pair, "name", "is called Ann", scope="user")
    pair.services.review.decide(approve(item))
    assert live(pair) == [("is called Ann", pair.user.id)]
    assert pair.services.library.poll() == frozenset()


def test_without_the_persons_database_it_is_refused_and_never_saved_here(single):
    item = propose(single, "name", "is called Ann", scope="user")
    assert single.services.review.preview(item.ref).refusal is not None
    with pytest.raises(UserError, match=r"pair\.needed"):
        single.services.review.decide(approve(item))
    assert live(single) == []
    assert single.read(item.ref).state is State.PENDING


def test_replacing_needs_the_very_memory_that_was_shown(pair):
    item = propose(pair, "tea", "likes green tea")
    pair.add(item.extra["key_normalized"], "likes black tea")
    preview = pair.services.review.preview(item.ref)
    assert preview.outcome is Outcome.REPLACES
    with pytest.raises(UserError):
        pair.services.review.decide(approve(item))
    assert live(pair) == [("likes black tea", pair.project.id)]
    shown = preview.existing.etag
    pair.services.review.decide(approve(item, replaces=shown, despite=frozenset({"conflict"})))
    assert live(pair) == [("likes green tea", pair.project.id)]
    pair.services.editing.undo()
    assert live(pair) == [("likes black tea", pair.project.id)]
    assert pair.read(item.ref).state is State.PENDING


def test_corrections_are_saved_instead(pair):
    item = propose(pair, "tea", "likes gren tea")
    pair.services.review.decide(approve(item, fields={"text": "likes green tea"}))
    assert live(pair) == [("likes green tea", pair.project.id)]


def test_several_at_once_list_failures(pair):
    one, two = propose(pair, "one", "a"), propose(pair, "two", "b")
    stale = Decision(Target(one.ref, "0" * 16), Verdict.REJECT)
    result = pair.services.review.decide_all([stale, Decision(Target(two.ref), Verdict.REJECT)])
    assert result.done == 1
    assert [error.code for _ref, error in result.failed] == ["record.changed"]
