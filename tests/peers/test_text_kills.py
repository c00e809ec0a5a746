# SPDX-License-Identifier: MIT
"""Killed at any moment of rewriting a text file: its agent reads the old state, or the new one.

A process of ours changes one record again and again and says so each time; it is ended by SIGKILL
after a time of chance. Then the agent's own judge reads the file: what was said to be done last, or
the one change that was under way, and never anything else. The long form kills far more often.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from graph_server import GraphServer, start_file

from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.notes.format import NotesFormat
from memory_gui.stores.formats.server_memory.format import GraphFormat

KILLS = int(os.environ.get("MEMORY_GUI_TEXT_KILLS", "3"))
MANY = 3_000
"""Entities, or notes: half a megabyte, which is written anew at each change."""
JUDGE = Path(__file__).parent / "harness_judge.py"
WRITER = """
import sys
from pathlib import Path
from memory_gui.domain.changes import Edit, Target
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.notes.format import NotesFormat
from memory_gui.stores.formats.server_memory.format import GraphFormat

format_ = {"notes": NotesFormat, "graph": GraphFormat}[sys.argv[1]]()
store = format_.open(Location((Path(sys.argv[2]),)), None, Mode.CHANGE)
number = int(sys.argv[3])
ref = next(r.ref for some in store.scan() for r in some if r.text == f"state {number}")
print(f"{number}", flush=True)
while True:
    number += 1
    ref = [*(done := store.apply(Edit(Target(ref), {"text": f"state {number}"}))).added,
           *done.changed][0]
    print(f"{number}", flush=True)
"""


def killed_at_chance(name: str, path: Path, number: int, chance: random.Random) -> int:
    """Change again and again from a state on; the last state that was said to be written."""
    child = subprocess.Popen(
        [sys.executable, "-I", "-c", WRITER, name, str(path), str(number)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    last = int(child.stdout.readline())
    time.sleep(chance.uniform(0, 0.15))
    child.send_signal(signal.SIGKILL)
    said = [int(line) for line in child.stdout if line.endswith("\n") and line.strip()]
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    return said[-1] if said else last


def survives(name: str, path: Path, folder: Path, read: Callable[[], int]) -> None:
    """Kill it again and again; how often the change under way was not made, or was."""
    chance, number = random.Random(7), 0
    came = {"old": 0, "new": 0, "left beside": 0}
    for _ in range(KILLS):
        said = killed_at_chance(name, path, number, chance)
        number = read()
        assert number in (said, said + 1)
        came["new" if number > said else "old"] += 1
        beside = {entry.name for entry in folder.iterdir()} - {"memory.jsonl", "project.md"}
        came["left beside"] += bool(beside)
        for format_ in (NotesFormat() if name == "notes" else GraphFormat(),):
            format_.open(Location((path,)), None, Mode.CHANGE).close()
        left = {entry.name for entry in folder.iterdir()} - {"memory.jsonl", "project.md"}
        assert not left, "what a kill left is put away when the store is opened next"
    sys.stdout.write(f"{KILLS} kills, {name}: {came}\n")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphServer]:
    running = GraphServer(start_file(), tmp_path_factory.mktemp("graph") / "memory.jsonl")
    yield running
    running.close()


def test_a_graph(server: GraphServer) -> None:
    part = {"type": "entity", "entityType": "part", "observations": ["x" * 99]}
    lines = [{**part, "name": f"Part {n} 部件"} for n in range(MANY)]
    lines[MANY // 2]["observations"] = ["state 0"]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    server.path.write_text(text, encoding="utf-8")

    def read() -> int:
        entities = server.graph()["entities"]
        assert len(entities) == MANY
        (said,) = entities[MANY // 2]["observations"]
        return int(said.removeprefix("state "))

    survives("graph", server.path.resolve(), server.path.parent, read)


def test_notes(tmp_path: Path) -> None:
    path = tmp_path / "project.md"
    notes = [f"note {n} {'附加' * 20}" for n in range(MANY)]
    notes[MANY // 2] = "state 0"
    path.write_text("\n\n".join(notes) + "\n", encoding="utf-8")

    def read() -> int:
        done = subprocess.run(
            [sys.executable, "-I", JUDGE, "read", path], capture_output=True, text=True, check=True
        )
        seen = json.loads(done.stdout).split("\n\n")
        assert [*seen[: MANY // 2], *seen[MANY // 2 + 1 :]] == [
            *notes[: MANY // 2],
            *notes[MANY // 2 + 1 :],
        ]
        return int(seen[MANY // 2].removeprefix("state "))

    survives("notes", tmp_path.resolve(), tmp_path, read)
