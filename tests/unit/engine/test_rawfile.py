# SPDX-License-Identifier: MIT
"""Raw bytes are written only to a file we hold: each reason to refuse, and nothing written."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.engine import rawfile
from memory_gui.engine.connection import open_database
from memory_gui.engine.rawfile import HeldFile, fsync_folder, zero

KEY = "5eed" * 16


@pytest.fixture
def path(tmp_path, make):
    return make(tmp_path / "a.db", KEY, "wal")


@pytest.fixture
def opened(path, key):
    """The only connection, with a log that has frames in it."""
    with open_database(path, key, write=True, maintain=True) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        with connection.writing():
            connection.change("UPDATE notes SET body = 'x' WHERE id = 1")
        yield connection


def refused(code, act):
    with pytest.raises(UserError) as caught:
        act()
    assert caught.value.code == code


def test_the_log_is_zeroed_in_place(opened, path, key):
    with HeldFile.database(path) as held:
        log = held.log("-wal")
        assert log is not None
        inode, size = os.fstat(log.number).st_ino, log.size
        assert opened.execute("PRAGMA wal_checkpoint(RESTART)")[0][0] == 0
        assert log.zero(0, size) == size
        assert log.read(size + 1, 0) == bytes(size)
        assert (os.stat(f"{path}-wal").st_ino, os.stat(f"{path}-wal").st_size) == (inode, size)
        held.fsync_folder()
        opened.close()
        log.close()
    with open_database(path, key, write=False) as again:
        assert again.execute("SELECT body FROM notes WHERE id = 1") == [("x",)]
        assert again.execute("PRAGMA integrity_check") == [("ok",)]


def stopped_at(number, act):
    """Do it in a process that kills itself at that write or sync; whether it came to its end."""
    child = os.fork()
    if child == 0:
        seen = 0

        def counted(call):
            def run(*arguments):
                nonlocal seen
                seen += 1
                if seen == number:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*arguments)

            return run

        os.pwrite, os.fsync = counted(os.pwrite), counted(os.fsync)
        act()
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def test_a_long_log_that_is_zeroed_in_part_says_nothing_and_is_zeroed_by_the_next_run(
    opened, path, key, monkeypatch, tmp_path
):
    """An older state must not come back with the frames that are left; nor may they be refused."""
    monkeypatch.setattr(rawfile, "_CHUNK", 4096)
    for number in range(5):
        with opened.writing():
            opened.change("UPDATE notes SET body = ? WHERE id = 1", (f"x{number}",))
    assert opened.execute("PRAGMA wal_checkpoint(RESTART)")[0][0] == 0
    wal, aside = Path(f"{path}-wal"), tmp_path / "aside.db"
    with HeldFile.database(path) as held:
        log = held.log("-wal")
        full = log.read(log.size, 0)
        for number in range(1, 100):
            os.pwrite(log.number, full, 0)
            ended = stopped_at(number, log.zero_log)
            aside.write_bytes(held.read(held.size, 0))
            Path(f"{aside}-wal").write_bytes(log.read(log.size, 0))
            with open_database(aside, key, write=True, maintain=True) as left:
                assert left.execute("SELECT body FROM notes WHERE id = 1") == [("x4",)], number
                assert left.execute("PRAGMA integrity_check") == [("ok",)]
            held.log("-wal").close()  # it is one, still
            if ended:
                break
        assert number > 5
        assert log.read(log.size, 0) == bytes(len(full))
        opened.close()
        log.close()
    assert not wal.exists()


def test_no_log_is_none(opened, path):
    with HeldFile.database(path) as held:
        assert held.log("-journal") is None


def test_a_journal_with_its_magic_or_of_zeros(opened, path):
    journal = Path(f"{path}-journal")
    for content in (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"rest" * 99, bytes(5000), b""):
        journal.write_bytes(content)
        with HeldFile.database(path) as held, held.log("-journal") as log:
            assert log.zero(0, 1 << 30) == len(content)
        assert journal.read_bytes() == bytes(len(content))
    journal.write_bytes(bytes(5000) + b"x")
    with HeldFile.database(path) as held:
        refused("raw.not_a_log", lambda: held.log("-journal"))
    assert journal.read_bytes() == bytes(5000) + b"x"


def test_a_link_in_place_of_the_log(opened, path, tmp_path):
    victim = tmp_path / "thesis.txt"
    victim.write_bytes(b"\x37\x7f\x06\x82" + b"years of work" * 1000)
    before = victim.read_bytes()
    for suffix in ("-wal", "-journal"):
        side = Path(f"{path}{suffix}")
        if side.exists():
            side.rename(tmp_path / "moved")
        side.symlink_to(victim)
        with HeldFile.database(path) as held:
            refused("raw.link", lambda held=held, suffix=suffix: held.log(suffix))
        side.unlink()
    assert victim.read_bytes() == before


def test_another_file_in_place_of_the_log(opened, path, tmp_path):
    victim = Path(f"{path}-wal")
    victim.rename(tmp_path / "moved")
    victim.write_bytes(b"\x37\x7f\x06\x82" + b"another program's" * 100)
    before = victim.read_bytes()
    with HeldFile.database(path) as held:
        refused("raw.not_open", lambda: held.log("-wal"))
    assert victim.read_bytes() == before


def test_a_second_name(opened, path, tmp_path):
    os.link(f"{path}-wal", tmp_path / "second")
    with HeldFile.database(path) as held:
        refused("raw.hard_links", lambda: held.log("-wal"))
        os.unlink(tmp_path / "second")
        log = held.log("-wal")
        os.link(f"{path}-wal", tmp_path / "second")
        refused("raw.hard_links", lambda: log.zero(0, log.size))
        log.close()
    os.link(path, tmp_path / "third")
    refused("raw.hard_links", lambda: HeldFile.database(path))


def test_without_any_name_it_is_not_said_to_have_others(opened, path):
    with HeldFile.database(path) as held:
        log = held.log("-wal")
        os.unlink(f"{path}-wal")
        refused("raw.not_open", lambda: log.zero(0, log.size))
        log.close()


def test_a_pipe_in_place_of_the_log_is_not_waited_for(opened, path):
    os.mkfifo(f"{path}-journal")
    with HeldFile.database(path) as held:
        refused("raw.not_regular", lambda: held.log("-journal"))


def test_a_database_that_is_not_open_here(path):
    refused("raw.not_open", lambda: HeldFile.database(path))
    refused("store.missing", lambda: HeldFile.database(path.parent / "nowhere"))


def test_the_database_through_a_link_is_its_target(opened, path, tmp_path):
    """SQLite keeps the log beside the target; so do we."""
    link = tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(path)
    Path(f"{link}-wal").write_bytes(b"decoy")
    with HeldFile.database(link) as held:
        assert held.path == path
        with held.log("-wal") as log:
            assert log.path == Path(f"{path}-wal")
    assert Path(f"{link}-wal").read_bytes() == b"decoy"


@pytest.mark.root
def test_somebody_elses_file(opened, path, ordinary_user):
    os.chown(f"{path}-wal", ordinary_user.uid, ordinary_user.gid)
    with HeldFile.database(path) as held:
        refused("raw.not_ours", lambda: held.log("-wal"))
    os.chown(path, ordinary_user.uid, ordinary_user.gid)
    refused("raw.not_ours", lambda: HeldFile.database(path))


@pytest.mark.root
def test_another_disk(opened, path, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(other)], check=True)
    journal = Path(f"{path}-journal")
    journal.touch()
    (other / "file").write_bytes(bytes(4096))
    try:
        subprocess.run(["mount", "--bind", str(other / "file"), str(journal)], check=True)
        try:
            with HeldFile.database(path) as held:
                refused("raw.other_device", lambda: held.log("-journal"))
        finally:
            subprocess.run(["umount", str(journal)], check=True)
    finally:
        subprocess.run(["umount", str(other)], check=True)


def test_zero_never_makes_a_file_longer(tmp_path):
    file = tmp_path / "f"
    file.write_bytes(b"x" * 3_000_000)
    number = os.open(file, os.O_RDWR)
    try:
        assert zero(number, 1_000_001, 1 << 40) == 1_999_999
        assert zero(number, 5_000_000, 6_000_000) == 0
        assert zero(number, -5, 2) == 2
    finally:
        os.close(number)
    content = file.read_bytes()
    assert len(content) == 3_000_000
    assert content == b"\0\0" + b"x" * 999_999 + bytes(1_999_999)
    fsync_folder(tmp_path)


def test_descriptors_are_closed(opened, path):
    before = len(os.listdir("/dev/fd"))
    with HeldFile.database(path) as held:
        held.log("-wal").close()
        Path(f"{path}-journal").write_bytes(b"nonsense")
        refused("raw.not_a_log", lambda: held.log("-journal"))
    assert len(os.listdir("/dev/fd")) == before
