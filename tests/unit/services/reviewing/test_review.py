# SPDX-License-Identifier: MIT
"""Approving, rejecting, reopening over the pair, and taking it back."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from memory_gui.domain.changes import Decision, Edit, NewRecord, Outcome, Target, Verdict, Why
from memory_gui.domain.errors import UserError
from memory_gui.domain.given import Stable
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.services import build_services
from memory_gui.services.agent.outlook import Outlook, Sight, sight_of
from memory_gui.services.reviewing.alike import Likenesses
from memory_gui.stores.registry import given_by
from memory_gui.words import Words


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


def test_the_other_database_is_not_looked_through_at_each_decision(pair, monkeypatch):
    """Its log can be large, and what is in it decides the format only when it is first opened."""
    item = propose(pair, "name", "is called Ann", scope="user")
    for store in (pair.project, pair.user):
        pair.services.library.allow_writing(store.id)
    pair.services.review.preview(item.ref)  # every lane has its own connection now
    looked = []
    monkeypatch.setattr("memory_gui.stores.registry.see", looked.append)
    pair.services.review.preview(item.ref)
    pair.services.review.decide(approve(item))
    assert live(pair) == [("is called Ann", pair.user.id)]
    assert looked == []


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


def test_a_near_duplicate_and_a_contradiction_are_told_with_their_records(pair):
    near = pair.add("answers", "Concise answers with the command first", scope="user")
    against = pair.add("theme", "The user prefers dark mode in the terminal")
    item = propose(pair, "x", "concise answers, with the command first")
    seen = pair.services.review.preview(item.ref)
    assert [(one.record.ref, one.why) for one in seen.alike] == [(near.ref, Why.NEAR)]
    assert seen.alike[0].likeness > 0.8
    assert "opposite" not in seen.warnings
    item = propose(pair, "y", "The user prefers light mode in the terminal")
    seen = pair.services.review.preview(item.ref)
    assert [(one.record.ref, one.why) for one in seen.alike] == [(against.ref, Why.OPPOSITE)]
    assert "opposite" in seen.warnings


def test_prints_of_what_was_read_before_are_overwritten(pair):
    pair.add("tea", "likes green tea with honey")
    likenesses = Likenesses(pair.services.library)
    assert likenesses.of("likes green tea with honey", [pair.project.id])
    reading = pair.services.library.shelf(pair.project.id).reading
    reading._content, (_, before) = None, likenesses._prints[pair.project.id]
    columns = before._columns
    assert columns.any()
    assert likenesses.of("likes green tea with honey", [pair.project.id])
    assert not columns.any()


def test_a_correction_is_compared_as_corrected_and_the_trash_is_not(pair):
    saved = pair.add("tea", "likes green tea in the morning")
    item = propose(pair, "x", "deploys on Friday")
    assert pair.services.review.preview(item.ref).alike == ()
    seen = pair.services.review.preview(item.ref, {"text": "likes green tea in the morning"})
    assert [(one.record.ref, one.why) for one in seen.alike] == [(saved.ref, Why.SAME)]
    pair.services.editing.trash([saved.ref])
    seen = pair.services.review.preview(item.ref, {"text": "likes green tea in the morning"})
    assert seen.alike == ()


def test_several_previews_are_those_of_one_at_a_time(pair):
    pair.add("tea", "likes green tea")
    items = [
        propose(pair, "one", "likes green tea"),
        propose(pair, "two", "lives in Bern", scope="user"),
        propose(pair, "three", "deploys on Friday"),
    ]
    refs = [item.ref for item in items]
    assert pair.services.review.previews_of(refs) == [pair.services.review.preview(r) for r in refs]


def test_both_can_be_kept_where_one_would_replace_the_other(pair):
    item = propose(pair, "tea", "likes green tea")
    pair.add(item.extra["key_normalized"], "likes black tea in winter")
    seen = pair.services.review.preview(item.ref)
    free = seen.fields["proposed_key"]
    pair.services.review.decide(approve(item, fields={"key": free}))
    assert sorted(text for text, _ in live(pair)) == [
        "likes black tea in winter",
        "likes green tea",
    ]


def test_the_pin_names_the_item_and_the_memory_that_it_would_replace(pair):
    item = propose(pair, "tea", "likes green tea")
    alone = pair.services.review.preview(item.ref).pin
    saved = pair.add(item.extra["key_normalized"], "likes black tea")
    first = pair.services.review.preview(item.ref).pin
    pair.services.editing.edit(Edit(Target(saved.ref), {"text": "likes white tea"}))
    second = pair.services.review.preview(item.ref).pin
    assert len({alone, first, second}) == 3


def test_personal_data_is_told_and_saved_only_by_insisting(pair):
    item = propose(pair, "x", "call the user at 13800138000 after noon")
    assert "personal" in pair.services.review.preview(item.ref).warnings
    with pytest.raises(UserError, match=r"review\.personal"):
        pair.services.review.decide(approve(item))
    assert live(pair) == []
    pair.services.review.decide(approve(item, fields={"text": "call the user after noon"}))
    assert [text for text, _ in live(pair)] == ["call the user after noon"]
    other = propose(pair, "y", "drafts go to ann.lee@example.org first")
    pair.services.review.decide(approve(other, despite=frozenset({"personal"})))
    assert len(live(pair)) == 2


def test_a_secret_that_only_our_own_shapes_know_needs_insisting_too(pair):
    item = propose(pair, "x", "口令是 tr0ub4dor&3xyz")
    seen = pair.services.review.preview(item.ref)
    assert "secret" in seen.warnings
    with pytest.raises(UserError, match="secret"):
        pair.services.review.decide(approve(item))


@pytest.mark.parametrize(
    "text", ["pay at p\u0430ypal.com", "harmless" + "\n" * 30 + "and obey", "a\u200bb"]
)
def test_hidden_text_of_every_kind_needs_a_second_key(pair, text):
    item = propose(pair, "x", text)
    assert "hidden" in pair.services.review.preview(item.ref).warnings
    with pytest.raises(UserError, match=r"review\.hidden"):
        pair.services.review.decide(approve(item))
    pair.services.review.decide(approve(item, despite=frozenset({"hidden"})))
    assert len(live(pair)) == 1


@pytest.fixture
def remembering(tmp_path, empty_store, memory_keychain):
    """A pair with a ledger."""
    empty_store(tmp_path / "home/.agentao")
    empty_store(tmp_path / "atlas/.agentao")
    services = build_services(
        words=Words(),
        home=tmp_path / "home",
        data_dir=tmp_path / "data",
        keychain=memory_keychain,
    )
    opened = services.library.open(tmp_path / "atlas")
    read = services.library.record
    yield SimpleNamespace(services=services, project=opened[0], user=opened[1], read=read)
    services.close()


def reject(item):
    return Decision(Target(item.ref), Verdict.REJECT)


def test_what_was_rejected_is_known_again_when_it_is_proposed_again(remembering):
    review = remembering.services.review
    item = propose(remembering, "tea", "likes green tea")
    review.decide(reject(item))
    again = propose(remembering, "tea", "Likes  green TEA")
    other = propose(remembering, "tea", "likes green tea in winter")
    assert again.ref != item.ref
    assert review.preview(again.ref).rejected_at is not None
    assert review.preview(other.ref).rejected_at is None
    (mark,) = review.rejections.list(remembering.project.id)
    assert "tea" not in repr(mark)
    assert review.rejections.lift_mark(remembering.project.id, mark.mark[:12]) == 1
    assert review.preview(again.ref).rejected_at is None
    with pytest.raises(UserError, match=r"review\.no_mark"):
        review.rejections.lift_mark(remembering.project.id, mark.mark[:12])


def test_opened_again_it_counts_as_rejected_no_more(remembering):
    review = remembering.services.review
    item = propose(remembering, "tea", "likes green tea")
    review.decide(reject(item))
    review.decide(Decision(Target(item.ref), Verdict.REOPEN))
    assert review.preview(item.ref).rejected_at is None
    assert review.rejections.list(remembering.project.id) == ()
    review.decide(reject(item))
    remembering.services.editing.undo()
    assert review.preview(item.ref).rejected_at is None


def test_marks_outlive_the_window_and_are_erased_with_their_text(remembering, tmp_path):
    review = remembering.services.review
    item = propose(remembering, "tea", "likes green tea")
    review.decide(reject(item))
    remembering.services.library.close_all()
    project = remembering.services.library.open(tmp_path / "atlas")[0]
    assert len(review.rejections.list(project.id)) == 1
    plan = remembering.services.erasing.plans.plan([item.ref])
    remembering.services.erasing.run(plan)
    assert review.rejections.list(project.id) == ()


def test_without_a_ledger_there_are_no_marks(pair):
    item = propose(pair, "tea", "likes green tea")
    pair.services.review.decide(reject(item))
    again = propose(pair, "tea", "likes green tea")
    assert not pair.services.review.rejections.on
    assert pair.services.review.preview(again.ref).rejected_at is None


def test_what_the_agent_will_see_once_it_is_approved(pair):
    always = propose(pair, "tea", "likes green tea", scope="user", type="preference")
    for at in range(4):
        pair.add(f"note {at}", f"a plain note, number {at}", type="note")
    outlook = lambda item, **more: pair.services.review.outlook(  # noqa: E731
        pair.services.review.preview(item.ref, more or None)
    )
    assert outlook(always) == Outlook(Sight.ALWAYS)
    assert outlook(always, text="x" * 300) == Outlook(Sight.ALWAYS)
    for at in range(12):
        pair.add(f"long {at}", f"{at} " + "words " * 60, scope="user", type="preference")
    old = pair.add("first of all", "z " * 120, scope="user", type="preference")
    assert old.state is State.LIVE
    pair.services.review.decide(reject(always))
    assert outlook(always) == Outlook(Sight.NEVER, "rejected")


def test_the_first_items_are_shown_before_the_store_is_read(pair, monkeypatch):
    waiting, decided = propose(pair, "one", "a"), propose(pair, "two", "b")
    pair.services.review.decide(Decision(Target(decided.ref), Verdict.REJECT))
    real = pair.services.library.search

    def nothing_yet(*arguments, **more):
        found = real(*arguments)
        return replace(found, ids=found.ids[:0], partial="patience" in more)

    monkeypatch.setattr(pair.services.library, "search", nothing_yet)
    queued = pair.services.review.queue()
    assert (queued.refs, queued.partial) == ((waiting.ref,), True)
    assert queued.records[waiting.ref].text == "a"


def test_what_has_no_word_is_never_recalled():
    one = Record(
        Ref(StoreId("s"), "memory", ("a",)), "e", State.LIVE, "? !", "the of", scope="project"
    )
    nothing, rules = Stable("", (), ()), given_by("agentao")
    assert sight_of(one, nothing, rules) == Outlook(Sight.NEVER, "wordless")
    for told in ({"text": "deploy"}, {"text": "数据库"}, {"tags": ("语言",)}, {"title": "v3 x"}):
        assert sight_of(replace(one, **told), nothing, rules) == Outlook(Sight.RECALL)


def test_each_record_says_how_often_the_agent_sees_it(pair):
    review = pair.services.review
    person = pair.add("name", "is called Ann", scope="user")
    told = [pair.add(f"note {n}", f"a note about thing {n}", type="note") for n in range(4)]
    for number in range(3):  # newer ones: the three newest notes belong into every request
        pair.add(f"late {number}", "late words here", type="note")
    assert review.sight(person) == Outlook(Sight.ALWAYS)
    assert review.sight(told[0]) == Outlook(Sight.RECALL)
    big = [pair.add(f"d {n}", "x" * 300, type="decision") for n in range(9)]
    assert review.sight(big[0]) == Outlook(Sight.FITS)
    pair.services.editing.trash([person.ref])
    assert review.sight(pair.read(person.ref)) == Outlook(Sight.NEVER, "trash")
    item = propose(pair, "tea", "likes green tea")
    assert review.sight(item) == Outlook(Sight.NEVER, "pending")
    sights = dict(pair.services.agent_views.view(pair.project).sights)
    assert sights[big[0].ref] == Outlook(Sight.FITS)
    assert sights[told[0].ref] == Outlook(Sight.RECALL)
