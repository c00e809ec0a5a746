# SPDX-License-Identifier: MIT
"""A schema read from the file's bytes is the one that SQLite sees, and nothing else happens."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine import peek as peeking
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.engine.peek import beginning, peek

MAKE = """
import json, sqlite3, sys
path, before, statements, hold = json.load(sys.stdin)
c = sqlite3.connect(path, isolation_level=None)
for s in before + statements:
    c.execute(s)
rows = c.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema").fetchall()
print(json.dumps(rows)); sys.stdout.flush()
if hold:
    import os; os._exit(0)  # the log stays
c.close()
"""


def make(path: Path, *statements: str, before: tuple[str, ...] = (), hold: bool = False):
    done = subprocess.run(
        [sys.executable, "-I", "-c", MAKE],
        input=json.dumps([str(path), before, statements, hold]),
        capture_output=True,
        text=True,
        check=True,
    )
    return [tuple(row) for row in json.loads(done.stdout)]


def seen(path: Path):
    found = peek(path)
    assert found is not None
    return sorted((one.kind, one.name, one.table, one.sql) for one in found.objects)


LONG = ", ".join(f"column_{n} TEXT DEFAULT '{'x' * 40}'" for n in range(200))


@pytest.mark.parametrize(
    "before",
    [
        (),
        ("PRAGMA page_size=512",),
        ("PRAGMA page_size=65536",),
        ("PRAGMA encoding='UTF-16le'",),
        ("PRAGMA auto_vacuum=FULL",),
    ],
)
def test_as_sqlite_sees_it(tmp_path, before):
    path = tmp_path / "some.db"
    wanted = make(
        path,
        "CREATE TABLE 记忆 (id INTEGER PRIMARY KEY, text TEXT)",
        f"CREATE TABLE wide ({LONG})",
        "CREATE INDEX by_text ON 记忆 (text)",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON 记忆 BEGIN DELETE FROM wide; END",
        *(f"CREATE TABLE t{n} (a, b)" for n in range(60)),
        "PRAGMA user_version=7",
        "PRAGMA application_id=-5",
        before=before,
    )
    assert seen(path) == sorted(wanted)
    found = peek(path)
    assert (found.user_version, found.application_id) == (7, -5)
    assert [file.name for file in tmp_path.iterdir()] == ["some.db"]


def test_what_is_only_in_the_log_counts(tmp_path):
    path = tmp_path / "some.db"
    wanted = make(path, "CREATE TABLE a (x)", before=("PRAGMA journal_mode=WAL",), hold=True)
    assert (tmp_path / "some.db-wal").stat().st_size > 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert seen(path) == wanted
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_log_that_is_too_long_is_not_read(tmp_path, monkeypatch):
    path = tmp_path / "some.db"
    make(path, "CREATE TABLE a (x)", before=("PRAGMA journal_mode=WAL",), hold=True)
    monkeypatch.setattr(peeking, "MOST_LOG", 10)
    assert peek(path) is None, "all of it stands in the log"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"SQLite format 3\0",
        b"SQLite format 3\0" + b"\xff" * 5_000,
        b"SQLite format 3\0" + bytes([16, 0, 1, 1, 0, 64, 32, 32]) + b"\0" * 4_072,
        b"SQLite format 3\0" + bytes([0, 3, 1, 1, 0, 64, 32, 32]) + b"\0" * 4_072,
    ],
)
def test_what_is_none_is_none(tmp_path, content):
    path = tmp_path / "some.db"
    path.write_bytes(content)
    assert peek(path) is None


def test_each_byte_may_be_wrong(tmp_path):
    """Whatever stands in the first page: an answer or none, never an error and never for long."""
    path = tmp_path / "some.db"
    make(path, *(f"CREATE TABLE t{n} (a, b)" for n in range(40)), before=("PRAGMA page_size=512",))
    whole = path.read_bytes()
    for place in range(0, 1_024, 3):
        spoiled = bytearray(whole)
        spoiled[place] ^= 0xFF
        path.write_bytes(spoiled)
        peek(path)


def test_a_page_that_leads_to_itself(tmp_path):
    path = tmp_path / "some.db"
    make(path, *(f"CREATE TABLE t{n} (a, b)" for n in range(60)), before=("PRAGMA page_size=512",))
    whole = bytearray(path.read_bytes())
    assert whole[100] == 5, "an interior page"
    first_cell = int.from_bytes(whole[112:114], "big")
    for page in ((1).to_bytes(4, "big"), bytes(whole[first_cell : first_cell + 4])):
        whole[108:112] = page
        path.write_bytes(whole)
        assert peek(path) is None, "and none that is there already"


def test_limits(tmp_path, monkeypatch):
    path = tmp_path / "some.db"
    make(path, *(f"CREATE TABLE t{n} (a, b)" for n in range(60)), before=("PRAGMA page_size=512",))
    assert peek(path) is not None
    with monkeypatch.context() as few:
        few.setattr(peeking, "MOST_PAGES", 3)
        assert peek(path) is None
    with monkeypatch.context() as few:
        few.setattr(peeking, "MOST_OBJECTS", 10)
        assert peek(path) is None
    monkeypatch.setattr(peeking, "MOST_SQL", 10)
    assert peek(path) is None


def test_an_encrypted_one_tells_nothing(tmp_path):
    path = tmp_path / "some.db"
    create_database(path, RawKey(bytes(range(32))), "CREATE TABLE a (x);")
    assert peek(path) is None


def test_links_are_not_followed_to_a_log(tmp_path):
    path = tmp_path / "some.db"
    make(path, "CREATE TABLE a (x)")
    (tmp_path / "some.db-wal").symlink_to(tmp_path / "other")
    (tmp_path / "other").write_bytes(b"victim" * 200)
    assert peek(path) is None


def test_an_open_database_keeps_its_locks(tmp_path):
    path = tmp_path / "some.db"
    create_database(path, None, "CREATE TABLE a (x);")
    write = (
        "import sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], timeout=0)\n"
        "c.execute('BEGIN IMMEDIATE')\n"
    )
    with open_database(path, None, write=True) as connection, connection.writing():
        assert peek(path) is not None
        done = subprocess.run(
            [sys.executable, "-I", "-c", write, str(path)], capture_output=True, check=False
        )
        assert b"locked" in done.stderr


def test_the_beginning_of_a_file(tmp_path):
    (tmp_path / "a").write_bytes(b"0123456789")
    assert beginning(tmp_path / "a", 4) == b"0123"
    assert beginning(tmp_path / "none", 4) == b""
    assert beginning(tmp_path, 4) == b""
