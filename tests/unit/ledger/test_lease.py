# SPDX-License-Identifier: MIT
"""A lease is held by one living process, not by its number."""

import os
import subprocess
import sys

import psutil
import pytest

from memory_gui.ledger import PendingErase
from memory_gui.ledger.lease import Lease


def test_mine_is_held():
    lease = Lease.mine()
    assert lease.pid == os.getpid()
    assert lease.is_held()
    assert PendingErase.begin("/a", {}).is_held()


def test_the_same_number_started_at_another_time_is_another_process():
    mine = Lease.mine()
    assert not Lease(mine.pid, mine.started - 3).is_held()


@pytest.mark.parametrize("reaped", [True, False])
def test_one_that_ended_holds_nothing(reaped):
    child = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    lease = Lease(child.pid, psutil.Process(child.pid).create_time())
    assert lease.is_held()
    child.stdin.close()
    if reaped:
        child.wait()
    else:  # a zombie still has its number
        while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
            pass
    assert not lease.is_held()
    child.wait()
