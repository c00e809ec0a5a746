# SPDX-License-Identifier: MIT
"""Who has a store open: by process id and program name, other people's too."""

import os
import subprocess
import sys

import pytest

from memory_gui.domain.changes import OpenBy
from memory_gui.engine import holders
from memory_gui.engine.connection import open_database
from memory_gui.engine.holders import family, open_by, open_by_each

KEY = "5eed" * 16


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_another_program_is_named(tmp_path, make, peer, journal):
    path = make(tmp_path / "a.db", KEY, journal)
    assert open_by([path]) == ()
    other = peer(path, KEY)
    other.do("SELECT count(*) FROM notes")
    assert open_by([path]) == (OpenBy(other.pid, "peer.py"),)
    assert open_by([path], excluding=[other.pid]) == ()
    other.close()
    assert open_by([path]) == ()


def test_a_program_that_has_only_the_log_open(tmp_path, make):
    path = make(tmp_path / "a.db", None, "wal")
    with open_database(path, None, write=False) as connection:
        connection.execute("SELECT count(*) FROM notes")

        code = (
            "import sys; f = open(sys.argv[1], 'rb'); print('ready', flush=True); sys.stdin.read()"
        )
        for suffix in ("-wal", "-shm"):
            with subprocess.Popen(
                [sys.executable, "-I", "-c", code, f"{path}{suffix}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            ) as tail:
                assert tail.stdout.readline() == b"ready\n"
                assert [one.pid for one in open_by([path])] == [tail.pid]


def test_this_process_counts_only_when_asked(tmp_path, make, key):
    path = make(tmp_path / "a.db", KEY)
    with open_database(path, key, write=False):
        assert open_by([path]) == ()
        assert [one.pid for one in open_by([path], excluding=())] == [os.getpid()]


def test_through_a_link_and_by_several_paths(tmp_path, make, peer):
    path, second = make(tmp_path / "a.db"), make(tmp_path / "b.db")
    link = tmp_path / "link.db"
    link.symlink_to(path)
    one, two = peer(path), peer(second)
    assert [each.pid for each in open_by([link])] == [one.pid]
    assert {each.pid for each in open_by([path, second])} == {one.pid, two.pid}
    assert open_by([tmp_path / "nowhere.db"]) == ()
    assert open_by([]) == ()


@pytest.mark.root
def test_root_sees_other_peoples_programs(make, peer, ordinary_user):
    path = make(ordinary_user.folder / "a.db", KEY, "delete")
    ordinary_user.give(ordinary_user.folder)
    other = peer(path, KEY, command=ordinary_user.command)
    assert open_by([path]) == (OpenBy(other.pid, "peer.py"),)


@pytest.mark.root
def test_an_ordinary_user_learns_of_roots_program_by_its_lock(make, peer, ordinary_user):
    """/proc/<pid>/fd is closed to them, but a WAL database is locked all the time it is open."""
    path = make(ordinary_user.folder / "a.db", KEY, "wal")
    ordinary_user.give(ordinary_user.folder)
    other = peer(path, KEY)
    other.do("SELECT count(*) FROM notes")
    ordinary_user.give(ordinary_user.folder)
    code = (
        "import sys; from pathlib import Path; from memory_gui.engine.holders import open_by\n"
        "print(open_by([Path(sys.argv[1])]))"
    )
    seen = ordinary_user.python(code, path).strip()
    assert seen == f"(OpenBy(pid={other.pid}, name='peer.py'),)"


def test_one_that_may_not_be_seen_is_a_question_mark(tmp_path, make):
    path = make(tmp_path / "a.db")
    status = path.stat()
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    identity = (status.st_dev, status.st_ino)
    table = (
        f"1: POSIX  ADVISORY  READ 0 {place} 128 128\n"
        f"1: -> POSIX  ADVISORY  WRITE 77 {place} 128 128\n"
        "2: FLOCK  ADVISORY  WRITE 5 00:01:3 0 EOF\n"
        "3: OFDLCK ADVISORY  READ -1 00:2a:9 0 EOF\n"
        "nonsense\n"
    )
    found = list(holders._lockers(frozenset({identity}), table))
    assert found == [(0, identity), (77, identity)]
    assert holders._name(0) == "?"


def test_each_database_has_its_own_holders(tmp_path, make, peer):
    one, two, none = (make(tmp_path / f"{name}.db", KEY, "wal") for name in "abc")
    first, both = peer(one, KEY), peer(one, KEY)
    also = peer(two, KEY)
    for other in (first, both, also):
        other.do("SELECT count(*) FROM notes")
    found = open_by_each([one, two, none, tmp_path / "nowhere.db"])
    assert [each.pid for each in found[one]] == sorted((first.pid, both.pid))
    assert [each.pid for each in found[two]] == [also.pid]
    assert found[none] == found[tmp_path / "nowhere.db"] == ()


def test_where_there_is_no_proc_psutil_tells(tmp_path, make, peer):
    path = make(tmp_path / "a.db")
    other = peer(path)
    other.do("SELECT count(*) FROM notes")
    wanted = frozenset(holders._identities([path]))
    assert [one.pid for one in holders._by_psutil(wanted, {os.getpid()})] == [other.pid]
    assert holders._by_psutil(wanted, {os.getpid(), other.pid}) == {}


def test_the_family_is_this_process_and_its_children(peer, tmp_path):
    other = peer(tmp_path / "a.db")
    members = family()
    assert {os.getpid(), other.pid} <= members
    assert os.getppid() not in members


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["/opt/agent/bin/agentao", "--serve"], "agentao"),
        (["-m", "agentao.cli"], "agentao.cli"),
        (["-I", "-u", "agent.py"], "agent.py"),
        (["-c", "print()"], ""),
        (["-m"], ""),
        ([], ""),
    ],
)
def test_the_name_of_a_script(words, name):
    assert holders._script(words) == name
