# SPDX-License-Identifier: MIT
"""What is found in a planted home and below a folder, and that hostile names cost nothing."""

from __future__ import annotations

import os
import pickle
import shutil
import socket
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))
from planted import EXPECTED_PROJECT, EXPECTED_USUAL, make_databases, plant

from memory_gui.domain.errors import Cancelled
from memory_gui.domain.keys import RawKey
from memory_gui.stores.discovery import walk
from memory_gui.stores.discovery.places import Surroundings, agents, expand, there
from memory_gui.stores.discovery.search import Found, Search
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.formats.agentao_json.format import AgentaoJsonFormat
from memory_gui.stores.formats.server_memory.format import GraphFormat
from memory_gui.stores.registry import formats
from memory_gui.words import Words
from memory_gui.words.discovery import state, why_not

ADAPTERS = {
    *("agentao", "agentao-json", "persistent-memory", "facts", "notes", "mcp-server-memory"),
    *("mem0", "letta"),
}


def search(home: Path, check=lambda: None, **environment: str) -> Search:
    around = Surroundings(home, "linux", environment)
    return Search(formats(home), agents("linux"), around, check)


def named(found: list[Found], folder: Path) -> set[tuple[str, str]]:
    return {(one.format, str(one.path.relative_to(folder))) for one in found}


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return plant(tmp_path_factory.mktemp("planted").resolve())


def tree(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(file): (file.lstat().st_size, file.lstat().st_mtime_ns)
        for file in sorted(folder.rglob("*"))
    }


class TestAPlantedHome:
    def test_every_agent_is_found_by_its_place_and_nothing_is_touched(self, planted):
        home, _ = planted
        before = tree(home)
        found = list(search(home).usual())
        assert named(found, home) == EXPECTED_USUAL
        assert all(one.opens == (one.format in ADAPTERS) for one in found)
        assert {one.encrypted for one in found} == {False}
        assert all(one.usual and not one.problem for one in found)
        assert tree(home) == before

    def test_below_a_folder_by_what_is_in_the_files(self, planted):
        _, work = planted
        before = tree(work)
        one = search(work / "nobody")
        assert named(list(one.below([work])), work) == EXPECTED_PROJECT
        assert one.walked.limits == []
        assert tree(work) == before

    def test_another_persons_home_below_a_folder(self, planted):
        home, _ = planted
        found = named(list(search(home / "nobody").below([home])), home)
        hidden = {(name, path) for name, path in EXPECTED_USUAL if path.startswith(".")}
        assert found == {*hidden, ("basic-memory", "basic-memory")}

    def test_each_store_once_however_often_it_is_met(self, planted):
        home, _ = planted
        one = search(home)
        first = list(one.usual())
        assert first
        assert list(one.usual()) == []
        assert [f for f in one.below([home, home]) if f.path in {g.path for g in first}] == []


