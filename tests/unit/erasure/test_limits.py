# SPDX-License-Identifier: MIT
"""Where overwriting in place is defeated, from /proc/self/mounts as Linux writes it."""

import re
from pathlib import Path

import pytest

from memory_gui.erasure.limits import Mount, file_system_limits, mount_of, read_mounts
from memory_gui.erasure.recipe import Case, recipe_for
from memory_gui.words.erasure import LIMITS, STATES, STEPS

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
    others = "".join(f.read_text("utf-8") for f in (PACKAGE / "services").glob("*.py"))
    limits = set(re.findall(r'"(limit\.[a-z_]+)"', own + others))
    assert limits == set(LIMITS)
    everything = Case("delete", ("own",), samples=True, new_key=True, side_files=True)
    steps = set(re.findall(r'tick\("([a-z-]+)"', own)) | {*recipe_for(everything).steps, "destroy"}
    assert steps == set(STEPS)
    assert set(STATES) == {"planned", "proved", "not-finished", "not-proved"}
