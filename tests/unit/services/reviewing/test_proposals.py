# SPDX-License-Identifier: MIT
"""The queue of our own: an agent proposes, only a person's approval writes the store."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memory_gui.agents import propose
from memory_gui.domain.changes import Decision, NewRecord, Outcome, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.services import build_services
from memory_gui.services.reviewing.proposals import Proposals
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words


@pytest.fixture
def person(tmp_path, empty_store, memory_keychain):
    """A person's store alone, which has no queue, and a ledger."""
    path = empty_store(tmp_path / "home/.agentao")
    services = build_services(
        words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=memory_keychain
    )
    store = services.library.open(path)[0]

    def ask(text, evidence="", **fields):
        return propose(
            path,
            {"title": "tea", "text": text, "scope": "user", **fields},
            evidence,
            keychain=memory_keychain,
            data_dir=tmp_path / "data",
        )

    yield SimpleNamespace(services=services, store=store, ask=ask, path=path, folder=tmp_path)
    services.close()


def texts(person):
    query = Query(kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))
    found = person.services.library.search(query, "title")
    return [record.text for record in person.services.library.window(found.ids)]


def approve(item, **more):
    return Decision(Target(item.ref, item.etag), Verdict.APPROVE, **more)


def test_what_an_agent_proposes_waits_with_its_evidence_and_writes_nothing(person):
    before = person.path.read_bytes()
    first = person.ask("likes green tea", "I said that I like green tea")
    assert person.ask("likes green tea", "again: green tea") == first
    (item,) = person.services.review.items()
    assert (item.text, item.extra["evidence"], item.extra["occurrences"]) == (
        "likes green tea",
        "again: green tea",
        "2",
    )
    assert person.path.read_bytes() == before
    assert texts(person) == []
    assert b"green tea" not in (person.folder / "data/memory-gui.db").read_bytes()
    seen = person.services.review.preview(item.ref)
    assert (seen.outcome, seen.fields["key"]) == (Outcome.NEW, "tea")


def test_approving_writes_the_store_then_the_proposal(person):
    person.ask("likes green tea")
    (item,) = person.services.review.items()
    person.services.review.decide(approve(item, fields={"text": "likes white tea"}))
    assert texts(person) == ["likes white tea"]
    assert person.services.review.items() == []
    (done,) = person.services.review.items(states=[State.APPROVED])
    with pytest.raises(UserError, match=r"review\.not_pending"):
        person.services.review.decide(approve(done))


def test_what_would_be_replaced_is_pinned(person):
    person.services.editing.add(
        person.store.id,
        NewRecord("memory", {"title": "tea", "text": "likes black tea", "scope": "user"}),
    )
    person.ask("likes green tea with honey")
    (item,) = person.services.review.items()
    seen = person.services.review.preview(item.ref)
    assert (seen.outcome, seen.fields["proposed_key"]) == (Outcome.REPLACES, "tea_2")
    with pytest.raises(UserError, match=r"review\.target_changed"):
        person.services.review.decide(approve(item))
    person.services.review.decide(approve(item, replaces=seen.existing.etag))
    assert texts(person) == ["likes green tea with honey"]


def test_rejected_stays_rejected_and_can_be_opened_again(person):
    person.ask("likes green tea")
    (item,) = person.services.review.items()
    person.services.review.decide(Decision(Target(item.ref), Verdict.REJECT))
    person.ask("likes green tea")
    (again,) = person.services.review.items()
    assert person.services.review.preview(again.ref).rejected_at is not None
    person.services.review.decide(Decision(Target(item.ref), Verdict.REOPEN))
    assert len(person.services.review.items()) == 2


def test_a_proposal_needs_a_text_and_a_place(person, tmp_path):
    with pytest.raises(UserError, match=r"propose\.no_text"):
        person.ask(" ")
    with pytest.raises(UserError, match=r"propose\.nowhere"):
        propose(person.path, {"text": "x"}, keychain=NoKeychain(), data_dir=tmp_path / "other")


def test_odd_values_of_an_agent_spoil_nothing(person):
    person.ask("likes green tea", type=None, tags=["a", 1], **{"\0saving": "x"})
    (item,) = person.services.review.items()
    assert (item.type, item.tags) == (None, ("a", "1"))
    person.services.review.decide(approve(item, fields={"text": "likes white tea"}))
    assert texts(person) == ["likes white tea"]


def test_erasing_a_text_takes_its_proposals_too(person):
    person.ask("likes green tea")
    (item,) = person.services.review.items()
    saved = person.services.review.decide(approve(item)).changes.added[0]
    person.services.erasing.run(person.services.erasing.plans.plan([saved]))
    assert person.services.review.items(states=tuple(State)) == []


def test_each_decision_is_taken_back_and_done_again(person):
    person.ask("likes green tea")
    review, editing = person.services.review, person.services.editing
    (item,) = review.items()
    review.decide(approve(item))
    assert editing.undo_text() == ("approve", 1)
    editing.undo()
    assert (texts(person), len(review.items())) == ([], 1)
    editing.redo()
    assert (texts(person), review.items()) == (["likes green tea"], [])
    editing.undo()
    review.decide(Decision(Target(item.ref), Verdict.REJECT))
    editing.undo()
    assert [one.state for one in review.items(states=tuple(State))] == [State.PENDING]


def test_what_it_replaced_comes_back_with_undo(person):
    values = {"title": "tea", "text": "likes black tea", "scope": "user"}
    person.services.editing.add(person.store.id, NewRecord("memory", values))
    person.ask("likes green tea with honey")
    (item,) = person.services.review.items()
    existing = person.services.review.preview(item.ref).existing
    person.services.review.decide(approve(item, replaces=existing.etag))
    person.services.editing.undo()
    assert texts(person) == ["likes black tea"]
    assert len(person.services.review.items()) == 1


@pytest.mark.parametrize("fields", [{}, {"text": "likes white tea", "key": "white"}])
def test_a_stop_between_the_store_and_our_queue_is_finished_at_the_next_opening(
    person, monkeypatch, fields
):
    """Also of what was corrected before it was saved."""
    person.ask("likes green tea")
    saved = [fields.get("text", "likes green tea")]
    (item,) = person.services.review.items()

    class Stop(BaseException):
        pass

    def stop(*_):
        raise Stop

    monkeypatch.setattr(person.services.review.proposals, "turn", stop)
    monkeypatch.setattr("memory_gui.ledger.begun.BegunActs.remove", lambda *_: None)
    monkeypatch.setattr("memory_gui.ledger.begun.BegunAct.is_held", lambda _: False)
    with pytest.raises(Stop):
        person.services.review.decide(approve(item, fields=fields))
    monkeypatch.undo()
    monkeypatch.setattr("memory_gui.ledger.begun.BegunAct.is_held", lambda _: False)
    assert (texts(person), len(person.services.review.items())) == (saved, 1)
    person.services.library.close(person.store.id)
    person.services.library.open(person.path)
    assert (texts(person), person.services.review.items()) == (saved, [])
    assert not list((person.folder / "data/acts").glob("*"))


@pytest.mark.parametrize(
    ("kept", "rows", "told"), [(True, None, True), (True, (), False), (False, None, False)]
)
def test_a_queue_whose_key_is_not_to_be_had_is_not_taken_for_empty(kept, rows, told):
    keeper = SimpleNamespace(is_kept=kept, ledger=lambda: SimpleNamespace(proposals=rows))
    own = Proposals(None, SimpleNamespace(deciding=SimpleNamespace()), keeper)
    assert own.out_of_reach is told
