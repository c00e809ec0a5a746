# SPDX-License-Identifier: MIT
"""After each act of ours Letta's own ORM reads exactly what should be there, and writes on.

That of 0.5 always; that of 0.11 by soak: its environment is large. What holds without them stands
in ``tests/contract``.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.records import Record, Ref
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services

from .conftest import PEER, Judge, JudgeError

DATA = Path(__file__).parent.parent / "data/letta-old"
FRIEND = 'Lin Xiaoyu is a friend.\nShe said "银杏", and left.'


def judge_of(version: str, script: str, home: Path) -> Judge:
    """Letta's ORM of a version, in its own environment, where it can be installed."""
    name = f"letta-{version}"
    done = subprocess.run([PEER, name], capture_output=True, text=True, check=False, timeout=600)
    if done.returncode == 3:
        pytest.skip(f"{name} cannot be installed: its packages are not within reach")
    assert done.returncode == 0, done.stderr
    return Judge(Path(done.stdout.strip()), home, script)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """That of 0.11, for all tests here."""
    judge = judge_of("0.11.7", "letta_judge.py", tmp_path_factory.mktemp("letta-home"))
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """That of 0.5."""
    judge = judge_of("0.5.5", "letta05_judge.py", tmp_path_factory.mktemp("letta05-home"))
    yield judge
    judge.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy of one of 0.11."""
    source = DATA / "0.11.7/home/.letta/sqlite.db"
    return Path(shutil.copy(source, tmp_path / "sqlite.db")).resolve()


@pytest.fixture
def old_path(tmp_path: Path) -> Path:
    """A copy of one of 0.5."""
    return Path(shutil.copy(DATA / "0.5.5/home/.letta/sqlite.db", tmp_path / "old.db")).resolve()


def test_blocks_of_0_5_are_corrected_in_the_agents_too(
    old: Judge, services: Services, old_path: Path
) -> None:
    old("open", path=str(old_path))
    old("remember", agent="agent-1", label="human", value=FRIEND)  # by the agent: no row says so
    before = old("memories")
    old("close")
    (store,) = services.library.open(old_path)
    texts = {"block:block-0h": "Prefers 银杏 🌿", "agent_block:agent-1/human": 'Said "no"\n'}
    for name, text in texts.items():
        kind, _, key = name.partition(":")
        ref = Ref(store.id, kind, tuple(key.split("/")))
        services.editing.edit(Edit(Target(ref), {"text": text}))
    services.library.close(store.id)
    old("open", path=str(old_path))
    assert old("memories") == {
        "agent-0": {**before["agent-0"], "human": "Prefers 银杏 🌿"},
        "agent-1": {**before["agent-1"], "human": 'Said "no"\n'},
    }
    assert old("blocks")["block-0h"] == "Prefers 银杏 🌿"
    assert "Prefers 银杏" in old("remember", agent="agent-0", label="persona", value="Kind.")
    old("close")


def test_after_an_erase_in_0_5_all_else_is_there(
    old: Judge, services: Services, old_path: Path
) -> None:
    old("open", path=str(old_path))
    old("remember", agent="agent-1", label="human", value=FRIEND)
    asked = {"block": "blocks", "passage": "passages", "message": "messages"}
    before = {kind: old(name) for kind, name in asked.items()}
    agents, memories = old("agents"), old("memories")
    old("close")
    (store,) = services.library.open(old_path)
    gone = {("block", "block-0h"), ("passage", "passage-0-1"), ("message", "message-1-2")}
    refs = [Ref(store.id, kind, (name,)) for kind, name in gone]
    refs.append(Ref(store.id, "agent_block", ("agent-1", "human")))
    assert services.erasing.run(services.erasing.plans.plan(refs)).state is EraseState.PROVED
    services.library.close(store.id)
    assert b"Lin Xiaoyu" not in old_path.read_bytes()
    old("open", path=str(old_path))
    for kind, name in asked.items():
        kept = {one: value for one, value in before[kind].items() if (kind, one) not in gone}
        assert old(name) == kept
    for memory in memories.values():
        memory["human"] = ""
    assert old("memories") == memories
    agents["agent-1"][2].remove("message-1-2")
    assert old("agents") == agents
    old("close")


@pytest.mark.soak
def test_a_block_that_was_corrected_is_written_on(
    running: Judge, services: Services, path: Path
) -> None:
    (store,) = services.library.open(path)
    shelf = services.library.shelf(store.id)
    running("open", path=str(path))
    before = running("blocks")
    assert running("stale", name="block-1", value="begun before") == 2
    for place, text in enumerate(("Prefers 银杏 🌿", 'Said "no"\n', "x" * 5000)):
        (block,) = shelf.fetch([Ref(store.id, "block", ("block-0",))])
        assert block is not None
        services.editing.edit(Edit(Target(block.ref, block.etag), {"text": text}))
        running("close")
        running("open", path=str(path))
        now = running("blocks")
        assert now["block-0"] == ["human", text, before["block-0"][2] + place + 1, 5000]
        assert now["block-1"] == before["block-1"]
    assert running("edit", name="block-0", value="by the server") == before["block-0"][2] + 4
    assert running("stale", name="block-0", value="too late") == before["block-0"][2] + 4
    running("close")
    services.library.close(store.id)


@pytest.mark.soak
def test_an_edit_that_was_begun_before_ours_is_refused(
    running: Judge, services: Services, path: Path
) -> None:
    (store,) = services.library.open(path)
    running("open", path=str(path))
    running("stale", name="block-0", value="begun before")
    ref = Ref(store.id, "block", ("block-0",))
    services.editing.edit(Edit(Target(ref), {"text": "ours"}))
    with pytest.raises(JudgeError, match="StaleDataError"):
        running("commit")
    running("close")
    services.library.close(store.id)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
def test_after_an_erase_all_else_is_there(
    running: Judge, services: Services, path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    (store,) = services.library.open(path)
    shelf = services.library.shelf(store.id)
    records: list[Record] = shelf.screen(lambda one: [r for some in one.scan() for r in some])
    chosen = chance.sample([one for one in records if one.kind != "server"], 8)
    gone = {(r.kind, r.ref.key[0]) for r in chosen}
    running("open", path=str(path))
    asked = {"block": "blocks", "past": "history", "passage": "passages", "message": "messages"}
    before = {kind: running(name) for kind, name in asked.items()}
    running("close")
    plan = services.erasing.plans.plan([r.ref for r in chosen])
    gone |= {(rows.kind, str(key[0])) for s in plan.stores for rows in s.rows for key in rows.keys}
    assert services.erasing.run(plan).state is EraseState.PROVED
    running("open", path=str(path))
    for kind, name in asked.items():
        kept = {one: value for one, value in before[kind].items() if (kind, one) not in gone}
        assert running(name) == kept
    assert running("broken") == []
    there = set(running("messages"))
    assert all(one in there for names in running("agents").values() for one in names or ())
    running("close")
    services.library.close(store.id)
