# SPDX-License-Identifier: MIT
"""After each act of ours Letta's own ORM reads exactly what should be there, and writes on.

By soak: its environment is large. What holds without it stands in ``tests/contract``.
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

from .conftest import PEER, Judge, JudgeError, not_there

VERSION = "letta-0.11.7"
SAMPLE = Path(__file__).parent.parent / "data/letta-old/0.11.7/home/.letta/sqlite.db"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """Letta's ORM in its own environment, for all tests here."""
    done = subprocess.run([PEER, VERSION], capture_output=True, text=True, check=False, timeout=600)
    not_there(done, VERSION)
    home = tmp_path_factory.mktemp("letta-home")
    judge = Judge(Path(done.stdout.strip()), home, "letta_judge.py")
    yield judge
    judge.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy."""
    return Path(shutil.copy(SAMPLE, tmp_path / "sqlite.db")).resolve()


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
    chosen = chance.sample(records, 8)
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
