# SPDX-License-Identifier: MIT
"""Records are found by their keys, whatever their hashes are; a dict says which."""

import random

import numpy as np
import pytest

from memory_gui.domain.records import Ref, StoreId
from memory_gui.index import refs as module
from memory_gui.index.refs import Refs, raw_id

STORE = StoreId("store")


def ref(number):
    return Ref(STORE, "memory", (f"key {number}",))


def few(kinds, ids):
    """Hashes of which many are the same, and more have the same place."""
    return np.array([hash(one) % 97 << 40 | hash(one) % 5 for one in ids], np.int64) ^ kinds


@pytest.fixture(params=[module._hashes, few])
def hashed(request, monkeypatch):
    monkeypatch.setattr(module, "_hashes", request.param)


@pytest.mark.usefixtures("hashed")
@pytest.mark.parametrize("expected", [0, 300, 50_000])
def test_each_is_found_where_it_was_put(expected):
    dice, refs, known, gone = random.Random(expected), Refs(), {}, set()
    refs.expect(expected)
    number = 0
    while number < 3_000:
        size = dice.choice((1, 2, 30, 400))
        some = range(number, number + size)
        number += size
        kinds = [dice.choice((1, 2)) for _ in some]
        refs.add(kinds, [raw_id(ref(n)) for n in some])
        for n, kind in zip(some, kinds, strict=True):
            known[n, kind] = len(known) + len(gone)
        for one in dice.sample(sorted(known), min(len(known), dice.choice((0, 3)))):
            refs.drop(known.pop(one))
            gone.add(one)
        if dice.random() < 0.1:
            refs.fit()
        for n in dice.sample(range(number + 50), 50):
            for kind in (1, 2):
                assert refs.find(kind, ref(n)) == known.get((n, kind))
    assert len(refs) == len(known) + len(gone)
    refs.fit()
    assert len(refs._lasts) <= max(256, 2 * len(refs)), "whatever was expected"
    assert all(refs.find(kind, ref(n)) == ordinal for (n, kind), ordinal in known.items())
    assert refs.find(3, ref(0)) is None


@pytest.mark.usefixtures("hashed")
def test_what_is_called_unknown_is():
    refs, dice, there = Refs(), random.Random(1), set()
    taken = 0
    for _ in range(400):
        some = [dice.randrange(20_000) for _ in range(dice.choice((1, 5, 40)))]
        ids = [raw_id(ref(n)) for n in some]
        maybe = refs.maybe_known(1, ids)
        assert {place for place, n in enumerate(some) if n in there} <= set(maybe)
        hashes = refs.unknown(1, ids)
        if hashes is not None:
            taken += len(some)
            assert not maybe
            assert len(set(some)) == len(some)
            refs.add(1, ids, hashes)
            there.update(some)
    assert taken
    assert all(refs.find(1, ref(n)) is not None for n in there)


def test_those_that_are_new_are_called_so():
    refs = Refs()
    for at in range(0, 9_000, 1_000):
        ids = [raw_id(ref(n)) for n in range(at, at + 1_000)]
        hashes = refs.unknown(1, ids)
        assert hashes is not None
        refs.add(1, ids, hashes)
        assert refs.unknown(1, ids[:1]) is None
        assert refs.maybe_known(1, [*ids[:2], raw_id(ref(-1))]) == [0, 1]
    assert refs.unknown(1, [raw_id(ref(-1))] * 2) is None
    refs.clear()
    assert refs.unknown(1, ids) is not None
