# SPDX-License-Identifier: MIT
"""What is shown of a database that nobody declared, and what a hostile one cannot do."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_gui.domain.changes import Capability, Told
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Shelf
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, RefText
from memory_gui.engine.create import create_database
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.generic import cells, tables
from memory_gui.stores.formats.generic.format import GenericFormat
from memory_gui.stores.formats.generic.store import GenericStore

Opened = Callable[[Path], GenericStore]


@pytest.fixture
def opened() -> Iterator[Opened]:
    stores: list[GenericStore] = []

    def open_one(path: Path) -> GenericStore:
        stores.append(GenericFormat().open(Location((path,)), None, Mode.LOOK))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


def made(path: Path, script: str) -> Path:
    create_database(path, None, script)
    return path


def outside(path: Path, script: str) -> None:
    """As another program makes it: with the standard library, in its own process."""
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]);"
        "c.executescript(sys.stdin.read()); c.commit()"
    )
    subprocess.run(
        [sys.executable, "-I", "-c", code, str(path)], input=script, text=True, check=True
    )


def everything(store: GenericStore) -> dict[Ref, Record]:
    return {record.ref: record for batch in store.scan() for record in batch}


class TestWhatIsShown:
    def test_title_text_and_times_are_found_by_their_names(self, tmp_path, opened):
        path = made(
            tmp_path / "any.db",
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, Title TEXT, body TEXT, created REAL,"
            " updated_at TEXT, stars INTEGER);"
            "INSERT INTO notes VALUES (1, 'Style', 'Answer first.', 1761955200.5,"
            " '2026-11-01T08:00:00+08:00', 5);",
        )
        (record,) = everything(opened(path)).values()
        assert (record.title, record.text, record.kind) == ("Style", "Answer first.", "notes")
        assert record.created_at == "1761955200.5"
        assert record.created_at_utc == "2025-11-01T00:00:00+00:00"
        assert record.updated_at_utc == "2026-11-01T00:00:00+00:00"
        assert record.extra == {"id": "1", "stars": "5"}

    def test_a_row_without_such_columns_is_told_by_all_of_them(self, tmp_path, opened):
        path = made(tmp_path / "any.db", "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'fish');")
        (record,) = everything(opened(path)).values()
        assert (record.title, record.text) == ("fish", "a: 1\nb: fish")

    def test_many_other_columns_are_told_below_the_text(self, tmp_path, opened):
        path = made(
            tmp_path / "any.db",
            "CREATE TABLE t (text, a, b, c, picture); INSERT INTO t VALUES ('fish', 1, NULL, 'x',"
            " x'00');",
        )
        store = opened(path)
        (record,) = everything(store).values()
        assert record.text == "fish\n\na: 1\nc: x\npicture: [BLOB, 1 B]"
        assert store.declared[0].columns == ()

    def test_milliseconds_and_what_is_no_time(self, tmp_path, opened):
        path = made(
            tmp_path / "any.db",
            "CREATE TABLE t (text, created_at); INSERT INTO t VALUES ('a', 1761955200500),"
            " ('b', 12), ('c', '2026-11-01 08:00:00'), ('d', 'soon');",
        )
        found = {record.text: record for record in everything(opened(path)).values()}
        assert found["a"].created_at_utc == "2025-11-01T00:00:00+00:00"
        assert (found["b"].created_at, found["b"].extra["created_at"]) == (None, "12")
        assert (found["c"].created_at, found["c"].created_at_utc) == ("2026-11-01 08:00:00", None)
        assert found["d"].extra["created_at"] == "soon"

    def test_blobs_are_type_and_size(self, tmp_path, opened):
        path = made(
            tmp_path / "any.db",
            "CREATE TABLE t (name, picture); INSERT INTO t VALUES ('a', zeroblob(3000000)),"
            " ('b', x'00');",
        )
        found = {record.title: record for record in everything(opened(path)).values()}
        assert found["a"].extra["picture"] == "[BLOB, 3000000 B]"
        assert found["b"].extra["picture"] == "[BLOB, 1 B]"

    def test_a_text_in_a_blob_is_shown_and_found(self, tmp_path, opened):
        """LangGraph keeps its values so: a column that says TEXT, and BLOBs of JSON in it."""
        path = made(
            tmp_path / "any.db",
            "CREATE TABLE t (key, value TEXT, other);"
            "INSERT INTO t VALUES ('a', CAST('{\"fact\": \"喜欢鱼\"}' AS BLOB), x'6669736800');"
            "INSERT INTO t VALUES ('b', CAST(printf('%.*c', 65537, 'x') AS BLOB), x'66ff'),"
            " ('c', 'text', CAST('fish' || char(10) || 'soup' AS BLOB));",
        )
        store = opened(path)
        found = {record.title: record for record in everything(store).values()}
        assert found["a"].text == '[BLOB, 21 B] {"fact": "喜欢鱼"}'
        assert found["a"].extra["other"] == "[BLOB, 5 B]", "a NUL is in no text"
        assert found["b"].text == "[BLOB, 65537 B]"
        assert found["b"].extra["other"] == "[BLOB, 2 B]"
        assert found["c"].extra["other"] == "[BLOB, 9 B] fish\nsoup"
        assert [r.title for r in found.values() if Query("喜欢鱼").matches(r)] == ["a"]
        assert [r.title for r in found.values() if Query("soup").matches(r)] == ["c"]
        assert Told("sqlite.searched", {"kb": 64}) in store.info().told

    def test_a_changed_small_blob_is_a_change(self, tmp_path, opened):
        path = made(tmp_path / "any.db", "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, x'00');")
        store = opened(path)
        (before,) = everything(store).values()
        token = store.change_token()
        outside(path, "UPDATE t SET b = x'01'")
        assert store.change_token() != token
        (after,) = everything(store).values()
        assert after.etag != before.etag

    def test_a_very_long_text_is_cut_and_says_so(self, tmp_path, opened, monkeypatch):
        monkeypatch.setattr(cells, "MOST_LETTERS", 10)
        path = made(
            tmp_path / "any.db",
            "CREATE TABLE t (name, text); INSERT INTO t VALUES ('a', '记忆记忆记忆记忆记忆记忆');",
        )
        (record,) = everything(opened(path)).values()
        assert record.text == "记忆记忆记忆记忆记忆… [10/12]"

    def test_other_encodings(self, tmp_path, opened):
        outside(
            tmp_path / "any.db",
            "PRAGMA encoding='UTF-16le'; CREATE TABLE t (text); INSERT INTO t VALUES ('记忆');",
        )
        (record,) = everything(opened(tmp_path / "any.db")).values()
        assert record.text == "记忆"

    def test_it_says_what_it_cannot_and_why(self, tmp_path, opened):
        store = opened(made(tmp_path / "any.db", "CREATE TABLE t (a);"))
        info = store.info()
        assert info.capabilities == Capability.WATCH
        assert set(info.reasons.values()) == {"sqlite.unknown"}
        assert store.cannot("edit").params["why"] == "sqlite.unknown"
        assert [(one.name, one.shelf) for one in info.declared] == [("t", Shelf.ROW)]
        with pytest.raises(UserError) as caught:
            GenericFormat().open(Location((tmp_path / "any.db",)), None, Mode.CHANGE)
        assert caught.value.code == "store.cannot"

    def test_looking_changes_no_byte(self, tmp_path, opened):
        path = made(tmp_path / "any.db", "CREATE TABLE t (a); INSERT INTO t VALUES ('x');")
        before = path.read_bytes()
        store = opened(path)
        everything(store)
        store.info()
        assert path.read_bytes() == before


class TestHostile:
    def test_views_and_virtual_tables_are_named_and_never_opened(self, tmp_path, opened):
        """A view that never ends, and a module that is not there: neither is asked."""
        path = tmp_path / "any.db"
        outside(
            path,
            "CREATE TABLE t (name); INSERT INTO t VALUES ('x');"
            "CREATE VIEW endless AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
            " SELECT x FROM c;"
            "CREATE VIRTUAL TABLE fts USING fts5(body); INSERT INTO fts VALUES ('inside');"
            "PRAGMA writable_schema=ON;"
            "INSERT INTO sqlite_master VALUES ('table','vec','vec',0,"
            " 'CREATE VIRTUAL TABLE vec USING nobody_has_this(x)');",
        )
        store = opened(path)
        assert set(store.kinds) == {"t", "fts_content"}, "the words of the index are an own table"
        told = {one.code: one.values for one in store.info().told}
        assert set(str(told["sqlite.not_opened"]["names"]).split(", ")) >= {"endless", "fts", "vec"}
        assert {record.title for record in everything(store).values()} == {"x", "inside"}

    def test_no_trigger_runs(self, tmp_path, opened):
        path = made(
            tmp_path / "any.db",
            "CREATE TABLE t (a); CREATE TABLE log (a); INSERT INTO t VALUES (1);"
            "CREATE TRIGGER spy AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END;",
        )
        store = opened(path)
        everything(store)
        told = {one.code: one.values for one in store.info().told}
        assert told["sqlite.triggers"] == {"names": "spy"}
        assert store.info().counts["log"] == {}

    def test_a_thousand_tables_and_more(self, tmp_path, opened, stopwatch):
        script = "".join(
            f"CREATE TABLE t{n:05} (a); INSERT INTO t{n:05} VALUES ({n});" for n in range(1_100)
        )
        path = made(tmp_path / "any.db", script)
        watch = stopwatch()
        store = opened(path)
        info = store.info()
        assert len(store.kinds) == tables.MOST_TABLES
        assert len(everything(store)) == tables.MOST_TABLES
        assert watch.seconds < 10
        told = {one.code: one.values for one in info.told}
        assert told["sqlite.more_tables"] == {"n": 1_100, "most": 1_000}

    @pytest.mark.parametrize(
        "name",
        ["a\nb", "a\x1b[2J", "\u202eevil", 'say "hi"', "it's", "a:b", "50%", "../x", "记忆", " "],
    )
    def test_names_of_tables_and_columns(self, tmp_path, opened, name):
        quoted = '"' + name.replace('"', '""') + '"'
        path = made(
            tmp_path / "any.db",
            f"CREATE TABLE {quoted} ({quoted} TEXT, n INTEGER);"
            f"INSERT INTO {quoted} VALUES ('x', 1);",
        )
        store = opened(path)
        ((ref, record),) = everything(store).items()
        assert record.extra[name] == "x"
        assert not set("\n\x1b\u202e:/") & set(ref.kind)
        assert tables.table_of(ref.kind) == name
        assert store.resolve(RefText.parse(ref.text, kinds=store.kinds)) == ref
        assert store.layout()[ref.kind][0] == name

    def test_very_many_columns(self, tmp_path, opened):
        columns = ", ".join(f"c{n}" for n in range(1_500))
        path = made(
            tmp_path / "any.db",
            f"CREATE TABLE t ({columns}); INSERT INTO t (c0, c1499) VALUES ('x', 'y');",
        )
        (record,) = everything(opened(path)).values()
        assert record.extra["c0"] == "x"
        assert len(record.extra) == tables.MOST_COLUMNS

    def test_a_column_named_rowid_and_generated_ones(self, tmp_path, opened):
        path = made(
            tmp_path / "any.db",
            "CREATE TABLE t (rowid TEXT, name TEXT, up TEXT GENERATED ALWAYS AS (upper(name)));"
            "INSERT INTO t VALUES ('mine', 'x');"
            "CREATE TABLE all_taken (rowid, _rowid_, oid);"
            "INSERT INTO all_taken VALUES (1, 2, 3);",
        )
        store = opened(path)
        assert store.kinds == ("t",)
        (record,) = everything(store).values()
        assert record.extra == {"rowid": "mine"}
        assert "all_taken" in str(store.info().told[0].values["names"])

    def test_large_rows_come_in_small_batches(self, tmp_path, opened, monkeypatch):
        monkeypatch.setattr(tables, "_BATCH_BYTES", 100_000)
        rows = "".join(f"INSERT INTO t VALUES ('{n}', '{'x' * 5_000}');" for n in range(120))
        path = made(tmp_path / "any.db", f"CREATE TABLE t (name, text); {rows}")
        store = opened(path)
        sizes = [len(batch) for batch in store.scan()]
        assert sum(sizes) == 120
        assert max(sizes) <= tables._AT_ONCE

    def test_nothing_at_all_is_not_shown_as_empty(self, tmp_path):
        path = made(tmp_path / "any.db", "PRAGMA user_version = 1;")
        with pytest.raises(UserError) as caught:
            GenericFormat().open(Location((path,)), None, Mode.LOOK)
        assert caught.value.code == "store.other_schema"
