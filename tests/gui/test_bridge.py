# SPDX-License-Identifier: MIT
"""Calls leave the GUI thread and come back into it; what nobody wants is dropped."""

import threading
import time

import pytest
from PySide6.QtCore import QObject

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.ui.bridge import Bridge


class Receiver(QObject):
    def __init__(self):
        super().__init__()
        self.got = []
        self.threads = []

    def take(self, *values):
        self.got.append(values)
        self.threads.append(threading.current_thread())

    def stopped(self):
        self.got.append("stopped")


@pytest.fixture
def bridge(qapp):
    made = Bridge()
    yield made
    made.close()


def wait(qtbot, bridge):
    qtbot.waitUntil(lambda: not bridge.busy)


def test_work_runs_elsewhere_and_answers_here(qtbot, bridge):
    receiver = Receiver()
    bridge.call(threading.current_thread, done=receiver.take)
    wait(qtbot, bridge)
    [(worker,)] = receiver.got
    assert worker.name.startswith("bridge-")
    assert receiver.threads == [threading.main_thread()]


def test_a_known_error_goes_to_failed_else_to_the_signal(qtbot, bridge):
    receiver = Receiver()

    def work():
        raise UserError("store.locked")

    bridge.call(work, failed=receiver.take)
    wait(qtbot, bridge)
    assert receiver.got[0][0].code == "store.locked"
    with qtbot.waitSignal(bridge.error) as told:
        bridge.call(work)
    assert told.args[0].code == "store.locked"


def test_anything_else_is_a_bug(qtbot, bridge):
    receiver = Receiver()
    with qtbot.waitSignal(bridge.bug) as told:
        bridge.call(lambda: 1 // 0, done=receiver.take, failed=receiver.take)
    assert isinstance(told.args[0], ZeroDivisionError)
    assert receiver.got == []


def test_who_asked_hears_that_it_broke_after_the_window_told_of_it(qtbot, bridge):
    receiver, order = Receiver(), []
    bridge.bug.connect(lambda _error: order.append("told"))
    bridge.call(lambda: 1 // 0, failed=receiver.take, broke=lambda: order.append("broke"))
    bridge.call(lambda: 1 // 0, broke=receiver.take).cancel()
    wait(qtbot, bridge)
    assert [one for one in order if one == "broke"] == ["broke"]
    assert order.index("told") < order.index("broke")
    assert receiver.got == [], "not an error, and not what nobody wants any more"


def test_a_lock_tells_what_never_began_of_what_was_asked_for(qtbot, bridge):
    begun, go, told = threading.Event(), threading.Event(), []
    bridge.never_begun.connect(lambda asked: told.append(asked()))
    bridge.call(lambda: (begun.set(), go.wait(30)), in_turn=True, asked=lambda: "what runs")
    bridge.call(go.wait, 30, in_turn=True)
    bridge.call(go.wait, 30, in_turn=True, asked=lambda: "what waits")
    assert begun.wait(30)
    bridge.drop()
    go.set()
    wait(qtbot, bridge)
    assert told == ["what waits"]


def test_progress_is_told_at_most_ten_times_a_second(qtbot, bridge):
    receiver, spent = Receiver(), []

    def work(tick):
        began = time.monotonic()
        for n in range(2_000):
            tick("step", n, 2_001)
        time.sleep(0.25)
        tick("step", 2_000, 2_001)
        spent.append(time.monotonic() - began)

    bridge.call(work, tick=receiver.take)
    wait(qtbot, bridge)
    assert receiver.got[0] == ("step", 0, 2_001)
    assert receiver.got[-1] == ("step", 2_000, 2_001)
    assert len(receiver.got) <= 2 + 10 * spent[0]  # the first, the last, those between


def test_a_cancelled_call_says_nothing_and_the_work_stops(qtbot, bridge):
    receiver = Receiver()
    began = threading.Event()

    def work(cancel):
        began.set()
        while True:
            cancel.check()
            time.sleep(0.001)

    handle = bridge.call(work, done=receiver.take, stopped=receiver.stopped, cancellable=True)
    began.wait(30)
    handle.cancel()
    wait(qtbot, bridge)
    assert receiver.got == []


def test_a_stopped_call_still_answers(qtbot, bridge):
    receiver = Receiver()

    def gives_what_it_has(cancel):
        while not cancel.cancelled:
            time.sleep(0.001)
        return 7

    handle = bridge.call(gives_what_it_has, done=receiver.take, cancellable=True)
    handle.stop()
    wait(qtbot, bridge)
    assert receiver.got == [(7,)]

    def gives_up():
        raise Cancelled

    bridge.call(gives_up, stopped=receiver.stopped)
    wait(qtbot, bridge)
    assert receiver.got[-1] == "stopped"


def test_acts_keep_their_turn(qtbot, bridge):
    order = []

    def work(n, seconds):
        time.sleep(seconds)
        order.append(n)

    for n, seconds in ((1, 0.08), (2, 0.02), (3, 0.0)):
        bridge.call(work, n, seconds, in_turn=True)
    wait(qtbot, bridge)
    assert order == [1, 2, 3]


def test_a_receiver_that_is_gone_gets_nothing(qtbot, bridge):
    receiver = Receiver()
    go = threading.Event()
    bridge.call(go.wait, 5, done=receiver.take)
    receiver.deleteLater()
    qtbot.wait(20)
    go.set()
    wait(qtbot, bridge)
    assert receiver.got == []


def test_closing_ends_the_threads_and_refuses_more(qtbot, bridge):
    receiver = Receiver()
    bridge.close()
    assert bridge.call(lambda: 1, done=receiver.take).wanted is False
    assert not [t for t in threading.enumerate() if t.name.startswith("bridge-")]
    bridge.close()
