# SPDX-License-Identifier: MIT
"""Files in which Agentao 0.5.17 repeats what it remembers, beside a project and in the home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import SideFile
from memory_gui.stores.formats.agentao.pairing import FOLDER

_PROJECT: Final = (
    (f"{FOLDER}/sessions/*.json", "session", "json"),
    (f"{FOLDER}/replays/*.jsonl", "replay", "json"),
    ("agentao.log", "log", "text"),
    ("agentao.log.[0-9]*", "log", "text"),
    (f"{FOLDER}/tool-outputs/*", "tool_output", "text"),
    (f"{FOLDER}/background_tasks.json", "background_tasks", "json"),
    (f"{FOLDER}/crystallize/*.json", "skill_draft", "json"),
    (f"{FOLDER}/goal.json", "goal", "json"),
    (f"{FOLDER}/plan.md", "plan", "text"),
    (f"{FOLDER}/plan-history/*", "plan", "text"),
    (f"{FOLDER}/skills/*/SKILL.md", "skill", "text"),
    ("AGENTAO.md", "instructions", "text"),
    (f"{FOLDER}/memory.json", "old_memory", "json"),
    (".agentao_memory.json", "old_memory", "json"),
    (".chatagent_memory.json", "old_memory", "json"),
)
"""Pattern, what it is, encoding. JSON hides letters in escapes; JSON lines count as JSON."""
_HOME: Final = (
    (f"{FOLDER}/history", "history", "text"),
    (f"{FOLDER}/agentao.log", "log", "text"),
    (f"{FOLDER}/agentao.log.[0-9]*", "log", "text"),
    (f"{FOLDER}/skills/*/SKILL.md", "skill", "text"),
    (f"{FOLDER}/sessions/*.json", "session", "json"),
    (f"{FOLDER}/AGENTAO.md", "instructions", "text"),
)


def side_files(main: Path, *, is_home: bool) -> tuple[SideFile, ...]:
    """Those that exist, by name. Links are named too: what they show to the agent, it has."""
    if main.parent.name != FOLDER:
        return ()
    folder = main.parent.parent
    patterns = (*_HOME, *_PROJECT) if is_home else _PROJECT
    return tuple(sorted(set(_found(folder, patterns)), key=lambda file: file.path))


def _found(folder: Path, patterns: tuple[tuple[str, str, str], ...]) -> Iterator[SideFile]:
    seen = set()
    for pattern, what, encoding in patterns:
        for path in folder.glob(pattern):
            if path not in seen and path.is_file():
                seen.add(path)
                yield SideFile(str(path), what, encoding)
