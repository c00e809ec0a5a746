# SPDX-License-Identifier: MIT
"""The sentences of a result where tables of the database still hold copies."""

import pytest

from memory_gui.erasure.proof import COPIED, TABLE, UNSEARCHED, Find, KeptHit, Proof
from memory_gui.erasure.result import EraseResult, EraseState, StoreResult
from memory_gui.ui.pages.erase_words import facts, heading, lead
from memory_gui.words import Words


@pytest.mark.parametrize(
    ("find", "row"),
    [
        (Find("spy", TABLE, 2), ("Still in", "the table spy (2 places)")),
        (Find("memories", COPIED, 1), ("Still in", "the table memories (1 place)")),
        (Find("memories", COPIED, 0, UNSEARCHED), ("May be in", "the table memories")),
    ],
    ids=["not-the-agents", "copied", "unsearched"],
)
def test_copies_are_in_the_database_and_no_files_of_the_agent(find, row):
    words = Words("en")
    store = StoreResult("/p/memory.db", EraseState.NOT_PROVED, proof=Proof("", finds=(find,)))
    result = EraseResult(EraseState.NOT_PROVED, (store,))
    may_be = "may still be" if find.error else "still"
    assert heading(words, result) == f"Not proved: {may_be} in the table {find.where}"
    assert "tables that are named below may still hold copies" in lead(words, result)
    assert "gone from the databases" not in lead(words, result)
    assert row in facts(words, result)


def test_of_many_kept_records_a_few_are_named_and_the_rest_counted():
    kept = tuple(KeptHit(f"memory:{n:04}", 2) for n in range(762))
    store = StoreResult("/p/memory.db", EraseState.PROVED, proof=Proof("structure", kept_hits=kept))
    rows = facts(Words("en"), EraseResult(EraseState.PROVED, (store,)))
    assert ("Kept, and shares text", "memory:0007, 2 places") in rows
    assert ("", "and 754 more") in rows
    assert len(rows) < 20
