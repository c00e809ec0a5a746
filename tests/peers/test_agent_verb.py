# SPDX-License-Identifier: MIT
"""``memory-cli agent agentao``: Agentao's own prompt in a terminal, over two encrypted stores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import Record
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.registry import Registry, formats

from .talking import Model, Talk, calls

KEY = RawKey(bytes(range(80, 112)))
CLI = Path(sys.executable).with_name("memory-cli")


class Place:
    """A home and a project folder, each with an encrypted store."""

    def __init__(self, root: Path, agentao_python: Path) -> None:
        self.home, self.project = root / "home", root / "project"
        self.python = agentao_python
        self.files = {}
        for name, folder in (("project", self.project), ("user", self.home)):
            self.files[name] = folder / ".agentao" / "memory.db"
            self.files[name].parent.mkdir(parents=True)

    def fill(self) -> None:
        for file in self.files.values():
            create_store(file, KEY)

    def records(self, name: str, kind: str = "memory") -> list[Record]:
        registry = Registry(formats(self.home))
        store = registry.open(registry.locate(self.files[name]), KEY, Mode.LOOK)
        try:
            return [record for batch in store.scan([kind]) for record in batch]
        finally:
            store.close()

    def add(self, name: str, **fields: Any) -> None:
        registry = Registry(formats(self.home))
        store = registry.open(registry.locate(self.files[name]), KEY, Mode.CHANGE)
        store.add(NewRecord("memory", fields))
        store.close()

    def environment(self, url: str) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.home / "data"),
            "PATH": f"{self.python.parent}:{os.defpath}",
            "TERM": "xterm",
            "LANG": "C.UTF-8",
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": url,
            "OPENAI_MODEL": "m",
        }

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Without a terminal."""
        return subprocess.run(
            [CLI, "--no-keychain", *arguments],
            cwd=self.project,
            env={**self.environment("http://127.0.0.1:9"), **more},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            timeout=120,
        )


@pytest.fixture
def place(tmp_path: Path, agentao_python: Path) -> Place:
    return Place(tmp_path, agentao_python)


@pytest.fixture
def talk(place: Place) -> Iterator[Any]:
    """Start it with the key behind a descriptor and a model that answers as told."""
    started: list[Any] = []

    def start(turns: list[dict[str, Any]], *, given: bool = True) -> tuple[Talk, Model]:
        model = Model(turns)
        started.append(model)
        source, sink = os.pipe()
        os.write(sink, KEY.hex().encode())
        os.close(sink)
        key = ["--key-fd", str(source)] if given else []
        argv = [str(CLI), "--no-keychain", *key, "agent", "agentao"]
        running = Talk(argv, place.project, place.environment(model.url), [source])
        started.append(running)
        os.close(source)
        return running, model

    yield start
    for one in started:
        one.close()


def test_a_conversation(place: Place, talk: Any):
    """It lists what lies in both stores, is given it, saves into the right one, and ends."""
    place.fill()
    place.add("project", title="ferry times", text="The first ferry leaves at six", scope="project",
              type="decision")  # fmt: skip
    place.add("user", title="user_drink", text="Coffee without milk", scope="user")
    saving = calls(
        "save_memory", key="user_tea", value="Likes green tea", tags=["preference"], scope="user"
    )
    running, model = talk([saving, {"content": "I shall remember it."}])
    running.wait_for("Encrypted:")
    running.wait_for("workspace-write")
    running.type("/memory list")
    running.wait_for("Coffee without milk")
    running.type("I like green tea")
    running.wait_for("I shall remember it.")
    asked = json.dumps(model.asked[0])
    assert "The first ferry leaves at six" in asked
    assert "Coffee without milk" in asked
    running.type("/exit")
    assert running.end() == 0
    saved = {record.title: record for record in place.records("user")}
    assert saved["user_tea"].text == "Likes green tea"
    assert [record.title for record in place.records("project")] == ["ferry times"]
    for file in place.files.values():
        assert not file.read_bytes().startswith(b"SQLite format 3")
    assert KEY.hex() not in running.said
    leaks = [
        file
        for file in (place.home, place.project)
        for found in file.rglob("*")
        if found.is_file() and KEY.hex().encode() in found.read_bytes()
    ]
    assert leaks == []


