# SPDX-License-Identifier: MIT
"""Every verb that opens a store tells what was erased and is back in it; one erases it again."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "services"))


from memory_gui.terminal.session import Session


@pytest.fixture
def back(make, keychain):
    """A store in which an erased memory is back with an older file."""
    terminal = make()

    def call(verb, *arguments):
        return terminal(verb, str(terminal.store), *arguments)

    call.terminal = terminal
    aside = terminal.store.with_name("aside")
    shutil.copy(terminal.store, aside)
    assert call("erase", "00000001", "--yes").status == 0
    assert call("list", "--json").json["returned"] == []
    shutil.copy(aside, terminal.store)
    return call


def test_it_is_named_and_erased_again(back):
    done = back("list", "--json")
    assert (done.status, done.json["returned"]) == (0, ["memory:00000001"])
    assert "1 record that was erased is back: memory:00000001." in done.err
    assert back("info", "--json").json["returned"] == ["memory:00000001"]
    found = back("check", "--json")
    assert (found.status, found.json["checks"][-1]["code"]) == (9, "check.returned")
    planned = back("erase", "--returned", "--dry-run", "--json").json
    assert planned["counts"] == {"memories": {"found": 1, "erased": 0, "kept": 0}}
    done = back("erase", "--returned", "--yes", "--json")
    assert (done.status, done.json["state"]) == (0, "proved")
    assert [row[0] for row in back.terminal.rows()] == ["00000000", "00000002"]
    assert back("erase", "--returned", "--yes", "--json").json == {"returned": []}


def test_a_store_is_kept_clean_and_put_back(make, keychain):
    terminal = make()

    def call(*arguments):
        return terminal("erase", str(terminal.store), "--keep-clean", *arguments)

    assert call("show", "--json").json["keep_clean"] is False
    done = call("on", "--yes")
    assert done.status == 0
    assert "The file’s journal mode is changed" in done.out
    assert "is kept clean at every write" in done.out
    shown = call("show", "--json").json
    assert (shown["keep_clean"], shown["works"], shown["journal_mode"]) == (True, True, "persist")
    assert call("off", "--json").json["journal_mode"] == "wal"


def test_a_store_is_not_offered_to_be_kept_clean_where_nothing_remembers_it(make, monkeypatch):
    terminal = make()
    call = ("erase", str(terminal.store), "--keep-clean", "on", "--yes")
    done = terminal(*call, "--no-keychain")
    assert (done.status, done.out) == (6, "")  # nothing is explained or asked for first
    assert "They need a keychain." in done.err
    monkeypatch.setattr(Session, "attended", property(lambda _self: False))
    for one in (call, ("receipt", "key")):
        done = terminal(*one)
        assert (done.status, done.out) == (6, "")
        assert "nobody is at a terminal to allow that" in done.err


def test_a_script_that_may_not_ask_the_keychain_reads_all_the_same(back, monkeypatch):
    monkeypatch.setattr(Session, "attended", property(lambda _self: False))
    done = back("list", "--json")
    assert (done.status, done.json["returned"], done.json["total"]) == (0, [], 3)
    assert "keychain" not in done.err


def test_a_person_may_let_it_stay(back):
    assert back("erase", "00000001", "--let-stay", "--yes").status == 2
    done = back("erase", "--returned", "--let-stay")
    assert done.status == 0
    assert "1 record stays" in done.out
    assert back("list", "--json").json["returned"] == []
    assert len(back.terminal.rows()) == 3


def test_nothing_is_said_to_be_back_or_not_where_nobody_wrote_it_down(terminal):
    assert terminal.verb("erase", "00000001", "--yes").status == 0
    done = terminal.verb("erase", "--returned", "--yes")
    assert (done.status, done.out) == (3, "")
    assert "Whether an erased record is back" in done.err
