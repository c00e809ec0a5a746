# SPDX-License-Identifier: MIT
"""Whatever the index has of an erased record, or of a store that was closed, is gone at once.

Looked for in everything that can be reached from the index, not only where texts should lie.
"""

import gc
from dataclasses import replace
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

import numpy as np
import pytest

from memory_gui.domain.queries import SORTS, Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.index.content import Content
from memory_gui.index.prints import Prints
from memory_gui.index.whole import Shelved, Whole

STORE = StoreId("a")
CANARY = "canary"
CODE = ModuleType | type | FunctionType | BuiltinFunctionType
MOST = 64 << 10


def reached(*roots):
    """Everything that can be reached from some objects, but code and what code refers to."""
    known, left, found = set(), list(roots), []
    while left:
        one = left.pop()
        if isinstance(one, MethodType):
            one = one.__self__
        if id(one) not in known and not isinstance(one, CODE):
            known.add(id(one))
            found.append(one)
            left += gc.get_referents(one)
            left += one if isinstance(one, dict) else ()  # of its keys it tells no texts
    return found


def memory_of(array):
    """The bytes of an array; of a whole segment the first, where all of these texts lie."""
    return array.reshape(-1)[:MOST].tobytes() if array.dtype != ">u8" else b""


def told(*roots):
    """All texts and all memory that can be reached, as one."""
    parts = []
    for one in reached(*roots):
        if isinstance(one, str):
            parts.append(one.casefold().encode())
        elif isinstance(one, bytes | bytearray):
            parts.append(bytes(one).lower())
        elif isinstance(one, np.ndarray):
            parts.append(memory_of(one))
    return b"\n".join(parts)


def record(number, word):
    """With the word in whatever a record has that the index knows."""
    when = "2026-01-02T03:04:05+00:00"
    return Record(
        Ref(STORE, "memory", (f"{word}-{number}",)), f"W/{word}-{number}", State.LIVE,
        f"{word} {number}", f"text of {word} {number} " * 9, subject=f"about {word}",
        scope=f"scope-{word}", type=f"type-{word}", tags=(f"tag-{word}", "both"),
        source=f"source-{word}", created_at=when, created_at_utc=when,
        extra={"confidence": f"sure-{word}", "key": f"key-{word}"},
    )  # fmt: skip


@pytest.fixture
def used():
    """A content that was read, searched, sorted by everything, shown and compared with."""
    content, whole = Content(STORE), Whole()
    content.begin()
    content.take([record(n, "other") for n in range(20)])
    content.take([record(7, CANARY)])
    content.end()
    prints = Prints(content)
    query, stores = Query(CANARY), [Shelved(0, content)]
    for sort in SORTS:
        (ordinal,) = whole.search(stores, query, query.parsed(), sort)
        whole.search(stores, Query(), Query().parsed(), sort)
    assert prints.alike(record(7, CANARY).text, "memory", 5)[0] == ordinal
    content.keep(ordinal, record(7, CANARY))
    assert content.kept(ordinal) is not None
    assert CANARY.encode() in told(content, whole, prints)
    return content, whole, prints


def test_the_walk_sees_what_lies_where(used):
    content, _, _ = used
    for place in ("arena", "refs", "names", "tags", "masks", "_kept", "_etags"):
        assert CANARY.encode() in told(getattr(content, place)), place


def test_an_erased_record_is_nowhere(used):
    content, whole, prints = used
    number = content.ordinal(record(7, CANARY).ref)
    content.drop([record(7, CANARY).ref])
    assert not prints._columns[:, number].any()
    assert CANARY.encode() not in told(content, whole, prints)
    assert b"other" in told(content, whole, prints)


def test_nor_is_one_that_another_program_erased(used):
    content, whole, prints = used
    content.begin()
    content.take([record(n, "other") for n in range(20)])
    content.end()
    assert CANARY.encode() not in told(content, whole, prints)


def test_what_a_changed_record_was_is_nowhere(used):
    content, whole, prints = used
    content.put([replace(record(7, "new"), ref=record(7, CANARY).ref)])
    assert CANARY.encode() not in told(content, whole, prints).replace(b"canary-7", b"")


def test_after_closing_nothing_is_anywhere(used):
    content, whole, prints = used
    memory = [one for one in reached(content.arena) if isinstance(one, np.ndarray)]
    content.clear()
    whole.clear()
    prints.clear()
    left = told(content, whole, prints)
    assert CANARY.encode() not in left
    assert b"other" not in left
    assert len(memory) > 3
    assert CANARY.encode() not in b"".join(map(memory_of, memory))
