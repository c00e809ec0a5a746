# SPDX-License-Identifier: MIT
"""Persistent memory and facts in the terminal: every verb on every sample."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "data"
FACTS = ("memory.db", "research.db", "with-vectors.db")
REFUSED = sorted(path.name for path in (DATA / "persistent-memory" / "refused").iterdir())
RESPONSE = "memory:lin-xiaoyu/preference/response_style"


@pytest.fixture
def place(make: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """A terminal over a copy of a sample."""
    terminal = make()

    def over(name: str) -> Any:
        path = tmp_path / "copy" / "state" / Path(name).name
        path.parent.mkdir(parents=True)
        shutil.copyfile(DATA / name, path)
        terminal.store = path
        return terminal

    return over


def test_persistent_memory_by_every_verb(place: Callable[..., Any]) -> None:
    terminal = place("persistent-memory/workspace/state/memory.sqlite3")
    info = terminal.verb("info")
    assert "15 of 64 for one user (the fullest of 2) · 28 of 1,024 in all" in info.out
    assert "only the first 5 by key reach a prompt" in info.out
    listed = terminal.verb("list", "--query", "subject:lin-xiaoyu type:preference", "--json").json
    assert listed["total"] == 5
    assert {one["subject"] for one in listed["records"]} == {"lin-xiaoyu"}
    shown = terminal.verb("show", RESPONSE)
    assert "Revision: 3" in shown.out
    assert "Reaches every prompt by itself." in shown.out

    new = ("--set", "title=editor.theme", "--set", "text=Dark 深色")
    assert terminal.verb("add", *new).status == 6  # whose it is has to be said
    added = terminal.verb("add", *new, "--set", "subject=lin-xiaoyu", "--json").json
    assert (added["ref"], added["source"], added["extra"]) == (
        "memory:lin-xiaoyu/preference/editor.theme", "memory-gui", {"revision": "1"},
    )  # fmt: skip
    assert terminal.verb("add", *new, "--set", "subject=lin-xiaoyu").status == 6
    bad = terminal.verb("edit", added["ref"], "--set", "title=Editor Theme")
    assert (bad.status, "A key is made of a–z" in bad.err) == (6, True)
    renamed = terminal.verb("edit", added["ref"], "--set", "title=editor.look", "--json").json
    assert renamed["ref"] == "memory:lin-xiaoyu/preference/editor.look"
    moved = ("edit", renamed["ref"], "--set", "subject=mateo-alvarez")
    assert terminal.verb(*moved).status == 6
    ref = terminal.verb(*moved, "--despite", "subject", "--json").json["ref"]
    assert ref == "memory:mateo-alvarez/preference/editor.look"
    assert terminal.verb("delete", ref, "--yes").status == 0
    trashed = terminal.verb("trash", RESPONSE)
    assert "no trash" in trashed.out + trashed.err

    assert terminal.verb("erase", RESPONSE, "--dry-run").status == 0
    erased = terminal.verb("erase", RESPONSE, "--yes", "--json").json
    assert (erased["state"], erased["counts"]["memory"]["erased"]) == ("proved", 1)
    assert "response_style" not in json.dumps(erased)
    assert b"zqo-persistent-026" not in terminal.store.read_bytes()
    assert terminal.verb("show", RESPONSE).status == 5
    assert terminal.verb("list", "--json").json["total"] == 27


@pytest.mark.parametrize("name", FACTS)
def test_facts_by_every_verb(place: Callable[..., Any], name: str) -> None:
    terminal = place(f"facts/{name}")
    assert "newest 500 facts of a subject" in terminal.verb("info").out
    listed = terminal.verb("list", "--query", 'subject:"job:report-42"', "--json").json
    assert listed["total"] == 4
    new = ("--set", "subject=user:lin-xiaoyu", "--set", "text=只有中文的一条新事实，没有别的")
    added = terminal.verb("add", *new, "--json").json
    assert (added["kind"], added["source"]) == ("fact", "memory-gui")
    assert "can never recall it" in terminal.verb("show", added["ref"]).out
    same = terminal.verb("add", *new)
    assert (same.status, "has this very fact already" in same.err) == (6, True)
    assert terminal.verb("edit", added["ref"], "--set", "text=too short").status == 6
    edited = terminal.verb("edit", added["ref"], "--set", "text=now with english words", "--json")
    assert edited.json["ref"] == added["ref"]
    assert terminal.verb("delete", added["ref"], "--yes").status == 0
    by_query = terminal.verb("erase", "--query", 'subject:"job:report-42"', "--dry-run", "--json")
    job = ("erase", "--subject", "job:report-42")
    by_name = terminal.verb(*job, "--dry-run", "--json")
    assert by_name.json["counts"] == by_query.json["counts"]
    assert terminal.verb("erase", "--subject", "job:report", "--yes").status == 5, "a whole name"
    assert terminal.verb(*job, "--everything").status == 2
    erased = terminal.verb(*job, "--yes", "--json").json
    assert (erased["state"], sum(c["erased"] for c in erased["counts"].values())) == ("proved", 4)
    assert b"job:report-42" not in terminal.store.read_bytes()
    assert terminal.verb("list", "--json").json["total"] == 25
    assert terminal.verb("check").status == 0


@pytest.mark.parametrize("name", REFUSED)
def test_what_its_own_app_refuses_is_listed_and_said(place: Callable[..., Any], name: str) -> None:
    terminal = place(f"persistent-memory/refused/{name}/memory.sqlite3")
    info = terminal.verb("info")
    assert ("The app refuses this file" in info.out) or ("Malformed records: 1." in info.out)
    listed = terminal.verb("list", "--json")
    assert listed.json["total"] >= 28
    if not name.endswith("-row"):
        return
    (bad,) = [
        one for one in listed.json["records"] if "persistent.malformed" in one.get("told", ())
    ]
    place = listed.json["records"].index(bad) + 1
    assert f"they stand at place {place}." in info.out
    said = f"{bad['ref']}: Malformed"
    assert terminal.verb("list").out.count(": Malformed") == 1
    assert said in terminal.verb("list").out
    assert "zone:" not in terminal.verb("show", bad["ref"]).out, "there are no times"
    mended = ("--set", "title=mended", "--set", "text=good", "--set", "source=s-1")
    done = terminal.verb("edit", bad["ref"], *mended, "--json")
    assert done.json["title"] == "mended"
    assert "Malformed records" not in terminal.verb("info").out


def test_it_is_said_in_chinese(place: Callable[..., Any]) -> None:
    terminal = place("persistent-memory/refused/bad-session-row/memory.sqlite3")
    terminal.language = "zh_CN.UTF-8"
    info = terminal.verb("info").out
    assert "总计 29/1,024" in info
    assert "格式错误的记录：1 条" in info
