# SPDX-License-Identifier: MIT
"""``connect``: the key from the keychain, what sqlite3 code expects, and six ways of no key."""

from __future__ import annotations

import gc
import logging
import os
import sqlite3  # exception classes only: no connection is made by it in this process
import threading
from pathlib import Path

import pytest

from memory_gui.agents import Opener, StoreDamaged, StoreUnavailable, connect
from memory_gui.agents.here import descriptors
from memory_gui.agents.opening import QUIET_S
from memory_gui.domain.errors import Cancelled
from memory_gui.domain.keys import Denied, Locked, Mismatch, RawKey, Unavailable
from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao.create import create_store

from .conftest import KEY, OTHER, Chain

INSERT = "INSERT INTO schema_meta(key, value) VALUES (?, ?)"


def open_here(path: Path) -> frozenset[int]:
    found = path.stat()
    return descriptors((found.st_dev, found.st_ino))


def test_it_opens_with_the_key_of_the_keychain(store, chain):
    with_key = connect(store, keychain=chain)
    with with_key:
        with_key.execute(INSERT, ("a", "1"))
    with_key.close()
    again = connect(str(store), keychain=chain)
    assert again.execute("SELECT value FROM schema_meta WHERE key='a'").fetchone() == ("1",)
    again.close()
    assert store.read_bytes()[:6] != b"SQLite"
    assert not open_here(store)


def test_a_readable_store_asks_no_keychain(readable, chain):
    connection = connect(readable, keychain=chain)
    assert connection.execute("SELECT count(*) FROM memories").fetchone() == (0,)
    connection.close()
    assert chain.asked == 0


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Locked("Fake"), "locked"),
        (Denied("Fake"), "denied"),
        (Unavailable(("off",)), "unavailable"),
        (Mismatch("Fake", ("a",)), "mismatch"),
    ],
)
def test_no_key_says_which_and_is_no_damage(store, chain, answer, reason):
    chain.answer = answer
    with pytest.raises(sqlite3.OperationalError) as caught:
        connect(store, keychain=chain)
    assert isinstance(caught.value, StoreUnavailable)
    assert caught.value.code == "key.needed"
    assert caught.value.params["reason"] == reason
    assert str(store) in str(caught.value)


def test_an_absent_key_and_a_wrong_one(store, chain):
    chain.keys.clear()
    with pytest.raises(StoreUnavailable) as caught:
        connect(store, keychain=chain)
    assert caught.value.params["reason"] == "absent"
    chain.put(store, OTHER)
    with pytest.raises(StoreUnavailable) as caught:
        connect(store, keychain=chain)
    assert caught.value.params["reason"] == "mismatch"


def test_a_question_that_is_cancelled(store, chain):
    chain.answer = Cancelled()
    with pytest.raises(StoreUnavailable) as caught:
        connect(store, keychain=chain)
    assert caught.value.code == "key.needed"


@pytest.mark.parametrize("answer", [Locked("Fake"), Denied("Fake"), Cancelled()])
def test_an_agent_that_tries_again_opens_no_second_prompt(store, chain, monkeypatch, answer):
    now = [100.0]
    monkeypatch.setattr("memory_gui.agents.opening.time.monotonic", lambda: now[0])
    chain.answer = answer
    opener = Opener(store, keychain=chain)
    for _ in range(5):
        with pytest.raises(StoreUnavailable) as caught:
            opener.connect()
        assert caught.value.code == "key.needed"
    assert chain.asked == 1
    now[0] += QUIET_S
    chain.answer = None
    opener.connect().close()
    assert chain.asked == 2


def test_a_missing_file_is_never_made(tmp_path, chain):
    with pytest.raises(StoreUnavailable) as caught:
        connect(tmp_path / "none.db", keychain=chain)
    assert caught.value.code == "store.missing"
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_no_store(tmp_path, chain):
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(StoreUnavailable) as caught:
        connect(path, keychain=chain)
    assert caught.value.code == "store.empty_file"
    assert path.stat().st_size == 0


def test_a_given_key_comes_first_and_the_keychain_is_left_alone(store, chain):
    connect(store, key=KEY, keychain=chain).close()
    assert chain.asked == 0
    connect(store, key=OTHER, keychain=chain).close()
    assert chain.asked == 1


def test_a_new_key_is_found_by_itself(store, chain):
    opener = Opener(store, keychain=chain)
    opener.connect().close()
    change = open_database(store, KEY, write=True, maintain=True)
    change.execute(f"PRAGMA rekey = \"x'{OTHER.hex()}'\"")
    change.close()
    chain.put(store, OTHER, "b")
    connection = opener.connect()
    assert connection.execute("SELECT count(*) FROM memories").fetchone() == (0,)
    connection.close()
    assert chain.asked == 2


def test_a_store_that_is_encrypted_meanwhile_goes_on(readable, chain, tmp_path):
    opener = Opener(readable, keychain=chain)
    opener.connect().close()
    fresh = tmp_path / "fresh.db"
    create_store(fresh, KEY)
    chain.put(fresh, KEY)
    for name in (f"{readable}-wal", f"{readable}-shm"):
        Path(name).unlink(missing_ok=True)
    fresh.rename(readable)
    opener.connect().close()
    assert chain.asked == 1


