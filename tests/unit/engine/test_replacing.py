# SPDX-License-Identifier: MIT
"""A text file is written anew in one step, its old bytes are overwritten, and nobody's are lost."""

import fcntl
import os
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.engine import replacing
from memory_gui.engine.plainfile import Content, head_of, read_file, seen_of
from memory_gui.engine.replacing import (
    Part,
    part_of,
    remove_file,
    replace_file,
    sweep,
    sweep_beside,
)

OLD, NEW = b"what it was: zq-replaced-1\n", b"what it becomes\n"


@pytest.fixture(params=["exchange", "two names"])
def path(request, tmp_path, monkeypatch):
    """Both ways of changing places: some file systems cannot exchange two names."""
    if request.param == "two names":
        monkeypatch.setattr(replacing, "_exchange", lambda _one, _other: False)
    file = tmp_path / "notes.md"
    file.write_bytes(OLD)
    return file


def code(act):
    with pytest.raises(UserError) as caught:
        act()
    return caught.value.code


def alone(path):
    """Nothing of ours is left beside it."""
    return os.listdir(path.parent) == [path.name]


def test_the_old_bytes_are_overwritten_where_they_lie(path):
    number = os.open(path, os.O_RDONLY)
    try:
        before = os.fstat(number)
        found = replace_file(path, read_file(path), NEW)
        assert (path.read_bytes(), found.data) == (NEW, NEW)
        assert path.stat().st_ino != before.st_ino
        assert os.fstat(number).st_nlink == 0
        assert os.pread(number, 100, 0) == bytes(len(OLD))
    finally:
        os.close(number)
    assert alone(path)


def test_mode_and_attributes_stay(path):
    path.chmod(0o640)
    try:
        os.setxattr(path, "user.kept", b"yes")
        kept = True
    except OSError:
        kept = False
    replace_file(path, read_file(path), NEW)
    assert path.stat().st_mode & 0o7777 == 0o640
    if kept:
        assert os.getxattr(path, "user.kept") == b"yes"


@pytest.mark.root
def test_the_group_stays(path):
    os.chown(path, 0, 12)
    replace_file(path, read_file(path), NEW)
    assert (path.stat().st_uid, path.stat().st_gid) == (0, 12)


def test_a_write_before_is_noticed(path):
    seen = read_file(path)
    with path.open("ab") as stream:
        stream.write(b"theirs\n")
    assert code(lambda: replace_file(path, seen, NEW)) == "file.changed"
    assert path.read_bytes() == OLD + b"theirs\n"
    assert alone(path)


def test_a_write_at_the_last_moment_is_taken_back(path, monkeypatch):
    """Another program's bytes come in between the last look and the change of places."""
    seen = read_file(path)
    change = replacing._change_places
    done = []

    def late(one, other):
        if not done:
            with path.open("ab") as stream:
                stream.write(b"theirs\n")
            done.append(True)
        change(one, other)

    monkeypatch.setattr(replacing, "_change_places", late)
    assert code(lambda: replace_file(path, seen, NEW)) == "file.changed"
    assert path.read_bytes() == OLD + b"theirs\n"
    assert alone(path)


def test_a_file_that_came_meanwhile_is_not_overwritten(path):
    new = path.with_name("new.md")
    with Part.write(new, Content(), NEW) as part:
        new.write_bytes(b"theirs")
        assert code(part.swap) == "file.changed"
    assert new.read_bytes() == b"theirs"
    assert not part_of(new).exists()


def test_a_new_file_is_private(path):
    new = path.with_name("new.md")
    replace_file(new, Content(), NEW)
    assert (new.read_bytes(), new.stat().st_mode & 0o777) == (NEW, 0o600)


def test_a_second_name_is_refused(path):
    os.link(path, path.with_name("other"))
    assert code(lambda: replace_file(path, read_file(path), NEW)) == "raw.hard_links"
    assert path.read_bytes() == OLD


def test_a_link_is_never_followed(path, tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    path.unlink()
    path.symlink_to(victim)
    assert code(lambda: read_file(path)) == "file.link"
    assert code(lambda: replace_file(path, Content(), NEW)) == "raw.link"
    assert victim.read_bytes() == b"precious"


def test_a_link_in_the_parts_place_is_refused(path, tmp_path):
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    part_of(path).symlink_to(victim)
    assert code(lambda: replace_file(path, read_file(path), NEW)) == "raw.link"
    assert (victim.read_bytes(), path.read_bytes()) == (b"precious", OLD)


def test_what_a_stop_left_is_overwritten_and_removed(path):
    part_of(path).write_bytes(b"left behind")
    number = os.open(part_of(path), os.O_RDONLY)
    try:
        assert sweep(path)
        assert os.pread(number, 100, 0) == bytes(len(b"left behind"))
    finally:
        os.close(number)
    assert not sweep(path)
    part_of(path).write_bytes(b"again")
    sweep_beside(path.parent)
    assert alone(path)


def test_a_part_that_is_being_written_is_left_alone(path, monkeypatch):
    monkeypatch.setattr(replacing, "_WAIT_S", 0.05)
    part_of(path).write_bytes(b"another copy of the app writes this")
    number = os.open(part_of(path), os.O_RDWR)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        assert code(lambda: replace_file(path, read_file(path), NEW)) == "store.locked"
    finally:
        os.close(number)
    assert path.read_bytes() == OLD


def test_removing_overwrites_first(path):
    number = os.open(path, os.O_RDONLY)
    try:
        remove_file(path, read_file(path))
        assert os.pread(number, 100, 0) == bytes(len(OLD))
    finally:
        os.close(number)
    assert not path.exists()


def test_a_full_disk_changes_nothing(path, monkeypatch):
    def full(_number, _data):
        raise OSError(28, "full")

    monkeypatch.setattr(replacing, "_fill", full)
    assert code(lambda: replace_file(path, read_file(path), NEW)) == "store.disk_full"
    assert path.read_bytes() == OLD
    assert alone(path)


class TestReading:
    def test_a_large_file_is_refused_before_it_is_read(self, tmp_path):
        file = tmp_path / "large"
        with file.open("wb") as stream:
            stream.truncate(1 << 30)
        assert code(lambda: read_file(file)) == "store.too_big"

    def test_a_pipe_and_a_folder_are_refused(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        assert code(lambda: read_file(tmp_path / "pipe")) == "store.not_a_file"
        assert code(lambda: read_file(tmp_path)) == "store.is_folder"
        assert (head_of(tmp_path / "pipe"), head_of(tmp_path)) == (b"", b"")

    def test_nothing_is_empty_content(self, tmp_path):
        assert read_file(tmp_path / "none") == Content()
        assert seen_of(tmp_path / "none") is None
        assert seen_of(Path("a" * 5000)) is None
