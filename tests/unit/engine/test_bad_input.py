# SPDX-License-Identifier: MIT
"""Each kind of bad input has a code and words of its own, and changes nothing on the disk."""

import os
import random
import shutil
import time
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key, Passphrase, RawKey
from memory_gui.engine.connection import BUSY_MS, open_database
from memory_gui.engine.floor import require_floor
from memory_gui.words import Words
from memory_gui.words.errors import ERRORS, explain

KEY = "5eed" * 16
WRONG = RawKey.from_hex("bad0" * 16)
ROWS = "SELECT count(*), sum(length(body)) FROM notes"


@pytest.fixture
def refused(files):
    """Open for looking and for changing: the same code both times, and every byte as before."""

    def run(path: Path, key: Key | None, code: str, *, then: str = "", busy_ms: int = 100) -> None:
        before = files(path) if path.is_file() else {}
        for write in (False, True):
            with pytest.raises(UserError) as caught:
                with open_database(path, key, write=write, busy_ms=busy_ms) as connection:
                    connection.execute(then or "SELECT 1")
            assert caught.value.code == code, write
            if path.is_file():
                after = files(path)
                if then:  # it opened: SQLite's own empty coordination files may appear
                    after = {name: after[name] for name in before}
                assert after == before
        said = explain(Words("en"), caught.value)
        assert said.code in ERRORS
        assert len(said.next) > 10
        assert "{" not in said.text
        assert explain(Words("zh_CN"), caught.value).text != said.text

    return run


def test_missing(tmp_path, refused):
    refused(tmp_path / "nowhere.db", None, "store.missing")
    assert not (tmp_path / "nowhere.db").exists()
    refused(tmp_path / "no" / "folder.db", None, "store.missing")
    refused(Path("/proc/version/x"), None, "store.missing")
    for name in ("n" * 300, "nul\0"):
        with pytest.raises(UserError) as caught:
            open_database(tmp_path / name, None, write=False)
        assert caught.value.code == "store.missing"


def test_a_loop_of_links(tmp_path, refused):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    refused(tmp_path / "a", None, "store.missing")


def test_zero_bytes(tmp_path, refused, key):
    path = tmp_path / "empty.db"
    path.touch()
    refused(path, None, "store.empty_file")
    refused(path, key, "store.empty_file")
    assert path.stat().st_size == 0


def test_a_folder(tmp_path, refused):
    refused(tmp_path, None, "store.is_folder")


def test_a_pipe_is_not_waited_for(tmp_path, refused):
    os.mkfifo(tmp_path / "pipe.db")
    refused(tmp_path / "pipe.db", None, "store.not_a_file")


@pytest.mark.parametrize(
    "content",
    [
        b"x",
        b"hello\n" * 400,
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8,
        b"PK\x03\x04" + random.Random(1).randbytes(4092),
        b"\0" * 8192,
        "记忆 notes of an agent. ".encode() * 200,
    ],
)
def test_not_a_database(tmp_path, refused, key, content):
    path = tmp_path / "other.bin"
    path.write_bytes(content)
    refused(path, None, "store.not_a_database")
    refused(path, key, "store.not_a_database")


def test_wrong_key(tmp_path, make, refused):
    path = make(tmp_path / "a.db", KEY)
    refused(path, WRONG, "key.wrong")
    refused(path, Passphrase("not it"), "key.wrong")


def test_wrong_key_with_a_log_left_by_a_killed_program(tmp_path, left, refused, files):
    path = left(tmp_path / "a.db", KEY)
    refused(path, WRONG, "key.wrong")
    Path(f"{path}-shm").unlink()
    refused(path, WRONG, "key.wrong")
    assert "-shm" not in files(path)


def test_encrypted_without_a_key(tmp_path, make, refused):
    refused(make(tmp_path / "a.db", KEY), None, "key.needed")


