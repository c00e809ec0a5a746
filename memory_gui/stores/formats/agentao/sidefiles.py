# SPDX-License-Identifier: MIT
"""Files in which Agentao 0.5.17 repeats what it remembers, beside a project and in the home."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Final

from memory_gui.domain.erasing import BY_HAND, SideFile
from memory_gui.stores.formats.agentao.pairing import FOLDER, user_database

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


def side_files_of(
    places: Sequence[Path], home: Path | None, *, is_home: bool = False
) -> tuple[SideFile, ...]:
    """Those beside a database and beside the other names by which Agentao reaches it."""
    usual = None if home is None else user_database(home)
    if usual is not None and usual not in places and _is_link_to(usual, places[0]):
        places = (*places, usual)
    found = (side_files(one, is_home=is_home or one == usual) for one in places)
    by_file: dict[Path, SideFile] = {}
    for file in (file for some in found for file in some):
        by_file.setdefault(Path(file.path).parent.resolve() / Path(file.path).name, file)
    return tuple(by_file.values())


def _is_link_to(path: Path, main: Path) -> bool:
    try:
        return path.resolve(strict=True) == main
    except (OSError, RuntimeError):
        return False


def side_files(main: Path, *, is_home: bool) -> tuple[SideFile, ...]:
    """Those that exist, by name. Links are named too: what they show to the agent, it has.

    A folder that may not be listed or entered stands for what it may hold.
    """
    if main.parent.name != FOLDER:
        return ()
    folder = main.parent.parent
    patterns = (*_HOME, *_PROJECT) if is_home else _PROJECT
    return tuple(sorted(set(_found(folder, patterns)), key=lambda file: file.path))


def _found(folder: Path, patterns: tuple[tuple[str, str, str], ...]) -> Iterator[SideFile]:
    seen = set()
    for pattern, what, encoding in patterns:
        for path in (*_closed(folder, PurePath(pattern).parts[:-1]), *_listed(folder, pattern)):
            if path not in seen:
                seen.add(path)
                yield SideFile(str(path), what, encoding, what not in BY_HAND)


def _listed(folder: Path, pattern: str) -> Iterator[Path]:
    for path in folder.glob(pattern):
        try:
            if path.is_file():
                yield path
        except PermissionError:
            continue  # its folder is closed and was named


def _closed(folder: Path, below: tuple[str, ...]) -> Iterator[Path]:
    """The folders on the way of a pattern that cannot be looked into."""
    if not folder.is_dir():
        return
    if not os.access(folder, os.R_OK | os.X_OK):
        yield folder
    elif below:
        try:
            inner = list(folder.glob(below[0]))
        except OSError:
            yield folder
            return
        for one in inner:
            yield from _closed(one, below[1:])
