# SPDX-License-Identifier: MIT
"""Each lane owns its thread and its Store; a cancel stops only the job it is for."""

from __future__ import annotations

import threading
import time

import pytest

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.work import CancelToken
from memory_gui.services.library.lanes import Lane


class Quiet:
    """As much of a Store as a lane uses; remembers which thread did what."""

    def __init__(self) -> None:
        self.threads = {threading.get_ident()}
        self.stopped = threading.Event()
        self.begun = threading.Event()
        self.closed_in = 0

    def work(self) -> int:
        self.threads.add(threading.get_ident())
        return threading.get_ident()

    def wait(self) -> None:
        """A statement that runs until it is interrupted."""
        self.begun.set()
        if self.stopped.wait(60):
            raise Cancelled
        raise AssertionError("nobody interrupted it")

    def interrupt(self) -> None:
        self.stopped.set()

    def close(self) -> None:
        self.closed_in = threading.get_ident()


@pytest.fixture
def made():
    stores: list[Quiet] = []

    def opener():
        stores.append(Quiet())
        return stores[-1]

    lane = Lane("test", opener)
    yield lane, stores
    lane.close()


def test_a_store_is_opened_used_and_closed_in_one_thread(made):
    lane, stores = made
    idents = {lane.run(lambda store: store.work()) for _ in range(3)}
    lane.close()
    assert idents == stores[0].threads == {stores[0].closed_in}
    assert threading.get_ident() not in idents


def test_nothing_is_opened_before_the_first_job(made):
    lane, stores = made
    assert stores == []
    lane.run(lambda store: None)
    assert len(stores) == 1


def test_an_error_reaches_the_caller_and_the_lane_lives_on(made):
    lane, _ = made

    def fail(_store):
        raise UserError("store.locked", path="x")

    with pytest.raises(UserError, match=r"store\.locked"):
        lane.run(fail)
    assert lane.run(lambda _store: 7) == 7


def test_cancel_interrupts_the_running_job_only(made, stopwatch):
    lane, stores = made
    other = Lane("other", Quiet)
    token = CancelToken()
    threading.Timer(0.1, token.cancel).start()
    watch = stopwatch()
    with pytest.raises(Cancelled):
        lane.run(lambda store: store.wait(), token)
    assert watch.seconds < 2
    assert stores[0].stopped.is_set()
    assert not other.run(lambda store: store.stopped.is_set())
    other.close()


def test_a_job_that_still_waits_is_dropped_and_the_one_before_it_goes_on(made):
    lane, stores = made
    free = threading.Event()
    ran = []
    first = threading.Thread(target=lambda: lane.run(lambda _s: free.wait(60)))
    first.start()
    token = CancelToken()
    token.cancel()
    waiter: list[BaseException] = []

    def second():
        try:
            lane.run(lambda _s: ran.append(1), token)
        except Cancelled as error:
            waiter.append(error)

    thread = threading.Thread(target=second)
    thread.start()
    time.sleep(0.15)
    assert not stores[0].stopped.is_set()
    free.set()
    first.join()
    thread.join()
    assert ran == []
    assert len(waiter) == 1


def test_a_lane_that_let_go_refuses_until_it_comes_back(made):
    lane, stores = made
    lane.run(lambda _s: None)
    lane.let_go()
    assert stores[0].closed_in
    with pytest.raises(UserError, match=r"store\.away"):
        lane.run(lambda _s: None)
    lane.come_back()
    lane.run(lambda _s: None)
    assert len(stores) == 2


def test_closing_ends_a_job_that_runs(made, stopwatch):
    lane, stores = made
    ended = []

    def long():
        try:
            lane.run(lambda store: store.wait())
        except Cancelled:
            ended.append(watch.seconds)

    thread = threading.Thread(target=long)
    thread.start()
    while not stores:
        time.sleep(0.005)
    assert stores[0].begun.wait(60)
    watch = stopwatch()
    lane.close()
    thread.join()
    assert ended[0] < 1
    with pytest.raises(UserError, match=r"store\.not_open"):
        lane.run(lambda _s: None)


def test_another_store_takes_its_place_while_both_are_open() -> None:
    first, second = Quiet(), Quiet()
    lane = Lane("test", lambda: first)
    lane.run(lambda store: store)
    seen = lane.exchange(
        lambda: second,
        lambda before, after: (before, after, first.closed_in),
    )
    assert seen == (first, second, 0)
    assert first.closed_in
    assert not second.closed_in
    assert lane.run(lambda store: store) is second
    lane.close()


def test_what_cannot_be_opened_takes_nobodys_place() -> None:
    first = Quiet()
    lane = Lane("test", lambda: first)

    def refused() -> Quiet:
        raise UserError("store.read_only")

    with pytest.raises(UserError, match=r"store\.read_only"):
        lane.exchange(refused, lambda before, _after: before)
    assert lane.run(lambda store: store) is first
    assert not first.closed_in
    lane.close()
