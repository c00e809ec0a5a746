# SPDX-License-Identifier: MIT
"""``memory-cli erase`` stopped anywhere: killed before each statement and message, and at each
system call that writes; refused by the disk at each write, once or from there on.

Whatever was stopped is whole, every record is old or gone, what is unfinished is known, and the
same command finishes it. A short sample runs always; ``make faults`` takes every place.
"""

import shutil

import agentstore
import pytest
from trials import CASES, LONG, WRITES

pytestmark = [
    pytest.mark.timeout(3600),
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace"),
]


def places(total, short, share=1):
    """Numbers below the total: so many, in the long form LONG or a share of it."""
    number = min(total, max(1, LONG // share) if LONG else short)
    return [step * total // number for step in range(number)]


def told_truly(trial, answer):
    """What the command said of itself, where it lived to say it.

    What was proved while that could not be written down is proved once more by the next run.
    """
    if answer["exit"] == 0:
        assert answer["said"]["state"] == "proved", answer
        trial.is_clean(trial.key(trial.path))
    else:
        assert answer["said"].get("state") in ("not-finished", "not-proved", None), answer
        assert answer["said"].get("error", {}).get("code") != "bug.found", answer


def finished(trial, seen):
    """The same command, whatever is left of the first; where that was proved, it looks again."""
    answer = trial.goes_on()
    if seen["gone"]:
        counts = answer["said"]["counts"]["memories"]
        assert (counts["found"], counts["erased"]) == (agentstore.TARGETS,) * 2, answer
    trial.is_gone()
    trial.remove()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_killed_before_a_statement_or_message(models, case):
    model = models(case).measured()
    ends = set()
    begun = model.points.index("ask eraser erase")
    inside = range(begun + 1, begun + 6)  # the one transaction, where half would be left
    rekeyed = [n + 1 for n, name in enumerate(model.points) if name.startswith("sql PRAGMA rekey")]
    for at in sorted({*places(len(model.points), 5), *inside, *rekeyed}):
        trial = model.copy()
        answer = trial.erase(at=at + 1)
        assert answer["status"] == -9, (model.points[at], answer)
        seen = trial.after_stop()
        ends.add(seen["gone"])
        finished(trial, seen)
    assert ends == {True, False}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_killed_at_a_system_call(models, case):
    model = models(case).measured()
    for call in places(len(model.calls), 3, share=3):
        trial = model.copy()
        answer = trial.killed_at(call)
        assert answer["status"] == -9, (model.calls[call], answer)
        finished(trial, trial.after_stop())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from-there-on"])
def test_a_write_that_fails(models, case, error, lasting):
    model = models(case).measured()
    refused = [n for n, (name, _) in enumerate(model.calls) if name in WRITES.split(",")]
    for place in places(len(refused), 1 if case.name != "readable-wal" else 4, share=10):
        trial = model.copy()
        answer = trial.failing_at(refused[place], error, lasting=lasting)
        where = (model.calls[refused[place]], refused[place], answer)
        assert answer["status"] == 0, where
        try:
            told_truly(trial, answer)
            finished(trial, trial.after_stop())
        except AssertionError as error:
            raise AssertionError(where) from error
