# SPDX-License-Identifier: MIT
"""After each erase of ours Mem0's own storage finds exactly what should be there, and goes on."""

from __future__ import annotations

import random
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services

from .conftest import PEER, Judge, JudgeError, not_there

VERSION = "mem0-2.2.1"
SAYINGS = (
    "Prefers concise answers, conclusion first",
    "喜欢简洁的回答，先给结论，再给理由。",
    "Allergic to peanuts 🥜, “always”",
    "Lives in Vienna, third floor",
    'Said "never\\again"\nand left',
    "Works on Ginkgo 银杏 until June",
)
NAMES = ("Dr. Example-Person", "Ginkgo project team", "小满小满小满")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """Mem0 in its own environment, for all tests here."""
    done = subprocess.run([PEER, VERSION], capture_output=True, text=True, check=False, timeout=240)
    not_there(done, VERSION)
    home = tmp_path_factory.mktemp("mem0-home")
    judge = Judge(Path(done.stdout.strip()), home, "mem0_judge.py")
    yield judge
    judge.close()


@pytest.fixture
def judge(running: Judge) -> Iterator[Judge]:
    """With everything closed afterwards."""
    yield running
    running("close")


class Bench:
    """One store of Mem0, made by itself."""

    def __init__(self, judge: Judge, folder: Path, kind: str, chance: random.Random) -> None:
        self.judge, self.kind, self.chance = judge, kind, chance
        self.history = folder / "history.db"
        self.vectors = folder / "vectors"
        folder.mkdir(parents=True, exist_ok=True)
        self.memories: dict[str, dict[str, Any]] = {}
        self.entities: dict[str, dict[str, Any]] = {}

    def open(self, collection: str) -> None:
        self.judge(f"open_{self.kind}", path=str(self.vectors), collection=collection)
        self.judge("open_history", path=str(self.history))

    def fill(self, number: int) -> None:
        """Memories with history and talks, some of them changed or deleted; names that link."""
        self.open("mem0")
        new = []
        for place in range(number):
            name = self._id()
            text = f"{SAYINGS[place % len(SAYINGS)]} no. {place}, {self.chance.random()}"
            talk = f"session-{place % 3}"
            payload = {"data": text, "hash": f"{place:032x}", "user_id": "lin", "run_id": talk}
            payload |= {"text_lemmatized": text.lower(), "topic": ["work", "健康"][place % 2]}
            payload |= {"created_at": f"2026-11-{1 + place % 28:02}T08:00:00+00:00"}
            self.memories[name] = payload
            new.append((name, payload))
            event = {"memory_id": name, "old_memory": None, "new_memory": text, "event": "ADD"}
            self.judge("remember", events=[{**event, "created_at": payload["created_at"]}])
            said = [{"role": "user", "content": f"talk {place}: {text[::-1]}"}]
            self.judge("say", messages=said, scope=f"run_id={talk}&user_id=lin")
        self.judge("insert", items=new)
        self.open("mem0_entities")
        linked = list(self.memories)
        for place, text in enumerate(NAMES):
            links = linked[place : place + 3]
            payload = {"data": text, "entity_type": "PERSON", "linked_memory_ids": links}
            self.entities[self._id()] = payload | {"user_id": "lin"}
        self.judge("insert", items=list(self.entities.items()))
        self.judge("close")

    def delete(self, name: str) -> None:
        """As Memory.delete does in a process that has not opened its entities."""
        self.open("mem0")
        text = self.memories.pop(name)["data"]
        self.judge("delete", name=name)
        event = {"memory_id": name, "old_memory": text, "new_memory": None, "event": "DELETE"}
        self.judge("remember", events=[{**event, "is_deleted": 1}])
        self.judge("close")

    def all(self, collection: str) -> Any:
        self.open(collection)
        found = self.judge("all")
        self.judge("close")
        return found

    def nearest(self) -> dict[str, Any]:
        """By memory, what a search for its text finds first."""
        self.open("mem0")
        found = {n: self.judge("nearest", text=p["data"])[0] for n, p in self.memories.items()}
        self.judge("close")
        return found

    def _id(self) -> str:
        return str(uuid.UUID(int=self.chance.getrandbits(128), version=4))


