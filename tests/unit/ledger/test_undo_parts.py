# SPDX-License-Identifier: MIT
"""Pieces of an undo: kept for one run, removed when nobody opens them any more."""

import os
import subprocess
import sys

import psutil
import pytest
from plainpages import plain_pages

from memory_gui.domain.keys import RawKey
from memory_gui.ledger import Ledger


@pytest.fixture
def ledger(tmp_path, keychain):
    return Ledger.open(tmp_path / "data", keychain)


def pages_of(ledger: Ledger) -> bytes:
    """Every byte of the file as its key shows it."""
    return plain_pages(ledger.file.read_bytes(), RawKey(ledger.secret()))


def test_a_piece_comes_back_as_it_was_and_goes(ledger):
    rows = ledger.undo_parts
    data = os.urandom(300_000)
    one, two = rows.put("a", data), rows.put("a", b"\x00")
    assert (rows.get(one), rows.get(two)) == (data, b"\x00")
    rows.remove([one, 999])
    assert (rows.get(one), rows.get(two)) == (None, b"\x00")
    assert rows.free() > 290_000


def test_what_was_removed_is_on_no_page_of_the_file(ledger):
    rows = ledger.undo_parts
    number = rows.put("a", b"kept only for the undo " * 4_000)
    assert b"kept only" in pages_of(ledger)
    rows.remove([number])
    assert rows.free() > 90_000
    assert b"kept only" not in pages_of(ledger)


def test_what_is_left_is_that_of_runs_that_ended(ledger):
    rows = ledger.undo_parts
    before, now = rows.put("before", b"1"), rows.put("now", b"2")
    with ledger.connection() as connection, connection.writing():
        gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                              capture_output=True, text=True, check=True)  # fmt: skip
        connection.change(
            "INSERT INTO undo_part (run, lease_pid, lease_started, sealed)"
            " VALUES ('other', ?, 1.0, x'00'), ('going on', ?, ?, x'00')",
            (int(gone.stdout), os.getppid(), started(os.getppid())),
        )
    killed = now + 1
    assert rows.left("now") == (before, killed)
    assert rows.left("later") == (before, now, killed)
    rows.remove(rows.left("now"))
    assert rows.left("now") == ()


def started(pid: int) -> float:
    return float(psutil.Process(pid).create_time())