def test_readable_with_a_key(tmp_path, make, refused, key):
    refused(make(tmp_path / "a.db"), key, "key.not_encrypted")
    refused(make(tmp_path / "b.db", None, "wal"), Passphrase("words"), "key.not_encrypted")


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("secret", [None, KEY])
def test_a_damaged_page(tmp_path, make, flip, refused, secret, journal):
    path = make(tmp_path / "a.db", secret, journal)
    flip(path, 4096 + (1500 if secret else 0))  # the root of the table
    code = "store.part_damaged" if secret else "store.damaged"
    refused(path, RawKey.from_hex(KEY) if secret else None, code, then=ROWS)


def test_a_damaged_first_page(tmp_path, make, flip, refused, key):
    plain = make(tmp_path / "plain.db")
    flip(plain, 100)
    refused(plain, None, "store.damaged")
    cipher = make(tmp_path / "cipher.db", KEY)
    flip(cipher, 200)
    refused(cipher, key, "store.part_damaged")
    refused(cipher, WRONG, "key.wrong")


@pytest.mark.parametrize("secret", [None, KEY])
def test_cut_off(tmp_path, make, refused, secret):
    key = RawKey.from_hex(KEY) if secret else None
    whole = make(tmp_path / "whole.db", secret)
    size = whole.stat().st_size
    for number, left_over in enumerate((size - 8192, size - 1000, 4096, 700)):
        path = tmp_path / f"cut{number}.db"
        shutil.copy(whole, path)
        os.truncate(path, left_over)
        refused(path, key, "store.cut_off")
        if secret and left_over % 4096:
            refused(path, None, "store.cut_off")  # before anybody is asked for a key


def test_random_bytes(tmp_path, refused, key):
    """Whole pages of them are what a wrong key looks like too; the words say both."""
    path = tmp_path / "noise.db"
    path.write_bytes(random.Random(2).randbytes(8192))
    refused(path, None, "key.needed")
    refused(path, key, "key.wrong")
    path.write_bytes(random.Random(2).randbytes(8200))
    refused(path, None, "store.cut_off")
    refused(path, key, "store.cut_off")


def test_a_log_of_another_database(tmp_path, make, left, refused, key):
    """SQLite would work it in without a word and leave a wreck."""
    plain, cipher = make(tmp_path / "p.db", None, "wal"), make(tmp_path / "c.db", KEY, "wal")
    other_plain = left(tmp_path / "op.db", sets="PRAGMA page_size = 1024")
    other_cipher = left(tmp_path / "oc.db", "1dea" * 16)
    for path, used, other in (
        (plain, None, other_plain),
        (cipher, key, other_plain),
        (cipher, key, other_cipher),
        (plain, None, other_cipher),
    ):
        shutil.copy(f"{other}-wal", f"{path}-wal")
        refused(path, used, "store.foreign_log")
        os.unlink(f"{path}-wal")
    with open_database(plain, None, write=False) as connection:
        assert connection.execute("SELECT count(*) FROM notes") == [(60,)]


def test_a_log_that_is_a_link(tmp_path, make, refused):
    path = make(tmp_path / "a.db", None, "wal")
    victim = tmp_path / "thesis.txt"
    victim.write_bytes(b"years of work" * 1000)
    for suffix in ("-wal", "-shm", "-journal"):
        os.symlink(victim, f"{path}{suffix}")
        with pytest.raises(UserError) as caught:
            open_database(path, None, write=True)
        assert caught.value.code == "store.odd_log"
        assert caught.value.params["path"] == f"{path}{suffix}"
        os.unlink(f"{path}{suffix}")
    assert victim.read_bytes() == b"years of work" * 1000


@pytest.mark.parametrize("secret", [None, KEY])
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_locked(tmp_path, make, peer, secret, journal):
    path = make(tmp_path / "a.db", secret, journal)
    key = RawKey.from_hex(KEY) if secret else None
    other = peer(path, secret)
    other.do("PRAGMA locking_mode = EXCLUSIVE")
    other.do("BEGIN IMMEDIATE" if journal == "wal" else "BEGIN EXCLUSIVE")
    other.do("INSERT INTO notes (body) VALUES ('busy')")
    for write in (False, True):
        began = time.monotonic()
        with pytest.raises(UserError) as caught:
            open_database(path, key, write=write, busy_ms=400)
        assert caught.value.code == "store.locked"
        assert time.monotonic() - began >= 0.35
    assert BUSY_MS == 5_000
    other.do("ROLLBACK")
    other.close()
    open_database(path, key, write=True).close()


