# SPDX-License-Identifier: MIT
"""``discover``, and any SQLite database through list, search, export, prove."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
from planted import EXPECTED_PROJECT, EXPECTED_USUAL, plant

from memory_gui.domain.keys import RawKey
from memory_gui.engine.create import create_database

CATS = "CREATE TABLE cats (name TEXT, note TEXT); INSERT INTO cats VALUES ('Mia', 'likes 鱼');"
TWO = (
    "CREATE TABLE memory (user_id TEXT NOT NULL, kind TEXT NOT NULL, memory_key TEXT NOT NULL,"
    " value TEXT NOT NULL, source_session TEXT NOT NULL, revision INTEGER NOT NULL,"
    " PRIMARY KEY (user_id, kind, memory_key)); PRAGMA user_version = 1;"
    "CREATE TABLE facts (id INTEGER PRIMARY KEY, subject TEXT, fact TEXT, source TEXT,"
    " created REAL, UNIQUE(subject, fact));"
)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return plant(tmp_path_factory.mktemp("planted").resolve())


@pytest.fixture
def at_home(terminal, planted):
    terminal.home = planted[0]
    return terminal


def stores(done, folder: Path) -> set[tuple[str, str]]:
    return {
        (one["format"], str(Path(one["path"]).relative_to(folder))) for one in done.json["stores"]
    }


class TestDiscover:
    def test_the_usual_places(self, at_home, planted, monkeypatch):
        home, _ = planted
        monkeypatch.setattr(Path, "home", lambda: home)
        done = at_home("discover", "--json", "--no-keychain")
        assert done.status == 0
        assert stores(done, home) == EXPECTED_USUAL
        assert {one["counts"] for one in done.json["stores"]} == {None}
        assert {one["usual"] for one in done.json["stores"]} == {True}

    def test_below_folders_and_counted(self, terminal, planted):
        _, work = planted
        done = terminal("discover", "--in", str(work), "--count", "--json", "--no-keychain")
        assert stores(done, work) == EXPECTED_PROJECT
        found = {one["format"]: one for one in done.json["stores"]}
        assert found["agentao"]["counts"]["memory"] == {"live": 13, "trash": 4}
        assert found["mcp-server-memory"]["counts"]["entity"] == {"live": 1}
        assert found["open-webui"]["counts"] is None
        assert (found["open-webui"]["opens"], found["agentao"]["opens"]) == (False, True)

    def test_in_words(self, terminal, planted):
        _, work = planted
        done = terminal("discover", "--root", str(work), "--no-keychain")
        lines = done.out.splitlines()
        assert any(x.startswith("Open WebUI") and "seen, not yet opened" in x for x in lines)
        assert any(x.startswith("FactMemory") and "can be opened" in x for x in lines)
        terminal.language = "zh_CN.UTF-8"
        assert "已发现，尚不能打开" in terminal("discover", "--in", str(work), "--no-keychain").out

    def test_an_encrypted_store_is_told_and_not_counted_without_its_key(self, terminal, tmp_path):
        folder = tmp_path / "p/.agentao"
        folder.mkdir(parents=True)
        os.chmod(folder, 0o700)
        create_database(folder / "memory.db", RawKey(bytes(32)), "CREATE TABLE a (x);")
        done = terminal(
            "discover", "--in", str(tmp_path / "p"), "--count", "--json", "--no-keychain"
        )
        (one,) = done.json["stores"]
        assert (one["format"], one["encrypted"], one["counts"]) == ("agentao", True, None)

    def test_nothing_there(self, terminal, tmp_path):
        (tmp_path / "empty").mkdir()
        done = terminal("discover", "--in", str(tmp_path / "empty"), "--no-keychain")
        assert (done.status, done.out) == (0, "No store of an agent was found there.\n")
        done = terminal("discover", "--in", str(tmp_path / "none"), "--json", "--no-keychain")
        assert (done.status, done.json["error"]["code"]) == (5, "discover.no_folder")

    def test_names_that_are_no_text_do_no_harm(self, terminal, tmp_path):
        folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a\x1b[2J\xff"))
        folder.mkdir()
        create_database(folder / "f.db", None, TWO.split("PRAGMA", maxsplit=1)[0])
        done = terminal("discover", "--in", str(tmp_path), "--json", "--no-keychain")
        assert "\x1b" not in done.out
        assert any(one["path"].endswith("\udcff/f.db") for one in done.json["stores"])
        done = terminal("discover", "--in", str(tmp_path), "--no-keychain")
        assert "\x1b" not in done.out


class TestAnyDatabase:
    @pytest.fixture
    def cats(self, tmp_path) -> str:
        create_database(tmp_path / "cats.db", None, CATS)
        return str(tmp_path / "cats.db")

    def test_list_search_show_export_prove(self, terminal, cats, tmp_path):
        listed = terminal("list", cats, "--json", "--no-keychain").json
        assert [(r["ref"], r["title"], r["kind"]) for r in listed["records"]] == [
            ("cats:1", "Mia", "cats")
        ]
        assert terminal("list", cats, "--query", "鱼", "--json", "--no-keychain").json["total"] == 1
        assert "likes 鱼" in terminal("show", cats, "cats:1", "--no-keychain").out
        out = tmp_path / "out.json"
        assert terminal("export", cats, str(out), "--no-keychain").status == 0
        assert "likes 鱼" in json.dumps(json.loads(out.read_text()), ensure_ascii=False)
        assert terminal("prove", cats, "--no-keychain").status == 0
        texts = tmp_path / "texts"
        texts.write_text('"likes 鱼"\n')
        assert terminal("prove", cats, "--texts", str(texts), "--no-keychain").status == 8

    def test_remains_of_others_are_not_called_the_text_that_was_asked_for(
        self, terminal, cats, tmp_path
    ):
        with closing(sqlite3.connect(cats)) as database:
            database.execute("PRAGMA secure_delete = OFF")
            database.execute("DELETE FROM cats")
            database.commit()
        texts = tmp_path / "texts"
        texts.write_text('"a text that never was here"\n')
        done = terminal("prove", cats, "--texts", str(texts), "--no-keychain")
        assert done.status == 8
        assert "0 finds of erased text" in done.out
        assert "remains of something that was changed or deleted" in done.out
        assert "Still there" not in done.out

    @pytest.mark.parametrize(
        "act",
        [
            ("edit", "STORE", "cats:1", "--set", "text=x"),
            ("edit", "STORE", "cats:1", "--set", "name=x"),
            ("delete", "STORE", "cats:1", "--yes"),
            ("trash", "STORE", "cats:1"),
            ("erase", "STORE", "cats:1", "--yes"),
            ("encrypt", "STORE", "--agents-lose-access"),
            ("add", "STORE", "--set", "title=x"),
        ],
    )
    def test_what_it_cannot_is_refused_with_the_reason(self, terminal, cats, act):
        before = Path(cats).read_bytes()
        done = terminal(*(cats if word == "STORE" else word for word in act), "--no-keychain")
        assert done.status == 6, done.err
        assert "is not known here, so nothing in it is changed" in done.out + done.err
        assert Path(cats).read_bytes() == before

    def test_info_says_what_it_is(self, terminal, cats):
        done = terminal("info", cats, "--no-keychain")
        assert "SQLite database" in done.out
        assert terminal("info", cats, "--json", "--no-keychain").json["capabilities"] == ["watch"]


class TestAFolder:
    def test_a_store_that_is_a_folder_of_texts(self, terminal, tmp_path):
        folder = tmp_path / ".agent-harness/memory"
        folder.mkdir(parents=True)
        (folder / "project.md").write_text("The service listens on 8080.\n\nTests first.\n")
        given = (str(folder), "--no-keychain")
        assert terminal("list", *given, "--json").json["total"] == 2
        assert terminal("check", *given).status == 0
        assert terminal("key", "info", *given).status == 0
        assert terminal("encrypt", *given, "--agents-lose-access").status == 6


class TestTwoFormats:
    @pytest.fixture
    def both(self, tmp_path) -> str:
        create_database(tmp_path / "both.db", None, TWO)
        return str(tmp_path / "both.db")

    def test_it_asks_and_takes_the_answer(self, terminal, both):
        done = terminal("info", both, "--json", "--no-keychain")
        assert (done.status, done.json["error"]["code"]) == (2, "store.two_formats")
        names = done.json["error"]["params"]["formats"].split(", ")
        for name in names:
            chosen = terminal("info", both, "--format", name, "--json", "--no-keychain")
            assert chosen.json["format"] == name

    def test_any_format_can_be_chosen(self, terminal, both):
        done = terminal("info", both, "--format", "sqlite", "--json", "--no-keychain")
        assert done.json["format"] == "sqlite"
        done = terminal("list", both, "--format", "nonsense", "--json", "--no-keychain")
        assert (done.status, done.json["error"]["code"]) == (2, "store.no_such_format")
