# SPDX-License-Identifier: MIT
"""10,000 pending proposals: what is shown at once does not wait for all of them. Ratios only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_gui.domain.likeness import grams, likeness
from memory_gui.domain.records import State
from memory_gui.engine.connection import open_database
from memory_gui.services import Services, build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

PENDING = 10_000
SAVED = 5_000
_ITEM = """INSERT INTO memory_review_queue (id, scope, type, key_normalized, title, content,
 tags_json, evidence, source_session, occurrences, confidence, status, created_at, updated_at)
 VALUES (?, 'project', 'note', ?, ?, ?, '["note"]', ?, 's', 1, 'auto_summary', 'pending', ?, ?)"""
_MEMORY = """INSERT INTO memories (id, scope, type, key_normalized, title, content, tags_json,
 keywords_json, source, confidence, sensitivity, created_at, updated_at)
 VALUES (?, 'project', 'note', ?, ?, ?, '[]', '[]', 'explicit', 'explicit_user', 'normal', ?, ?)"""


@pytest.fixture(scope="module")
def crowded(tmp_path_factory) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("crowded")
    (folder / "atlas/.agentao").mkdir(parents=True)
    path = folder / "atlas/.agentao/memory.db"
    create_store(path, None)
    with open_database(path, None, write=True) as connection, connection.writing():
        for at in range(PENDING):
            when = f"2026-01-01T{at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d}"
            text = f"the fact number {at} about service {at % 97} in zone {at % 13}"
            names = (f"note_{at}", f"Note: {at}")
            connection.execute(_ITEM, (f"{at:012x}", *names, text, text, when, when))
        for at in range(SAVED):
            when = "2026-01-01T00:00:00"
            text = f"memory number {at} says that team {at % 31} works on part {at % 7}"
            connection.execute(_MEMORY, (f"{at:08x}", f"m_{at}", f"m {at}", text, when, when))
    services = _services(folder)
    services.library.open(folder / "atlas")
    yield services
    services.close()


def _services(folder: Path) -> Services:
    return build_services(
        words=Words(), home=folder / "home", data_dir=folder / "data", keychain=NoKeychain()
    )


def took(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def test_the_queue_is_there_long_before_all_its_items(crowded):
    every = took(crowded.review.items)
    at_once = min(took(crowded.review.queue) for _ in range(3))
    queued = crowded.review.queue()
    assert (len(queued.refs), queued.partial) == (PENDING, False)
    assert 1 <= len(queued.records) <= 40
    assert at_once < every / 10


def test_the_first_item_is_there_while_the_store_is_still_being_read(crowded, tmp_path):
    """Processor time of the asking thread, from an open store to the first item on screen."""
    (shelf,) = crowded.library.shelves()
    spent, whole = [], []
    for _ in range(3):
        services = _services(tmp_path)
        services.library.open(Path(shelf.info.path).parents[1])
        before = time.thread_time()
        queued = services.review.queue()
        item = queued.records[queued.refs[0]]
        spent.append(time.thread_time() - before)
        assert item.state is State.PENDING
        before = time.process_time()
        services.review.items()
        whole.append(time.process_time() - before)
        services.close()
    assert min(spent) < min(whole) / 5


def test_what_is_alike_is_found_without_comparing_with_all(crowded):
    refs = crowded.review.queue().refs
    crowded.review.preview(refs[0])
    one = min(took(lambda: crowded.review.preview(refs[len(refs) // 2])) for _ in range(3))
    text = "memory number 17 says that team 17 works on part 3"
    mine = grams(text)
    every = took(lambda: [likeness(mine, grams(f"{text} {at}")) for at in range(SAVED)])
    assert one < every / 3
