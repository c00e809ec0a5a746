# SPDX-License-Identifier: MIT
"""Letting go at once: whatever runs, whatever the keychain and the ledger do meanwhile."""

from __future__ import annotations

import os
import threading

import pytest

from memory_gui.domain.errors import MemoryGuiError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.result import EraseState
from memory_gui.services.locking.drafts import Draft


@pytest.fixture
def busy(pair):
    """A long job in each lane of the project's store."""
    for number in range(30):
        pair.add(f"number {number}", "text " * 50)
    shelf = pair.services.library.shelves()[0]
    ended, started = [], threading.Barrier(3)

    def forever(store):
        started.wait(60)
        while True:
            for _ in store.scan():
                pass

    def run(lane):
        try:
            lane(forever)
        except MemoryGuiError as error:
            ended.append(error)

    threads = [threading.Thread(target=run, args=(lane,)) for lane in (shelf.work, shelf.screen)]
    for thread in threads:
        thread.start()
    started.wait(60)
    yield pair
    for thread in threads:
        thread.join(60)
    assert len(ended) == 2


def test_jobs_are_stopped_and_nothing_is_open_within_a_second(busy, holders_of, stopwatch):
    shelf = busy.services.library.shelves()[0]
    watch = stopwatch()
    busy.services.lock.lock()
    # An interrupt hits only while SQLite works: on a machine with more to do than it has cores for
    # that takes as much longer.
    crowd = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    assert watch.seconds < 1.0 * crowd
    assert holders_of(busy.project_file) == []
    assert shelf.key is None


def test_locking_twice_keeps_what_was_open(pair):
    first = pair.services.lock.lock()
    assert pair.services.lock.lock() == first
    assert pair.services.lock.unlock() == []
    assert len(pair.services.library.stores()) == 2


def test_the_ledgers_key_goes_too(pair):
    pair.services.keeper.ledger()
    pair.services.lock.lock()
    assert not pair.services.keeper.is_open


def test_an_erase_that_runs_ends_proved_and_the_ledgers_key_goes_with_its_end(pair):
    one, erasing = pair.add("canary", "it sings at seven"), pair.services.erasing
    plan, locked = erasing.plans.plan([one.ref]), []

    def lock(*_step):
        if not locked:
            locked.append(pair.services.lock.lock())

    result = erasing.run(plan, tick=lock)
    assert locked
    assert result.state is EraseState.PROVED
    assert not pair.services.keeper.is_open
    assert pair.services.lock.unlock() == []
    assert erasing.pending() == ()


def test_a_draft_of_a_store_that_is_gone_is_no_obstacle(pair):
    draft = Draft("/no/such/store", {"text": "x"})
    assert len(pair.services.lock.lock([draft])) == 2
    assert pair.services.drafts.take_lost() == 1


def test_the_keychains_question_is_cancelled_first(pair, monkeypatch):
    said = []
    monkeypatch.setattr(pair.services.keychain, "cancel", lambda: said.append("cancelled"))
    monkeypatch.setattr(pair.services.library, "close_all", lambda: said.append("closed"))
    pair.services.lock.lock()
    assert said == ["cancelled", "closed"]


def test_what_was_being_opened_when_it_locked_does_not_stay_open(single, holders_of, monkeypatch):
    library, opened = single.services.library, threading.Event()
    library.close_all()
    come = threading.Event()
    hold = library._hold

    def slow(shelf):
        opened.set()
        come.wait(60)
        return hold(shelf)

    monkeypatch.setattr(library, "_hold", slow)
    ended = []

    def open_it():
        try:
            library.open(single.folder / "atlas")
        except MemoryGuiError as error:
            ended.append(error)

    thread = threading.Thread(target=open_it)
    thread.start()
    assert opened.wait(60)
    single.services.lock.lock()
    come.set()
    thread.join(60)
    assert len(ended) == 1
    assert library.stores() == ()
    assert holders_of(single.project_file) == []
    monkeypatch.undo()
    single.services.lock.unlock()
    library.open(single.folder / "atlas")
    assert len(library.stores()) == 1


def test_an_act_that_ends_after_it_keeps_no_text_for_undo(pair):
    """Its last record was being written when the window locked: what takes it back holds texts."""
    refs = [pair.add(f"tea {n}", "green").ref for n in range(4)]
    reached, locked = threading.Event(), threading.Event()
    token = CancelToken()

    def tick(step, done, _total):
        if (step, done) == ("tag", 2):
            reached.set()
            locked.wait(60)

    def tag():
        pair.services.editing.tag(refs, add=("secret",), tick=tick, cancel=token)

    thread = threading.Thread(target=tag)
    thread.start()
    assert reached.wait(60)
    token.cancel(unheard=True)
    pair.services.lock.lock()
    locked.set()
    thread.join(60)
    assert pair.services.editing.undo_text() is None
    pair.services.lock.unlock()
    pair.services.editing.trash(refs[3:])
    assert pair.services.editing.undo_text() == ("trash", 1)


def test_unlocking_opens_the_same_pair_and_nobody_elses(tmp_path, empty_store, services_in):
    """The sample has a home of its own: the person's own database was not open, and stays so."""
    for folder in ("home", "sample", "elsewhere"):
        empty_store(tmp_path / folder / ".agentao")
    services = services_in(tmp_path)
    services.library.open(tmp_path / "sample", home=tmp_path / "elsewhere")
    before = services.lock.lock()
    assert services.lock.unlock() == []
    assert [one.info.path for one in services.library.stores()] == before
    assert str(tmp_path / "home/.agentao/memory.db") not in before


def test_a_key_typed_after_unlocking_opens_that_pair_too(tmp_path, empty_store, services_in):
    """Its key is not in the keychain, so unlocking leaves it to a person's second opening."""
    key = RawKey(bytes(range(32)))
    empty_store(tmp_path / "home/.agentao")
    for folder in ("sample", "elsewhere"):
        empty_store(tmp_path / folder / ".agentao", key)
    services = services_in(tmp_path)
    services.library.open(tmp_path / "sample", key=key, home=tmp_path / "elsewhere")
    before = services.lock.lock()
    left = services.lock.unlock()
    assert left == before
    project = left[0]
    # what is finished before the opening is this pair's, too
    assert [str(file) for file in services.library.pair_files(project)] == before
    opened = services.library.open(project, key=key)
    assert [one.info.path for one in opened] == before


def test_closed_and_opened_again_it_is_the_same_pair(tmp_path, empty_store, services_in):
    for folder in ("home", "sample", "elsewhere"):
        empty_store(tmp_path / folder / ".agentao")
    services = services_in(tmp_path)
    first = services.library.open(tmp_path / "sample", home=tmp_path / "elsewhere")
    services.library.close_all()
    again = services.library.open(first[0].info.path)
    assert [one.info.path for one in again] == [one.info.path for one in first]
