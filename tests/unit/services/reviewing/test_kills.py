# SPDX-License-Identifier: MIT
"""kill -9 in the middle of an approval over two files, and of 1,000 in one bulk: never half.

The approval runs in a process of its own, which ends itself by SIGKILL at its n-th statement.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.domain.changes import Decision, NewRecord, Target, Verdict
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.ledger.begun import BegunActs
from memory_gui.services import build_services
from memory_gui.words import Words

STOPS = [
    'INTO "memories"|UPDATE "memories"',
    'INTO "memory_events"',
    'UPDATE "memory_review_queue"',
    "never",
]
"""The statements at which it is killed: before the memory, with it, between the files, at none."""
KEY = RawKey(bytes(range(32)))
APPROVE = """
import os, re, signal, sys, traceback
from pathlib import Path
from memory_gui.domain.changes import Decision, Target, Verdict
from memory_gui.domain.keys import RawKey
from memory_gui.engine.database import Connection
from memory_gui.services import build_services
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

def approve(folder, last, key, how):
    services = build_services(
        words=Words(), home=folder / "home", data_dir=folder / "data", keychain=NoKeychain()
    )
    services.library.open(folder / "atlas", key=key)
    items = services.review.items()
    fields = {"text": "lives in Basel, near the river"} if how == "edited" else {}
    seen = [services.review.preview(item.ref, fields) for item in items[:1]]
    services.library.allow_writing(items[0].ref.store)
    decisions = [Decision(Target(i.ref, i.etag), Verdict.APPROVE, fields) for i in items]
    if how == "replaces":
        shown = seen[0].existing.etag
        decisions = [Decision(Target(items[0].ref), Verdict.APPROVE, replaces=shown)]
    left, what = (int(last), None) if last.isdecimal() else (-1, re.compile(last))
    real = Connection.execute
    def execute(self, sql, params=()):
        nonlocal left
        if left == 0 or (what is not None and what.search(sql)):
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return real(self, sql, params)
    Connection.execute = execute
    services.review.decide_all(decisions)

folder, encrypted, how = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
key = RawKey(bytes(range(32))) if encrypted == "True" else None
for number, last in enumerate(sys.argv[4:]):
    child = os.fork()  # the modules are loaded once; nothing is open and no thread runs yet
    if not child:
        try:
            approve(folder / f"at{number}", last, key, how)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def run(folder: Path, stops: list[str], *, encrypted: bool, how: str) -> list[bool]:
    """For each stop, in its own folder ``at<n>``: whether it came to its end before."""
    done = subprocess.run(
        [sys.executable, "-c", APPROVE, str(folder), str(encrypted), how, *stops],
        capture_output=True,
        text=True,
        check=False,
    )
    codes = [int(line) for line in done.stdout.split()]
    assert set(codes) <= {0, -signal.SIGKILL}, done.stderr
    assert len(codes) == len(stops), done.stderr
    return [code == 0 for code in codes]


def memories(services):
    query = Query(kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))
    found = services.library.search(query, "title")
    return [record for record in services.library.window(found.ids) if record is not None]


@pytest.fixture
def prepared(tmp_path, empty_store, services_in):
    """A pair with one proposal about the person, in a folder that is copied for each stop."""

    def make(encrypted: bool, how: str) -> Path:
        folder = tmp_path / "first"
        key = KEY if encrypted else None
        empty_store(folder / "atlas/.agentao", key)
        empty_store(folder / "home/.agentao", key)
        services = services_in(folder)
        project, _user = services.library.open(folder / "atlas", key=key)
        fields = {"text": "lives in Bern, near the station", "scope": "user", "key": "home_town"}
        services.review.propose(project.id, NewRecord("review", {"title": "x", **fields}))
        if how == "replaces":
            saved = {"title": "home_town", "text": "lives in Geneva", "scope": "user"}
            services.editing.add(project.id, NewRecord("memory", saved))
        services.close()
        return folder

    return make


