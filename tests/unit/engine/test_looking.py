# SPDX-License-Identifier: MIT
"""Looking leaves the bytes alone, follows other programs, and works in read-only places."""

import json
import os
import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Passphrase, RawKey
from memory_gui.engine.connection import open_database

KEY = "5eed" * 16
ALL = "SELECT id, body FROM notes ORDER BY id"
BOTH = pytest.mark.parametrize("secret", [None, KEY], ids=["readable", "encrypted"])


def key_of(secret):
    return RawKey.from_hex(secret) if secret else None


@BOTH
@pytest.mark.parametrize("journal", ["delete", "wal", "persist", "truncate"])
def test_the_database_keeps_every_byte(tmp_path, make, peer, secret, journal):
    path = make(tmp_path / "a.db", secret, journal)
    before, times = path.read_bytes(), path.stat().st_mtime_ns
    with open_database(path, key_of(secret), write=False) as connection:
        assert connection.source == "file"
        assert not connection.writable
        assert len(connection.execute(ALL)) == 60
        assert connection.execute("PRAGMA integrity_check") == [("ok",)]
        with pytest.raises(UserError, match=r"store\.read_only|store\.forbidden"):
            connection.execute("DELETE FROM notes")
        with pytest.raises(UserError, match=r"store\.read_only"), connection.writing():
            pytest.fail("must not get here")
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == times


@BOTH
def test_a_log_that_a_killed_program_left_is_seen_and_left(tmp_path, left, peer, secret):
    path = left(tmp_path / "a.db", secret)
    before, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    with open_database(path, key_of(secret), write=False) as connection:
        rows = connection.execute(ALL)
    assert path.read_bytes() == before
    assert Path(f"{path}-wal").read_bytes() == log
    known = peer(path, secret).do(ALL)
    assert [list(row) for row in rows] == known
    assert len(known) == 89
    assert known[0] == [1, "changed"]


def test_another_programs_commit_shows(tmp_path, make, peer):
    path = make(tmp_path / "a.db", KEY, "wal")
    other = peer(path, KEY)
    with open_database(path, RawKey.from_hex(KEY), write=False) as connection:
        first = connection.data_version()
        assert connection.data_version() == first
        other.do("INSERT INTO notes (body) VALUES ('from outside')")
        assert connection.data_version() != first
        assert connection.execute("SELECT count(*) FROM notes") == [(61,)]


def test_reading_sees_one_state(tmp_path, make, peer):
    path = make(tmp_path / "a.db", None, "wal")
    other = peer(path)
    with open_database(path, None, write=False) as connection:
        with connection.reading():
            assert connection.execute("SELECT count(*) FROM notes") == [(60,)]
            other.do("DELETE FROM notes WHERE id < 11")
            with connection.reading():
                assert connection.execute("SELECT count(*) FROM notes") == [(60,)]
        assert connection.execute("SELECT count(*) FROM notes") == [(50,)]


@pytest.mark.parametrize("compatibility", [1, 2, 3, 4])
def test_a_passphrase_of_another_program(tmp_path, peer, compatibility):
    path = tmp_path / "a.db"
    sets = f"PRAGMA cipher_compatibility = {compatibility}"
    other = peer(path, "it's a “pass” phrase 口令", sets=sets)
    other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body)")
    other.do("INSERT INTO notes VALUES (1, 'hello')")
    other.close()
    phrase = "it's a “pass” phrase 口令"
    with open_database(path, Passphrase(phrase, compatibility), write=True) as connection:
        assert connection.execute(ALL) == [(1, "hello")]
        expected = {1: "4000", 2: "4000", 3: "64000", 4: "256000"}
        assert connection.cipher["kdf_iter"] == expected[compatibility]
    with open_database(path, Passphrase(phrase), write=False) as connection:
        assert connection.execute(ALL) == [(1, "hello")]
        assert connection.cipher["kdf_iter"] == expected[compatibility]
    with pytest.raises(UserError, match=r"key\.wrong"):
        open_database(path, Passphrase(phrase[1:]), write=False)