def records_of(services: Services, store: StoreId) -> list[Record]:
    """All of ours."""
    shelf = services.library.shelf(store)
    return shelf.screen(lambda one: [record for some in one.scan() for record in some])


@pytest.mark.parametrize("kind", ["qdrant", "faiss"])
def test_after_an_erase_all_else_is_there_and_is_found(
    judge: Judge, services: Services, tmp_path: Path, kind: str
) -> None:
    round_(judge, services, tmp_path, kind, 7)


def round_(judge: Judge, services: Services, tmp_path: Path, kind: str, seed: int) -> None:
    """Filled and deleted by Mem0, erased by us, read and written by Mem0."""
    chance = random.Random(seed)
    bench = Bench(judge, tmp_path / f"{kind}-{seed}", kind, chance)
    bench.fill(chance.randint(8, 14))
    left = chance.choice(list(bench.memories)[3:])
    bench.delete(left)
    (opened,) = services.library.open(bench.history)
    records = [r for r in records_of(services, opened.id) if r.kind == "memory"]
    assert {r.ref.key[0]: r.text for r in records if r.state is State.LIVE} == {
        name: payload["data"] for name, payload in bench.memories.items()
    }
    assert [r.ref.key[0] for r in records if r.state is State.TRASH] == [left]
    gone = {left, next(iter(bench.memories)), *chance.sample(list(bench.memories), 2)}
    refs = [Ref(opened.id, "memory", (name,)) for name in gone]
    result = services.erasing.run(services.erasing.plans.plan(refs))
    assert result.state is EraseState.PROVED
    for name in gone - {left}:
        del bench.memories[name]
    assert bench.all("mem0") == bench.memories
    assert bench.nearest() == {name: name for name in bench.memories}
    entities = {
        name: {**payload, "linked_memory_ids": links}
        for name, payload in bench.entities.items()
        if (links := [one for one in payload["linked_memory_ids"] if one not in gone])
    }
    assert bench.all("mem0_entities") == entities
    bench.open("mem0")
    assert not any(judge("past", name=name) for name in gone)
    assert all(len(judge("past", name=name)) == 1 for name in bench.memories)
    more = {"data": "Added afterwards, 之后", "hash": "x", "user_id": "lin"}
    judge("insert", items=[("0fedcba9-0000-4000-8000-000000000001", more)])
    judge("close")
    bench.memories["0fedcba9-0000-4000-8000-000000000001"] = more
    assert bench.all("mem0") == bench.memories
    assert bench.nearest() == {name: name for name in bench.memories}
    services.library.poll()
    texts = {r.text for r in records_of(services, opened.id) if r.state is State.LIVE}
    assert {payload["data"] for payload in bench.memories.values()} <= texts
    services.library.close(opened.id)


def test_its_lock_is_respected_and_ours_by_it(
    judge: Judge, services: Services, tmp_path: Path
) -> None:
    bench = Bench(judge, tmp_path / "store", "qdrant", random.Random(3))
    bench.fill(6)
    (opened,) = services.library.open(bench.history)
    ref = Ref(opened.id, "memory", (next(iter(bench.memories)),))
    plan = services.erasing.plans.plan([ref])
    bench.open("mem0")
    result = services.erasing.run(plan)
    assert result.state is EraseState.NOT_FINISHED
    assert {who.pid for store in result.stores for who in store.open_by} == {judge.pid}
    judge("close")
    assert bench.all("mem0") == bench.memories
    assert services.erasing.run(plan).state is EraseState.PROVED
    held = [lock for store in plan.stores for lock in store.locks]
    from memory_gui.engine.filelocks import FileLocks  # noqa: PLC0415 - ours, for this alone

    with FileLocks() as locks:
        assert locks.take(held[:1]) is None
        with pytest.raises(JudgeError, match="already accessed"):
            bench.open("mem0")
    judge("close")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["qdrant", "faiss"])
def test_many_stores(
    judge: Judge, services: Services, tmp_path: Path, kind: str, seed: int
) -> None:
    round_(judge, services, tmp_path, kind, 100 + seed)
