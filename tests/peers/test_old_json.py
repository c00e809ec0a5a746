# SPDX-License-Identifier: MIT
"""Agentao 0.5.17 opens the database that is made of its own old JSON, and reads every entry."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from memory_gui.services import Services

OLD = Path(__file__).parent.parent / "data" / "agentao-0.2.5"


@pytest.mark.parametrize("name", [".agentao/memory.json", ".chatagent_memory.json"])
def test_every_entry_is_read(judge, services: Services, tmp_path: Path, name: str) -> None:
    shutil.copytree(OLD, tmp_path / "project")
    old = tmp_path / "project" / name
    entries = json.loads(old.read_text("utf-8"))["memories"]
    (store,) = services.library.open(old)
    made = services.converting.run(store.id)
    judge("open", project=made.path)
    state = judge("state")
    assert {e["title"]: (e["content"], e["tags"], e["created_at"]) for e in state["entries"]} == {
        e["key"]: (e["value"], e["tags"], e["timestamp"][:19]) for e in entries
    }
    assert {e["scope"] for e in state["entries"]} == {"project"}
    judge("close")
    assert json.loads(old.read_text("utf-8"))["memories"] == entries
