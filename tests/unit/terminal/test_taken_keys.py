# SPDX-License-Identifier: MIT
"""What the terminal says where a key that would come back is another record's now."""

from __future__ import annotations

import json

import pytest


def ref_of(done):
    return done.json["ref"]


@pytest.fixture
def clash(terminal):
    """An old memory in the trash and a live one with its key."""
    old = ref_of(terminal.verb("add", "--set", "title=tea", "--set", "text=green", "--json"))
    assert terminal.verb("trash", old).status == 0
    new = ref_of(terminal.verb("add", "--set", "title=Tea", "--set", "text=black", "--json"))
    return terminal, old, new


def test_restore_is_refused_with_the_holder_and_a_free_key(clash):
    terminal, old, new = clash
    done = terminal.verb("restore", old, "--json")
    assert done.status == 6
    (one,) = done.json["results"]
    assert one["error"]["code"] == "record.key_taken"
    assert one["clash"] == {"holder": new, "key": "tea", "free_key": "tea_2"}


def test_and_says_so_in_both_languages(clash):
    terminal, old, new = clash
    said = terminal.verb("restore", old).out
    assert f"{old}: {new} has its key." in said
    assert "--set key=tea_2" in said
    terminal.language = "zh_CN.UTF-8"
    assert "--set key=tea_2" in terminal.verb("restore", old).out
    assert "占用" in terminal.verb("restore", old).out


def test_what_it_says_works(clash):
    terminal, old, _new = clash
    assert terminal.verb("edit", old, "--set", "key=tea_2").status == 0
    assert terminal.verb("restore", old).status == 0
    keys = dict(
        terminal.rows("SELECT key_normalized, content FROM memories WHERE deleted_at IS NULL")
    )
    assert (keys["tea"], keys["tea_2"]) == ("black", "green")


def test_the_other_way_works_as_well(clash):
    terminal, old, new = clash
    assert terminal.verb("trash", new).status == 0
    assert terminal.verb("restore", old).status == 0
    keys = dict(
        terminal.rows("SELECT key_normalized, content FROM memories WHERE deleted_at IS NULL")
    )
    assert keys["tea"] == "green"


def test_a_dry_run_tells_it_too(clash):
    terminal, old, new = clash
    (one,) = terminal.verb("restore", old, "--dry-run", "--json").json["results"]
    assert one["clash"]["holder"] == new


def test_reopening_what_was_proposed_again(terminal):
    fields = ("--set", "title=tea", "--set", "key=tea", "--set", "scope=project")
    old = ref_of(terminal.verb("propose", *fields, "--set", "text=green", "--json"))
    assert terminal.verb("review", "reject", old).status == 0
    new = ref_of(terminal.verb("propose", *fields, "--set", "text=black", "--json"))
    done = terminal.verb("review", "reopen", old, "--json")
    assert done.status == 6
    (one,) = done.json["results"]
    assert one["clash"] == {"holder": new, "key": "tea", "free_key": "tea_2"}
    assert "reject it first" in terminal.verb("review", "reopen", old).out
    assert terminal.verb("review", "reopen", old, "--set", "key=tea_2").status == 0
    waiting = terminal.rows("SELECT key_normalized FROM memory_review_queue WHERE status='pending'")
    assert sorted(json.dumps(row) for row in waiting) == ['["tea"]', '["tea_2"]']
