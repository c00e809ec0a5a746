# SPDX-License-Identifier: MIT
"""``memory-cli erase`` beside another program: one that reads, writes, idles, or keeps coming back,
and one that opens the store first after the erase was killed.

Other programs are processes with another SQLite (``tests/rig/peer.py``). Nothing of theirs is lost;
a store that is held is left as it is and the answer names who holds it; when they are gone the same
command finishes it. ``unseen``: they are of another user, so that only their locks tell of them.
"""

import contextlib
import threading

import agentstore
import pytest
from trials import CASES, READABLE, SAME

ADD = (
    "INSERT INTO memories (id, scope, type, key_normalized, title, content, created_at, updated_at)"
    " VALUES (?, 'project', 'note', ?, 'of the agent', 'what it learned', '2026', '2026')"
)
BESIDE = tuple(case for case in CASES if case.kind in (READABLE, SAME))
pytestmark = pytest.mark.timeout(600)


def named(case):
    return case.name


def settle(trial):
    """So that the other program finds a store at rest, not one whose last writer was killed."""
    trial.bench.ask(do="look", path=trial.path, key=trial.case.key)


@pytest.mark.parametrize("unseen", [False, True], ids=["seen", "unseen"])
@pytest.mark.parametrize("doing", ["reads", "writes"])
@pytest.mark.parametrize("case", BESIDE, ids=named)
def test_a_program_in_a_transaction(models, peer, case, doing, unseen):
    trial = models(case).copy()
    settle(trial)
    other = peer(trial.path, case.key)
    other.do("BEGIN IMMEDIATE" if doing == "writes" else "BEGIN")
    other.do("SELECT count(*) FROM memories")
    if doing == "writes":
        other.do(ADD, "f0000001", "one")
    before = trial.path.read_bytes()
    answer = trial.erase(apart=True, unseen=unseen)
    assert answer["exit"] == 4, answer
    assert answer["said"]["state"] == "not-finished", answer
    if not unseen:
        assert other.pid in [one["pid"] for one in answer["said"]["open_by"]], answer
    assert trial.path.read_bytes() == before
    other.do("COMMIT")
    other.close()
    assert trial.after_stop()["others"] == (doing == "writes")
    trial.goes_on()
    assert trial.is_gone()["others"] == (doing == "writes")


@pytest.mark.parametrize("case", BESIDE, ids=named)
def test_a_program_that_idles(models, peer, case):
    trial = models(case).copy()
    settle(trial)
    other = peer(trial.path, case.key)
    other.do("SELECT count(*) FROM memories")
    answer = trial.erase(apart=True)
    assert answer["exit"] == 4, answer
    assert other.pid in [one["pid"] for one in answer["said"]["open_by"]], answer
    other.do(ADD, "f0000001", "one")
    assert trial.after_stop()["targets"] == agentstore.TARGETS
    other.close()
    trial.goes_on()
    assert trial.is_gone()["others"] == 1


@pytest.mark.parametrize("case", BESIDE, ids=named)
def test_a_program_that_idles_and_cannot_be_seen(models, peer, case):
    """In WAL its lock is seen. In a rollback mode it has none: it goes on afterwards, unharmed."""
    trial = models(case).copy()
    settle(trial)
    other = peer(trial.path, case.key)
    other.do("SELECT count(*) FROM memories")
    answer = trial.erase(apart=True, unseen=True)
    if case.journal == "wal":
        assert answer["exit"] == 4, answer
        assert trial.after_stop()["targets"] == agentstore.TARGETS
    else:
        assert answer["exit"] == 0, answer
    other.do(ADD, "f0000001", "one")
    other.close()
    if case.journal == "wal":
        trial.goes_on()
    assert trial.is_gone()["others"] == 1


@pytest.mark.parametrize("case", BESIDE, ids=named)
def test_a_program_that_comes_back_at_once(models, peer, case):
    """It opens, writes a row and closes, all the time: each row it wrote is there at the end."""
    trial = models(case).copy()
    settle(trial)
    written, stop = [], threading.Event()
    agent = threading.Thread(target=come_and_go, args=(trial, peer, written, stop))
    agent.start()
    try:
        answers = [trial.erase(apart=True) for _ in range(2)]
    finally:
        stop.set()
        agent.join()
    for answer in answers:
        assert answer["exit"] in (0, 4), answer
    if answers[-1]["exit"] != 0:
        trial.goes_on()
    assert written
    assert trial.is_gone()["others"] == len(written)


def come_and_go(trial, peer, written, stop):
    """A row is written when the other library said so."""
    number = 0
    while not stop.is_set():
        number += 1
        with contextlib.suppress(Exception):  # locked out for a while: it tries again
            other = peer(trial.path, trial.case.key)
            try:
                other.do(ADD, f"f{number:07x}", f"key {number}")
                written.append(number)
            finally:
                other.close()


@pytest.mark.parametrize("case", CASES, ids=named)
def test_an_agent_that_opens_first_after_the_kill(models, peer, case):
    """Its closing takes the log away, and it writes: the erase is finished all the same."""
    model = models(case).measured()
    past = next(n for n, name in enumerate(model.points) if name.startswith("sql VACUUM"))
    for at in (past - 1, past + 1, past + 6):
        trial = model.copy()
        assert trial.erase(at=at)["status"] == -9
        seen = trial.after_stop()
        agents = 0
        with contextlib.suppress(Exception):  # a key that was changed shuts it out, unharmed
            other = peer(trial.path, case.key)
            other.do("SELECT count(*) FROM memories")
            other.do(ADD, "f0000001", "one")
            agents = 1
        other.close()
        assert trial.after_stop()["targets"] == seen["targets"]
        trial.goes_on()
        assert trial.is_gone()["others"] == agents
        assert agents == 1 or case.kind not in (READABLE, SAME)
