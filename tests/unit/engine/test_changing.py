# SPDX-License-Identifier: MIT
"""Transactions, what a statement may do, and what is read back before it is believed."""

import threading
from pathlib import Path

import pytest

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import Passphrase, RawKey
from memory_gui.engine import raw
from memory_gui.engine.authorizer import Powers
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database, create_empty
from memory_gui.engine.errors import ConstraintFailed, StatementFailed
from memory_gui.engine.sql import marks, quote

KEY = "5eed" * 16
COUNT = "SELECT count(*) FROM notes"


@pytest.fixture
def connection(tmp_path, make, key):
    with open_database(make(tmp_path / "a.db", KEY, "wal"), key, write=True) as opened:
        yield opened


def add(connection, body):
    return connection.change("INSERT INTO notes (body) VALUES (?)", (body,))


class TestTransactions:
    def test_what_is_written_is_there_for_others(self, connection, peer):
        with connection.writing():
            assert add(connection, "mine") == 1
            assert connection.last_rowid() == 61
        assert peer(connection.path, KEY).do("SELECT body FROM notes WHERE id = 61") == [["mine"]]

    def test_an_error_takes_all_back_and_is_the_one_raised(self, connection):
        with pytest.raises(ZeroDivisionError), connection.writing():  # noqa: PT012 - the whole block
            add(connection, "a")
            raise ZeroDivisionError
        assert connection.execute(COUNT) == [(60,)]

    def test_an_inner_part_is_taken_back_alone(self, connection):
        with connection.writing():
            add(connection, "kept")
            with pytest.raises(ZeroDivisionError), connection.writing():  # noqa: PT012 - the whole block
                add(connection, "lost")
                raise ZeroDivisionError
            with connection.writing():
                add(connection, "kept too")
        found = connection.execute("SELECT body FROM notes WHERE id > 60 ORDER BY id")
        assert found == [("kept",), ("kept too",)]

    def test_the_first_error_is_never_hidden(self, connection):
        with pytest.raises(ZeroDivisionError) as caught, connection.writing():  # noqa: PT012 - the whole block
            add(connection, "a")
            connection._raw.close()  # taking it back must fail
            raise ZeroDivisionError
        assert any("taking it back" in note for note in caught.value.__notes__)

    def test_sqlite_may_have_rolled_back_itself(self, connection):
        with pytest.raises(ConstraintFailed), connection.writing():  # noqa: PT012 - the whole block
            add(connection, "a")
            connection.change("INSERT OR ROLLBACK INTO notes (id, body) VALUES (1, 'x')")
        assert connection.execute(COUNT) == [(60,)]
        with connection.writing():
            add(connection, "works")

    def test_writing_inside_reading_is_a_bug(self, connection):
        with pytest.raises(StatementFailed), connection.reading(), connection.writing():
            pytest.fail("must not get here")

    def test_a_number_without_room_is_told_and_nothing_is_changed(self, connection):
        with pytest.raises(UserError) as caught, connection.writing():  # noqa: PT012 - the whole block
            add(connection, "a")
            connection.execute("SELECT ?", (2**63,))
        assert caught.value.code == "store.number"
        assert connection.execute(COUNT) == [(60,)]

    def test_a_rule_of_the_store(self, connection):
        body = connection.execute("SELECT body FROM notes WHERE id = 3")[0][0]
        with pytest.raises(ConstraintFailed) as caught, connection.writing():
            add(connection, body)
        assert caught.value.code == "store.constraint"
        assert body not in str(caught.value)
        assert body not in repr(caught.value.params)

    def test_interrupt_from_another_thread(self, connection, stopwatch):
        slow = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT sum(x) FROM n"
        timer = threading.Timer(0.2, connection.interrupt)
        timer.start()
        watch = stopwatch()
        with pytest.raises(Cancelled):
            connection.execute(slow)
        assert watch.seconds < 3
        timer.join()
        assert connection.execute(COUNT) == [(60,)]
        connection.close()
        connection.interrupt()

    def test_rows_come_in_batches(self, connection):
        batches = list(connection.rows("SELECT id FROM notes ORDER BY id", size=25))
        assert [len(batch) for batch in batches] == [25, 25, 10]
        assert batches[2][-1] == (60,)

    def test_another_thread_may_not_use_it(self, connection):
        caught: list[BaseException] = []

        def use() -> None:
            try:
                connection.execute(COUNT)
            except BaseException as error:
                caught.append(error)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert isinstance(caught[0], StatementFailed)


