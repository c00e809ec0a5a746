# SPDX-License-Identifier: MIT
"""A folder that is no store by itself: the stores below it are named, and how they are opened."""

from __future__ import annotations

import shutil
from pathlib import Path

DATA = Path(__file__).parents[2] / "data"


def test_the_stores_below_are_named_with_the_very_command(terminal, tmp_path):
    home = tmp_path.resolve() / "a home"
    (home / ".letta").mkdir(parents=True)
    file = home / ".letta" / "sqlite.db"
    shutil.copy(DATA / "letta-old/0.5.5/home/.letta/sqlite.db", file)
    done = terminal("info", str(home), "--no-keychain")
    assert done.status == 5
    assert done.err.splitlines() == [
        f"{home} is a folder and no store by itself. Stores below it: 1. Name one of them.",
        f"  memory-cli info '{file}'    # Letta",
    ]
    done = terminal("list", str(home), "--no-keychain", "--json")
    assert (done.status, done.json["error"]["code"]) == (5, "store.is_above")
    assert done.json["error"]["params"]["stores"] == [str(file)]


def test_where_there_are_none_nothing_is_promised(terminal, tmp_path):
    (tmp_path / "empty").mkdir()
    done = terminal("list", str(tmp_path / "empty"), "--no-keychain", "--json")
    assert (done.status, done.json["error"]["code"]) == (5, "store.is_folder")
