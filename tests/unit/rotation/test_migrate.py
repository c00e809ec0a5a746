# SPDX-License-Identifier: MIT
"""Copies in today's settings: whole, proved, and the database itself is left as it was."""

from pathlib import Path

import pytest
import sqlcipher3

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Passphrase, RawKey, read_raw_key
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import inspect
from memory_gui.rotation import migrating
from memory_gui.rotation.rotate import migrate_store

WORDS = "correct horse 电池"
RAW = bytes(range(1, 33))
SALT = "00112233445566778899aabbccddeeff"
FILES = ("", "-wal", "-journal")


def make(path: Path, key: str, *pragmas: str, journal: str = "delete", close: bool = True):
    raw = sqlcipher3.connect(str(path), isolation_level=None)
    raw.set_key(key)
    for pragma in pragmas:
        raw.execute(f"PRAGMA {pragma}").fetchall()
    raw.execute(f"PRAGMA journal_mode = {journal}").fetchall()
    raw.execute("PRAGMA user_version = 7")
    raw.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    raw.execute("CREATE INDEX by_body ON notes (body)")
    raw.execute("CREATE VIRTUAL TABLE found USING fts5(body)")
    raw.executemany("INSERT INTO notes (body) VALUES (?)", [(f"note {n}" * 9,) for n in range(70)])
    raw.execute("INSERT INTO found SELECT body FROM notes")
    if close:
        raw.close()
    return raw


def bytes_of(path: Path) -> list[bytes]:
    return [f.read_bytes() for f in (Path(f"{path}{s}") for s in FILES) if f.exists()]


OLD = [
    (WORDS, ("cipher_compatibility = 1",), Passphrase(WORDS)),
    (WORDS, ("cipher_compatibility = 2",), Passphrase(WORDS)),
    (WORDS, ("cipher_compatibility = 3",), Passphrase(WORDS)),
    (f"x'{RAW.hex()}'", ("cipher_compatibility = 3",), RawKey(RAW)),
    (WORDS, ("cipher_page_size = 8192",), Passphrase(WORDS)),
    (
        f"x'{RAW.hex()}{SALT}'",
        ("cipher_plaintext_header_size = 32",),
        read_raw_key(RAW.hex() + SALT),
    ),
]


@pytest.mark.parametrize(("text", "pragmas", "key"), OLD)
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_copy_in_todays_settings(tmp_path, text, pragmas, key, journal):
    path, out = tmp_path / "old.db", tmp_path / "new.db"
    make(path, text, *pragmas, journal=journal)
    before = bytes_of(path)
    done = migrate_store(path, key, out)
    assert done.rows >= 140
    assert bytes_of(path) == before
    assert inspect(out).head == "random"
    today = RawKey(RAW) if isinstance(key, RawKey) else Passphrase(WORDS, 4)
    with open_database(out, today, write=False) as copy:
        assert copy.execute("SELECT count(*) FROM notes") == [(70,)]
        assert copy.execute("SELECT count(*) FROM found WHERE found MATCH 'note'")[0][0] >= 0
        assert copy.execute("PRAGMA user_version") == [(7,)]
        assert copy.cipher["cipher_page_size"] == "4096"
        assert copy.cipher["kdf_iter"] == "256000"
        assert copy.journal_mode == journal
    assert out.stat().st_mode & 0o777 == 0o600
    assert sorted(f.name for f in tmp_path.iterdir() if "copy" in f.name) == []


def test_what_is_only_in_the_log_comes_too(tmp_path):
    """Another program has it open, and has committed rows that are in its log."""
    path, out = tmp_path / "old.db", tmp_path / "new.db"
    writer = make(path, WORDS, "cipher_compatibility = 3", journal="wal", close=False)
    try:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("INSERT INTO notes (body) VALUES ('late')")
        migrate_store(path, Passphrase(WORDS), out)
    finally:
        writer.close()
    with open_database(out, Passphrase(WORDS), write=False) as copy:
        assert copy.execute("SELECT count(*) FROM notes WHERE body = 'late'") == [(1,)]


@pytest.mark.parametrize(
    ("key", "code"), [(Passphrase("wrong"), "key.wrong"), (RawKey(bytes(32)), "key.wrong")]
)
def test_a_wrong_key_leaves_nothing_behind(tmp_path, key, code):
    path, out = tmp_path / "old.db", tmp_path / "new.db"
    make(path, WORDS, "cipher_compatibility = 3")
    with pytest.raises(UserError) as caught:
        migrate_store(path, key, out)
    assert caught.value.code == code
    assert [f.name for f in tmp_path.iterdir()] == ["old.db"]


def test_nothing_is_written_over_and_a_readable_one_is_refused(tmp_path):
    path, out = tmp_path / "old.db", tmp_path / "new.db"
    make(path, WORDS)
    out.write_text("mine")
    with pytest.raises(UserError, match=r"store\.exists"):
        migrate_store(path, Passphrase(WORDS), out)
    assert out.read_text() == "mine"
    plain = tmp_path / "plain.db"
    raw = sqlcipher3.connect(str(plain))
    raw.execute("CREATE TABLE notes (id)")
    raw.close()
    with pytest.raises(UserError, match=r"key\.not_encrypted"):
        migrate_store(plain, Passphrase(WORDS), tmp_path / "x.db")


def test_a_database_that_never_stands_still_is_not_copied_half(tmp_path, monkeypatch):
    path = tmp_path / "old.db"
    make(path, WORDS)
    moments = iter(range(100))
    monkeypatch.setattr(migrating, "_seen", lambda _path: [(next(moments), 0)])
    with pytest.raises(UserError, match=r"store\.unsteady"):
        migrating.migrate(path, Passphrase(WORDS), tmp_path / "new.db")
    assert [f.name for f in tmp_path.iterdir()] == ["old.db"]
