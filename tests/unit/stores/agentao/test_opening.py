# SPDX-License-Identifier: MIT
"""Where a store lies decides what may be done with it; a person without root's powers tries."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.records import State
from memory_gui.stores.format import Mode

ASK = """
import json, sys
from pathlib import Path
from memory_gui.domain.errors import UserError
from memory_gui.stores.format import Mode
from memory_gui.stores.registry import Registry, formats
registry = Registry(formats(None))
location = registry.locate(sys.argv[1])
store = registry.open(location, None, Mode.LOOK)
info = store.info()
out = {"notes": info.notes, "records": sum(map(len, store.scan()))}
try:
    registry.open(location, None, Mode.CHANGE)
    out["change"] = "allowed"
except UserError as error:
    out["change"] = error.code
json.dump(out, sys.stdout)
"""


@pytest.mark.root
@pytest.mark.parametrize(
    ("journal", "note"), [("wal", "opened.from_copy"), ("delete", "opened.read_only")]
)
def test_a_read_only_place_is_looked_at_and_said_so(
    samples: Path, ordinary_user: Any, outside: Any, journal: str, note: str
) -> None:
    folder = ordinary_user.folder / "store"
    shutil.copytree(samples / "agentao" / "home", folder)
    outside(folder / ".agentao" / "memory.db", f"PRAGMA journal_mode = {journal}")
    ordinary_user.give(folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    answer = json.loads(ordinary_user.python(ASK, folder))
    assert answer["notes"] == [note]
    assert answer["records"] == 34
    assert answer["change"] == "store.read_only"


@pytest.mark.root
def test_an_ordinary_place_has_nothing_to_say(samples: Path, ordinary_user: Any) -> None:
    folder = ordinary_user.folder / "store"
    shutil.copytree(samples / "agentao" / "home", folder)
    ordinary_user.give(folder)
    answer = json.loads(ordinary_user.python(ASK, folder))
    assert answer == {"notes": [], "records": 34, "change": "allowed"}


@pytest.mark.parametrize("journal", ["wal", "delete"])
@pytest.mark.parametrize("size", [512, 1024, 8192, 65536])
def test_any_page_size(samples: Path, opened: Any, outside: Any, size: int, journal: str) -> None:
    path = samples / "agentao" / "project-ginkgo" / ".agentao" / "memory.db"
    store = opened(path, Mode.LOOK)
    before = [r for b in store.scan() for r in b]
    store.close()
    outside(
        path,
        "PRAGMA journal_mode = delete",
        f"PRAGMA page_size = {size}",
        "VACUUM",
        f"PRAGMA journal_mode = {journal}",
    )
    assert outside(path, "PRAGMA page_size") == [[[size]]]
    store = opened(path)
    assert store.info().journal_mode == journal
    assert [r for b in store.scan() for r in b] == before
    live = next(r for r in before if r.kind == "memory" and r.state is State.LIVE)
    store.apply(Edit(Target(live.ref, live.etag), {"text": "x" * 3000}))
    store.trash(Target(live.ref))
    (after,) = store.fetch([live.ref])
    assert (after.text, after.state) == ("x" * 3000, State.TRASH)
    store.close()
    assert outside(path, "PRAGMA integrity_check") == [[["ok"]]]
