# SPDX-License-Identifier: MIT
"""Encrypting and decrypting: the copy is proved, the key kept first, a kill loses nothing."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.keys import Passphrase, RawKey
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.rotation import copying
from memory_gui.rotation.copying import copy_database, likeness
from memory_gui.rotation.names import has_leftovers, new_name, old_name
from memory_gui.rotation.rotate import decrypt_store, encrypt_store, finish_leftovers
from memory_gui.rotation.swapping import finish

KEY = RawKey(bytes(range(32)))
CANARY = "the canary sings at seven"
SCRIPT = (
    "CREATE TABLE one(id INTEGER PRIMARY KEY, text TEXT NOT NULL, raw BLOB);"
    "CREATE TABLE two(key TEXT PRIMARY KEY, value REAL) WITHOUT ROWID;"
    "CREATE UNIQUE INDEX uix ON one(text) WHERE raw IS NULL;"
    "CREATE TRIGGER counted AFTER INSERT ON one BEGIN INSERT INTO two VALUES (new.id, 1.5); END;"
    "CREATE VIEW seen AS SELECT text FROM one;"
)


def make(path: Path, key: RawKey | None = None, *, journal: str = "wal", rows: int = 300) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    create_database(path, key, SCRIPT, journal_mode=journal)
    with open_database(path, key, write=True, maintain=True) as connection:
        connection.execute("PRAGMA user_version = 41")
        connection.execute("PRAGMA application_id = 1234567")
        with connection.writing():
            for number in range(rows):
                values = (number * 3 + 1, f"{CANARY} {number}", bytes(range(number % 50)) or None)
                connection.execute("INSERT INTO one VALUES (?, ?, ?)", values)
    return path


def seen(path: Path, key: RawKey | None = None):
    with open_database(path, key, write=False) as connection:
        return likeness(connection), connection.journal_mode


def names(path: Path) -> list[str]:
    """What lies in the folder, apart from what SQLite leaves when it may only look."""
    found = (child.name for child in path.parent.iterdir())
    return sorted(name for name in found if not name.endswith(("-wal", "-shm")))


def keep(_salt: bytes) -> None:
    """The key is kept elsewhere."""


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_there_and_back_nothing_is_lost(tmp_path, journal):
    path = make(tmp_path / "memory.db", journal=journal)
    before = seen(path)
    done = encrypt_store(path, KEY, keep=keep)
    assert seen(path, KEY) == before
    assert done.salt == path.read_bytes()[:16]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert CANARY.encode() not in path.read_bytes()
    assert names(path) == ["memory.db"]
    decrypt_store(path, KEY)
    assert seen(path) == before
    assert names(path) == ["memory.db"]


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_the_old_file_and_its_log_are_zeroed_where_they_lie(tmp_path, journal):
    path = make(tmp_path / "memory.db", journal=journal)
    files = [path]
    if journal == "wal":
        # A log with content, as a program that was killed leaves it.
        leave_log(path)
        files.append(Path(f"{path}-wal"))
    watched = [os.open(file, os.O_RDONLY) for file in files]
    assert all(CANARY.encode() in os.pread(number, 1 << 22, 0) for number in watched)
    encrypt_store(path, KEY, keep=keep)
    for number in watched:
        assert set(os.pread(number, 1 << 22, 0)) <= {0}
        os.close(number)


def leave_log(path: Path) -> None:
    """Write in another process and kill it before its log is worked in."""
    code = (
        "import os, sys\nfrom pathlib import Path\n"
        "from memory_gui.engine.connection import open_database\n"
        "c = open_database(Path(sys.argv[1]), None, write=True)\n"
        "with c.writing():\n"
        "    c.execute('INSERT INTO one(text) VALUES (?)', (sys.argv[2] + ' in the log',))\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path), CANARY], check=True)
    assert CANARY.encode() in Path(f"{path}-wal").read_bytes()


def test_settings_that_an_export_loses_are_carried_over(tmp_path):
    path = make(tmp_path / "memory.db")
    encrypt_store(path, KEY, keep=keep)
    with open_database(path, KEY, write=False) as connection:
        assert str(connection.execute("PRAGMA user_version")[0][0]) == "41"
        assert str(connection.execute("PRAGMA application_id")[0][0]) == "1234567"
        assert connection.journal_mode == "wal"


def test_the_key_is_kept_before_anything_is_swapped(tmp_path):
    path = make(tmp_path / "memory.db")
    before = path.read_bytes()
    heads = []

    def look(salt: bytes) -> None:
        heads.append((salt, path.read_bytes()[:16], new_name(path).read_bytes()[:16]))

    encrypt_store(path, KEY, keep=look)
    ((salt, head, new),) = heads
    assert head == before[:16] == b"SQLite format 3\0"
    assert salt == new


def test_a_key_that_cannot_be_kept_changes_nothing(tmp_path):
    path = make(tmp_path / "memory.db")
    before = seen(path)

    def refuse(_salt: bytes) -> None:
        raise UserError("vault.not_kept")

    with pytest.raises(UserError, match=r"vault\.not_kept"):
        encrypt_store(path, KEY, keep=refuse)
    assert seen(path) == before
    assert names(path) == ["memory.db"]


def test_a_readable_copy_elsewhere_leaves_the_store_alone(tmp_path):
    path = make(tmp_path / "memory.db", KEY)
    out = tmp_path / "out.db"
    before = path.read_bytes()
    decrypt_store(path, KEY, out)
    assert path.read_bytes() == before
    assert seen(out)[0] == seen(path, KEY)[0]
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    with pytest.raises(UserError, match=r"store\.exists"):
        decrypt_store(path, KEY, out)


def test_a_passphrase_opens_it_too(tmp_path):
    path = make(tmp_path / "memory.db", rows=5)
    encrypt_store(path, KEY, keep=keep)
    with pytest.raises(UserError, match=r"key\.wrong"):
        decrypt_store(path, Passphrase("wrong", 4))
    assert len(seen(path, KEY)[0].rows) == 2


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_refused_while_anybody_has_it_open(tmp_path, journal):
    path = make(tmp_path / "memory.db", journal=journal)
    with open_database(path, None, write=False) as other:
        other.execute("SELECT count(*) FROM one")
        if journal == "wal":
            with pytest.raises(UserError, match=r"rotation\.in_use"):
                encrypt_store(path, KEY, keep=keep)
    assert names(path)[0] == "memory.db"
    assert path.read_bytes()[:15] == b"SQLite format 3"


def test_a_copy_that_differs_is_never_used(tmp_path, monkeypatch):
    path = make(tmp_path / "memory.db")
    monkeypatch.setattr(copying, "_CARRIED", ("user_version",))
    whole = copying.likeness

    def with_id(connection):
        found = whole(connection)
        ident = connection.execute("PRAGMA application_id")[0][0]
        return copying.Likeness(found.schema, found.rows, (*found.settings, ("id", str(ident))))

    monkeypatch.setattr(copying, "likeness", with_id)
    with open_database(path, None, write=True, maintain=True) as source:
        with pytest.raises(IntegrityError) as caught:
            copy_database(source, tmp_path / "out.db", KEY, journal_mode="wal")
    assert caught.value.params == {"what": "settings"}
    assert not (tmp_path / "out.db").exists()


class TestLeftovers:
    def test_a_half_made_copy_is_removed(self, tmp_path):
        path = make(tmp_path / "memory.db")
        new_name(path).write_bytes(b"half")
        assert has_leftovers(path)
        assert finish_leftovers(path)
        assert names(path) == ["memory.db"]

    def test_a_second_name_of_the_store_is_only_taken_away(self, tmp_path):
        path = make(tmp_path / "memory.db")
        before = seen(path)
        os.link(path, old_name(path))
        finish_leftovers(path)
        assert seen(path) == before
        assert names(path) == ["memory.db"]

    def test_an_old_store_is_zeroed_before_it_is_removed(self, tmp_path):
        path = make(tmp_path / "memory.db")
        make(old_name(path))
        watched = os.open(old_name(path), os.O_RDONLY)
        finish_leftovers(path)
        assert set(os.pread(watched, 1 << 20, 0)) == {0}
        os.close(watched)
        assert names(path) == ["memory.db"]

    def test_a_link_is_never_followed(self, tmp_path):
        path = make(tmp_path / "memory.db")
        victim = tmp_path / "elsewhere" / "victim"
        victim.parent.mkdir()
        victim.write_text("mine")
        for name in (new_name(path), old_name(path)):
            name.symlink_to(victim)
        finish_leftovers(path)
        assert victim.read_text() == "mine"
        assert names(path) == ["elsewhere", "memory.db"]


_KILLED = """
import os, pathlib, signal, sys
from memory_gui.engine import rawfile
from memory_gui.engine.database import Connection
from memory_gui.rotation import copying, swapping
from memory_gui.rotation.rotator import Rotator

