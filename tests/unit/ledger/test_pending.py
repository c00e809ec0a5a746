# SPDX-License-Identifier: MIT
"""One interface over ledger and files: both keep the same promises."""

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.ledger import Ledger, PendingErase
from memory_gui.ledger.pendingfiles import PendingFiles

SCHEME = {"rows": {"memories": ["ab12"], "“中文”": []}, "policy": "keep", "steps": [1, 2.5, None]}


@pytest.fixture(params=["rows", "files"])
def pending(request, tmp_path, keychain):
    if request.param == "files":
        return PendingFiles(tmp_path)
    return Ledger.open(tmp_path, keychain).pending


def begin(path="/a/memory.db", **more):
    return replace(PendingErase.begin(path, SCHEME), **more)


class TestBoth:
    def test_put_list_remove(self, pending):
        one = begin()
        two = begin("/b/memory.db", started_at="2020-01-01T00:00:00+00:00")
        pending.put(one)
        pending.put(two)
        assert pending.list() == (two, one)
        assert pending.list("/a/memory.db") == (one,)
        assert pending.list("/c") == ()
        assert pending.list()[1].scheme == SCHEME
        pending.remove(one.id)
        pending.remove(one.id)
        assert pending.list() == (two,)

    def test_the_same_one_is_replaced(self, pending):
        one = begin()
        pending.put(one)
        later = replace(one, state="erasing", scheme={"step": 3}, lease_pid=1)
        pending.put(later)
        assert pending.list() == (later,)

    def test_another_one_of_that_store_is_refused(self, pending):
        one = begin()
        pending.put(one)
        with pytest.raises(UserError) as caught:
            pending.put(begin())
        assert (caught.value.code, caught.value.params) == (
            "pending.other",
            {"path": "/a/memory.db"},
        )
        assert pending.list() == (one,)
        pending.remove(one.id)
        pending.put(begin())

    def test_one_that_is_settled_stays_by_itself(self, pending):
        old = begin(started_at="2020-01-01T00:00:00+00:00")
        pending.put(old)
        old = replace(old, state="still-in")
        pending.put(old)
        new = begin()
        pending.put(new)
        assert pending.list("/a/memory.db") == pending.list() == (old, new)
        with pytest.raises(UserError, match=r"pending\.other"):
            pending.put(begin())
        # It is not taken up again while another one runs.
        with pytest.raises(UserError, match=r"pending\.other"):
            pending.put(replace(old, state="erasing"))
        pending.remove(new.id)
        again = replace(old, state="erasing")
        pending.put(again)
        assert pending.list() == (again,)
        pending.remove(old.id)
        assert pending.list() == ()

    def test_one_that_was_settled_before_there_were_several(self, pending):
        old = begin(started_at="2020-01-01T00:00:00+00:00")
        pending.put(old)
        old = replace(old, state="not-proved")
        if isinstance(pending, PendingFiles):
            (file,) = pending._folder.iterdir()
            file.write_text(file.read_text().replace('"planned"', '"not-proved"'))
        else:
            with pending._connect() as connection, connection.writing():
                connection.execute("UPDATE pending_erase SET state = 'not-proved'")
        new = begin()
        pending.put(new)
        assert pending.list("/a/memory.db") == (old, new)

    def test_paths_that_are_no_text(self, pending):
        path = os.fsdecode(b"/x/\xff.db")
        pending.put(begin(path))
        assert [entry.store_path for entry in pending.list(path)] == [path]


class TestFiles:
    @pytest.fixture
    def files(self, tmp_path):
        return PendingFiles(tmp_path)

    def only(self, tmp_path) -> Path:
        (file,) = (tmp_path / "pending").iterdir()
        return file

    def test_private_and_named_by_a_digest(self, files, tmp_path):
        files.put(begin("/home/ada/secret-project/memory.db"))
        file = self.only(tmp_path)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert file.stat().st_nlink == 1
        assert "secret" not in file.name
        assert json.loads(file.read_text())["scheme"] == SCHEME

    def test_on_the_disk_before_put_returns(self, files, tmp_path, monkeypatch):
        synced = []
        fsync = os.fsync

        def watch(number: int) -> None:
            fsync(number)
            names = sorted(f.suffix for f in (tmp_path / "pending").iterdir())
            synced.append(("folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file", names))

        monkeypatch.setattr("os.fsync", watch)
        entry = begin()
        files.put(entry)
        assert synced == [("file", [".new"]), ("folder", [".json"])]
        synced.clear()
        files.put(replace(entry, state="later"))
        # The first try finds the name taken; then the new content takes its place.
        assert synced[-2:] == [("file", [".json", ".new"]), ("folder", [".json"])]
        synced.clear()
        files.remove(entry.id)
        assert synced == [("folder", [])]

    def test_a_full_disk_leaves_the_old_one(self, files, tmp_path, monkeypatch):
        entry = begin()
        files.put(entry)

        def full(_number: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("os.fsync", full)
        with pytest.raises(UserError, match=r"pending\.disk_full"):
            files.put(replace(entry, state="later"))
        with pytest.raises(UserError, match=r"pending\.disk_full"):
            files.put(begin("/b/memory.db"))
        monkeypatch.undo()
        assert files.list() == (entry,)
        assert [f.suffix for f in (tmp_path / "pending").iterdir()] == [".json"]

    def test_a_link_is_not_followed(self, files, tmp_path):
        entry = begin()
        files.put(entry)
        file = self.only(tmp_path)
        victim = tmp_path / "victim"
        file.rename(victim)
        before = victim.read_bytes()
        file.symlink_to(victim)
        for act in (lambda: files.put(replace(entry, state="x")), files.list):
            with pytest.raises(UserError, match=r"pending\.unreadable"):
                act()
        assert victim.read_bytes() == before

    def test_a_link_to_nowhere_is_not_overlooked(self, files, tmp_path):
        entry = begin()
        files.put(entry)
        file = self.only(tmp_path)
        file.unlink()
        file.symlink_to(tmp_path / "nowhere")
        with pytest.raises(UserError, match=r"pending\.unreadable"):
            files.list(entry.store_path)

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b"\xff", b'{"id": "x"}'])
    def test_a_damaged_note_is_never_skipped(self, files, tmp_path, content):
        files.put(begin())
        self.only(tmp_path).write_bytes(content)
        for act in (files.list, lambda: files.list("/a/memory.db"), lambda: files.put(begin())):
            with pytest.raises(UserError, match=r"pending\.unreadable"):
                act()

    def test_a_folder_that_is_a_file_is_refused(self, files, tmp_path):
        (tmp_path / "pending").write_text("")
        with pytest.raises(UserError, match=r"ledger\.folder"):
            files.put(begin())

    def test_without_hard_links(self, files, monkeypatch):
        def no_links(_from, _to):
            raise PermissionError

        monkeypatch.setattr("os.link", no_links)
        entry = begin()
        files.put(entry)
        files.put(replace(entry, state="x"))
        with pytest.raises(UserError, match=r"pending\.other"):
            files.put(begin())
        assert [e.state for e in files.list()] == ["x"]