@pytest.mark.parametrize("how", ["plain", "edited", "replaces"])
@pytest.mark.parametrize("encrypted", [False, True], ids=["readable", "encrypted"])
def test_an_approval_over_two_files_is_finished_at_the_next_start(
    tmp_path, prepared, services_in, encrypted, how
):
    first = prepared(encrypted, how)
    wanted = {"edited": "lives in Basel, near the river"}.get(
        how, "lives in Bern, near the station"
    )
    for number in range(len(STOPS)):
        shutil.copytree(first, tmp_path / f"at{number}")
    assert run(tmp_path, STOPS, encrypted=encrypted, how=how) == [False, False, False, True]
    states = []
    for number in range(len(STOPS)):
        folder = tmp_path / f"at{number}"
        assert bool(list((folder / "data/acts").glob("*"))) == (number < 3)
        services = services_in(folder)
        services.library.open(folder / "atlas", key=KEY if encrypted else None)
        saved = [one.text for one in memories(services)]
        (item,) = services.review.items(states=[State.PENDING, State.APPROVED])
        assert (item.state is State.APPROVED) == (wanted in saved), "both, or neither"
        assert len(saved) <= 1, "never two memories"
        assert not list((folder / "data/acts").glob("*")), "what was written down is forgotten"
        states.append(item.state)
        services.close()
    assert states == [State.PENDING, State.PENDING, State.APPROVED, State.APPROVED]


def test_a_thousand_in_one_bulk_with_a_kill_in_the_middle(pair, services_in):
    for at in range(1000):
        scope = "user" if at % 2 else "project"
        values = {"title": f"t{at}", "text": f"fact number {at} of many", "key": f"fact_{at}"}
        pair.services.review.propose(
            pair.project.id, NewRecord("review", {**values, "scope": scope})
        )
    pair.services.close()
    folder = pair.folder / "at0"
    for name in ("atlas", "home"):
        shutil.copytree(pair.folder / name, folder / name)
    assert run(pair.folder, ["9000"], encrypted=False, how="plain") == [False]
    services = services_in(folder)
    project, _user = services.library.open(folder / "atlas")
    (stopped,) = services.editing.stopped(project.id, ("approve",))
    approved = services.review.items(states=[State.APPROVED])
    assert 0 < len(approved) < 1000
    assert len(memories(services)) == len(approved)
    assert len(stopped.left) == 1000 - len(approved)
    result = services.review.decide_all(
        [Decision(Target(ref), Verdict.APPROVE) for ref in stopped.left]
    )
    assert (result.done, result.failed) == (len(stopped.left), ())
    texts = [one.text for one in memories(services)]
    assert sorted(texts) == sorted(f"fact number {at} of many" for at in range(1000))
    assert services.review.items() == []
    assert services.editing.stopped(project.id) == ()


def test_what_a_kill_came_after_is_noted_as_rejected(tmp_path, empty_store, memory_keychain):
    """Marks are written after a bulk act; the next start writes those that it could not."""
    empty_store(tmp_path / "home/.agentao")
    empty_store(tmp_path / "atlas/.agentao")

    def start():
        made = build_services(
            words=Words(),
            home=tmp_path / "home",
            data_dir=tmp_path / "data",
            keychain=memory_keychain,
        )
        return made, made.library.open(tmp_path / "atlas")[0]

    def propose(services, store, text):
        new = NewRecord("review", {"title": "x", "text": text, "key": text, "scope": "project"})
        return services.review.propose(store.id, new).changes.refs[0]

    services, store = start()
    refs = [propose(services, store, text) for text in ("tea", "coffee")]
    begun = BegunActs(tmp_path / "data")
    entry = begun.begin(str(store.id), "reject", [(ref.kind, ref.key) for ref in refs])
    services.review.rejections.note = lambda _items: None  # the kill comes here
    services.review.decide(Decision(Target(refs[0]), Verdict.REJECT))
    services.close()
    begun.leave(entry, 1)
    services, store = start()
    again = propose(services, store, "tea")
    assert services.review.preview(again).rejected_at is not None
    assert services.review.preview(refs[1]).rejected_at is None
    services.close()