def test_locked_while_writing(tmp_path, make, peer):
    path = make(tmp_path / "a.db", None, "wal")
    other = peer(path)
    with open_database(path, None, write=True, busy_ms=150) as connection:
        other.do("BEGIN IMMEDIATE")
        with pytest.raises(UserError) as caught, connection.writing():
            pytest.fail("must not get here")
        assert caught.value.code == "store.locked"
        other.do("COMMIT")
        with connection.writing():
            connection.change("INSERT INTO notes (body) VALUES ('mine')")
    assert other.do("SELECT count(*) FROM notes WHERE body = 'mine'") == [[1]]


def test_no_permission(ordinary_user, tmp_path_factory):
    """As an ordinary user: a file of mode 000, and one below a closed folder."""
    code = """
import os, sys
from pathlib import Path
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.domain.errors import UserError
folder = Path(sys.argv[1])
create_database(folder / "a.db", None, "CREATE TABLE notes (body TEXT)")
(folder / "shut").mkdir()
create_database(folder / "shut" / "b.db", None, "CREATE TABLE notes (body TEXT)")
os.chmod(folder / "a.db", 0)
os.chmod(folder / "shut", 0)
for name in "a.db", "shut/b.db":
    for write in False, True:
        try: open_database(folder / name, None, write=write)
        except UserError as error: print(error.code)
os.chmod(folder / "a.db", 0o400)
try: open_database(folder / "a.db", None, write=True)
except UserError as error: print(error.code)
print(open_database(folder / "a.db", None, write=False).execute("SELECT count(*) FROM notes"))
os.chmod(folder / "shut", 0o700)
try: create_database(folder / "no" / "x.db", None, "CREATE TABLE t (a)")
except UserError as error: print(error.code)
os.chmod(folder / "shut", 0o500)
try: create_database(folder / "shut" / "x.db", None, "CREATE TABLE t (a)")
except UserError as error: print(error.code)
os.chmod(folder / "shut", 0o700)
"""
    assert ordinary_user.python(code, ordinary_user.folder).split("\n") == [
        *["store.no_permission"] * 4,
        "store.read_only",
        "[(0,)]",
        "store.no_folder",
        "store.no_permission",
        "",
    ]


def test_an_old_library():
    for version in ((3, 51, 2), (3, 40, 1)):
        with pytest.raises(UserError) as caught:
            require_floor(version)
        assert caught.value.code == "engine.too_old"
        assert caught.value.params == {
            "found": ".".join(map(str, version)),
            "wanted": "3.51.3",
        }
    require_floor((3, 51, 3))
    with pytest.raises(UserError) as caught:
        require_floor((3, 53, 4), "")
    assert caught.value.code == "engine.no_cipher"


@pytest.mark.parametrize(
    "name",
    [
        "it's",
        "100%",
        "a?b=c&d",
        "a#b",
        "a b",
        "记忆",
        "a\nb",
        '"q"',
        "%41",
        "file:x",
        "-wal",
        "a;b",
    ],
)
def test_odd_names(tmp_path, make, key, name):
    (tmp_path / "odd 'dir' %?#").mkdir()
    path = make(tmp_path / "odd 'dir' %?#" / name, KEY, "wal")
    for write in (False, True):
        with open_database(path, key, write=write) as connection:
            assert connection.execute("SELECT count(*) FROM notes") == [(60,)]
            assert connection.path == path
    sides = {f"{name}-wal", f"{name}-shm"}
    assert {entry.name for entry in path.parent.iterdir()} - sides == {name}


def test_a_name_that_is_no_utf8(tmp_path, make, key):
    path = make(tmp_path / "plain.db", KEY)
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.db"))
    path.rename(odd)
    with open_database(odd, key, write=False) as connection:
        assert connection.execute("SELECT count(*) FROM notes") == [(60,)]