def test_the_key_is_in_no_repr_and_no_log(store, chain, caplog):
    caplog.set_level(logging.DEBUG)
    opener = Opener(store, keychain=chain)
    connection = opener.connect()
    texts = [repr(opener), repr(connection), repr(connection.cursor()), repr(vars(opener))]
    connection.close()
    assert not [text for text in [*texts, caplog.text] if KEY.hex() in text]


class TestAsSqlite3:
    @pytest.fixture
    def connection(self, store, chain):
        made = connect(store, keychain=chain)
        yield made
        made.close()

    def test_leaving_commits_or_takes_back_and_does_not_close(self, connection):
        with connection:
            connection.execute(INSERT, ("a", "1"))
        assert not connection.in_transaction
        with pytest.raises(sqlite3.IntegrityError), connection:
            connection.executemany(INSERT, [("b", "2"), ("b", "2")])
        assert connection.execute(
            "SELECT key FROM schema_meta WHERE key IN ('a','b')"
        ).fetchall() == [("a",)]

    def test_rows_by_name_also_with_the_class_of_sqlite3(self, connection):
        connection.row_factory = sqlite3.Row
        row = connection.execute("SELECT 1 AS one, 'x' AS two").fetchone()
        assert (row["one"], row["two"], row.keys()) == (1, "x", ["one", "two"])

    def test_a_cursor(self, connection):
        cursor = connection.cursor()
        cursor.executemany(INSERT, [(str(n), "x") for n in range(5)])
        assert cursor.rowcount == 5
        cursor.execute("SELECT key FROM schema_meta WHERE value='x' ORDER BY key")
        assert cursor.description[0][0] == "key"
        assert (cursor.fetchone(), cursor.fetchmany(2)) == (("0",), [("1",), ("2",)])
        assert [row[0] for row in cursor] == ["3", "4"]
        assert cursor.connection is connection
        cursor.close()

    @pytest.mark.parametrize(
        ("sql", "kind"),
        [
            ("SELECT nothing FROM memories", "OperationalError"),
            ("INSERT INTO schema_meta(key) VALUES ('x')", "IntegrityError"),
            ("SELECT ?, ?", "ProgrammingError"),
        ],
    )
    def test_errors_are_of_sqlite3_with_its_text(self, connection, sql, kind):
        with pytest.raises(sqlite3.Error) as caught:
            connection.execute(sql)
        assert type(caught.value) is getattr(sqlite3, kind)
        assert str(caught.value)

    def test_another_thread_may_not_use_it(self, connection):
        errors: list[BaseException] = []

        def use() -> None:
            try:
                connection.execute("SELECT 1")
            except sqlite3.Error as error:
                errors.append(error)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert [type(error) for error in errors] == [sqlite3.ProgrammingError]

    def test_what_is_deleted_is_zeroed(self, connection):
        assert connection.execute("PRAGMA secure_delete").fetchone() == (1,)
        assert connection.execute("PRAGMA temp_store").fetchone() == (2,)


def test_a_file_that_this_process_holds_in_another_way_is_refused(store, chain):
    holder = open_database(store, KEY, write=True)
    try:
        with pytest.raises(StoreUnavailable) as caught:
            connect(store, keychain=chain)
        assert caught.value.code == "agents.other_library"
    finally:
        holder.close()


def test_two_of_ours_at_once_and_one_waits(store, chain):
    opener = Opener(store, keychain=chain)
    first = opener.connect(isolation_level=None)
    second = opener.connect(isolation_level=None, timeout=0.1)
    first.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        second.execute("BEGIN IMMEDIATE")
    first.execute("COMMIT")
    first.close()
    second.execute("BEGIN IMMEDIATE")
    second.execute("COMMIT")
    second.close()
    assert not open_here(store)
    opener.connect().close()


def test_one_that_could_not_be_closed_is_still_known_as_ours(store, chain):
    opener = Opener(store, keychain=chain)
    first = opener.connect()
    failed: list[type] = []

    def close() -> None:
        try:
            first.close()
        except sqlite3.ProgrammingError as error:
            failed.append(type(error))

    thread = threading.Thread(target=close)
    thread.start()
    thread.join()
    assert failed == [sqlite3.ProgrammingError]
    opener.connect().close()
    first.close()
    opener.connect().close()
    assert not open_here(store)


def test_a_damaged_page_is_a_database_error(store, chain):
    connection = connect(store, keychain=chain)
    with connection:
        connection.executemany(INSERT, [(f"k{n}", "x" * 500) for n in range(400)])
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with store.open("r+b") as stream:
        stream.seek(4096 * 40 + 100)
        stream.write(b"\xff" * 50)
    opener = Opener(store, keychain=chain)
    connection = opener.connect()
    with pytest.raises(sqlite3.DatabaseError) as caught:
        connection.execute("SELECT * FROM schema_meta").fetchall()
    assert not isinstance(caught.value, sqlite3.OperationalError)
    connection.close()


def test_a_damaged_first_page_is_told_as_damage(store, chain):
    connection = connect(store, keychain=chain)
    with connection:
        connection.executemany(INSERT, [(f"k{n}", "x" * 500) for n in range(400)])
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with store.open("r+b") as stream:
        stream.seek(100)
        stream.write(b"\xff" * 50)
    with pytest.raises(StoreDamaged) as caught:
        connect(store, key=KEY, keychain=chain)
    assert caught.value.code == "store.part_damaged"


def test_nothing_stays_open_after_a_failure(store, chain):
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            connect(store, key=RawKey(os.urandom(32)), keychain=Chain())
    gc.collect()
    assert not open_here(store)