class TestPlaces:
    @pytest.mark.parametrize(
        ("variable", "format_", "below"),
        [
            ("MEM0_DIR", "mem0", "history.db"),
            ("HERMES_HOME", "hermes", "state.db"),
            ("CLAUDE_MEM_DATA_DIR", "claude-mem", "claude-mem.db"),
        ],
    )
    def test_a_variable_moves_a_place(self, tmp_path, variable, format_, below):
        make_databases({str(tmp_path / "else" / below): ["CREATE TABLE t (x)"]})
        found = list(search(tmp_path / "home", **{variable: str(tmp_path / "else")}).usual())
        assert named(found, tmp_path) == {(format_, f"else/{below}")}

    def test_where_it_would_be_without_the_variable_is_looked_at_too(self, tmp_path):
        """A variable that is set here need not have been where the agent ran."""
        home, other = tmp_path / "home", tmp_path / "else"
        make_databases(
            {f"{one}/state.db": ["CREATE TABLE t (x)"] for one in (home / ".hermes", other)}
        )
        found = list(search(home, HERMES_HOME=str(other)).usual())
        assert named(found, tmp_path) == {
            ("hermes", "else/state.db"),
            ("hermes", "home/.hermes/state.db"),
        }

    def test_the_local_backend_of_letta_moves(self, tmp_path):
        (tmp_path / "else/memfs/a/memory").mkdir(parents=True)
        (tmp_path / "else/memfs/a/memory/MEMORY.md").write_text("x")
        found = search(tmp_path, LETTA_LOCAL_BACKEND_DIR=str(tmp_path / "else")).usual()
        assert named(list(found), tmp_path) == {("letta-code", "else/memfs/a/memory")}

    @pytest.mark.parametrize("given", ["abs", "~/g.jsonl"])
    def test_a_file_that_a_variable_names(self, tmp_path, given):
        (tmp_path / "g.jsonl").write_text(
            '{"type":"entity","name":"A","entityType":"p","observations":[]}'
        )
        value = str(tmp_path / "g.jsonl") if given == "abs" else given
        (found,) = search(tmp_path, MEMORY_FILE_PATH=value).usual()
        assert (found.format, found.opens, found.path.name) == (
            "mcp-server-memory",
            True,
            "g.jsonl",
        )

    def test_a_relative_one_lies_beside_the_server(self, tmp_path):
        dist = tmp_path / ".npm/_npx/abc/node_modules/@modelcontextprotocol/server-memory/dist"
        dist.mkdir(parents=True)
        (dist / "mine.jsonl").write_text(
            '{"type":"entity","name":"A","entityType":"p","observations":[]}'
        )
        (found,) = search(tmp_path, MEMORY_FILE_PATH="mine.jsonl").usual()
        assert found.path == dist / "mine.jsonl"

    def test_without_its_variable_a_place_is_none(self):
        around = Surroundings(Path("/home/ann"), "linux", {})
        assert expand("{DATA_DIR:}/webui.db", around) == ""
        assert expand("{MEM0_DIR:~/.mem0}/history.db", around) == "/home/ann/.mem0/history.db"
        assert expand("{data}/x", around) == "/home/ann/.local/share/x"
        assert expand("~nobody/x", around) == ""

    @pytest.mark.parametrize("system", ["linux", "macos", "windows"])
    def test_every_place_of_every_system_can_be_read(self, system):
        around = Surroundings(Path("/home/ann"), system, {})
        known = agents(system)
        assert len({one.format for one in known}) == len(known)
        for agent in known:
            for place in agent.places:
                path = expand(place, around)
                assert path == "" or "{" not in path
                assert ".." not in path
            assert all(not place.startswith("/") for place in agent.project)

    def test_every_adapter_of_ours_is_in_the_list(self):
        ours = {one.name: one.agent for one in formats(None) if not one.fallback}
        listed = {one.format: one.agent for one in agents("linux")}
        assert {name: listed.get(name) for name in ours} == ours

    def test_a_star_has_an_end(self, tmp_path, monkeypatch):
        for number in range(30):
            (tmp_path / f"d{number}").mkdir()
        monkeypatch.setattr("memory_gui.stores.discovery.places.MOST_IN_A_STAR", 10)
        assert len(list(there(f"{tmp_path}/*"))) == 10