path, key, when = sys.argv[1], sys.argv[2], int(sys.argv[3])
calls = 0

def counted(function):
    def call(*args, **kwargs):
        global calls
        calls += 1
        if calls == when:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **kwargs)
    return call

for name in ("link", "fsync", "pwrite", "ftruncate"):
    setattr(os, name, counted(getattr(os, name)))
for name in ("replace", "unlink"):
    setattr(pathlib.Path, name, counted(getattr(pathlib.Path, name)))
Connection.execute = counted(Connection.execute)
rotator = Rotator()
rotator.handle({"op": "begin", "path": path, "key": None, "new_key": {"raw": key}}, print)
rotator.handle({"op": "swap", "path": path}, print)
print("calls", calls)
"""


def rotate_killed(path: Path, when: int) -> int | None:
    """Run the rotator and kill it before its call number ``when``; the calls when it ended well."""
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(path), KEY.hex(), str(when)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == -9:
        return None
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1])


@pytest.mark.timeout(600)
def test_killed_anywhere_the_store_opens_and_is_finished(tmp_path):
    first = make(tmp_path / "counted/memory.db")
    before = seen(first)
    total = rotate_killed(first, 0)
    steps = range(1, total + 1, max(1, total // int(os.environ.get("ROTATION_KILLS", "7"))))
    moments = sorted({*steps, *range(total - 6, total + 1)})
    outcomes = set()
    for when in moments:
        path = make(tmp_path / str(when) / "memory.db")
        assert rotate_killed(path, when) is None
        plain = path.read_bytes()[:16] == b"SQLite format 3\0"
        outcomes.add(plain)
        assert seen(path, None if plain else KEY)[0] == before[0], when
        finish_leftovers(path)
        assert seen(path, None if plain else KEY)[0] == before[0], when
        left = [n for n in names(path) if n != "memory.db"]
        assert [n for n in left if "memory-gui" in n] == [], when
        if not plain:
            for name in path.parent.iterdir():
                assert CANARY.encode() not in name.read_bytes(), (when, name)
    assert outcomes == {True, False}


class TestWhereItIsCalledFrom:
    """The rotator works in ``/``; a name is the caller's."""

    def test_relative_names(self, tmp_path, monkeypatch):
        store = make(tmp_path / "store/a.db")
        (tmp_path / "there").mkdir()
        monkeypatch.chdir(store.parent)
        encrypt_store(Path("a.db"), KEY, keep=keep)
        decrypt_store(Path("a.db"), KEY, Path("../there/out.db"))
        decrypt_store(Path("a.db"), KEY, Path("out.db"))
        assert (tmp_path / "there/out.db").exists()
        assert names(store) == ["a.db", "out.db"]
        assert not Path("/out.db").exists()
        assert seen(store.with_name("out.db"))[0].rows == seen(store, KEY)[0].rows


