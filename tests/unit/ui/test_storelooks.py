# SPDX-License-Identifier: MIT
"""Looks at open stores, whose answers come back in any order."""

from types import SimpleNamespace

import pytest

from memory_gui.domain.records import StoreId
from memory_gui.ui.pages.storelooks import StoreLooks

A, B, C = StoreId("/a"), StoreId("/b"), StoreId("/c")


@pytest.fixture
def world():
    """Looks of which the answers are given by hand: ``asked`` has (stores, what takes it)."""
    asked, changes = [], []
    bridge = SimpleNamespace(
        call=lambda _look, _services, stores, done, failed: asked.append((stores, done))
    )
    looks = StoreLooks(
        SimpleNamespace(bridge=bridge, services=None), dict, lambda: changes.append(looks.found)
    )
    return SimpleNamespace(looks=looks, asked=asked, changes=changes)


def test_each_store_is_looked_at_once_it_is_open_and_where_something_was_found(world):
    world.looks.follow([A, B])
    (stores, answer), *_ = world.asked
    assert sorted(stores) == [A, B]
    answer({A: ("one",), B: ()})
    assert world.looks.found == {A: ("one",)}
    world.looks.follow([A, B])
    world.looks.look_again()
    world.looks.look([C])
    assert [sorted(stores) for stores, _ in world.asked] == [[A, B], [A]]


def test_an_earlier_look_counts_only_where_no_later_one_was_begun(world):
    world.looks.follow([A, B])
    world.looks.look([A])
    (_, first), (_, second) = world.asked
    second({A: ()})
    first({A: ("old",), B: ("one",)})
    assert world.looks.found == {B: ("one",)}


def test_what_is_closed_or_let_be_is_not_found_by_a_late_answer(world):
    world.looks.follow([A, B])
    (_, answer), *_ = world.asked
    world.looks.follow([A])
    world.looks.forget()
    answer({A: ("one",), B: ("two",)})
    assert world.looks.found == {}
    world.looks.look([A])
    world.asked[-1][1]({A: ("one",)})
    assert world.changes[-1] == {A: ("one",)}
    world.looks.follow([])
    assert world.changes[-1] == {}
    world.looks.clear()
    world.looks.follow([A])
    assert len(world.asked) == 3, "it is looked at again when it is open again"
