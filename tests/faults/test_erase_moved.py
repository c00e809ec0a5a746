# SPDX-License-Identifier: MIT
"""What a person or a trap does to the names on the disk while ``memory-cli erase`` is at work: the
database is moved, replaced, gets a second name, or a link takes its log's or its folder's place.

No byte of another file is written, nothing is called proved that is not, and with the names as
they were before the same command finishes it. A short sample runs always; ``make faults``: all.
"""

import os
import shutil

import agentstore
import pytest
import stops
from trials import CASES, LONG, READABLE, SAME

BESIDE = tuple(case for case in CASES if case.kind in (READABLE, SAME))
THESIS = b"years of work\n" * 4000
pytestmark = pytest.mark.timeout(3600)


def sampled(model):
    """Points of the eraser's work: three, in the long form an eighth of LONG."""
    begun = model.points.index("ask eraser prepare") + 1
    points = range(begun, len(model.points) + 1)
    if LONG:
        return points[:: max(1, len(points) * 8 // LONG)]
    return points[2 :: len(points) // 3]


def last_look(points):
    """The last point at which the eraser looks at what lies there: what is put there later, in the
    moment before its result is written down, nobody can tell of.
    """
    return len(points) - points[::-1].index("sql PRAGMA integrity_check(1)")


def dangers(trial):
    """Files of others, which no act of ours may change: by name, with what is in them."""
    store = trial.path.parent
    (store / "thesis.tex").write_bytes(THESIS)
    trial.bench.ask(do="look", path=trial.path, key=trial.case.key)  # at rest
    shutil.copyfile(trial.path, store / "other.db")
    trap = store.with_name("trap")
    trap.mkdir()
    shutil.copyfile(trial.path, trap / trial.path.name)
    return (store / "other.db").read_bytes()


def others(trial, other):
    """What stands where, afterwards, must be as it was; then the names are put back."""
    store, path = trial.path.parent, trial.path
    if store.is_symlink():
        assert (store / path.name).read_bytes() == other
        store.unlink()
        os.rename(store.with_name("moved-folder"), store)
    assert (store / "thesis.tex").read_bytes() == THESIS
    assert (store / "other.db").read_bytes() == other
    if (store / "moved.db").exists():
        if path.exists():
            assert path.read_bytes() == other
        os.replace(store / "moved.db", path)
    log = store / f"{path.name}-wal"
    if log.is_symlink():
        log.unlink()
    if (store / "moved-wal").exists() and not log.exists():
        os.rename(store / "moved-wal", log)
    (store / "second-name.db").unlink(missing_ok=True)


@pytest.mark.parametrize("act", ["move", "replace", "hard_link", "link_log", "link_folder"])
@pytest.mark.parametrize("case", BESIDE, ids=lambda case: case.name)
def test_a_name_that_changes_in_the_middle(models, case, act):
    assert act in stops.ACTS
    model = models(case).measured()
    for at in sampled(model):
        trial = model.copy()
        other = dangers(trial)
        answer = trial.erase(at=at, act=act)
        where = (model.points[at - 1], answer)
        assert answer["status"] == 0, where
        assert answer["said"].get("error", {}).get("code") != "bug.found", where
        clean = trial.bench.ask(do="hits", path=trial.path, key=case.key)["hits"] == 0
        assert clean or answer["exit"] != 0 or at > last_look(answer["points"]), where
        others(trial, other)
        assert trial.after_stop()["intact"], where
        again = trial.erase()
        assert again["exit"] == 0, (where, again)
        trial.is_gone()
        trial.remove()


def test_the_names_before_it_begins(models):
    """A second name is refused; through a link to the database its own log is the one wiped."""
    model = models(BESIDE[0]).measured()
    trial = model.copy()
    trial.bench.ask(do="look", path=trial.path, key=None)  # at rest
    os.link(trial.path, trial.place / "second.db")
    before = trial.path.read_bytes()
    refused = trial.erase()
    assert refused["exit"] != 0
    assert "raw.hard_links" in (refused["said"].get("reason"), refused["said"]["error"]["code"])
    assert trial.path.read_bytes() == before
    (trial.place / "second.db").unlink()
    assert trial.after_stop()["targets"] == agentstore.TARGETS
    trial.goes_on()
    trial.is_gone()
