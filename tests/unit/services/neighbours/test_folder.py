# SPDX-License-Identifier: MIT
"""The folder is ours alone or it is not used; what the dead left there goes."""

from __future__ import annotations

import os
import signal
import socket
import stat
import time

import pytest

from memory_gui.services.neighbours import Listener, Neighbours, NoNeighbours, neighbours_for
from memory_gui.services.neighbours import folder as places
from memory_gui.services.neighbours.folder import listeners, make_private, runtime_folders

PATHS = ["/home/ann/memory.db"]
LISTEN = """
import sys
from pathlib import Path
from memory_gui.services.neighbours.folder import bind
made, path = bind(Path(sys.argv[1]))
print(path, flush=True)
sys.stdin.read()
"""


def test_folder_and_socket_are_private(tmp_path, monkeypatch, desk):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    (tmp_path / "run").mkdir(mode=0o700)
    folder = runtime_folders()[0]
    assert folder == tmp_path / "run/memory-gui"
    listener = Listener(folder, desk, front="window")
    try:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE(listener.path.stat().st_mode) == 0o600
        assert listener.path.name == f"{os.getpid()}.sock"
    finally:
        listener.close()


@pytest.mark.parametrize("mode", [0o755, 0o701, 0o770, 0o1777])
def test_a_folder_that_others_may_enter_is_not_used(tmp_path, mode):
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(mode)
    assert not make_private(folder)
    assert listeners(folder) == []


def test_a_link_is_not_used(tmp_path, folder):
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert not make_private(link)


@pytest.mark.root
def test_another_users_folder_or_socket_is_not_used(tmp_path, folder, program):
    theirs = tmp_path / "theirs"
    theirs.mkdir(mode=0o700)
    os.chown(theirs, 65534, 65534)
    assert not make_private(theirs)
    assert not make_private(theirs / "below")
    process = program(LISTEN, str(folder))
    path = process.stdout.readline().strip()
    os.chown(path, 65534, 65534)
    assert listeners(folder) == []


def test_where_the_runtime_folder_is_not_ours_the_temporary_one_serves(tmp_path, monkeypatch):
    run = tmp_path / "run"
    (run / "memory-gui").mkdir(parents=True)
    run.chmod(0o700)
    (run / "memory-gui").chmod(0o755)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(run))
    monkeypatch.setattr(places.tempfile, "gettempdir", lambda: str(tmp_path))
    assert runtime_folders() == (tmp_path / f"memory-gui-{os.geteuid()}",)


def test_without_a_folder_or_sockets_there_are_no_neighbours_and_that_is_said(
    tmp_path, monkeypatch
):
    monkeypatch.delattr(places.socket, "AF_UNIX")
    neighbours = neighbours_for("window", tmp_path)
    assert isinstance(neighbours, NoNeighbours)
    assert neighbours.why == "neighbours.none"


def test_what_a_killed_process_left_is_removed(folder, program):
    process = program(LISTEN, str(folder))
    path = process.stdout.readline().strip()
    assert [str(one) for one, _pid in listeners(folder)] == [path]
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    assert os.path.exists(path)
    assert listeners(folder) == []
    assert not os.path.exists(path)


def test_a_dead_socket_with_our_own_number_is_replaced(folder, desk):
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(folder / f"{os.getpid()}.sock"))
    left.close()
    listener = Listener(folder, desk, front="window")
    assert listener.path.name == f"{os.getpid()}.sock"
    listener.close()


def test_other_files_are_left_alone(folder, desk):
    for name in ("notes.txt", "12.sock", "x.sock", "99999999999999.sock"):
        (folder / name).write_text("mine")
    (folder / "999999999.sock").mkdir()
    assert listeners(folder) == []
    assert len(list(folder.iterdir())) == 5


def test_one_that_stopped_listening_is_nobody(folder, program):
    """A living process whose socket nobody listens on: it is about to end."""
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(folder / f"{os.getppid()}.sock"))
    dead.close()
    asking = Neighbours([folder], front="terminal")
    with asking.away_from(PATHS, time.monotonic() + 5):
        pass


def test_a_path_that_is_too_long_for_a_socket_is_reached_all_the_same(tmp_path, desk):
    folder = tmp_path / ("long" * 40)
    folder.mkdir(mode=0o700)
    listener = Listener(folder, desk, front="window")
    try:
        assert Neighbours([folder], front="terminal").holding(PATHS)
    finally:
        listener.close()
