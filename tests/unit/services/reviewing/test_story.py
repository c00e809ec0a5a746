# SPDX-License-Identifier: MIT
"""What a proposal became, when its agent saw it last, and who approved it; also after a kill."""

from __future__ import annotations

import pytest

from memory_gui.domain.changes import Decision, NewRecord, Target, Verdict
from memory_gui.domain.records import State
from memory_gui.engine.connection import open_database
from memory_gui.ledger.begun import BegunActs
from memory_gui.services.activity.activity import BY_APPROVAL, Who

LONG_AGO = "2026-01-05T10:00:00"


@pytest.fixture
def seen_often(pair):
    """An item that its agent saw three times, the last time long ago."""
    item = NewRecord("review", {"title": "x", "text": "likes tea", "key": "tea", "session": "s1"})
    ref = pair.services.review.propose(pair.project.id, item).changes.refs[0]
    write(pair, "UPDATE memory_review_queue SET occurrences = 3, updated_at = ?", LONG_AGO)
    write(pair, "UPDATE memory_review_queue SET created_at = ?", "2026-01-01T09:00:00")
    return ref


def write(pair, sql, *values):
    with open_database(pair.project_file, None, write=True) as connection:
        connection.execute(sql, values)
    pair.services.library.poll()


def story(pair, ref):
    return pair.services.stories.of(pair.services.review.preview(ref))


def decide(pair, ref, verdict, **fields):
    pair.services.review.decide(Decision(Target(ref), verdict, fields))


def test_our_decision_is_not_when_the_agent_saw_it(pair, seen_often):
    now = story(pair, seen_often)
    assert (now.last_seen or "").startswith("2026-01-05")
    assert now.decided is None
    decide(pair, seen_often, Verdict.REJECT)
    after = story(pair, seen_often)
    assert after.last_seen is None, "nobody knows it any more, and nothing else is said for it"
    assert after.decided is not None
    decide(pair, seen_often, Verdict.REOPEN)
    assert story(pair, seen_often).last_seen is None
    assert story(pair, seen_often).decided is None


def test_the_session_it_comes_from_tells_when_it_was_seen(pair, seen_often):
    write(
        pair,
        "INSERT INTO session_summaries (id, session_id, summary_text, created_at)"
        " VALUES ('a1', 's1', 'tea', ?)",
        "2026-01-05T09:59:00",
    )
    decide(pair, seen_often, Verdict.REJECT)
    after = story(pair, seen_often)
    assert (after.last_seen or "").startswith("2026-01-05")
    assert after.in_session


def test_seen_once_it_was_seen_when_it_was_made(pair, seen_often):
    write(pair, "UPDATE memory_review_queue SET occurrences = 1")
    decide(pair, seen_often, Verdict.REJECT)
    assert (story(pair, seen_often).last_seen or "").startswith("2026-01-01")


def test_it_is_known_what_an_edited_approval_was_saved_as(pair, seen_often):
    decide(pair, seen_often, Verdict.APPROVE, text="likes green tea", key="green tea", scope="user")
    memory = story(pair, seen_often).memory
    assert (memory.text, memory.scope) == ("likes green tea", "user")
    pair.services.editing.trash([memory.ref])
    assert story(pair, seen_often).memory.state is State.TRASH
    pair.services.editing.delete([memory.ref])
    assert story(pair, seen_often).memory is None
    assert story(pair, seen_often).gone


def test_of_several_approved_at_once_each_is_known_by_its_key(pair, seen_often):
    item = NewRecord("review", {"title": "x", "text": "likes rye", "key": "rye"})
    rye = pair.services.review.propose(pair.project.id, item).changes.refs[0]
    both = [Decision(Target(ref), Verdict.APPROVE) for ref in (seen_often, rye)]
    pair.services.review.decide_all(both)
    assert [story(pair, ref).memory.text for ref in (seen_often, rye)] == ["likes tea", "likes rye"]


def test_who_approved_is_told_as_ours(pair, seen_often):
    decide(pair, seen_often, Verdict.APPROVE)
    memory = story(pair, seen_often).memory
    (one,) = pair.services.activity.of_record(memory.ref).happenings
    assert (one.who, one.code) == (Who.YOU, "approve")
    pair.services.activity.forget_acts()
    (one,) = pair.services.activity.of_record(memory.ref).happenings
    assert one.code == BY_APPROVAL, "somebody approved it; it is not told as its agent's own doing"


def test_what_a_killed_bulk_approved_is_ours_too(pair, seen_often, services_in, monkeypatch):
    """An act is kept when it ends: of a killed one, what it did is kept at the next opening."""
    services, begun = pair.services, BegunActs(pair.folder / "data")
    item = NewRecord("review", {"title": "x", "text": "likes rye", "key": "rye"})
    rye = services.review.propose(pair.project.id, item).changes.refs[0]
    records = [(ref.kind, ref.key) for ref in (seen_often, rye)]
    entry = begun.begin(str(pair.project.id), "approve", records)
    monkeypatch.setattr(services.journal, "done", lambda *_a, **_k: None)
    decide(pair, seen_often, Verdict.APPROVE)
    begun.leave(entry, 1)
    services.close()
    again = services_in(pair.folder)
    again.library.open(pair.folder / "atlas")
    memory = again.stories.of(again.review.preview(seen_often)).memory
    (one,) = again.activity.of_record(memory.ref).happenings
    assert (one.who, one.code) == (Who.YOU, "approve")
    again.library.close_all()
    again.library.open(pair.folder / "atlas")
    assert len(again.activity.of_record(memory.ref).happenings) == 1, "kept once"
