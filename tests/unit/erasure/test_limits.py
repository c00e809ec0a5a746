# SPDX-License-Identifier: MIT
"""Where overwriting in place is defeated, from /proc/self/mounts as Linux writes it."""

import json
import re
from pathlib import Path

import pytest

from memory_gui.erasure.filecuts import STEPS as FILE_STEPS
from memory_gui.erasure.limits import (
    Mount,
    file_system_limits,
    limits_of,
    mount_of,
    read_mounts,
)
from memory_gui.erasure.recipe import Case, recipe_for
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.erasure.syncing import Synced, sync_folder
from memory_gui.words import Words
from memory_gui.words.erasure import STATES, STEPS, state_text
from memory_gui.words.limits import LIMITS

PACKAGE = Path(__file__).parents[3] / "memory_gui"
TEXT = """\
rootfs / rootfs rw 0 0
/dev/sda1 / ext4 rw,relatime 0 0
/dev/sdb1 /home btrfs rw,subvol=/home 0 0
/dev/sdc1 /mnt/my\\040disk ext4 rw,data=journal 0 0
server:/x /srv nfs4 rw 0 0
me@host:/ /home/me/far fuse.sshfs rw 0 0
"""


@pytest.fixture
def mounts(tmp_path):
    (tmp_path / "mounts").write_text(TEXT, "utf-8")
    return read_mounts(tmp_path / "mounts")


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/var/x.db", None),
        ("/home/me/x.db", "limit.copy_on_write"),
        ("/homely/x.db", None),
        ("/mnt/my disk/x.db", "limit.data_journal"),
        ("/srv/a/x.db", "limit.network"),
        ("/home/me/far/x.db", "limit.network"),
    ],
)
def test_each_file_system(mounts, path, code):
    found = [limit.code for limit in file_system_limits(path, mounts)]
    assert found == ([code] if code else [])


def test_the_last_mount_on_a_point_counts():
    mounts = [Mount("/", "rootfs", frozenset()), Mount("/", "ext4", frozenset())]
    assert mount_of("/x", mounts).kind == "ext4"


def test_no_list_of_mounts_is_no_error(tmp_path):
    assert read_mounts(tmp_path / "none") == []


def test_every_code_of_the_source_has_words():
    own = "".join(f.read_text("utf-8") for f in (PACKAGE / "erasure").glob("*.py"))
    others = "".join(f.read_text("utf-8") for f in (PACKAGE / "services").rglob("*.py"))
    others += "".join(f.read_text("utf-8") for f in (PACKAGE / "stores").rglob("*.py"))
    limits = set(re.findall(r'"(limit\.[a-z0-9_]+)"', own + others))
    assert limits == set(LIMITS)
    everything = Case("delete", ("own",), samples=True, new_key=True, side_files=True)
    steps = set(re.findall(r'tick\("([a-z-]+)"', own)) | {*recipe_for(everything).steps, "destroy"}
    steps |= set(FILE_STEPS)
    assert steps == set(STEPS)
    assert set(STATES) == {"planned", "proved", "not-finished", "not-proved"}


@pytest.mark.parametrize(
    ("mark", "program"),
    [
        (".dropbox.cache/", "Dropbox"),
        (".stfolder/", "Syncthing"),
        (".sync_4f1c.db", "Nextcloud"),
        ("._sync_4f1c.db", "Nextcloud"),
        (".sync/ID", "Resilio Sync"),
        (".tmp.driveupload/", "Google Drive"),
    ],
)
def test_a_folder_that_a_program_copies_is_known_by_its_mark(tmp_path, mark, program):
    store = tmp_path / "work/atlas/.agentao/memory.db"
    store.parent.mkdir(parents=True)
    assert sync_folder(store, tmp_path / "home") is None
    left = tmp_path / "work" / mark
    left.parent.mkdir(exist_ok=True)
    left.mkdir() if mark.endswith("/") else left.touch()
    assert sync_folder(store, tmp_path / "home") == Synced(program, tmp_path / "work")


@pytest.mark.parametrize(
    ("folder", "program"),
    [
        ("OneDrive", "OneDrive"),
        ("OneDrive - Atlas", "OneDrive"),
        ("Library/Mobile Documents", "iCloud"),
        ("Library/CloudStorage/Box-Box", "Box"),
        ("OneDriver", None),
    ],
)
def test_or_by_its_name(tmp_path, folder, program):
    found = sync_folder(tmp_path / folder / "memory.db", tmp_path / "home")
    assert (found and found.program) == program


def test_or_by_what_dropbox_says_of_itself_but_not_by_its_settings(tmp_path):
    (tmp_path / ".dropbox").mkdir()
    mine = tmp_path / "My files"
    (tmp_path / ".dropbox/info.json").write_text(json.dumps({"personal": {"path": str(mine)}}))
    assert sync_folder(tmp_path / "else/memory.db", tmp_path) is None
    assert sync_folder(mine / "x/memory.db", tmp_path) == Synced("Dropbox", mine)


def test_there_a_readable_store_is_never_plainly_proved_gone(tmp_path):
    (tmp_path / ".stfolder").mkdir()
    path = str(tmp_path / "memory.db")
    for encrypted, new, out in ((False, False, True), (True, False, True), (True, True, False)):
        limits = limits_of([(path, encrypted, new)])
        result = EraseResult(EraseState.PROVED, (), limits)
        said = state_text(Words(), "proved", out_of_reach=result.out_of_reach)
        assert ("limit.sync_folder" in {one.code for one in limits}) is out
        assert (said == STATES["proved"]) is not out
