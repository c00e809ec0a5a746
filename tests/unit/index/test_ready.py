# SPDX-License-Identifier: MIT
"""Orders that are kept ready: made in the background, put right after a change, forgotten."""

import pytest

from memory_gui.domain.queries import SORTS, Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.index import changes, ready
from memory_gui.index.content import Content
from memory_gui.index.whole import Shelved, Whole

STORES = StoreId("a"), StoreId("b"), StoreId("c")
QUERY = Query()


def record(store, n, title, edition=0):
    ref = Ref(STORES[store], "memory", (f"{n:08x}",))
    when = f"2026-01-{n % 28 + 1:02d}T03:04:05+00:00"
    return Record(
        ref, f"{n << 20 | edition << 1 | 1:016x}", State.LIVE, title, "", subject=f"s{n % 40}",
        type=("note", "Decision")[n % 2], created_at=when, created_at_utc=when,
    )  # fmt: skip


def filled(store, number=40):
    content = Content(STORES[store])
    content.put([record(store, n, f"title {n * 7 % 10}") for n in range(number)])
    return Shelved(store + 1 << 32, content)


def shown(whole, stores, sort):
    return list(whole.search(stores, QUERY, QUERY.parsed(), sort))


@pytest.fixture
def made(monkeypatch):
    """The names of the orders that are sorted as a whole, and not put right, from now on."""
    names: list[str] = []
    ordered = ready.ordered

    def noted(joined, slots, name, *check):
        names.append(name)
        return ordered(joined, slots, name, *check)

    monkeypatch.setattr(ready, "ordered", noted)
    return names


def test_an_order_that_was_made_ready_is_the_one_that_is_shown(made):
    whole, stores = Whole(), [filled(0), filled(1)]
    whole.ready_maker(stores, ["title", "updated"])()
    assert made == ["title", "updated"]
    assert shown(whole, stores, "title") == shown(Whole(), stores, "title")
    assert made == ["title", "updated", "title"]
    assert whole.ready_maker(stores, ["title", "updated"]) is None


def test_what_is_unwanted_is_not_made_to_its_end(made):
    whole, stores = Whole(), [filled(0)]
    asked = iter([False, False, True])
    whole.ready_maker(stores, ["title", "updated"], lambda: next(asked))()
    assert made == ["title"]
    assert not whole.ready._orders


def test_of_few_values_none_is_made_before_it_is_asked_for():
    whole, stores = Whole(), [filled(0)]
    whole.ready_maker(stores, SORTS)()
    assert {name for name, _ in whole.ready._orders} == {"updated", "created", "title"}


@pytest.mark.parametrize("sort", ["title", "updated", "subject", "-type"])
def test_after_a_change_an_order_is_put_right(made, sort):
    whole, stores = Whole(), [filled(0), filled(1)]
    shown(whole, stores, sort)
    first = stores[0].content
    first.put([record(0, 3, "aaa", 1), record(0, 99, "title 5")])
    first.drop([record(0, 7, "").ref])
    stores[1].content.put([record(1, 98, "")])
    found, made[1:] = shown(whole, stores, sort), []
    assert found == shown(Whole(), stores, sort)
    assert len(found) == 81
    assert made == [sort.removeprefix("-")] * 2  # the first time, and that of the fresh one


def test_what_changes_while_an_order_is_made_is_put_right(monkeypatch):
    whole, stores = Whole(), [filled(0), filled(1)]
    content, ordered = stores[0].content, ready.ordered

    def disturbed(*args):
        content.put([record(0, 3, "zzz", 1), record(0, 50, "a")])
        found = ordered(*args)
        content.drop([record(0, 3, "").ref, record(0, 4, "").ref])
        return found

    make = whole.ready_maker(stores, ["title"])
    monkeypatch.setattr(ready, "ordered", disturbed)
    make()
    monkeypatch.setattr(ready, "ordered", None)  # is not called again
    found = shown(whole, stores, "title")
    monkeypatch.undo()
    assert found == shown(Whole(), stores, "title")


