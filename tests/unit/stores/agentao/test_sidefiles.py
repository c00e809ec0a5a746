# SPDX-License-Identifier: MIT
"""Which files beside a store repeat what it remembers."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memory_gui.stores.format import Mode
from memory_gui.stores.formats.agentao.sidefiles import side_files

Opened = Callable[..., Any]


def names(store: Any, base: Path) -> dict[str, tuple[str, str]]:
    return {
        str(Path(f.path).relative_to(base.resolve())): (f.what, f.encoding)
        for f in store.side_files()
    }


def test_a_projects_files(samples: Path, opened: Opened) -> None:
    project = samples / "agentao" / "project-ginkgo"
    (project / "agentao.log.3").write_text("older")
    store = opened(project / ".agentao" / "memory.db", Mode.LOOK)
    session = "2091f305-0de1-4d16-9561-146884b00d94"
    assert names(store, project) == {
        ".agentao/background_tasks.json": ("background_tasks", "json"),
        f".agentao/crystallize/skill_draft_{session}.json": ("skill_draft", "json"),
        ".agentao/goal.json": ("goal", "json"),
        ".agentao/plan-history/20261129-182247.md": ("plan", "text"),
        ".agentao/plan.md": ("plan", "text"),
        f".agentao/replays/{session}.c5ab47365c01.jsonl": ("replay", "json"),
        ".agentao/sessions/20261129_182245_880364.json": ("session", "json"),
        ".agentao/tool-outputs/read_file_1795976565_d70d3b.txt": ("tool_output", "text"),
        "AGENTAO.md": ("instructions", "text"),
        "agentao.log": ("log", "text"),
        "agentao.log.3": ("log", "text"),
    }


def test_every_file_of_the_sample_that_still_has_a_marker_is_named(
    samples: Path, opened: Opened
) -> None:
    """EXPECTED.json lists the files by their raw bytes; notes-big.txt is the person's own."""
    base = samples / "agentao"
    listed = json.loads((base / "EXPECTED.json").read_text())["markers"]
    project, home = base / "project-ginkgo", base / "home"
    found = {f for marker in listed for f in marker["found_in"]}
    stores = [
        opened(where / ".agentao" / "memory.db", Mode.LOOK, home=home) for where in (project, home)
    ]
    named = {str(Path(f.path).relative_to(base.resolve())) for s in stores for f in s.side_files()}
    expected = {f for f in found if not f.endswith((".db", "notes-big.txt"))}
    assert expected - named == set()
    assert len(expected) > 6


def test_a_homes_files(samples: Path, opened: Opened) -> None:
    home = samples / "agentao" / "home"
    store = opened(home / ".agentao" / "memory.db", Mode.LOOK, home=home)
    assert names(store, home) == {".agentao/history": ("history", "text")}


def test_a_copy_elsewhere_has_none(samples: Path, tmp_path: Path, opened: Opened) -> None:
    copy = tmp_path / "copy.db"
    source = samples / "agentao" / "project-ginkgo" / ".agentao" / "memory.db"
    copy.write_bytes(source.read_bytes())
    assert opened(copy, Mode.LOOK).side_files() == ()


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: Any) -> None:
    folder = tmp_path / ".agentao"
    for name in ("sessions", "replays", "skills/one", "skills/two"):
        (folder / name).mkdir(parents=True)
        (folder / name / "SKILL.md").write_text("x")
    (folder / "sessions" / "a.json").write_text("{}")
    closed = {str(folder / "replays"), str(folder / "skills/one")}
    access = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: str(path) not in closed and access(path, mode)
    )
    found = {file.path: file.what for file in side_files(folder / "memory.db", is_home=False)}
    assert found == {
        str(folder / "replays"): "replay",
        str(folder / "sessions/a.json"): "session",
        str(folder / "skills/one"): "skill",
        str(folder / "skills/one/SKILL.md"): "skill",
        str(folder / "skills/two/SKILL.md"): "skill",
    }
