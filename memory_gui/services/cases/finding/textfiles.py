# SPDX-License-Identifier: MIT
"""Plain texts that an agent keeps and no format of ours opens: memory folders, session files.

They are read like the files beside a store, passage by passage. What is no text, or too much, is
named as not looked into.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.cases.finds import NotLooked
from memory_gui.domain.erasing import SideFile
from memory_gui.engine.plainfile import head_of
from memory_gui.stores.discovery.search import Found

NOT_TEXT: Final = "case.not_text"
MORE_FILES: Final = "case.more_files"
MOST_FILES: Final = 5_000
_DEEPEST: Final = 10
_GIT: Final = ".git"
_JSON: Final = frozenset({".json", ".jsonl", ".ndjson"})
_BY_HAND: Final = frozenset(
    (
        *("claude.md", "claude.local.md", "agents.md", "gemini.md", ".cursorrules"),
        *("soul.md", "identity.md", "tools.md"),
    )
)
"""Files that a person writes for an agent, wherever they lie."""
_RULES: Final = "rules"
"""A folder of such files."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What there is at one place. ``in_git``: its older versions are kept as well."""

    files: tuple[SideFile, ...]
    not_looked: tuple[NotLooked, ...] = ()
    in_git: bool = False


def texts_at(place: Found, *, beside: bool = False) -> Texts:
    """The texts of a file or folder; no link is followed, and nothing but heads is read.

    ``beside``: what an agent keeps of its sessions.
    """
    path = place.path
    files: list[SideFile] = []
    others = 0
    told: list[NotLooked] = []
    for name in _files(path):
        if len(files) >= MOST_FILES:
            told.append(_not_looked(place, MORE_FILES))
            break
        if b"\0" in head_of(name):
            others += 1
            continue
        files.append(_side_file(name, beside=beside))
    if others or not (files or told or path.is_dir()):
        told.append(_not_looked(place, NOT_TEXT))
    return Texts(tuple(files), tuple(told), in_git=os.path.lexists(path / _GIT))


def _side_file(path: Path, *, beside: bool) -> SideFile:
    by_hand = path.name.lower() in _BY_HAND or path.parent.name == _RULES
    what = "session" if beside else "instructions" if by_hand else "memory_file"
    encoding = "json" if path.suffix.lower() in _JSON else "text"
    return SideFile(str(path), what, encoding, cleanable=not by_hand)


def _files(path: Path) -> Iterator[Path]:
    """The ordinary files of a folder and below it, or the one file, by name."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return
    if stat.S_ISREG(mode):
        yield path
        return
    for folder, inner, names in os.walk(path):
        deep = len(Path(folder).relative_to(path).parts)
        inner[:] = sorted(one for one in inner if one != _GIT and deep < _DEEPEST)
        for name in sorted(names):
            found = Path(folder, name)
            if not found.is_symlink() and found.is_file():
                yield found


def _not_looked(place: Found, code: str) -> NotLooked:
    return NotLooked(str(place.path), place.agent, code, {"path": str(place.path)})
