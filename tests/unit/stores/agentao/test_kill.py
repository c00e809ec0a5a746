# SPDX-License-Identifier: MIT
"""kill -9 in the middle of a change: old, or new, or known as not finished; never half.

The change runs in a process of its own, which ends itself by SIGKILL at its n-th statement; n goes
through all of them.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Decision, Outcome, Target, Verdict
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import State
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample

KEY = RawKey(bytes(range(32)))

CHANGE = """
import os, signal, sys
from pathlib import Path
from memory_gui.domain.changes import Decision, Edit, Target, Verdict
from memory_gui.domain.keys import RawKey
from memory_gui.engine.database import Connection
from memory_gui.stores.format import Mode
from memory_gui.stores.registry import Registry, formats
folder, last, encrypted, what = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
key = RawKey(bytes(range(32))) if encrypted == "True" else None
registry = Registry(formats(folder / "home"))
def opened(name):
    return registry.open(registry.locate(folder / name), key, Mode.CHANGE)
project, user = opened("ferryman"), opened("home")
records = {r.title: r for s in (project, user) for b in s.scan(["memory", "review"]) for r in b}
left = last
real = Connection.execute
def execute(self, sql, params=()):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    return real(self, sql, params)
Connection.execute = execute
if what == "edit":
    old = records["glossary"]
    project.apply(Edit(Target(old.ref, old.etag), {"title": "new words", "text": "new text"}))
else:
    item = records["Preference: 简洁的回答"]
    project.review(Decision(Target(item.ref, item.etag), Verdict.APPROVE), user)
"""
Opened = Callable[..., Any]


def run(folder: Path, last: int, *, encrypted: bool, what: str) -> bool:
    """Whether it came to its end before the statement at which it would have been killed."""
    done = subprocess.run(
        [sys.executable, "-c", CHANGE, str(folder), str(last), str(encrypted), what],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, -signal.SIGKILL}, done.stderr
    return done.returncode == 0


def steps(tmp_path: Path, *, encrypted: bool, what: str) -> list[Path]:
    """One pair per statement at which the change was killed, and one where it was not."""
    folders = []
    for last in range(40):
        folders.append(tmp_path / str(last))
        make_sample(folders[-1], KEY if encrypted else None)
        if run(folders[-1], last, encrypted=encrypted, what=what):
            assert last > 4
            return folders
    raise AssertionError("it never came to its end")


@pytest.mark.parametrize("encrypted", [False, True], ids=["readable", "encrypted"])
def test_an_edit_is_old_or_new(tmp_path: Path, opened: Opened, encrypted: bool) -> None:
    seen = []
    for folder in steps(tmp_path, encrypted=encrypted, what="edit"):
        store = opened(
            Registry(formats(None)).locate(folder / "ferryman").main, key=KEY if encrypted else None
        )
        titles = {r.title: r for b in store.scan(["memory"]) for r in b}
        events = sum(1 for b in store.scan(["event"]) for r in b)
        new = titles.get("new words")
        assert (new is None) == ("glossary" in titles)
        assert new is None or (new.text, new.extra["key_normalized"]) == ("new text", "new_words")
        seen.append((new is not None, events))
        store.close()
    assert len(set(seen)) == 2, "the event goes with its edit"
    assert seen == sorted(seen)


@pytest.mark.parametrize("encrypted", [False, True], ids=["readable", "encrypted"])
def test_an_approval_over_two_files_is_never_half(
    tmp_path: Path, opened: Opened, encrypted: bool
) -> None:
    outcomes = []
    for folder in steps(tmp_path, encrypted=encrypted, what="approve"):
        home = folder / HOME
        key = KEY if encrypted else None
        registry = Registry(formats(None))
        project, user = (
            opened(registry.locate(where).main, key=key, home=home)
            for where in (folder / "ferryman", home)
        )
        item = next(r for b in project.scan(["review"]) for r in b if "简洁" in r.title)
        saved = [r for b in user.scan(["memory"]) for r in b if r.text == item.text]
        if item.state is State.APPROVED:
            assert len(saved) == 1, "never an approved item without its memory"
            outcomes.append("done")
        else:
            outcome = project.preview(item.ref, user).outcome
            assert outcome is (Outcome.IDENTICAL if saved else Outcome.NEW)
            outcomes.append(str(outcome))
            project.review(Decision(Target(item.ref, item.etag), Verdict.APPROVE), user)
            again = [r for b in user.scan(["memory"]) for r in b if r.text == item.text]
            assert len(again) == 1, "never two memories"
        project.close()
        user.close()
    assert set(outcomes) == {"new", "identical", "done"}
