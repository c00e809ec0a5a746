# SPDX-License-Identifier: MIT
"""Searches under a name in the terminal: saved, listed, used, removed; nothing of them in clear."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "services"))
from keychains import SECRETS, ManyKeychains

from memory_gui.terminal import session as session_module


@pytest.fixture
def kept(make, monkeypatch):
    """A terminal whose keychain is this one, with a person's permission for it."""
    keychain = ManyKeychains(SECRETS)
    monkeypatch.setattr(session_module, "Keychain", lambda **_: keychain)
    terminal = make()
    settings = terminal.home / ".local/share/memory-gui"
    settings.mkdir(parents=True)
    (settings / "settings.toml").write_text("scripts_may_use_keychain = true\n")
    return terminal


def titles(done):
    assert done.status == 0, done.err
    return [one["title"] for one in done.json["records"]]


def test_saved_listed_used_and_removed(kept):
    store = str(kept.store)
    word = titles(kept("list", store, "--json"))[0]
    assert "No search is saved" in kept("list", store, "--saved").out
    plain = titles(kept("list", store, "--json", "--query", word, "--save-as", "tests first"))
    assert kept("list", store, "--saved", "--json").json == {
        "saved": [{"name": "tests first", "query": word, "facets": {}, "sort": None}]
    }
    assert word in plain
    assert titles(kept("list", store, "--json", "--saved", "tests first")) == plain
    assert titles(kept("list", store, "--json")) != plain
    # Words beside it narrow it, an order of its own is worn.
    both = kept("list", store, "--json", "--saved", "tests first", "--query", "qqq")
    assert titles(both) == []
    saved = kept("list", store, "--query", "e", "--sort", "title", "--save-as", "by title")
    assert saved.status == 0
    assert titles(kept("list", store, "--json", "--saved", "by title")) == titles(
        kept("list", store, "--json", "--query", "e", "--sort", "title")
    )
    assert kept("list", store, "--unsave", "tests first").status == 0
    gone = kept("list", store, "--saved", "tests first")
    assert gone.status == 5
    assert "tests first" in gone.err


def test_a_name_is_not_taken_twice_unless_one_says_so(kept):
    def save(query, *more):
        return kept("list", str(kept.store), "--query", query, "--save-as", "mine", *more).status

    assert (save("a"), save("b"), save("b", "--replace")) == (0, 6, 0)
    saved = kept("list", str(kept.store), "--saved", "--json").json["saved"]
    assert [one["query"] for one in saved] == ["b"]


@pytest.mark.parametrize(
    ("name", "query"), [("", "a"), ("x" * 61, "a"), ("a\x1b[2J", "a"), ("n", " ")]
)
def test_what_is_no_name_or_no_search_is_refused(kept, name, query):
    store = str(kept.store)
    assert kept("list", store, "--query", query, "--save-as", name).status == 2
    assert kept("list", store, "--saved", "--json").json == {"saved": []}


def test_it_is_content_and_lies_in_no_file_in_clear(kept):
    done = kept("list", str(kept.store), "--query", "qzwords", "--save-as", "qzname")
    assert done.status == 0
    for file in kept.home.rglob("*"):
        if file.is_file():
            assert b"qzname" not in file.read_bytes(), file
            assert b"qzwords" not in file.read_bytes(), file


def test_without_a_keychain_nothing_is_kept_and_that_is_said(kept):
    store = str(kept.store)
    done = kept("list", store, "--query", "a", "--save-as", "mine", "--no-keychain")
    assert done.status == 3
    assert "keychain" in done.err
