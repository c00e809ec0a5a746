# SPDX-License-Identifier: MIT
"""A bulk act tells before what becomes of each; what wants a look is left with its cause."""

from memory_gui.domain.changes import NewRecord, Verdict
from memory_gui.services.reviewing.bulk import plan_bulk


def propose(pair, text, **fields):
    new = NewRecord("review", {"title": "x", "text": text, "scope": "project", **fields})
    (ref,) = pair.services.review.propose(pair.project.id, new).changes.refs
    return ref


def test_counts_by_outcome_and_causes(pair):
    review = pair.services.review
    pair.add("tea", "likes green tea")
    pair.add("theme", "the user prefers dark mode at night")
    pair.add("port", "listens on a port")
    plain = propose(pair, "deploys on Friday", key="deploy")
    user = propose(pair, "lives in Bern", key="home_town", scope="user")
    replaces = propose(pair, "drinks coffee only", key="tea")
    against = propose(pair, "the user prefers light mode at night", key="mode")
    hidden = propose(pair, "pay at p\u0430ypal.com", key="pay")
    phone = propose(pair, "ring 13800138000 after noon", key="phone")
    again = propose(pair, "likes green tea", key="drink")
    plan = plan_bulk(review, review.waiting(), Verdict.APPROVE)
    assert plan.outcomes == {"new": 2, "same": 1}
    assert {one.target.ref for one in plan.decisions} == {plain, user, again}
    ((repeated, saved),) = plan.same
    assert (repeated, review.preview(again).alike[0].record.ref) == (again, saved)
    assert {ref: error.code for ref, error in plan.left} == {
        replaces: "review.conflict",
        against: "review.opposite",
        hidden: "review.hidden",
        phone: "review.personal",
    }
    done = review.decide_all(plan.decisions)
    assert (done.done, done.failed) == (3, ())
    again = plan_bulk(review, review.waiting(), Verdict.APPROVE, frozenset({"conflict"}))
    assert again.outcomes == {"replaces": 1, "new": 1}
    gone = plan_bulk(review, review.waiting(), Verdict.REJECT)
    assert gone.outcomes == {"reject": 4}
    assert gone.left == ()


def test_what_changed_after_the_plan_is_left_and_listed_once(pair):
    review = pair.services.review
    first, second = propose(pair, "a fact", key="a"), propose(pair, "b fact", key="b")
    plan = plan_bulk(review, [first, second], Verdict.APPROVE)
    pair.add("a", "another text")
    done = review.decide_all(plan.decisions)
    assert done.done == 1
    assert [(ref, error.code) for ref, error in done.failed] == [(first, "review.target_changed")]


def test_the_filter_is_the_query_language(pair):
    first, second = propose(pair, "a fact", key="a"), propose(pair, "b thing", key="b")
    assert pair.services.review.waiting("thing") == [second]
    assert set(pair.services.review.waiting()) == {first, second}
