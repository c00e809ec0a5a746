# SPDX-License-Identifier: MIT
"""Records without an identity keep their numbers while others come and go."""

from hypothesis import given
from hypothesis import strategies as st

from memory_gui.stores.files.numbers import Numbers

TEXTS = st.lists(st.binary(min_size=1, max_size=2), max_size=8)


def give(numbers, *texts):
    return numbers.give("store", "file", [text.encode() for text in texts])


def test_places_at_first():
    assert give(Numbers(), "a", "b", "c") == (1, 2, 3)


def test_others_keep_theirs():
    numbers = Numbers()
    give(numbers, "a", "b", "c")
    assert give(numbers, "a", "c") == (1, 3)
    assert give(numbers, "a", "c", "d") == (1, 3, 4)
    assert give(numbers, "x", "a", "c", "d") == (5, 1, 3, 4)


def test_one_that_was_changed_in_its_place_keeps_its_number():
    numbers = Numbers()
    give(numbers, "a", "b", "c")
    assert give(numbers, "a", "B", "c") == (1, 2, 3)


def test_what_is_let_go_of_by_all_is_forgotten():
    numbers = Numbers()
    numbers.hold("store")
    numbers.hold("store")
    give(numbers, "a", "b")
    give(numbers, "b")
    numbers.release("store")
    assert give(numbers, "b") == (2,)
    numbers.release("store")
    assert give(numbers, "b") == (1,)


@given(TEXTS, TEXTS)
def test_each_number_is_given_once(first, second):
    numbers = Numbers()
    before = numbers.give("s", "f", first)
    after = numbers.give("s", "f", second)
    assert len(set(before)) == len(first)
    assert len(set(after)) == len(second)
    assert numbers.give("s", "f", second) == after