def test_that_of_all_stores_tells_that_of_some(made):
    whole, stores = Whole(), [filled(0), filled(1), filled(2)]
    whole.ready_maker(stores, ["title"])()
    stores[1].content.put([record(1, 70, "title 4"), record(1, 5, "new", 1)])
    made.clear()
    some = [[stores[0], stores[2]], [stores[1]], [stores[1], stores[2]]]
    found = [shown(whole, one, "title") for one in some]
    assert not made
    assert found == [shown(Whole(), one, "title") for one in some]


@pytest.mark.parametrize("number", [200, 300])
def test_where_much_has_changed_it_is_made_anew(made, number):
    whole, stores = Whole(), [filled(0, 400)]
    shown(whole, stores, "title")
    stores[0].content.put([record(0, n, "b", 1) for n in range(number)])
    assert (whole.ready_maker(stores, ["title"]) is None) == (number == 200)
    assert shown(whole, stores, "title") == shown(Whole(), stores, "title")
    assert len(made) == (2 if number == 200 else 3)


def test_after_very_many_changes_nothing_is_known_of_before(monkeypatch, made):
    monkeypatch.setattr(changes, "_MOST", 4)
    whole, stores = Whole(), [filled(0)]
    shown(whole, stores, "title")
    for edition in range(1, 20):
        stores[0].content.put([record(0, 1, f"t{edition}", edition)])
    assert shown(whole, stores, "title") == shown(Whole(), stores, "title")
    assert len(made) == 3


def test_one_that_is_made_while_all_is_forgotten_is_forgotten_too(monkeypatch):
    whole, stores = Whole(), [filled(0)]
    ordered = ready.ordered

    def slow(*args):
        whole.clear()
        return ordered(*args)

    make = whole.ready_maker(stores, ["title", "updated"])
    monkeypatch.setattr(ready, "ordered", slow)
    make()
    assert not whole.ready._orders


def test_none_is_made_after_all_was_forgotten():
    whole, stores = Whole(), [filled(0)]
    make = whole.ready_maker(stores, ["title"])
    whole.clear()
    make()
    assert not whole.ready._orders


@pytest.mark.parametrize("name", ["title", "updated", "subject"])
def test_making_ends_when_a_store_is_closed_meanwhile(monkeypatch, name):
    whole, stores = Whole(), [filled(0), filled(1)]
    ordered = ready.ordered
    monkeypatch.setattr(ready, "many_values", lambda *_: True)
    make = whole.ready_maker(stores, [name])

    def slow(*args):
        stores[1].content.clear()
        return ordered(*args)

    monkeypatch.setattr(ready, "ordered", slow)
    make()
    assert not whole.ready._orders


def test_an_order_of_a_content_that_was_emptied_is_not_that_of_the_next(made):
    whole, stores = Whole(), [filled(0)]
    shown(whole, stores, "title")
    stores[0].content.clear()
    again = [Shelved(stores[0].base, filled(0).content)]
    again[0].content.put([record(0, 3, "", 1)])
    assert shown(whole, again, "title")[0] & 0xFFFFFFFF == 3
    assert made == ["title", "title"]


def test_titles_are_put_in_by_their_bytes_however_they_begin():
    """Their lengths around the words of eight bytes, and zeros that are part of them."""
    titles = ["", "a", "a\x00", "a\x00\x00", "ab" * 4, "ab" * 4 + "\x00", "ab" * 8, "ab" * 8 + "c"]
    titles += ["数据库" * 8, "数据库" * 9, "ab" * 4 + "\x00" * 8, "ab" * 8 + "\x00"]
    whole, content = Whole(), Content(STORES[0])
    for n, title in enumerate(titles[::-1] * 2):
        content.put([record(0, n, title)])
        shown(whole, [Shelved(0, content)], "title")
    ids = shown(whole, [Shelved(0, content)], "title")
    twice = titles[::-1] * 2
    assert ids == sorted(range(len(twice)), key=lambda n: (twice[n].encode(), n))
