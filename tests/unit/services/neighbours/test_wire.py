# SPDX-License-Identifier: MIT
"""What is said over the socket, and what is said to those who say something else."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.services.neighbours import Held, Listener, Neighbours, client, server
from memory_gui.services.neighbours.folder import connect
from memory_gui.services.neighbours.wire import MOST, Wire

PATHS = ["/home/ann/atlas/.agentao/memory.db"]
ASKER = """
import sys, time
from pathlib import Path
from memory_gui.services.neighbours import Neighbours
asking = Neighbours([Path(sys.argv[1])], front="terminal")
with asking.away_from([sys.argv[2]], time.monotonic() + 60):
    print("mine", flush=True)
    sys.stdin.read()
print("done", flush=True)
"""

LISTENER = """
import sys
from pathlib import Path
from memory_gui.services.neighbours.folder import bind
made, path = bind(Path(sys.argv[1]))
print(path, flush=True)
sys.stdin.read()
"""


def soon() -> float:
    return time.monotonic() + 60


def say(listener, line: bytes) -> dict | None:
    """Send bytes, hear the answer; None when it hangs up."""
    wire = Wire(connect(listener.path, 30))
    try:
        wire._socket.sendall(line)
        return wire.receive(soon())
    except ConnectionError:
        return None
    finally:
        wire.close()


def test_it_holds_lets_go_and_takes_back(listener, desk, asking):
    assert [one.name for one in asking.holding(PATHS)] == ["memory-gui"]
    with asking.away_from(PATHS, soon()):
        assert desk.given == [tuple(PATHS)]
        assert (desk.askers[0].front, desk.askers[0].pid) == ("terminal", os.getpid())
    assert desk.back.wait(30)
    assert desk.given == []


def test_a_requester_that_is_killed_gives_it_back(listener, desk, program):
    process = program(ASKER, str(listener.path.parent), PATHS[0])
    assert process.stdout.readline() == "mine\n"
    assert desk.given
    assert desk.askers[0].pid == process.pid  # by the kernel, not by what it said
    process.send_signal(signal.SIGKILL)
    assert desk.back.wait(30)


def test_one_that_hangs_has_it_until_the_time_is_over(listener, desk, monkeypatch, program):
    monkeypatch.setattr(server, "_LONGEST_S", 0.5)
    process = program(ASKER, str(listener.path.parent), PATHS[0])
    assert process.stdout.readline() == "mine\n"
    process.send_signal(signal.SIGSTOP)
    assert desk.given
    assert desk.back.wait(30)
    process.send_signal(signal.SIGCONT)


def test_one_that_works_long_asks_again(listener, desk, asking, monkeypatch):
    monkeypatch.setattr(client, "LEASE_S", 1.2)
    with asking.away_from(PATHS, soon()):
        time.sleep(2)
        assert desk.given
    assert desk.back.wait(30)


@pytest.mark.parametrize(("why", "busy"), [("changing", True), ("claimed", True), ("no", False)])
def test_who_refuses_is_named_and_the_others_come_back(
    folder, listener, desk, asking, program, why, busy
):
    other_desk = type(desk)()
    other_desk.refuse = why
    other = Listener(folder, other_desk, front="terminal")
    try:
        with pytest.raises(Held) as held, asking.away_from(PATHS, soon()):
            pytest.fail("got it")
    finally:
        other.close()
    assert held.value.code == "neighbours.held"
    assert (held.value.holder.pid, held.value.holder.name) == (os.getpid(), "memory-cli")
    assert held.value.busy is busy
    assert desk.back.wait(30)


def test_one_that_is_silent_has_it(listener, desk, asking, stopwatch):
    desk.wait.clear()
    watch, until = stopwatch(), time.monotonic() + 0.5
    with pytest.raises(Held) as held, asking.away_from(PATHS, until):
        pytest.fail("got it")
    assert watch.seconds < 2
    assert held.value.holder.pid == os.getpid()
    desk.wait.set()
    assert desk.back.wait(30)  # let go of too late: nobody is there to have it


def test_one_that_takes_no_call_any_more_is_silent_and_not_gone(folder, program, asking):
    process = program(LISTENER, str(folder))
    path = Path(process.stdout.readline().strip())
    process.send_signal(signal.SIGSTOP)
    waiting = [Wire(connect(path, 1)) for _ in range(17)]  # as many as wait at most
    try:
        with pytest.raises(Held) as held, asking.away_from(PATHS, time.monotonic() + 0.3):
            pytest.fail("got it")
        assert held.value.holder.pid == process.pid
    finally:
        for wire in waiting:
            wire.close()


def test_another_version_is_a_refusal_on_both_sides(listener, desk, asking, monkeypatch):
    assert say(listener, b'{"v": 2, "ask": "hold", "paths": ["/a"]}\n') == {
        "v": 1,
        "ok": False,
        "why": "version",
    }
    monkeypatch.setattr(client, "VERSION", 2)
    with pytest.raises(Held), asking.away_from(PATHS, soon()):
        pytest.fail("got it")
    assert desk.back.wait(30)


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"hello\n",
        b"[1]\n",
        b"\xff\xfe\n",
        b"[" * 50_000 + b"\n",
        b'{"v": 1, "ask": "hold"',
        b"x" * (MOST * 2) + b"\n",
        b'{"v": 1, "ask": "hold", "paths": ["' + b"y" * MOST + b'"]}\n',
    ],
)
def test_garbage_is_hung_up_on_and_the_next_is_answered(listener, asking, line):
    if not line.endswith(b"\n"):
        with socket.socket(socket.AF_UNIX) as half:
            half.connect(str(listener.path))
            half.sendall(line)
    else:
        assert say(listener, line) is None
    assert asking.holding(PATHS)


def test_a_line_without_end_is_hung_up_on(listener, asking):
    wire = Wire(connect(listener.path, 30))
    try:
        with pytest.raises(ConnectionError):
            wire._socket.sendall(b"x" * MOST * 100)
    finally:
        wire.close()
    assert asking.holding(PATHS)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"ask": "hold"}, "paths"),
        ({"ask": "hold", "paths": []}, "paths"),
        ({"ask": "hold", "paths": ["relative"]}, "paths"),
        ({"ask": "hold", "paths": ["/nul\0"]}, "paths"),
        ({"ask": "hold", "paths": [7]}, "paths"),
        ({"ask": "let_go", "paths": PATHS}, "seconds"),
        ({"ask": "let_go", "paths": PATHS, "seconds": -1}, "seconds"),
        ({"ask": "let_go", "paths": PATHS, "seconds": True}, "seconds"),
        ({"ask": "let_go", "paths": PATHS, "seconds": float("nan")}, "seconds"),
        ({"ask": "show", "paths": PATHS}, "unknown"),
    ],
)
def test_what_is_not_understood_is_refused(listener, desk, message, why):
    answer = say(listener, json.dumps({"v": 1, **message}).encode() + b"\n")
    assert answer == {"v": 1, "ok": False, "why": why}
    assert desk.given == []


def test_more_connections_than_it_serves_are_hung_up_on(listener, asking):
    waiting = []
    for _ in range(20):
        waiting.append(connect(listener.path, 30))
        time.sleep(0.01)
    try:
        assert sum(_hung_up(one) for one in waiting) >= 4
    finally:
        for one in waiting:
            one.close()
    until = soon()
    while not asking.holding(PATHS):
        assert time.monotonic() < until


def _hung_up(one: socket.socket) -> bool:
    one.settimeout(0.2)
    try:
        return one.recv(1) == b""
    except TimeoutError:
        return False


def test_another_users_process_is_not_heard(listener, asking, monkeypatch):
    monkeypatch.setattr(Wire, "is_ours", lambda self: False)
    assert say(listener, b'{"v": 1, "ask": "hold", "paths": ["/a"]}\n') is None
    monkeypatch.undo()
    assert asking.holding(PATHS)


@pytest.mark.root
def test_another_users_process_is_seen_by_the_kernels_word(listener, program):
    """Root's folder, opened to all for this test: the socket's mode alone is not what counts."""
    listener.path.chmod(0o666)
    code = """
