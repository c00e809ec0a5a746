# SPDX-License-Identifier: MIT
"""Who changed what and when, judged by what was done in the test itself."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.keys import RawKey
from memory_gui.engine.connection import open_database
from memory_gui.services.activity.activity import Wanted, Who


def agent(pair, event, ident, when):
    """The agent writes a line of its log."""
    stamp = when.astimezone().strftime("%Y-%m-%dT%H:%M:%S")
    with open_database(pair.project_file, None, write=True) as connection:
        connection.execute(
            "INSERT INTO memory_events (memory_id, event_type, timestamp) VALUES (?, ?, ?)",
            (ident, event, stamp),
        )
    pair.services.library.poll()


def told(timeline):
    return [(one.who, one.code, one.count) for one in timeline.happenings]


@pytest.fixture
def hour_ago():
    return datetime.now(UTC) - timedelta(hours=1)


class TestTimeline:
    def test_our_acts_are_told_once_and_as_ours(self, pair):
        one = pair.add("tea", "green")
        pair.services.editing.edit(Edit(Target(one.ref), {"text": "black"}))
        pair.services.editing.trash([one.ref])
        found = pair.services.activity.list()
        assert told(found) == [(Who.YOU, "trash", 1), (Who.YOU, "edit", 1), (Who.YOU, "add", 1)]
        (about,) = found.happenings[0].about
        assert (about.ref, about.title) == (one.ref, "tea")

    def test_the_agents_doing_is_the_agents(self, pair, hour_ago):
        one = pair.add("tea", "green")
        agent(pair, "update", one.ref.key[0], hour_ago)
        agent(pair, "soft_delete", "ffffffff", hour_ago - timedelta(days=1))
        found = pair.services.activity.list()
        assert told(found) == [
            (Who.YOU, "add", 1),
            (Who.AGENT, "update", 1),
            (Who.AGENT, "soft_delete", 1),
        ]
        assert found.happenings[1].by == "Agentao"
        assert found.happenings[1].about[0].title == "tea"
        assert found.happenings[2].about[0].title == ""  # gone
        assert abs(found.happenings[1].at - hour_ago) < timedelta(seconds=1)

    def test_a_bulk_act_is_one_line_with_its_number(self, pair):
        refs = [pair.add(f"number {n}").ref for n in range(30)]
        pair.services.editing.trash(refs)
        pair.services.editing.undo()
        first, second, *_rest = pair.services.activity.list().happenings
        assert (first.code, first.count) == ("undo", 30)
        assert (second.code, second.count) == ("trash", 30)
        assert {one.ref for one in second.about} == set(refs)

    def test_filters(self, pair, hour_ago):
        one = pair.add("tea", "green")
        pair.add("of you", "x", scope="user")
        agent(pair, "update", one.ref.key[0], hour_ago)
        listed = pair.services.activity.list
        assert told(listed(Wanted(who=frozenset({Who.AGENT})))) == [(Who.AGENT, "update", 1)]
        assert told(listed(Wanted(groups=frozenset({"changed"})))) == [(Who.AGENT, "update", 1)]
        assert told(listed(Wanted(stores=frozenset({pair.user.id})))) == [(Who.YOU, "add", 1)]
        assert told(listed(Wanted(record=one.ref))) == [
            (Who.YOU, "add", 1),
            (Who.AGENT, "update", 1),
        ]

    def test_in_pages(self, pair, hour_ago):
        for n in range(12):
            agent(pair, "update", "ffffffff", hour_ago + timedelta(minutes=n))
        found = pair.services.activity.list(limit=5)
        assert (len(found.happenings), found.more) == (5, True)
        moments = [one.at for one in found.happenings]
        assert moments == sorted(moments, reverse=True)
        assert not pair.services.activity.list(limit=12).more

    def test_an_erase_is_told_without_a_name(self, pair):
        one = pair.add("tea", "green zebra")
        plan = pair.services.erasing.plans.plan([one.ref])
        pair.services.erasing.run(plan)
        found = pair.services.activity.list(Wanted(groups=frozenset({"erased"})))
        assert told(found) == [(Who.YOU, "erase", 1)]
        assert found.happenings[0].about[0].title == ""

    def test_a_change_of_encryption_is_about_the_store(self, pair):
        pair.services.protect.encrypt(pair.project.id, key=RawKey(bytes(range(32))))
        (one, *_rest) = pair.services.activity.list(
            Wanted(groups=frozenset({"protect"}))
        ).happenings
        assert (one.code, one.count, one.store) == ("encrypt", 0, pair.project.id)

    def test_programs_in_the_terminal(self, pair):
        pair.services.uses.record("list", "agentao", 12, 0)
        (one,) = pair.services.activity.list().happenings
        assert (one.who, one.code, one.by, one.count) == (Who.PROGRAM, "list", "agentao", 12)
        assert pair.services.activity.list(Wanted(who=frozenset({Who.YOU}))).happenings == ()


class TestKept:
    def test_nothing_of_a_memory_is_written_down(self, pair):
        one = pair.add("zebra title", "okapi text", tags=("gnu",))
        pair.services.editing.trash([one.ref])
        files = [f for f in (pair.folder / "data").rglob("*") if f.is_file()]
        written = b"".join(f.read_bytes() for f in files)
        assert one.ref.key[0].encode() in written
        for word in (b"zebra", b"okapi", b"gnu"):
            assert word not in written

    def test_an_id_that_is_no_id_is_not_named(self, pair):
        with open_database(pair.project_file, None, write=True) as connection:
            connection.execute(
                "INSERT INTO memories SELECT 'Ann owes Bob', scope, type, 'k', title, content,"
                " tags_json, keywords_json, source, confidence, sensitivity, created_at,"
                " updated_at, deleted_at FROM memories LIMIT 1"
            ) if pair.add("x", "y") else None
        pair.services.library.poll()
        ref = pair.services.library.resolve(pair.project.id, "memory:Ann owes Bob")
        pair.services.editing.trash([ref])
        assert pair.services.activity.list().happenings[0].count == 1
        assert b"Ann owes" not in b"".join(
            f.read_bytes() for f in (pair.folder / "data").rglob("*") if f.is_file()
        )

    def test_where_no_list_is_wanted_nothing_is_written(self, pair):
        pair.services.settings.change(remember_stores=False)
        pair.add("tea")
        assert told(pair.services.activity.list()) == [(Who.YOU, "add", 1)]
        assert not list((pair.folder / "data").glob("acts*.jsonl"))

    def test_with_the_list_of_stores_they_are_forgotten(self, pair):
        pair.add("tea")
        assert list((pair.folder / "data").glob("acts*.jsonl"))
        pair.services.settings.change(remember_stores=False)
        pair.services.library.known()
        assert not list((pair.folder / "data").glob("acts*.jsonl"))

    def test_they_survive_the_app_and_can_be_forgotten(self, pair, services_in):
        pair.add("tea")
        again = services_in(pair.folder)
        again.library.open(pair.folder / "atlas")
        assert told(again.activity.list()) == [(Who.YOU, "add", 1)]
        again.activity.forget_acts()
        # What the agent's own log says stays.
        assert told(again.activity.list()) == [(Who.AGENT, "create", 1)]

    def test_the_terminal_keeps_them_too(self, pair):
        one = pair.add("tea")
        home = pair.folder / "home"
        command = [
            sys.executable, "-I", "-m", "memory_gui.cli", "trash", str(pair.project_file),
            one.ref.text, "--no-keychain", "--json",
        ]  # fmt: skip
        env = {
            "HOME": str(home),
            "XDG_DATA_HOME": str(pair.folder / "xdg"),
            "PATH": "/usr/bin:/bin",
        }
        ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        (file,) = Path(pair.folder / "xdg").rglob("acts.jsonl")
        at, _ms, code, front, path, count, records = json.loads(file.read_text())
        assert (code, front, path, count) == ("trash", "terminal", str(pair.project_file), 1)
        assert records == [["memory", [one.ref.key[0]]]]
        assert datetime.fromisoformat(at).tzinfo is not None
