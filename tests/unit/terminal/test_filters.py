# SPDX-License-Identifier: MIT
"""Searches under a name in the terminal: saved, listed, used, removed; nothing of them in clear."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "services"))


def titles(done):
    assert done.status == 0, done.err
    return [one["title"] for one in done.json["records"]]


def test_saved_listed_used_and_removed(permitted):
    store = str(permitted.store)
    word = titles(permitted("list", store, "--json"))[0]
    assert "No search is saved" in permitted("list", store, "--saved").out
    plain = titles(permitted("list", store, "--json", "--query", word, "--save-as", "tests first"))
    assert permitted("list", store, "--saved", "--json").json == {
        "saved": [{"name": "tests first", "query": word, "facets": {}, "sort": None}]
    }
    assert word in plain
    assert titles(permitted("list", store, "--json", "--saved", "tests first")) == plain
    assert titles(permitted("list", store, "--json")) != plain
    # Words beside it narrow it, an order of its own is worn.
    both = permitted("list", store, "--json", "--saved", "tests first", "--query", "qqq")
    assert titles(both) == []
    saved = permitted("list", store, "--query", "e", "--sort", "title", "--save-as", "by title")
    assert saved.status == 0
    assert titles(permitted("list", store, "--json", "--saved", "by title")) == titles(
        permitted("list", store, "--json", "--query", "e", "--sort", "title")
    )
    assert permitted("list", store, "--unsave", "tests first").status == 0
    gone = permitted("list", store, "--saved", "tests first")
    assert gone.status == 5
    assert "tests first" in gone.err


def test_a_name_is_not_taken_twice_unless_one_says_so(permitted):
    def save(query, *more):
        return permitted(
            "list", str(permitted.store), "--query", query, "--save-as", "mine", *more
        ).status

    assert (save("a"), save("b"), save("b", "--replace")) == (0, 6, 0)
    saved = permitted("list", str(permitted.store), "--saved", "--json").json["saved"]
    assert [one["query"] for one in saved] == ["b"]


@pytest.mark.parametrize(
    ("name", "query"), [("", "a"), ("x" * 61, "a"), ("a\x1b[2J", "a"), ("n", " ")]
)
def test_what_is_no_name_or_no_search_is_refused(permitted, name, query):
    store = str(permitted.store)
    assert permitted("list", store, "--query", query, "--save-as", name).status == 2
    assert permitted("list", store, "--saved", "--json").json == {"saved": []}


def test_it_is_content_and_lies_in_no_file_in_clear(permitted):
    done = permitted("list", str(permitted.store), "--query", "qzwords", "--save-as", "qzname")
    assert done.status == 0
    for file in permitted.home.rglob("*"):
        if file.is_file():
            assert b"qzname" not in file.read_bytes(), file
            assert b"qzwords" not in file.read_bytes(), file


def test_without_a_keychain_nothing_is_kept_and_that_is_said(permitted):
    store = str(permitted.store)
    done = permitted("list", store, "--query", "a", "--save-as", "mine", "--no-keychain")
    assert done.status == 3
    assert "keychain" in done.err
