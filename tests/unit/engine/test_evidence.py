# SPDX-License-Identifier: MIT
"""What is known before any connection; and nothing is changed or disturbed to know it."""

import bz2
import gzip
import lzma
import os
import random
import threading
import zipfile
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.engine import gate
from memory_gui.engine.connection import open_database
from memory_gui.engine.evidence import classify, file_system, inspect, network_file_system

KEY = "5eed" * 16


def test_a_readable_store(tmp_path, make):
    path = make(tmp_path / "a.db")
    found = inspect(path)
    assert found.head == "plain"
    assert found.size == path.stat().st_size
    assert found.salt == b"SQLite format 3\0"
    assert found.wal_mode is False
    assert (found.readable, found.writable, found.folder_writable) == (True, True, True)
    assert found.owner_is_me
    assert found.sidecars == {}
    assert found.network_fs is None
    assert (found.device, found.inode) == (path.stat().st_dev, path.stat().st_ino)
    assert inspect(make(tmp_path / "b.db", None, "wal")).wal_mode is True


def test_an_encrypted_store_is_named_by_its_salt(tmp_path, make, left):
    path = left(tmp_path / "a.db", KEY)
    found = inspect(path)
    assert found.head == "random"
    assert found.salt == path.read_bytes()[:16]
    assert found.wal_mode is None
    assert set(found.sidecars) == {"-wal", "-shm"}
    assert found.sidecars["-wal"] == os.stat(f"{path}-wal").st_size


def test_the_path_is_resolved_once(tmp_path, make, monkeypatch):
    path = make(tmp_path / "a.db")
    link = tmp_path / "link.db"
    link.symlink_to("a.db")
    assert inspect(link).path == path
    monkeypatch.chdir(tmp_path)
    assert inspect("link.db").path == path
    monkeypatch.setenv("HOME", str(tmp_path))
    assert inspect("~/link.db").path == path


def test_times_of_access_apart_nothing_changes(tmp_path, left, files):
    path = left(tmp_path / "a.db", KEY)
    before = {name: os.stat(f"{path}{name}").st_mtime_ns for name in files(path)}
    inspect(path)
    assert {name: os.stat(f"{path}{name}").st_mtime_ns for name in files(path)} == before


def test_random_heads_are_taken_for_encrypted():
    for seed in range(2000):
        assert classify(random.Random(seed).randbytes(512)) == "random", seed


def test_no_short_beginning_makes_another_file_of_an_encrypted_one():
    """The first 16 bytes of an encrypted store are its salt: any there may be."""
    rest = random.Random(5).randbytes(510)
    shorts = [bytes((first, second)) for first in range(256) for second in b"\x00\x8bZKDP7\xb5"]
    shorts += [b"BZh", b"\xff\xd8\xff", b"\x1f\x8b\x08", b"PK\x03", b"\xfd7z", b"%PD"]
    assert b"MZ" in shorts
    for short in shorts:
        assert classify((short + rest)[:512]) == "random", short


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_no_stores(pack):
    assert classify(pack(random.Random(3).randbytes(4096))[:512]) == "other"


def test_a_packed_folder_and_a_picture_are_no_stores(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a", random.Random(4).randbytes(4096))
    assert classify((tmp_path / "a.zip").read_bytes()[:512]) == "other"
    picture = Path(__file__).parents[2] / "gui/baselines/cases-light-en.png"
    assert classify(picture.read_bytes()[:512]) == "other"


@pytest.mark.parametrize(
    "text",
    [
        b"{" + b'"id": "a1b2c3d4e5f6", "text": "Likes tea, not coffee" },' * 30,
        "记忆与遗忘，皆有其时。今日多云转晴。".encode() * 30,
        bytes(range(128)) * 4,
        b"\x00\x01" * 256,
        random.Random(2).randbytes(300),
    ],
)
def test_other_heads(text):
    assert classify(text[:512]) == "other"
    assert classify(b"") == "empty"


MOUNTS = """
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /home/me/nas rw shared:5 - nfs4 server:/x rw
31 30 0:41 / /home/me/nas/deep\\040er rw - tmpfs tmpfs rw
32 22 0:42 / /mnt/cloud rw - fuse.rclone remote: rw
33 22 0:43 / /home/me/nascent rw - btrfs /dev/sdb rw
nonsense
"""


@pytest.mark.parametrize(
    ("path", "kind", "network"),
    [
        ("/etc/x.db", "ext4", None),
        ("/home/me/nas/a/x.db", "nfs4", "nfs4"),
        ("/home/me/nas", "nfs4", "nfs4"),
        ("/home/me/nas/deep er/x.db", "tmpfs", None),
        ("/mnt/cloud/x.db", "fuse.rclone", "fuse.rclone"),
        ("/home/me/nascent/x.db", "btrfs", None),
        ("/home/me/nas2/x.db", "ext4", None),
    ],
)
def test_network_file_systems(path, kind, network):
    assert file_system(Path(path), MOUNTS) == kind
    assert network_file_system(Path(path), MOUNTS) == network


def test_a_held_file_is_read_through_sqlites_own_descriptor(tmp_path, make, key):
    path = make(tmp_path / "a.db", KEY)
    with gate.descriptor(path) as number:
        fresh = number
        assert os.pread(number, 16, 0) == path.read_bytes()[:16]
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(fresh)
    with open_database(path, key, write=False):
        before = set(os.listdir("/dev/fd"))
        assert gate.is_held(path.stat())
        with gate.descriptor(path) as number:
            assert set(os.listdir("/dev/fd")) == before
            assert os.pread(number, 16, 0) == inspect(path).salt
        os.fstat(number)  # still open: it is SQLite's
    assert not gate.is_held(path.stat())


def test_nobody_opens_while_a_file_is_looked_at(tmp_path, make, key):
    path = make(tmp_path / "a.db", KEY)
    done = threading.Event()

    def connect() -> None:
        open_database(path, key, write=False).close()
        done.set()

    thread = threading.Thread(target=connect)
    with gate.descriptor(path):
        thread.start()
        assert not done.wait(0.3)
    assert done.wait(60)
    thread.join()


def test_no_descriptor_is_left_over(tmp_path, make, left, key):
    path = left(tmp_path / "a.db", KEY)
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        inspect(path)
        with pytest.raises(UserError):
            open_database(path, None, write=False)
        open_database(path, key, write=False).close()
    assert len(os.listdir("/dev/fd")) == before
