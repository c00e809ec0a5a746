# SPDX-License-Identifier: MIT
"""Records without an identity keep their labels while others come and go."""

from hypothesis import given
from hypothesis import strategies as st

from memory_gui.stores.files.labels import Labels

TEXTS = st.lists(st.binary(min_size=1, max_size=2), max_size=8)


def give(labels, *texts):
    return labels.give("store", "file", [text.encode() for text in texts])


def test_another_process_gives_the_same_and_equal_texts_are_told_apart():
    first, again = give(Labels(), "a", "b", "a"), give(Labels(), "a", "b", "a")
    assert first == again
    assert first[2] == f"{first[0]}-2"
    assert all(len(label) in (6, 8) for label in first)


def test_others_keep_theirs():
    labels = Labels()
    a, b, c = give(labels, "a", "b", "c")
    assert give(labels, "a", "c") == (a, c)
    *_, d = give(labels, "a", "c", "d")
    assert give(labels, "x", "a", "c", "d")[1:] == (a, c, d)
    assert len({a, b, c, d}) == 4


def test_one_that_was_changed_in_its_place_keeps_its_label():
    labels = Labels()
    before = give(labels, "a", "b", "c")
    assert give(labels, "a", "B", "c") == before
    assert give(Labels(), "a", "B", "c") != before


def test_what_is_let_go_of_by_all_is_forgotten():
    labels = Labels()
    labels.hold("store")
    labels.hold("store")
    before = give(labels, "a", "b")
    give(labels, "A", "b")
    labels.release("store")
    assert give(labels, "A", "b") == before
    labels.release("store")
    assert give(labels, "A", "b") != before


@given(TEXTS, TEXTS)
def test_each_label_is_given_once(first, second):
    labels = Labels()
    before = labels.give("s", "f", first)
    after = labels.give("s", "f", second)
    assert len(set(before)) == len(first)
    assert len(set(after)) == len(second)
    assert labels.give("s", "f", second) == after
