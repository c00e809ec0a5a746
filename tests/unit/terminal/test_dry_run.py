# SPDX-License-Identifier: MIT
"""``--dry-run`` says of each record what the run would do, and writes nothing."""

from __future__ import annotations

import pytest

from memory_gui.domain.changes import OpenBy
from memory_gui.engine.connection import open_database

PROPOSAL = (
    "INSERT INTO memory_review_queue(id, scope, type, key_normalized, title, content, status,"
    " created_at, updated_at) VALUES (?, 'project', 'note', ?, ?, ?, 'pending', ?, ?)"
)
SECRET = "the key is sk-proj-FAKE00000000000000000000000000000000000000000000"


def codes(done):
    return {one["ref"]: one.get("error", {}).get("code") for one in done.json["results"]}


def both(terminal, *arguments):
    """The dry run, then the run; the dry one left the file alone."""
    before = terminal.store.read_bytes()
    dry = terminal.verb(*arguments, "--dry-run", "--json")
    assert dry.json["dry_run"] is True
    assert terminal.store.read_bytes() == before
    run = terminal.verb(*arguments, "--json", *(["--yes"] if arguments[0] == "delete" else []))
    return dry, run


def agrees(dry, run):
    assert (dry.status, dry.json["counts"], codes(dry)) == (
        run.status,
        run.json["counts"],
        codes(run),
    )
    return codes(dry)


@pytest.fixture
def twin(terminal):
    """``apple`` in the trash, and a live one with its key beside it."""
    assert terminal.verb("trash", "00000000").status == 0
    added = terminal.verb("add", "--json", "--set", "title=apple", "--set", "text=red")
    assert added.status == 0
    return terminal


def test_restoring_what_has_a_living_twin(twin):
    assert agrees(*both(twin, "restore", "00000000", "00000001")) == {
        "memory:00000000": "record.key_taken",
        "memory:00000001": "record.not_in_trash",
    }


def test_trashing_and_deleting_what_cannot_be(terminal):
    terminal.verb("trash", "00000000")
    (event,) = terminal.rows("SELECT id FROM memory_events")
    found = agrees(*both(terminal, "trash", "00000000", "00000001", f"event:{event[0]}"))
    assert list(found.values()) == ["record.in_trash", None, "store.cannot"]
    found = agrees(*both(terminal, "delete", "00000000", "00000002", f"event:{event[0]}"))
    assert list(found.values()) == [None, "record.trash_first", "store.cannot"]


def test_tagging(terminal):
    assert agrees(*both(terminal, "tag", "00000000", "--add", "x")) == {"memory:00000000": None}
    found = agrees(*both(terminal, "tag", "00000000", "00000001", "--add", SECRET))
    assert set(found.values()) == {"record.secret"}


@pytest.fixture
def queue(terminal):
    """Items that are fine, hold a secret, would lose another text, hold what does not show."""
    with open_database(terminal.store, None, write=True) as connection, connection.writing():
        for ident, key, text in (
            ("aaaaaaaaaaaa", "fine", "harmless"),
            ("bbbbbbbbbbbb", "login", SECRET),
            ("cccccccccccc", "banana", "is yellow"),
            ("dddddddddddd", "hidden", "a\u202eb"),
        ):
            when = "2026-01-01T00:00:00"
            connection.execute(PROPOSAL, (ident, key, key, text, when, when))
    return terminal


ITEMS = ("review:aaaaaaaaaaaa", "review:bbbbbbbbbbbb", "review:cccccccccccc", "review:dddddddddddd")


def review(terminal, act, *more):
    given = (str(terminal.store), act, *ITEMS, *more, "--json", "--no-keychain")
    before = terminal.store.read_bytes()
    dry = terminal("review", *given, "--dry-run")
    assert terminal.store.read_bytes() == before
    return dry, terminal("review", *given)


def test_approving(queue):
    found = agrees(*review(queue, "approve"))
    assert list(found.values()) == [None, "record.secret", "review.conflict", "review.hidden"]
    found = agrees(*review(queue, "approve"))
    assert found["review:aaaaaaaaaaaa"] == "review.not_pending"


def test_insisting(queue):
    found = agrees(*review(queue, "approve", "--despite", "secret,hidden,conflict"))
    assert set(found.values()) == {None}


def test_rejecting_and_reopening(queue):
    assert set(agrees(*review(queue, "reopen")).values()) == {"review.is_pending"}
    assert set(agrees(*review(queue, "reject")).values()) == {None}
    assert set(agrees(*review(queue, "reject")).values()) == {"review.not_pending"}
    assert set(agrees(*review(queue, "reopen")).values()) == {None}


def test_what_the_agent_did_not_make_is_named_before(terminal):
    with open_database(terminal.store, None, write=True, maintain=True) as connection:
        connection.execute(
            "CREATE TRIGGER no AFTER DELETE ON memories BEGIN DELETE FROM memories; END"
        )
    terminal_trash = both(terminal, "trash", "00000000")
    assert set(agrees(*terminal_trash).values()) == {"store.foreign_objects"}


def test_an_erase_that_waits_is_planned_and_not_finished(terminal, monkeypatch):
    with monkeypatch.context() as held:
        held.setattr("memory_gui.erasure.run.open_by", lambda *_, **__: (OpenBy(1, "agent"),))
        assert terminal.verb("erase", "00000000", "--yes").status == 4
    before = terminal.store.read_bytes()
    dry = terminal.verb("erase", "00000000", "--dry-run", "--json")
    assert (dry.status, dry.json["state"]) == (0, "planned")
    listed = terminal.verb("erase", "--resume", "--dry-run", "--json")
    assert (listed.status, len(listed.json["pending"])) == (4, 1)
    assert terminal.store.read_bytes() == before
    assert len(terminal.rows()) == 3
    assert terminal.verb("erase", "00000000", "--yes", "--json").json["state"] == "proved"