class TestWhatItIs:
    def test_encrypted_is_told_by_the_head(self, tmp_path):
        (tmp_path / ".agentao").mkdir()
        create_store(tmp_path / ".agentao/memory.db", RawKey(bytes(range(32))))
        (found,) = search(tmp_path).usual()
        assert (found.format, found.encrypted, found.opens) == ("agentao", True, True)

    def test_by_schema_and_not_by_name(self, tmp_path):
        """A file of the right name with other tables is nobody's; below a folder it is left out."""
        make_databases({str(tmp_path / "research.db"): ["CREATE TABLE cats (name)"]})
        assert list(search(tmp_path / "nobody").below([tmp_path])) == []

    def test_one_that_cannot_be_read_is_named_with_the_reason(self, tmp_path):
        (tmp_path / ".mem0").mkdir()
        (tmp_path / ".mem0/history.db").write_bytes(b"")
        os.mkfifo(tmp_path / ".mem0/vector_store.db")
        found = {one.path.name: one for one in search(tmp_path).usual()}
        assert found["history.db"].problem == "store.empty_file"
        assert found["vector_store.db"].problem == "store.not_a_file"
        assert not any(one.opens for one in found.values())

    def test_a_damaged_database_at_its_place(self, tmp_path):
        (tmp_path / ".agentao").mkdir()
        head = b"SQLite format 3\0" + bytes([16, 0, 1, 1, 0, 64, 32, 32]) + b"\xff" * 4072
        (tmp_path / ".agentao/memory.db").write_bytes(head)
        (found,) = search(tmp_path).usual()
        assert found.format == "agentao", "its place is its own: opening it says what is wrong"

    def test_a_folder_of_texts_that_any_program_may_have_made(self, tmp_path):
        """Of Anthropic's memory tool only the folder's name is known; its files are texts."""
        for name, data in (
            ("lin/memories/user.md", b"Ann"), ("lin/memories/tools/editor.md", b"Helix"),
            ("deep/memories/a/b.txt", b"x"),
            ("other/memories/MEMORY.md", b"of another agent"),
            ("photos/memories/1.jpg", b"\xff\xd8\0"),
            ("none/memories/.hidden", b"x"),
        ):  # fmt: skip
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(data)
        found = list(search(tmp_path / "nobody").below([tmp_path]))
        assert named(found, tmp_path) == {
            ("anthropic-memory-tool", "lin/memories"),
            ("anthropic-memory-tool", "deep/memories"),
        }
        assert not any(one.opens for one in found)

    def test_vector_stores_are_mem0s_where_what_is_in_them_says_so(self, tmp_path):
        """Each store once: by its history where that is there, else by the file with its texts."""
        data = Path(__file__).parents[3] / "data/mem0"
        for name in ("chroma", "faiss", "tmp-qdrant"):
            shutil.copytree(data / name, tmp_path / "alone" / name)
        shutil.copytree(data / "home/.mem0", tmp_path / "whole")
        shutil.copytree(data / "tmp-qdrant", tmp_path / "whole/qdrant")
        (tmp_path / "old").mkdir()
        shutil.copy(data / "faiss/mem0.faiss", tmp_path / "old")
        (tmp_path / "old/mem0.pkl").write_bytes(pickle.dumps(({}, {})))
        (tmp_path / "mem0.json").write_text("{}")
        points = ["CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)"]
        make_databases({f"{tmp_path}/alone/tmp-qdrant/collection/docs/storage.sqlite": points})
        found = list(search(tmp_path / "nobody").below([tmp_path]))
        assert named(found, tmp_path) == {
            ("mem0", "alone/chroma/chroma.sqlite3"),
            ("mem0", "alone/faiss/mem0.json"),
            ("mem0", "alone/tmp-qdrant/collection/mem0/storage.sqlite"),
            ("qdrant-local", "alone/tmp-qdrant/collection/docs/storage.sqlite"),
            ("mem0", "old/mem0.pkl"),
            ("mem0", "whole/history.db"),
        }
        assert all(one.opens == (one.format == "mem0") for one in found)

    @pytest.mark.parametrize("below", [False, True])
    def test_one_that_is_too_large_to_be_read_is_not_called_openable(
        self, tmp_path, monkeypatch, below
    ):
        file = tmp_path / ("memory.jsonl" if below else ".agentao/memory.json")
        file.parent.mkdir(exist_ok=True)
        graph = b'{"type":"entity","name":"A","entityType":"p","observations":[]}'
        begin = graph if below else b'{"memories": []}'
        file.write_bytes(begin + b"\n" * 2_000)
        for one in (GraphFormat, AgentaoJsonFormat):
            assert one.most_bytes == 64 << 20
            monkeypatch.setattr(one, "most_bytes", 1_000)
        one = search(tmp_path / "nobody" if below else tmp_path)
        (found,) = list(one.below([tmp_path]) if below else one.usual())
        assert (found.opens, found.problem) == (False, "store.too_big")
        say = state(Words(), opens=found.opens, encrypted=found.encrypted, problem=found.problem)
        assert say == "too large to be opened"
        assert "read as a whole" in why_not(Words(), found.problem, str(file))


