# SPDX-License-Identifier: MIT
"""A bulk act that was killed in its middle is known afterwards, and goes on."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memory_gui.ledger.begun import BegunActs

KILLED = """
import os, sys
from memory_gui import cli
from memory_gui.services.editing import chunks
from memory_gui.services.editing.acts import Acts
from memory_gui.services.editing.deciding import Deciding
chunks.MOST = 1
name, when, sys.argv = sys.argv[1], int(sys.argv[2]), ["memory-cli", *sys.argv[3:]]
owner = next(one for one in (chunks, Acts, Deciding) if hasattr(one, name))
real, seen = getattr(owner, name), []
def act(*given, **more):
    seen.append(given)
    if len(seen) == when:
        os._exit(9)
    return real(*given, **more)
setattr(owner, name, act)
sys.exit(cli.main())
"""


@pytest.fixture
def killed(terminal):
    """Does a verb and is gone before its record number ``when``; each is a transaction."""

    def call(name: str, when: int, verb: str, *arguments: str) -> None:
        environment = {"HOME": str(terminal.home), "PATH": "/usr/bin:/bin"}
        environment["XDG_DATA_HOME"] = str(terminal.home / ".local/share")
        program = [sys.executable, "-c", KILLED, name, str(when), verb, str(terminal.store)]
        done = subprocess.run(
            [*program, *arguments, "--no-keychain"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
            timeout=60,
        )
        assert done.returncode == 9, done.stderr

    return call


def trashed(terminal):
    return terminal.rows("SELECT id FROM memories WHERE deleted_at IS NOT NULL ORDER BY id")


def stopped(terminal):
    return [
        (one["act"], one["done"], one["total"])
        for one in terminal.verb("info", "--json").json["stopped"]
    ]


def test_is_told_by_every_command_until_it_went_on(terminal, killed):
    killed("_done", 2, "trash", "--query", "fruit")
    assert len(trashed(terminal)) == 1
    assert stopped(terminal) == [("trash", 1, 3)]
    told = terminal.verb("list").err
    assert "trash, 1 of 3 records done" in told
    assert "memory-cli trash STORE --resume" in told
    done = terminal.verb("trash", "--resume", "--json")
    assert (done.status, done.json["counts"], done.err) == (0, {"trashed": 2, "failed": 0}, "")
    assert len(trashed(terminal)) == 3
    assert stopped(terminal) == []
    assert terminal.verb("list").err == ""
    assert terminal.verb("trash", "--resume").status == 5


@pytest.mark.parametrize("query", [True, False])
def test_the_same_command_goes_on_too(terminal, killed, query):
    given = ("--query", "fruit") if query else ("00000000", "00000001", "00000002")
    killed("_done", 3, "trash", *given)
    terminal.verb("trash", *given)
    assert len(trashed(terminal)) == 3
    assert stopped(terminal) == []


def test_nothing_of_the_records_is_written_down_but_what_names_them(terminal, killed):
    killed("_done", 2, "trash", "--query", "fruit")
    (file,) = (terminal.home / ".local/share/memory-gui/acts").iterdir()
    text = file.read_text()
    assert "00000000" in text
    assert not any(word in text for word in ("apple", "banana", "fruit"))
    assert file.stat().st_mode & 0o777 == 0o600


def test_tags_go_on_with_the_tags_given_again(terminal, killed):
    killed("_done", 2, "tag", "--query", "fruit", "--add", "x")
    assert stopped(terminal) == [("tag", 0, 3)]
    assert terminal.verb("tag", "--resume", "--add", "x").status == 0
    assert {tags for (tags,) in terminal.rows("SELECT tags_json FROM memories")} == {'["x"]'}
    assert stopped(terminal) == []


def test_what_was_named_beside_resume_is_a_slip(terminal, killed):
    killed("_done", 2, "trash", "--query", "fruit")
    assert terminal.verb("trash", "--resume", "00000002").status == 2
    assert len(trashed(terminal)) == 1


def test_deleting_goes_on(terminal, killed):
    terminal.verb("trash", "--query", "fruit")
    killed("delete_trashed", 3, "delete", "--query", "fruit", "--yes")
    assert stopped(terminal) == [("delete", 2, 3)]
    assert terminal.verb("delete", "--resume", "--yes").status == 0
    assert terminal.rows() == []


def test_one_that_came_to_its_end_leaves_nothing(terminal):
    assert terminal.verb("trash", "--query", "fruit").status == 0
    assert list((terminal.home / ".local/share/memory-gui/acts").iterdir()) == []


def test_what_cannot_be_written_down_is_not_begun(terminal, monkeypatch):
    def full(*_given, **_more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("memory_gui.ledger.begun.write_whole", full)
    done = terminal.verb("trash", "--query", "fruit", "--json")
    assert (done.status, done.json["error"]["code"]) == (1, "acts.not_written")
    assert trashed(terminal) == []
    assert terminal.verb("trash", "00000000").status == 0  # one record needs no note


def test_a_running_one_is_not_stopped(tmp_path):
    begun = BegunActs(tmp_path)
    entry = begun.begin("/store", "trash", [("memory", ("a",)), ("memory", ("b",))])
    assert begun.reached(entry, 1).done == 1
    (found,) = begun.list("/store")
    assert (found.done, found.records, found.is_held()) == (1, entry.records, True)
    assert begun.list("/other") == ()
    begun.remove(found)
    assert begun.list("/store") == ()


class TestTakenBack:
    """What a stopped act has done can be taken back as one."""

    @pytest.fixture
    def queue(self, terminal):
        for word in ("tea", "rye", "oat"):
            terminal.verb("propose", f"--set=text=likes {word}", f"--set=key={word}")

    def waiting(self, terminal):
        document = terminal.verb("review", "list", "--json").json
        return document["total"], document["stopped"]

    def test_approvals_are_told_in_the_queue_and_taken_back(self, terminal, queue, killed):
        killed("decide", 3, "review", "approve", "--query", "likes")
        total, (stopped,) = self.waiting(terminal)
        assert (total, stopped["act"], stopped["done"], stopped["total"]) == (1, "approve", 2, 3)
        assert len(stopped["left"]) == 1
        told = terminal.verb("review", "list").err
        assert "approve, 2 of 3 records done" in told
        assert "memory-cli review STORE approve --resume" in told
        assert "memory-cli review STORE approve --take-back" in told
        done = terminal.verb("review", "approve", "--take-back", "--json")
        assert (done.status, done.json["counts"]) == (0, {"reopened": 2, "failed": 0})
        assert self.waiting(terminal) == (3, [])
        live = "SELECT content FROM memories WHERE deleted_at IS NULL AND content LIKE 'likes%'"
        assert terminal.rows(live) == []
        assert terminal.verb("review", "approve", "--take-back").status == 5

    def test_rejections_go_on(self, terminal, queue, killed):
        killed("decide", 2, "review", "reject", "--query", "likes")
        assert terminal.verb("review", "reject", "--take-back", "--dry-run").status == 2
        done = terminal.verb("review", "reject", "--resume", "--json")
        assert (done.status, done.json["counts"]) == (0, {"rejected": 2, "failed": 0})
        assert self.waiting(terminal) == (0, [])

    def test_what_was_put_into_the_trash_comes_back(self, terminal, killed):
        killed("_done", 3, "trash", "--query", "fruit")
        assert len(trashed(terminal)) == 2
        assert "memory-cli trash STORE --take-back" in terminal.verb("list").err
        done = terminal.verb("trash", "--take-back", "--json")
        assert done.json["counts"] == {"restored": 2, "failed": 0}
        assert trashed(terminal) == []
        assert stopped(terminal) == []