@pytest.fixture
def read_only(request, ordinary_user):
    """Make a folder read-only in three ways, and look at a database in it with ``code``.

    ``mount``: a tmpfs mounted read-only. ``bind``: a read-only window on a place that others may
    write. Both with real mounts, as root. ``folder``: mode 0500, as an ordinary user.
    """
    if request.param != "folder" and os.geteuid():
        pytest.skip("needs root: it mounts file systems and becomes other users")
    mounted: list[str] = []

    def run(folder: Path, code: str, *args: str) -> str:
        where = str(folder)
        if request.param == "folder":
            ordinary_user.give(folder)
            folder.chmod(0o500)
        elif request.param == "bind":
            subprocess.run(["mount", "--bind", where, where], check=True)
            mounted.append(where)
            subprocess.run(["mount", "-o", "remount,bind,ro", where], check=True)
        else:
            subprocess.run(
                f"mkdir {where}.t && mount -t tmpfs tmpfs {where}.t && cp -a {where}/. {where}.t"
                f" && mount -o remount,ro {where}.t",
                shell=True,
                check=True,
            )
            mounted.append(f"{where}.t")
            where = f"{where}.t"
        ordinary_user.folder.chmod(0o755)
        return ordinary_user.python(code, where, *args)

    yield run
    for where in reversed(mounted):
        subprocess.run(["umount", where], check=True)


LOOK = """
import sys, os, json
from pathlib import Path
from memory_gui.engine.connection import open_database
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
folder, secret = Path(sys.argv[1]), sys.argv[2]
key = RawKey.from_hex(secret) if secret else None
before = {n for n in os.listdir("/dev/shm") if n.startswith(".memory-gui")}
files = {p: p.read_bytes() for p in folder.iterdir() if not p.name.endswith('-shm')}
with open_database(folder / "a.db", key, write=False) as c:
    rows = c.execute("SELECT id, body FROM notes ORDER BY id")
    checks = c.execute("PRAGMA integrity_check")
    held = [os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
            if os.path.exists(f"/proc/self/fd/{n}")]
    print(json.dumps([c.source, c.writable, c.journal_mode, rows, checks, held]))
codes = []
try: open_database(folder / "a.db", key, write=True)
except UserError as error: codes.append(error.code)
wrong = RawKey.from_hex("bad0" * 16) if key else None
try: open_database(folder / "a.db", wrong, write=False).close()
except UserError as error: codes.append(error.code)
assert files == {p: p.read_bytes() for p in folder.iterdir() if not p.name.endswith('-shm')}
after = {n for n in os.listdir("/dev/shm") if n.startswith(".memory-gui")}
print(json.dumps([codes, sorted(after - before)]))
"""


STATES = ["left", "left without shm", "closed", "delete", "hot"]


@pytest.mark.parametrize(
    ("read_only", "state", "secret", "page_size"),
    [
        *product(["mount"], STATES, [None, KEY], [4096]),
        *product(["folder"], STATES, [KEY], [4096]),
        *product(["bind"], ["left without shm", "closed"], [None], [4096]),
        *product(["mount"], ["left without shm"], [None], [1024, 65536]),
    ],
    indirect=["read_only"],
)
def test_read_only_places_open_for_reading(
    ordinary_user, make, left, hot, peer, read_only, secret, state, page_size
):
    folder = ordinary_user.folder / "store"
    folder.mkdir()
    path = folder / "a.db"
    sets = f"PRAGMA page_size = {page_size}" if page_size != 4096 else ""
    if state.startswith("left"):
        left(path, secret, sets=sets)
        if state == "left without shm":
            Path(f"{path}-shm").unlink()
    elif state == "hot":
        hot(path, secret)
    else:
        make(path, secret, "wal" if state == "closed" else "delete", sets=sets)
    # What another library finds in a copy of the same files is what must be seen.
    known_place = ordinary_user.folder / "known"
    subprocess.run(["cp", "-a", str(folder), str(known_place)], check=True)
    known = peer(known_place / "a.db", secret)
    rows = known.do(ALL)
    known.close()
    lines = read_only(folder, LOOK, secret or "").splitlines()
    source, writable, mode, seen, checks, held = json.loads(lines[0])
    assert seen == rows
    assert len(rows) == {"left": 89}.get(state.split()[0], 60)
    assert checks == [["ok"]]
    assert not writable
    # The file's own mode, whatever it was read from.
    assert mode == ("delete" if state in {"delete", "hot"} else "wal")
    if state == "delete":
        assert source == "file"
    elif state != "left":  # with a -shm there SQLite may manage by itself
        assert source == "copy"
        assert not any(link.endswith("a.db") for link in held)
        assert any("(deleted)" in link and ".memory-gui-" in link for link in held)
    codes, names = json.loads(lines[1])
    assert codes == ["store.read_only", *(["key.wrong"] if secret else [])]
    assert names == []


@pytest.fixture
def hot(make, peer):
    """A database whose program died in the middle of a change: a hot journal lies beside it."""

    def run(path: Path, secret: str | None = None) -> Path:
        make(path, secret)
        other = peer(path, secret)
        other.do("PRAGMA cache_size = 1")
        other.do("BEGIN IMMEDIATE")
        other.do("UPDATE notes SET body = 'half done ' || id || body")
        other.do("DELETE FROM notes WHERE id % 3 = 0")
        other.many("INSERT INTO notes (body) VALUES (?)", [(f"n{n}" * 900,) for n in range(30)])
        other.kill()
        assert Path(f"{path}-journal").stat().st_size > 0
        return path

    return run


