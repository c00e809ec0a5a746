# SPDX-License-Identifier: MIT
"""From a path to a store, and from a store to its partner."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.engine.create import create_database
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.generic.format import GenericFormat
from memory_gui.stores.pair import pair_of
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample
from memory_gui.stores.sight import Sight, see

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
    assert REGISTRY.locate(link).names == ()


def test_the_names_that_lead_to_a_store_are_known_as_long_as_the_app_runs(
    samples: Path, tmp_path: Path
) -> None:
    real = tmp_path / "real.db"
    shutil.copyfile(samples / "agentao/project-ginkgo/.agentao/memory.db", real)
    folder = tmp_path / "project/.agentao"
    folder.mkdir(parents=True)
    (folder / "memory.db").symlink_to(real)
    registry = Registry(formats(tmp_path / "home"))
    assert registry.locate(real).names == ()
    assert registry.locate(tmp_path / "project").names == (folder / "memory.db",)
    log = tmp_path / "project/agentao.log"
    log.write_text("a line")
    again = registry.locate(real)
    assert again.names == (folder / "memory.db",)
    assert [file.path for file in registry.side_files(again)] == [str(log)]


def test_a_link_in_the_home_folder_is_a_name_of_the_persons_store(
    samples: Path, tmp_path: Path
) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    shutil.copyfile(samples / "agentao/project-ginkgo/.agentao/memory.db", dotfiles / "memory.db")
    (dotfiles / "history").write_text("+a line")
    (tmp_path / "home").mkdir()
    (tmp_path / "home/.agentao").symlink_to(dotfiles)
    registry = Registry(formats(tmp_path / "home"))
    found = registry.side_files(registry.locate(dotfiles / "memory.db"))
    assert [Path(file.path).name for file in found] == ["history"]


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


BOTH = (
    "CREATE TABLE memory (user_id TEXT NOT NULL, kind TEXT NOT NULL, memory_key TEXT NOT NULL,"
    " value TEXT NOT NULL, source_session TEXT NOT NULL, revision INTEGER NOT NULL,"
    " PRIMARY KEY (user_id, kind, memory_key))"
)


class Sure(Format):
    """A format that knows a table, as sure as it is told to be."""

    kinds = ("row",)

    def __init__(self, name: str, table: str, confidence: Confidence) -> None:
        self.name = self.agent = name
        self._table = table
        self._confidence = confidence

    def probe(self, sight: Sight) -> Confidence:
        if sight.schema is None:
            return Confidence.MAYBE if sight.is_database else Confidence.NO
        return self._confidence if sight.schema.has(self._table) else Confidence.NO

    def open(self, location: Location, key: object, mode: Mode) -> Store:
        raise UserError("opened." + self.name, path=str(location.main))


class TestTwoCandidates:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        create_database(tmp_path / "any.db", None, "CREATE TABLE a (x); CREATE TABLE b (x);")
        return tmp_path / "any.db"

    def registry(self, recorded: str = "") -> Registry:
        sure = Confidence.CERTAIN
        known = (Sure("first", "a", sure), Sure("second", "b", sure), GenericFormat())
        return Registry(known, recorded=lambda _path: recorded)

    def test_a_person_is_asked(self, file: Path) -> None:
        registry = self.registry()
        with pytest.raises(UserError) as caught:
            registry.open(registry.locate(file), None, Mode.LOOK)
        assert caught.value.code == "store.two_formats"
        assert caught.value.params == {"path": str(file), "formats": "first, second"}

    def test_what_they_choose_holds(self, file: Path) -> None:
        registry = self.registry()
        registry.choose(file, "second")
        assert code(lambda: registry.open(registry.locate(file), None, Mode.LOOK)) == (
            "opened.second"
        )
        registry.choose(file, "sqlite")
        store = registry.open(registry.locate(file), None, Mode.LOOK)
        assert store.kinds == ("a", "b")
        store.close()
        assert code(lambda: registry.choose(file, "nonsense")) == "store.no_such_format"

    def test_what_it_was_before_is_not_asked_again(self, file: Path) -> None:
        registry = self.registry(recorded="first")
        assert code(lambda: registry.open(registry.locate(file), None, Mode.LOOK)) == "opened.first"

    def test_the_surer_one_is_taken(self, file: Path) -> None:
        known = (Sure("first", "a", Confidence.LIKELY), Sure("second", "b", Confidence.CERTAIN))
        registry = Registry(known)
        found = registry.candidates(see(registry.locate(file)))
        assert [one.format.name for one in found] == ["second", "first"]
        assert code(lambda: registry.open(registry.locate(file), None, Mode.LOOK)) == (
            "opened.second"
        )

    def test_an_encrypted_one_is_judged_by_its_schema_once_its_key_is_there(
        self, tmp_path: Path
    ) -> None:
        key = RawKey(bytes(range(32)))
        create_database(tmp_path / "any.db", key, "CREATE TABLE b (x);")
        registry = self.registry()
        location = registry.locate(tmp_path / "any.db")
        assert code(lambda: registry.open(location, None, Mode.LOOK)) == "key.needed"
        assert code(lambda: registry.open(location, RawKey(bytes(32)), Mode.LOOK)) == "key.wrong"
        assert code(lambda: registry.open(location, key, Mode.LOOK)) == "opened.second"

    def test_an_encrypted_one_of_nobody_is_looked_at_as_any(self, tmp_path: Path) -> None:
        key = RawKey(bytes(range(32)))
        create_database(tmp_path / "any.db", key, "CREATE TABLE cats (name);")
        location = REGISTRY.locate(tmp_path / "any.db")
        store = REGISTRY.open(location, key, Mode.LOOK)
        assert (store.format, store.kinds, store.info().encrypted) == ("sqlite", ("cats",), True)
        store.close()


def test_two_agents_in_one_folder_the_surer_one_or_a_question(tmp_path: Path) -> None:
    """A folder with a database of one agent and another's: which one is meant is asked."""
    make_sample(tmp_path, None)
    project = tmp_path / "ferryman"
    create_database(project / "research.db", None, "CREATE TABLE cats (name);")
    assert REGISTRY.locate(project).main.name == "memory.db", "the other one is nobody's"
    (project / "state").mkdir()
    create_database(project / "state/memory.sqlite3", None, f"{BOTH}; PRAGMA user_version = 1;")
    assert code(lambda: REGISTRY.locate(project)) == "store.two_formats"
    assert REGISTRY.choose(project, "persistent-memory").main.name == "memory.sqlite3"
    assert REGISTRY.locate(project).main.name == "memory.sqlite3"


def test_by_schema_whatever_the_name(samples: Path, tmp_path: Path) -> None:
    copy = tmp_path / "holiday pictures"
    copy.write_bytes((samples / "agentao/home/.agentao/memory.db").read_bytes())
    found = REGISTRY.probe(REGISTRY.locate(copy))
    assert found is not None
    assert (found[0].name, found[1]) == ("agentao", Confidence.CERTAIN)
