# SPDX-License-Identifier: MIT
"""After each erase of ours Chroma finds exactly what should be there, in its binary index too.

By soak: its environment is large. What holds without it stands in ``tests/contract``.
"""

from __future__ import annotations

import json
import random
import struct
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.records import Ref
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services

from .conftest import PEER, Judge, not_there

VERSION = "chroma-1.5.9"
DIMS = 8


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """Chroma in its own environment, for all tests here."""
    done = subprocess.run([PEER, VERSION], capture_output=True, text=True, check=False, timeout=600)
    not_there(done, VERSION)
    home = tmp_path_factory.mktemp("chroma-home")
    judge = Judge(Path(done.stdout.strip()), home, "chroma_judge.py")
    yield judge
    judge.close()


def vector_of(text: str) -> bytes:
    """The judge's vector of a text, as the index keeps it."""
    chance = random.Random(text)
    return struct.pack(f"<{DIMS}f", *(chance.uniform(-1, 1) for _ in range(DIMS)))


@pytest.mark.soak
@pytest.mark.parametrize("threshold", [6, 10, 1000], ids=["written", "half written", "in the log"])
@pytest.mark.parametrize("seed", range(3))
def test_after_an_erase_all_else_is_there_and_is_found(
    running: Judge, services: Services, tmp_path: Path, threshold: int, seed: int
) -> None:
    chance = random.Random(seed)
    folder = tmp_path / "chroma"
    memories: dict[str, dict[str, Any]] = {}
    for place in range(chance.randint(14, 24)):
        name = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        text = f"Saying no. {place} 银杏 {chance.random()}"
        memories[name] = {"data": text, "hash": f"{place:032x}", "user_id": "lin"}

    def opened() -> None:
        running("open", path=str(folder), collection="mem0", threshold=threshold)

    opened()
    for item in memories.items():
        running("insert", items=[item])
    first = next(iter(memories))
    memories[first] = {**memories[first], "data": "Another text in its place"}
    running("update", name=first, payload=memories[first])
    last = list(memories)[-1]
    running("close")
    assert any(folder.rglob("index_metadata.pickle")) == (threshold < 1000)
    (store,) = services.library.open(folder / "chroma.sqlite3")
    gone = {last, first, *chance.sample(list(memories), 3)}
    texts = [memories[name]["data"] for name in gone]
    refs = [Ref(store.id, "memory", (name,)) for name in gone]
    result = services.erasing.run(services.erasing.plans.plan(refs))
    assert result.state is EraseState.PROVED
    for path in folder.rglob("*"):
        raw = path.read_bytes() if path.is_file() else b""
        assert not any(text.encode() in raw for text in texts), path
        assert not any(json.dumps(text)[1:-1].encode() in raw for text in texts), path
        assert not any(vector_of(text) in raw for text in texts), path
    for name in gone:
        del memories[name]
    for _ in range(2):
        opened()
        assert running("all") == memories
        for name, payload in memories.items():
            assert running("nearest", text=payload["data"])[0] == name
        new = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        memories[new] = {"data": f"Added afterwards {new}", "hash": "x", "user_id": "lin"}
        running("insert", items=[(new, memories[new])])
        assert running("nearest", text=memories[new]["data"])[0] == new
        running("close")
    services.library.close(store.id)