def test_the_key_is_in_no_argument_no_environment_and_no_descriptor(place: Place, talk: Any):
    place.fill()
    running, _ = talk([])
    running.wait_for("workspace-write")
    (child,) = [
        int(name)
        for name in os.listdir("/proc")
        if name.isdigit() and f"\n{running.pid}\n" in parent_line(int(name))
    ]
    root = Path("/proc") / str(child)
    told = (root / "cmdline").read_bytes() + (root / "environ").read_bytes()
    assert b"start.py" in told
    assert KEY.hex().encode() not in told
    held = [os.readlink(root / "fd" / name) for name in os.listdir(root / "fd")]
    assert not [name for name in held if name.endswith("memory.db")]
    running.type("/exit")
    assert running.end() == 0


def parent_line(pid: int) -> str:
    try:
        stat = (Path("/proc") / str(pid) / "stat").read_text()
    except OSError:
        return ""
    return f"\n{stat.rpartition(')')[2].split()[1]}\n"


def test_without_a_keychain_a_person_is_asked_for_each_key(place: Place, talk: Any):
    place.fill()
    running, _ = talk([], given=False)
    for file in place.files.values():
        running.wait_for(f"passphrase for {file}")
        running.type(KEY.hex())
    running.wait_for("workspace-write")
    assert KEY.hex() not in running.said
    running.type("/exit")
    assert running.end() == 0


def test_stores_that_are_not_there_are_made_readable_and_said(place: Place, talk: Any):
    saving = calls("save_memory", key="first", value="Something", tags=[], scope="project")
    running, _ = talk([saving, {"content": "Done with it."}])
    running.wait_for("will be made readable")
    running.wait_for("workspace-write")
    running.type("note this")
    running.wait_for("Done with it.")
    running.type("/exit")
    assert running.end() == 0
    for file in place.files.values():
        assert file.read_bytes().startswith(b"SQLite format 3")
        assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["-p", "hello"], "agent.cannot"),
        (["--print=hello"], "agent.cannot"),
        (["--pri", "hello"], "agent.cannot"),
        (["run", "--prompt", "hello"], "agent.cannot"),
        (["--acp"], "agent.cannot"),
        (["--acp", "--stdio"], "agent.cannot"),
        (["doctor"], "agent.elsewhere"),
        (["--login"], "agent.elsewhere"),
        (["--version"], "agent.elsewhere"),
        (["--nonsense"], "agent.arguments"),
    ],
)
def test_what_cannot_be_redirected_is_named_and_refused(place: Place, arguments, code):
    place.fill()
    before = [file.read_bytes() for file in place.files.values()]
    done = place.run("--json", "agent", "agentao", *arguments)
    error = json.loads(done.stdout)["error"]
    assert error["code"] == code
    assert done.returncode == (2 if code == "agent.arguments" else 6)
    if arguments[0] == "run":
        assert "agentao run" in error["text"]
    assert [file.read_bytes() for file in place.files.values()] == before


def test_without_a_key_it_does_not_start(place: Place):
    place.fill()
    done = place.run("--json", "agent", "agentao")
    assert done.returncode == 3
    assert json.loads(done.stdout)["error"]["code"] == "key.needed"


def test_each_thing_that_is_missing_has_its_words(place: Place, tmp_path: Path):
    place.fill()
    cases = {
        "agent.unknown": ["agent", "somebody"],
        "agent.no_python": ["agent", "--python", str(tmp_path / "none"), "agentao"],
        "agent.not_there": ["agent", "--python", sys.executable, "agentao"],
    }
    for code, arguments in cases.items():
        done = place.run("--json", *arguments)
        assert json.loads(done.stdout)["error"]["code"] == code, done.stderr
    done = place.run("--json", "agent", "agentao", PATH=os.defpath)
    assert json.loads(done.stdout)["error"]["code"] == "agent.not_found"
