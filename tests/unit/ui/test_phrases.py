# SPDX-License-Identifier: MIT
"""What stands in columns, in words."""

from datetime import UTC, datetime

import pytest

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.server_memory.records import KINDS
from memory_gui.ui.phrases import SCOPES, STATES, TYPES, age, full_time, heading, phrase
from memory_gui.ui.records.editing.facts import facts_of
from memory_gui.ui.views import VIEWS
from memory_gui.words import Words

EN, ZH = Words("en"), Words("zh_CN")


def record(**values):
    ref = Ref(StoreId("s"), values.pop("kind", "memory"), ("k",))
    return Record(ref=ref, etag="e", state=State.LIVE, **{"title": "t", "text": "x", **values})


def test_every_type_scope_and_state_has_words():
    assert set(TYPES) == set(rules.TYPES)
    assert set(SCOPES) == set(rules.SCOPES)
    assert set(STATES) == set(State)


def test_what_has_no_words_is_shown_as_it_is_stored():
    assert phrase(EN, TYPES, "preference") == "preference"
    assert phrase(ZH, TYPES, "preference") == "偏好"
    assert phrase(ZH, TYPES, "brand_new\u200b") == "brand_new⟦U+200B⟧"
    assert phrase(EN, TYPES, None) == ""


def test_headings():
    assert heading(EN, record(title="", text="")) == "Untitled"
    assert heading(EN, record(title="", text=" \nOne\ntwo")).startswith("One")
    assert heading(EN, record(kind="event", title="soft_delete")) == "Memory went to the trash"
    assert heading(EN, record(kind="event", title="merge")) == "merge"


def test_ages_and_times():
    now = datetime(2026, 11, 29, 12, tzinfo=UTC)
    at = record(updated_at_utc="2026-11-29T10:00:00+00:00")
    assert age(EN, at, now) == "2 hours ago"
    assert age(ZH, at, now) == "2 小时前"
    assert age(EN, record(), now) == ""
    assert age(EN, record(updated_at_utc="yesterday"), now) == ""
    assert full_time(EN, None, "yesterday\u200b") == "yesterday⟦U+200B⟧"
    assert "2026" in full_time(EN, "2026-11-29T10:00:00+00:00", None)


def test_a_time_of_an_unknown_zone_is_said_by_locale_as_it_stands():
    assert full_time(EN, None, "2026-11-18T15:47:10").startswith("Nov 18, 2026, 3:47:10")
    assert full_time(Words("zh_CN"), None, "2026-11-18 15:47:10") == "2026年11月18日 15:47:10"


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_view_counts_what_it_lists(view):
    records = [
        record(kind=kind).__class__(
            ref=Ref(StoreId("s"), kind, (f"{kind}{state}",)), etag="e", state=state, title="t",
            text="x",
        )
        for kind in ("memory", "review", "summary", "event", "meta")
        for state in State
    ]  # fmt: skip
    counts: dict[str, dict[State, int]] = {}
    for one in records:
        counts.setdefault(one.kind, {})[one.state] = 1
    query = view.query("", frozenset())
    assert view.count(counts) == sum(query.matches(one) for one in records) > 0


def test_an_id_is_shown_whole():
    (kind,) = (kind for kind in KINDS if kind.name == "relation")
    ref = Ref(StoreId("s"), "relation", ("马特奥", "审查", "Project Ginkgo 银杏" * 9))
    one = Record(ref=ref, etag="e", state=State.LIVE, title="t", text="")
    assert facts_of(EN, str, one, "store", kind)["id"] == ref.text
