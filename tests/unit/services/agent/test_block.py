# SPDX-License-Identifier: MIT
"""Whether the agent sees a memory of a large store, told from few of its records."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from memory_gui.domain.queries import Query
from memory_gui.services.agent import block

sys.path.insert(0, str(Path(__file__).parents[3]))

from bigstore import make_big

RECORDS = 400
FIRST = 5


@pytest.fixture
def services(services_in, tmp_path):
    services = services_in(tmp_path)
    services.library.open(str(make_big(tmp_path / "atlas", RECORDS)), pair=False)
    return services


@pytest.fixture
def newest(services):
    """All that live, by when they were made."""
    found = services.library.search(Query(), "-created").ids
    return [one for one in services.library.window(found) if one is not None]


def test_few_are_read_and_it_is_told_as_of_all(services, newest, monkeypatch):
    sight = services.review.sight
    wanted = [*newest[:12], *newest[12::40]]
    wanted += [replace(one, text="") for one in wanted[::4]]  # for which there is room
    monkeypatch.setattr(block, "_FIRST", RECORDS)
    whole = [sight(one) for one in wanted]
    monkeypatch.setattr(block, "_FIRST", FIRST)
    assert [sight(one) for one in wanted] == whole
    assert len(set(whole)) > 2

    read = set()
    window = services.library.window
    monkeypatch.setattr(services.library, "window", lambda ids: read.update(ids) or window(ids))
    for length in range(0, 240, 40):  # so that more or less room is left
        sight(replace(newest[0], text="x" * length))
        sight(replace(newest[-1], text="x" * 240))
    assert 0 < len(read) <= RECORDS * 0.6


@pytest.mark.parametrize("gone", [False, True])
def test_it_ends_with_all_read_where_nothing_tells_how_old_a_record_is(
    services, newest, monkeypatch, gone
):
    monkeypatch.setattr(block, "_FIRST", FIRST)
    one = replace(newest[0], created_at=None)
    rules = SimpleNamespace(
        always=({},),
        is_always=lambda _record: True,
        in_order=lambda mine, yours: [*mine, *yours],
        block=lambda *_: SimpleNamespace(shown=(one.ref,), no_room=()),
    )
    blocks = block.AgentBlocks(services.library)
    if gone:  # those that are looked up alone
        real = blocks._records
        fewer = lambda ids: real(ids) if len(ids) > 1 else []  # noqa: E731 - one line
        monkeypatch.setattr(blocks, "_records", fewer)
    looked, candidates = [], blocks._candidates

    def look(stores, most, rules):
        looked.append(most)
        assert len(looked) < 9, "it goes on for ever"
        return candidates(stores, most, rules)

    monkeypatch.setattr(blocks, "_candidates", look)
    assert blocks.with_record({one.ref.store}, one, rules).belongs
    assert looked[-1] // 4 < len(newest) <= looked[-1]