class TestWhatIsAllowed:
    @pytest.mark.parametrize(
        "sql",
        [
            "ATTACH ':memory:' AS other",
            "ATTACH '/etc/passwd' AS other",
            "CREATE TABLE mine (a)",
            "CREATE INDEX mine ON notes (body)",
            "CREATE TRIGGER mine AFTER DELETE ON notes BEGIN SELECT 1; END",
            "CREATE TEMP TABLE mine (a)",
            "ALTER TABLE notes ADD COLUMN mine",
            "DROP TABLE notes",
            "VACUUM",
            "VACUUM INTO '/tmp/leak.db'",
            "REINDEX",
            "ANALYZE",
            "DELETE FROM sqlite_master",
            "PRAGMA temp_store = FILE",
            "PRAGMA secure_delete = OFF",
            "PRAGMA query_only = OFF",
            "PRAGMA trusted_schema = ON",
            "PRAGMA writable_schema = ON",
            "PRAGMA journal_mode = MEMORY",
            "PRAGMA synchronous = OFF",
            "PRAGMA locking_mode = EXCLUSIVE",
            "PRAGMA user_version = 9",
            "PRAGMA rekey = 'x'",
            "PRAGMA key = 'x'",
            "PRAGMA cipher_log = '/tmp/leak.log'",
            "PRAGMA cipher_migrate",
            "SELECT load_extension('/tmp/x.so')",
            "SELECT sqlcipher_export('x')",
            "SELECT fts3_tokenizer('simple')",
        ],
    )
    def test_never(self, connection, sql):
        with pytest.raises((UserError, StatementFailed)) as caught:
            connection.execute(sql)
        assert isinstance(caught.value, StatementFailed) or caught.value.code == "store.forbidden"
        assert [row[:2] for row in connection.schema()] == [
            ("table", "notes"),
            ("index", "sqlite_autoindex_notes_1"),
        ]

    def test_what_agents_stores_need(self, tmp_path):
        """Triggers, an external-content full-text index, AUTOINCREMENT, foreign keys, functions."""
        path = tmp_path / "agent.db"
        create_database(
            path,
            None,
            """
            CREATE TABLE m (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT, n INTEGER DEFAULT 0);
            CREATE TABLE part (id INTEGER PRIMARY KEY, m INTEGER REFERENCES m ON DELETE CASCADE);
            CREATE VIRTUAL TABLE f USING fts5 (body, content='m', content_rowid='id');
            CREATE TRIGGER ai AFTER INSERT ON m BEGIN
              INSERT INTO f (rowid, body) VALUES (new.id, new.body); END;
            CREATE TRIGGER ad AFTER DELETE ON m BEGIN
              INSERT INTO f (f, rowid, body) VALUES ('delete', old.id, old.body); END;
            CREATE TRIGGER au AFTER UPDATE ON m BEGIN
              INSERT INTO f (f, rowid, body) VALUES ('delete', old.id, old.body);
              INSERT INTO f (rowid, body) VALUES (new.id, new.body); END;
            """,
            journal_mode="wal",
        )
        with open_database(path, None, write=True) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            with connection.writing():
                connection.change("INSERT INTO m (body) VALUES (?)", ("red apple",))
                connection.change("INSERT INTO m (body) VALUES (?)", ("green pear",))
                connection.change("INSERT INTO part (m) VALUES (1), (2)")
                connection.change("UPDATE m SET body = 'blue plum' WHERE id = 2")
                connection.change("DELETE FROM m WHERE id = 1")
            found = connection.execute("SELECT rowid FROM f WHERE f MATCH 'plum OR apple OR pear'")
            assert found == [(2,)]
            assert connection.execute("SELECT m FROM part") == [(2,)]
            assert connection.execute("SELECT json_extract('{\"a\": 3}', '$.a')") == [(3,)]
            assert connection.execute("PRAGMA foreign_key_check") == []
            assert [row[1] for row in connection.table_info("m")] == ["id", "body", "n"]

    def test_views_are_never_queried(self, tmp_path, make, peer):
        path = make(tmp_path / "a.db", None, "wal")
        other = peer(path)
        other.do("CREATE VIEW seen AS SELECT body FROM notes")
        with open_database(path, None, write=False) as connection:
            for sql in ("SELECT * FROM seen", "SELECT count(*) FROM seen", "SELECT body FROM seen"):
                with pytest.raises(UserError, match=r"store\.forbidden"):
                    connection.execute(sql)
            # A view that is put in a table's place while we look is noticed too.
            other.do("ALTER TABLE notes RENAME TO hidden")
            other.do("CREATE VIEW notes AS SELECT 1 AS id, 'forged' AS body")
            with pytest.raises(UserError, match=r"store\.forbidden"), connection.reading():
                connection.execute(COUNT)

    def test_maintaining_may_do_more(self, tmp_path, make, key):
        path = make(tmp_path / "a.db", KEY)
        with open_database(path, key, write=True, maintain=True) as connection:
            assert connection.execute("PRAGMA journal_mode = WAL") == [("wal",)]
            connection.execute("VACUUM")
            assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") == [(0, 0, 0)]
            create_empty(tmp_path / "out.db")
            connection.attach(tmp_path / "out.db", Passphrase("it's new"), 'the "out"')
            connection.execute("SELECT sqlcipher_export('the \"out\"')")
            connection.detach('the "out"')
            with pytest.raises(StatementFailed):
                connection.execute("SELECT load_extension('/tmp/x.so')")
        with open_database(tmp_path / "out.db", Passphrase("it's new"), write=False) as exported:
            assert exported.execute(COUNT) == [(60,)]


