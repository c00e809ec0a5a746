# SPDX-License-Identifier: MIT
"""A readable store that is kept clean: after an erase nothing of it is anywhere on the disk.

Without it what was freed before, by journals and logs that were unlinked, stays (ERASURE 3.4).
"""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest
from disk import Disk

sys.path.insert(0, str(Path(__file__).parents[1] / "unit/services"))

from keychains import SECRETS, ManyKeychains

from memory_gui.agents import connect
from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.erasure.result import EraseState
from memory_gui.services import build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.words import Words

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="needs e2fsprogs"),
]

MARK = b"zqkeptclean"


def text(dice):
    return " ".join(f"{MARK.decode()}{dice.randrange(10**9)}" for _ in range(dice.randint(5, 90)))


def live(folder, *, kept_clean):
    """Some opens and closes of ours and of an agent, each writing; then the erase of all of it."""
    dice = random.Random(7)
    store = folder / "atlas/.agentao/memory.db"
    store.parent.mkdir(parents=True)
    create_store(store, None)
    services = build_services(
        words=Words(),
        home=folder / "home",
        data_dir=folder / "data",
        keychain=ManyKeychains(SECRETS),
    )
    opened = services.library.open(store)[0].id
    if kept_clean:
        assert services.standing.turn_on(opened, change_journal=True).works
    refs = []
    for turn in range(4):
        services.library.open(store)
        for number in range(12):
            new = {"title": f"t{turn} {number}", "text": text(dice), "scope": "project"}
            refs += services.editing.add(opened, NewRecord("memory", new)).changes.added
        for ref in refs[::3]:
            services.editing.edit(Edit(Target(ref), {"text": text(dice)}))
        services.library.close_all()
        agent = connect(store)
        with agent:
            agent.execute("UPDATE memories SET content = ? WHERE rowid % 5 = 1", (text(dice),))
        agent.close()
    services.library.open(store)
    result = services.erasing.run(services.erasing.plans.plan(refs))
    services.close()
    assert result.state is EraseState.PROVED


@pytest.mark.parametrize("kept_clean", [True, False])
def test_after_the_erase(tmp_path, kept_clean):
    disk = Disk(tmp_path)
    with disk.mounted() as folder:
        live(folder, kept_clean=kept_clean)
    assert bool(disk.hits(MARK)) is not kept_clean