class TestHostile:
    def test_pipes_sockets_loops_and_links_out(self, tmp_path):
        root, outside = tmp_path / "root", tmp_path / "outside"
        (outside / ".agentao").mkdir(parents=True)
        create_store(outside / ".agentao/memory.db", None)
        root.mkdir()
        os.mkfifo(root / "research.db")
        server = socket.socket(socket.AF_UNIX)
        here = Path.cwd()
        os.chdir(root)  # a socket's name must be short
        server.bind("memory.jsonl")
        os.chdir(here)
        (root / "loop").symlink_to(root)
        (root / "out").symlink_to(outside)
        (root / ".agentao").symlink_to(outside / ".agentao")
        (root / "state").mkdir()
        (root / "state/memory.sqlite3").symlink_to(outside / ".agentao/memory.db")
        started = time.monotonic()
        assert list(search(tmp_path / "nobody").below([root])) == []
        assert time.monotonic() - started < 60  # it waits for nobody who never writes
        server.close()

    def test_names_with_control_characters(self, tmp_path):
        folder = tmp_path / "a\x1b[2J\nb\u202e"
        make_databases(
            {
                str(folder / "fa\x07cts.db"): [
                    "CREATE TABLE facts (subject, fact, source, created, UNIQUE(subject, fact))"
                ]
            }
        )
        (found,) = search(tmp_path / "nobody").below([tmp_path])
        assert found.path.name == "fa\x07cts.db"

    def test_a_name_that_is_no_text(self, tmp_path):
        raw = os.fsencode(tmp_path) + b"/\xff\xfe.db"
        Path(os.fsdecode(raw)).write_bytes(b"x" * 600)
        assert list(search(tmp_path / "nobody").below([tmp_path])) == []

    def test_very_many_files_end(self, tmp_path, monkeypatch):
        for number in range(3_000):
            (tmp_path / f"f{number}").touch()
        monkeypatch.setattr(walk, "MOST_NAMES", 1_000)
        one = search(tmp_path / "nobody")
        assert list(one.below([tmp_path])) == []
        assert one.walked.limits == ["names"]
        assert one.walked.names <= 1_001

    def test_time_folders_and_depth_end(self, tmp_path, monkeypatch):
        (tmp_path / "a/b/c/d/e/f/g/h").mkdir(parents=True)
        one = search(tmp_path / "nobody")
        list(one.below([tmp_path]))
        assert one.walked.limits == ["depth"]
        monkeypatch.setattr(walk, "MOST_FOLDERS", 2)
        one = search(tmp_path / "nobody")
        list(one.below([tmp_path]))
        assert one.walked.limits == ["folders"]
        monkeypatch.setattr(walk, "PATIENCE_S", -1)
        one = search(tmp_path / "nobody")
        list(one.below([tmp_path]))
        assert one.walked.limits == ["time"]

    def test_what_tools_make_is_passed_over_and_what_is_far_too(self, tmp_path, monkeypatch):
        for name in ("node_modules/a", "venv/a", "far/a"):
            (tmp_path / name / ".agentao").mkdir(parents=True)
            create_store(tmp_path / name / ".agentao/memory.db", None)
        monkeypatch.setattr(walk, "far_mounts", lambda: frozenset({str(tmp_path / "far")}))
        assert list(search(tmp_path / "nobody").below([tmp_path])) == []

    def test_a_folder_that_may_not_be_read_is_counted(self, tmp_path, monkeypatch):
        (tmp_path / "shut").mkdir()
        real = os.scandir

        def scandir(path):
            if str(path).endswith("shut"):
                raise PermissionError(path)
            return real(path)

        monkeypatch.setattr(walk.os, "scandir", scandir)
        one = search(tmp_path / "nobody")
        assert list(one.below([tmp_path])) == []
        assert one.walked.unreadable == 1

    def test_it_stops_when_it_is_asked(self, planted):
        home, _ = planted

        def stop() -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            list(search(home, stop).usual())
        with pytest.raises(Cancelled):
            list(search(home, stop).below([home]))