class TestPragmas:
    def test_they_took(self, connection, tmp_path):
        wanted = {
            "secure_delete": 1,
            "temp_store": 2,
            "trusted_schema": 0,
            "cell_size_check": 1,
            "mmap_size": 0,
            "query_only": 0,
            "synchronous": 3,
        }
        for name, value in wanted.items():
            assert int(connection.execute(f"PRAGMA {name}")[0][0]) == value, name
        create_database(tmp_path / "plain.db", None, "CREATE TABLE t (a)")
        with open_database(tmp_path / "plain.db", None, write=True) as plain:
            assert plain.execute("PRAGMA secure_delete") == [(1,)]
        with open_database(tmp_path / "plain.db", None, write=False) as plain:
            assert plain.execute("PRAGMA query_only") == [(1,)]

    def test_one_that_did_not_take_stops_the_opening(self, tmp_path, make, monkeypatch):
        path = make(tmp_path / "a.db")
        monkeypatch.setattr(raw, "_WRITING", (("secure_delete", "FAST", 1),))
        with pytest.raises(UserError, match=r"engine\.pragma") as caught:
            open_database(path, None, write=True)
        assert caught.value.params == {"pragma": "secure_delete"}
        with pytest.raises(UserError):
            raw.harden(_Deaf(), Powers.LOOK)

    def test_text_that_is_no_utf8_is_shown_not_raised(self, tmp_path, make, peer):
        path = make(tmp_path / "a.db")
        peer(path).do("UPDATE notes SET body = CAST(x'6869FF21' AS TEXT) WHERE id = 1")
        with open_database(path, None, write=False) as connection:
            assert connection.execute("SELECT body FROM notes WHERE id = 1") == [("hi\ufffd!",)]

    def test_nothing_is_written_to_stderr_about_a_wrong_key(self, tmp_path, make, capfd):
        path = make(tmp_path / "a.db", KEY)
        with pytest.raises(UserError):
            open_database(path, RawKey(bytes(32)), write=False)
        assert capfd.readouterr() == ("", "")


class _Deaf:
    """A library that answers nothing."""

    def execute(self, sql):
        return self

    def fetchall(self):
        return []

    def fetchone(self):
        return None


class TestCreating:
    def test_only_the_owner_may_read_it(self, tmp_path, key):
        path = tmp_path / "new.db"
        create_database(path, key, "CREATE TABLE t (a)", journal_mode="wal")
        assert path.stat().st_mode & 0o777 == 0o600
        with open_database(path, key, write=True) as connection:
            with connection.writing():
                connection.change("INSERT INTO t VALUES (1)")
            for suffix in ("-wal", "-shm"):
                assert Path(f"{path}{suffix}").stat().st_mode & 0o777 == 0o600
            assert connection.journal_mode == "wal"
        assert b"CREATE TABLE" not in path.read_bytes()

    def test_nothing_is_written_over(self, tmp_path, make):
        path = make(tmp_path / "a.db")
        before = path.read_bytes()
        link = tmp_path / "link.db"
        link.symlink_to(tmp_path / "target.db")
        for taken in (path, link):
            with pytest.raises(UserError, match=r"store\.exists"):
                create_database(taken, None, "CREATE TABLE t (a)")
        assert path.read_bytes() == before
        assert not (tmp_path / "target.db").exists()

    def test_a_script_that_fails_leaves_nothing(self, tmp_path, key):
        with pytest.raises(StatementFailed):
            create_database(tmp_path / "x.db", key, "CREATE TABLE t (a); CREATE NONSENSE")
        assert list(tmp_path.iterdir()) == []

    def test_a_name_that_cannot_be(self, tmp_path):
        with pytest.raises(UserError, match=r"store\.io"):
            create_empty(tmp_path / ("n" * 300))
        with pytest.raises(UserError, match=r"store\.(read_only|no_permission|no_folder)"):
            create_empty(Path("/proc/new.db"))

    def test_other_compatibilities(self, tmp_path, peer):
        create_database(tmp_path / "x.db", Passphrase("p", 3), "CREATE TABLE notes (id, body)")
        other = peer(tmp_path / "x.db", "p", sets="PRAGMA cipher_compatibility = 3")
        assert other.do(COUNT) == [[0]]


def test_quoting():
    assert quote('a"b') == '"a""b"'
    assert quote("记忆 '; --") == '"记忆 \'; --"'
    for bad in ("", "a\0b"):
        with pytest.raises(ValueError, match="identifier"):
            quote(bad)
    assert marks(3) == "?, ?, ?"