@BOTH
def test_a_change_that_was_cut_off_is_read_as_it_was_before(tmp_path, hot, files, peer, secret):
    path = hot(tmp_path / "a.db", secret)
    before = files(path)
    with open_database(path, key_of(secret), write=False) as connection:
        assert connection.source == "copy"
        rows = connection.execute(ALL)
        assert connection.execute("PRAGMA integrity_check") == [("ok",)]
    assert files(path) == before
    with open_database(path, key_of(secret), write=True) as connection:
        assert connection.source == "file"
        assert connection.execute(ALL) == rows  # now SQLite itself took it back
    assert [list(row) for row in rows] == peer(path, secret).do(ALL)
    assert len(rows) == 60


def test_a_copy_stays_as_it_was(tmp_path, hot, peer):
    path = hot(tmp_path / "a.db")
    with open_database(path, None, write=False) as connection:
        peer(path).do("DELETE FROM notes")
        assert connection.execute("SELECT count(*) FROM notes") == [(60,)]
        connection.data_version()


def test_names_that_a_killed_run_left_are_taken_away(tmp_path, hot):
    path = hot(tmp_path / "a.db")
    old, new = (Path(f"/dev/shm/.memory-gui-test-{os.getpid()}-{age}") for age in ("old", "new"))
    for name in (old, new):
        name.touch(mode=0o600)
    os.utime(old, (1, 1))
    open_database(path, None, write=False).close()
    assert (old.exists(), new.exists()) == (False, True)
    new.unlink()


def test_no_room_in_memory_is_said(tmp_path, hot, monkeypatch):
    path = hot(tmp_path / "a.db")
    monkeypatch.setattr("memory_gui.engine.images._MEMORY", frozenset())
    with pytest.raises(UserError, match=r"store\.no_memory_place"):
        open_database(path, None, write=False)


def test_a_file_replaced_under_an_open_connection(tmp_path, make):
    path, other = make(tmp_path / "a.db"), make(tmp_path / "b.db")
    with open_database(path, None, write=True) as connection:
        connection.data_version()
        os.replace(other, path)
        for act in (
            connection.data_version,
            connection.check_same_file,
            connection.writing().__enter__,
            connection.reading().__enter__,
        ):
            with pytest.raises(UserError, match=r"store\.replaced"):
                act()
        path.unlink()
        with pytest.raises(UserError, match=r"store\.replaced"):
            connection.data_version()


@pytest.mark.root
def test_a_full_disk_leaves_everything_as_it_was(tmp_path, make):
    place = tmp_path / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(place)], check=True)
    try:
        for secret, journal in ((None, "delete"), (KEY, "wal")):
            path = make(place / f"{journal}.db", secret, journal)
            with open_database(path, key_of(secret), write=True) as connection:
                rows = connection.execute(ALL)
                with pytest.raises(UserError, match="disk_full"), connection.writing():  # noqa: PT012 - the whole block
                    connection.change("UPDATE notes SET body = 'x' WHERE id = 1")
                    for n in range(2000):
                        connection.change(
                            "INSERT INTO notes (body) VALUES (?)", (f"{n}" + "y" * 3000,)
                        )
                assert connection.execute(ALL) == rows
                with connection.writing():
                    connection.change("UPDATE notes SET body = 'room again' WHERE id = 1")
            with open_database(path, key_of(secret), write=False) as connection:
                assert connection.execute("PRAGMA integrity_check") == [("ok",)]
                assert connection.execute(ALL)[1:] == rows[1:]
            path.unlink()
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.root
@BOTH
@pytest.mark.parametrize("free", [0, 4096])
def test_a_full_disk_may_be_looked_at(tmp_path, make, secret, free):
    """A WAL database needs an index beside it, for which there is no place."""
    place = tmp_path / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1500k", "tmpfs", str(place)], check=True)
    try:
        path = make(place / "a.db", secret, "wal")
        rest = shutil.disk_usage(place).free - free
        (place / "filler").write_bytes(bytes(rest))
        with open_database(path, key_of(secret), write=False) as connection:
            assert (connection.source, connection.journal_mode) == ("copy", "wal")
            assert connection.execute("SELECT count(*) FROM notes") == [(60,)]
            assert not connection.writable
        with pytest.raises(UserError, match=r"store\.disk_full"):
            open_database(path, key_of(secret), write=True)
        (place / "filler").unlink()
        with open_database(path, key_of(secret), write=True) as connection:
            assert connection.source == "file"
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
