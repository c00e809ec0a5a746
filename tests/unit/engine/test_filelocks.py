# SPDX-License-Identifier: MIT
"""Locks as an agent holds them: who comes second is turned away, in both directions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.engine.filelocks import FileLocks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="flock(2)")
TRY = """
import fcntl, sys
with open(sys.argv[1], "r+") as file:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(7)
    print("held", flush=True)
    sys.stdin.read()
"""


def other(path: Path) -> subprocess.Popen[str]:
    """Another program that wants the lock."""
    command = [sys.executable, "-I", "-c", TRY, str(path)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def test_one_that_is_held_elsewhere_is_named_and_no_other_is_kept(tmp_path: Path) -> None:
    free, held = tmp_path / "free", tmp_path / "held"
    free.touch()
    held.touch()
    with other(held) as program:
        assert program.stdout is not None
        assert program.stdin is not None
        assert program.stdout.readline() == "held\n"
        locks = FileLocks()
        assert locks.take([str(free), str(held)]) == str(held)
        with other(free) as second:
            assert second.stdin is not None
            second.stdin.close()
            assert second.wait(60) == 0
        program.stdin.close()
    assert locks.take([str(free), str(held)]) is None
    locks.close()


def test_while_it_is_held_others_are_turned_away(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    path.touch()
    with FileLocks() as locks:
        assert locks.take([str(path)]) is None
        with other(path) as program:
            assert program.wait(60) == 7
    with other(path) as program:
        assert program.stdin is not None
        program.stdin.close()
        assert program.wait(60) == 0


def test_what_is_not_there_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with FileLocks() as locks:
        assert locks.take([str(path)]) is None
    assert not path.exists()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").touch()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    assert FileLocks().take([str(tmp_path / "link")]) == str(tmp_path / "link")