import os, socket, sys
made = socket.socket(socket.AF_UNIX)
folder = os.open(os.path.dirname(sys.argv[1]), os.O_PATH)
os.setuid(65534)
made.connect(f"/proc/self/fd/{folder}/{os.path.basename(sys.argv[1])}")
try:
    made.sendall(b'{"v": 1, "ask": "hold", "paths": ["/a"]}\\n')
    print(made.recv(100))
except ConnectionError:
    print(b"")
"""
    listener.path.parent.chmod(0o711)
    process = program(code, str(listener.path))
    assert process.stdout.readline() == "b''\n"


def test_who_works_on_a_store_is_told(listener, desk, asking):
    assert asking.claimed(PATHS[0]) is None
    desk.claimed = PATHS
    claimed = asking.claimed(PATHS[0])
    assert (claimed.code, claimed.params) == ("store.let_go_window", {"pid": str(os.getpid())})


def test_lock_reaches_windows_only(folder, listener, desk, asking):
    terminal_desk = type(desk)()
    terminal = Listener(folder, terminal_desk, front="terminal")
    try:
        assert asking.lock() == 0
        desk.window = True
        assert asking.lock() == 1
        assert (desk.locked, terminal_desk.locked) == (1, 0)
    finally:
        terminal.close()


def test_a_silent_window_is_told_and_not_called_locked(listener, desk, asking, monkeypatch):
    monkeypatch.setattr(client, "ANSWER_S", 0.3)
    desk.lock = lambda: desk.wait.wait(5)
    desk.wait.clear()
    with pytest.raises(UserError, match=r"neighbours\.silent"):
        asking.lock()


def test_a_window_with_the_same_data_opens_paths(listener, desk, folder, asking):
    assert asking.open(PATHS) is False
    desk.window = True
    assert Neighbours([folder], front="window", home="/other").open(PATHS) is False
    assert asking.open(PATHS) is True
    assert desk.opened == PATHS


def test_a_path_of_any_bytes_arrives_whole(listener, desk, asking):
    odd = os.fsdecode(b"/home/\xff\xfe/\xe5\x9b\x9e.db")
    with asking.away_from([odd], soon()):
        assert desk.given == [(odd,)]


def test_closing_ends_what_was_let_go_of(folder, desk, asking):
    made = Listener(folder, desk, front="window")
    with asking.away_from(PATHS, soon()):
        made.close()
        assert desk.given == []
    assert asking.holding(PATHS) == ()
    assert list(folder.iterdir()) == []