@pytest.fixture
def small_disk(tmp_path):
    """A disk of its own of 800 kB; gives a function that leaves only so many bytes free."""
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=800k", "none", folder], check=True)

    def leave(free: int) -> None:
        filler = folder / "filler"
        filler.unlink(missing_ok=True)
        there = os.statvfs(folder)
        filler.write_bytes(bytes(max(0, there.f_bavail * there.f_frsize - free)))

    yield folder, leave
    subprocess.run(["umount", folder], check=True)


@pytest.mark.root
class TestAFullDisk:
    @pytest.mark.parametrize("free", [0, 4096, 32_768, 36_864, 49_152])
    def test_is_told_and_nothing_is_changed(self, small_disk, free):
        folder, leave = small_disk
        store = make(folder / "a.db", journal="delete")
        before = seen(store)
        leave(free)
        with pytest.raises(UserError) as raised:
            encrypt_store(store, KEY, keep=keep)
        assert raised.value.code == "store.disk_full"
        assert seen(store) == before
        assert names(store) == ["a.db", "filler"]

    def test_a_copy_elsewhere(self, small_disk, tmp_path):
        folder, leave = small_disk
        store = make(tmp_path / "a.db", KEY)
        for free in (0, 20_480, 36_864):
            leave(free)
            with pytest.raises(UserError) as raised:
                decrypt_store(store, KEY, folder / "out.db")
            assert raised.value.code == "store.disk_full"
            assert not (folder / "out.db").exists()


_WATCHED = """
import subprocess, sys
from memory_gui.rotation import swapping
from memory_gui.rotation.names import old_name
from memory_gui.rotation.rotator import Rotator
from pathlib import Path

path, key, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
TRY = (
    "import sqlite3, sys\\n"
    "c = sqlite3.connect(sys.argv[1], timeout=0)\\n"
    "try:\\n    c.execute('SELECT count(*) FROM one').fetchall()\\n    print('read')\\n"
    "except sqlite3.Error as error:\\n    print(error)\\n"
)
zero = swapping.HeldFile.zero

def watched(self, start, end):
    if old_name(path).exists():
        said = subprocess.run(
            [sys.executable, "-I", "-c", TRY, str(old_name(path))], capture_output=True, text=True
        )
        out.write_text(said.stdout.strip())
    return zero(self, start, end)

swapping.HeldFile.zero = watched
rotator = Rotator()
rotator.handle({"op": "begin", "path": str(path), "key": None, "new_key": {"raw": key}}, print)
rotator.handle({"op": "swap", "path": str(path)}, print)
"""


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_the_old_file_stays_locked_until_it_is_zeroed(tmp_path, journal):
    """Another program with its own SQLite looks at the old file, just before the zeros."""
    path, out = make(tmp_path / "memory.db", journal=journal), tmp_path / "said"
    subprocess.run([sys.executable, "-c", _WATCHED, str(path), KEY.hex(), str(out)], check=True)
    assert out.read_text() == "database is locked"


def test_what_may_be_the_only_copy_is_left_alone(tmp_path):
    """Somebody moved the store away after a stop: the second name is all that is left of it."""
    path = tmp_path / "memory.db"
    old_name(path).write_bytes(b"all that is left")
    new_name(path).write_bytes(b"half a copy")
    assert finish_leftovers(path) == ""
    assert not finish(path)
    assert old_name(path).read_bytes() == b"all that is left"
    assert new_name(path).exists()
