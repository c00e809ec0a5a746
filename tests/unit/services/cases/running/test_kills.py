# SPDX-License-Identifier: MIT
"""kill -9 between two stores, and in the middle of one: the next run goes on, and knows it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from casedesk import by_title

from memory_gui.cases.case import CaseState
from memory_gui.cases.finds import Decision
from memory_gui.domain.changes import NewRecord
from memory_gui.erasure.result import EraseState
from memory_gui.services.editing.editing import Editing
from memory_gui.services.erasing.erasing import Erasing
from memory_gui.stores.formats.agentao.create import create_store

_RUN = """
import os, signal, sys
sys.path[:0] = sys.argv[1].split(os.pathsep)
import casedesk, pairs
from pathlib import Path
from memory_gui.domain.keys import RawKey
from memory_gui.services import build_services
from memory_gui.words import Words
folder, number, where = Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
keychain = pairs.MemoryKeychain()
for line in sys.stdin.read().split():
    service, slot, key = line.split("|")
    keychain.keys[service, slot] = RawKey(bytes.fromhex(key))
services = build_services(
    words=Words(), home=folder / "home", data_dir=folder / "data", keychain=keychain
)
cases = services.cases
case = cases.case(number)
plan = cases.plan(case, cases.find(case, cases.where()), cases.where())
assert len(plan.parts) == 2

def tick(step, done, total):
    if (step, done) == ("case-store", 1) if where == "between" else step == where:
        os.kill(os.getpid(), signal.SIGKILL)

cases.run(plan, typed=plan.word, tick=tick)
"""


@pytest.mark.parametrize("where", ["between", "prove-content"])
def test_the_next_run_finishes_what_was_begun(desk, make_desk, tmp_path, where):
    from_here = Path(__file__).parents[2]
    desk.pair.add("a", "李雷 lives in the first street of all")
    second = desk.folder / "second/.agentao/memory.db"
    second.parent.mkdir(parents=True)
    create_store(second, None)
    opened = desk.services.library.open(second)[0]
    new = NewRecord("memory", {"title": "s", "text": "李雷 in the second one", "scope": "project"})
    desk.services.editing.add(opened.id, new)
    desk.log.write_text("18:22 prompt 李雷 lives in the first street of all\n")
    said = desk.log.read_bytes()
    case = desk.new()
    finds = desk.find(case)
    log = by_title(finds, "agentao.log").number
    desk.cases.decide(case, finds, [log], Decision.KEEP, reason="keep.cannot")
    keys = " ".join(f"{s}|{slot}|{key.hex()}" for (s, slot), key in desk.keychain.keys.items())
    desk.services.close()
    done = subprocess.run(
        [sys.executable, "-c", _RUN, str(from_here), str(tmp_path), str(case.number), where],
        input=keys,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL
    _wait_for_erasers()
    again = make_desk(open_stores=False)
    case = again.cases.case(case.number)
    assert case.state is CaseState.RUNNING
    result = again.run(case)
    assert (result.state, result.case.state) == (EraseState.PROVED, CaseState.DONE)
    report = again.cases.report(result.case)
    assert {Path(one.path): one.state for one in report.runs} == {
        again.pair.project_file: EraseState.PROVED,
        second: EraseState.PROVED,
    }
    for file in (again.pair.project_file, second):
        assert "李雷".encode() not in file.read_bytes()
    assert result.case.clock == case.clock
    assert desk.log.read_bytes() == said  # kept, whoever goes on
    assert [one.file.reason for one in report.kept_files] == ["keep.cannot"]


def _wait_for_erasers():
    """What was past its point of no return goes on by itself in a process of its own."""
    until = time.monotonic() + 120
    while time.monotonic() < until and any(_is_eraser(pid) for pid in os.listdir("/proc")):
        time.sleep(0.05)


def _is_eraser(pid: str) -> bool:
    try:
        command = Path(f"/proc/{int(pid)}/cmdline").read_bytes()
        return (
            b"memory_gui.erasure" in command
            and Path(f"/proc/{pid}/stat").read_text().split()[3] == "1"
        )
    except (OSError, ValueError):
        return False


@pytest.mark.parametrize("stopped_in", [Erasing, Editing])
def test_a_name_that_was_taken_out_is_counted_once(desk, monkeypatch, stopped_in):
    """Stopped after its change and before the erase of its old words, and before both."""
    desk.pair.add("a", "李雷 and Ann build boats")
    case = desk.new()
    finds = desk.find(case)
    number = by_title(finds, "a").number
    finds = desk.cases.decide(case, finds, [number], Decision.REDACT)
    plan = desk.cases.plan(case, finds, desk.where())

    def stop(*_args, **_more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(stopped_in, "run" if stopped_in is Erasing else "edit", stop)
        with pytest.raises(KeyboardInterrupt):
            desk.cases.run(plan, typed=plan.word)
    result = desk.run(case)
    assert [one.error for one in result.parts] == [None]
    assert (result.state, result.case.state) == (EraseState.PROVED, CaseState.DONE)
    told = result.case.outcome
    assert (told["redacted"], told["erased"]) == (1, 0)
