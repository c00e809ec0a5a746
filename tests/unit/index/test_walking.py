# SPDX-License-Identifier: MIT
"""The first ids of a search, found by walking the order: all of them, and no others."""

from unittest.mock import patch

import pytest

from memory_gui.domain.language import Parsed, When
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.index import arena, blocks, filters, orders, titles, whole
from memory_gui.index.content import Content
from memory_gui.index.whole import Shelved, Whole

NAMES = "ab"
WORDS = ("even", "odd", "third", "fifth")


def record(store, n, text, **more):
    when = f"2026-01-{n % 9 + 1:02d}T00:00:00+00:00"
    ref = Ref(StoreId(store), "memory", (f"{n:08x}",))
    return Record(ref, f"{n:016x}", State.LIVE, f"t{n * 7 % 10}", text,
                  created_at=when, created_at_utc=when, **more)  # fmt: skip


def words_of(n):
    found = [word for word, step in zip(WORDS, (2, 1, 3, 5), strict=True) if n % step == 0]
    return " ".join(found if n % 2 == 0 else [*found[:-1], "odd"])


@pytest.fixture
def stores():
    made = []
    for number, name in enumerate(NAMES, 1):
        content = Content(StoreId(name))
        content.put([record(name, n, words_of(n)) for n in range(20)])
        content.drop([record(name, 4, "").ref, record(name, 19, "").ref])
        made.append(Shelved(number << 32, content))
    return made


def first(stores, text, sort="title", most=3):
    query = Query(text)
    return Whole().first(stores, query, query.parsed(), sort, most=most)


def every(stores, text, sort):
    query = Query(text)
    return Whole().search(stores, query, query.parsed(), sort)


@pytest.mark.parametrize(
    ("step", "sort"), [(1, "title"), (4, "-title"), (7, "title"), (7, "-updated")]
)
def test_they_are_the_first_that_a_search_finds(stores, step, sort):
    texts = ("even", "-even", "odd", "third", "fifth -even", "even -third", "nowhere", "t3 -odd")
    with patch.object(whole, "_WALK", step), patch.object(filters, "_STEP", 2):
        for text in texts:
            found = every(stores, text, sort)
            for most in (1, 5, 100):
                assert first(stores, text, sort, most) == found[:most]


@pytest.mark.parametrize(("far", "ends"), [(36, True), (35, False)])
def test_it_gives_way_after_so_many_texts(stores, far, ends):
    with patch.multiple(whole, _WALK=5, _FAR=far):
        assert (first(stores, "nowhere") is not None) is ends
        assert len(first(stores, "odd") or ()) == 3


def test_no_text_is_looked_at_but_for_those_that_the_rest_leaves(stores):
    with patch.multiple(whole, _WALK=5, _FAR=0):
        assert list(first(stores, "nowhere state:trash")) == []
        assert first(stores, "nowhere state:live") is None


def test_what_blocks_signs_tell_decides_whether_it_is_begun():
    with patch.multiple(blocks, BLOCK=64, FEW=0), patch.object(arena, "LARGEST", 4_000):
        stores = []
        for number, name in enumerate(NAMES, 1):
            content = Content(StoreId(name))
            only = "common" if name == "a" else "others"
            content.put([record(name, n, f"{only} words {n:04d}") for n in range(60)])
            stores.append(Shelved(number << 32, content))
        with patch.multiple(whole, _WALK=4, _FAR=2):
            assert first(stores, "0017 words") is None  # in few: quicker to look through those
            assert first(stores, "words") is None  # in all: no sign promises anything
            assert len(first(stores, "common")) == 3
            assert len(first(stores, "common words")) == 3
            assert len(first(stores, "common -0017")) == 3


@pytest.mark.parametrize("negated", [False, True])
def test_a_time_is_from_its_beginning_on_and_before_its_end(stores, negated):
    """One that is not known is neither within nor without."""
    (one, _), day = stores, 86_400_000_000
    begin = int(one.content.columns["created"][0])
    one.content.put([Record(Ref(StoreId("a"), "memory", ("x",)), "x", State.LIVE, "t", "")])
    parsed = Parsed((When("created", begin + day, begin + 2 * day, negated),))
    found = {number & 0xFFFFFFFF for number in Whole().search([one], Query("x"), parsed, "title")}
    within = {n for n in range(20) if n % 9 == 1 and n not in {4, 19}}
    assert found == (set(range(20)) - {4, 19} - within if negated else within)


def test_a_chosen_value_is_told_beside_the_most_frequent_ones():
    content = Content(StoreId("a"))
    content.put([record("a", n, "", source=f"s{n if n < 10 else n % 3}") for n in range(30)])
    query = Query(facets={"source": frozenset({"s7"})})
    with patch.object(filters, "FACET_LIMIT", 3):
        told = Whole().facets([Shelved(0, content)], query, query.parsed())["source"]
    assert {one.value: one.count for one in told} == {"s0": 7, "s1": 8, "s2": 8, "s7": 1}


@pytest.mark.parametrize("sort", ["title", "-title", "updated", "-updated"])
def test_in_small_pieces_the_order_is_the_same(stores, sort):
    query = Query()
    expected = Whole().search(stores, query, query.parsed(), sort)
    ascending = sorted(
        (one for shelf in stores for one in _numbers(shelf)),
        key=lambda one: (one[1] if "title" in sort else one[2], one[0]),
    )
    numbers = [number for number, _, _ in ascending]
    assert list(expected) == (numbers[::-1] if sort[0] == "-" else numbers)
    with patch.object(titles, "_PIECE", 3), patch.object(orders, "_FEW", 0):
        assert Whole().search(stores, query, query.parsed(), sort) == expected


def _numbers(shelf):
    return [(shelf.base + n, n * 7 % 10, n % 9) for n in range(20) if n not in {4, 19}]


def test_states_and_chosen_values_count_in_a_walk_and_in_what_is_remembered(stores):
    live, gone = frozenset({State.LIVE}), frozenset({State.TRASH})
    stores[0].content.put([record("a", 50, "odd", source="s")])
    for states, number in ((live, 1), (gone, 0), (frozenset(), 1)):
        query = Query("odd", states=states, facets={"source": frozenset({"s"})})
        assert len(Whole().search(stores, query, query.parsed(), "title")) == number
        with patch.object(whole, "_WALK", 4):
            begun = Whole().first(stores, query, query.parsed(), "title", most=5)
        assert len(begun) == number


def test_few_are_sorted_by_themselves_in_both_directions(stores):
    for n, shelf in zip((51, 53), stores, strict=True):
        shelf.content.put([record(shelf.content.store, n, "rare")])
    both = [shelf.base + 20 for shelf in stores]  # titles t7 and t1
    assert list(every(stores, "rare", "title")) == both[::-1]
    assert list(every(stores, "rare", "-title")) == both
