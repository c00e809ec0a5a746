# SPDX-License-Identifier: MIT
"""From a path to a store, and from a store to its partner."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.stores.contract import Location, Mode
from memory_gui.stores.pair import pair_of
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample

REGISTRY = Registry(formats(None))


def code(act: object) -> str:
    with pytest.raises(UserError) as caught:
        act()  # type: ignore[operator]
    return caught.value.code


@pytest.mark.parametrize("below", ["", ".agentao", ".agentao/memory.db"])
def test_file_folder_and_the_agents_folder(samples: Path, below: str) -> None:
    project = samples / "agentao" / "project-ginkgo"
    assert REGISTRY.locate(project / below).main == (project / ".agentao/memory.db").resolve()


def test_a_text_with_a_tilde(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(samples / "agentao" / "home"))
    assert REGISTRY.locate("~").main.parent.parent.name == "home"


def test_a_link_is_resolved_once(samples: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(samples / "agentao" / "project-ginkgo")
    assert REGISTRY.locate(link).main == REGISTRY.locate(link.resolve()).main


def test_nothing_there(tmp_path: Path) -> None:
    assert code(lambda: REGISTRY.locate(tmp_path / "nothing")) == "store.missing"
    assert code(lambda: REGISTRY.locate(tmp_path)) == "store.is_folder"
    assert code(lambda: REGISTRY.locate("a\0b")) == "store.missing"
    assert code(lambda: REGISTRY.locate("~nobody-of-this-name/x")) == "store.missing"


def test_a_loop_of_links(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert code(lambda: REGISTRY.locate(tmp_path / "a")) == "store.missing"


def test_probing_opens_nothing(samples: Path) -> None:
    project = REGISTRY.locate(samples / "agentao" / "project-ginkgo")
    probed = REGISTRY.probe(project)
    assert probed is not None
    assert (probed[0].name, probed[1]) == ("agentao", Confidence.CERTAIN)
    assert not project.main.with_name("memory.db-shm").exists()
    old = REGISTRY.probe(REGISTRY.locate(samples / "agentao-0.2.5"))
    assert old is not None
    assert old[0].name == "agentao-json"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "store.empty_file"),
        (b"hello, I am a text file\n" * 40, "store.not_a_database"),
        (b"SQLite format 3\0" + b"\xff" * 500, "store.cut_off"),
    ],
)
def test_what_is_no_store_says_why(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "some.db"
    path.write_bytes(content)
    assert code(lambda: REGISTRY.open(Location((path,)), None, Mode.LOOK)) == expected
    assert path.read_bytes() == content


def test_keys(tmp_path: Path) -> None:
    key = RawKey(bytes(range(32)))
    location = make_sample(tmp_path, key)
    assert code(lambda: REGISTRY.open(location, None, Mode.LOOK)) == "key.needed"
    wrong = RawKey(bytes(32))
    assert code(lambda: REGISTRY.open(location, wrong, Mode.LOOK)) == "key.wrong"
    REGISTRY.open(location, key, Mode.LOOK).close()


def test_the_pair(tmp_path: Path) -> None:
    location = make_sample(tmp_path, None)
    home = tmp_path / HOME
    other = pair_of(location, home)
    assert other is not None
    assert other.main == (home / ".agentao" / "memory.db").resolve()
    assert pair_of(other, home) is None, "a user database belongs to every project"
    assert pair_of(location, tmp_path / "nobody") is None


def test_a_copy_elsewhere_has_no_partner(tmp_path: Path) -> None:
    location = make_sample(tmp_path, None)
    copy = tmp_path / "copy.db"
    copy.write_bytes(location.main.read_bytes())
    assert pair_of(Location((copy,)), tmp_path / HOME) is None


def test_probing_an_open_database_keeps_its_locks(tmp_path: Path) -> None:
    """Also under a name that makes the JSON format look: closing a descriptor would drop them."""
    location = make_sample(tmp_path, None)
    named = tmp_path / "memory.json"
    named.write_bytes(location.main.read_bytes())
    # A rollback journal: there the locks lie on the database file itself.
    switch = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA journal_mode=DELETE')"
    )
    subprocess.run([sys.executable, "-I", "-c", switch, str(named)], check=True)
    where = Location((named.resolve(),))
    store = REGISTRY.open(where, None, Mode.CHANGE)
    write = (
        "import sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], timeout=0)\n"
        "c.execute('BEGIN IMMEDIATE')\n"
    )
    with store._connection.writing():  # type: ignore[attr-defined]
        REGISTRY.probe(where)
        done = subprocess.run(
            [sys.executable, "-I", "-c", write, str(named)], capture_output=True, check=False
        )
        assert b"locked" in done.stderr
    store.close()
