# SPDX-License-Identifier: MIT
"""Finding stores below folders that a person named. Names are read, no file is opened."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

DEEPEST: Final = 4
"""How many folders below the named one are gone into: ``code/team/project`` is three."""
MOST_FOLDERS: Final = 20_000
PATIENCE_S: Final = 3.0
_NEVER: Final = frozenset({"node_modules", "site-packages", "__pycache__", "venv", "target"})
"""Large, and made by tools: no agent keeps its memory there."""


def stores_below(
    folders: Sequence[Path],
    place: Sequence[str],
    *,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Path, ...]:
    """The files ``<folder>/<place…>`` in the folders and below them, sorted.

    Links and hidden folders are not followed. A folder that may not be read is passed over. After
    ``MOST_FOLDERS`` folders or ``PATIENCE_S`` seconds what was found until then is returned.
    """
    until = clock() + PATIENCE_S
    found: set[Path] = set()
    for number, folder in enumerate(_folders(folders)):
        if number >= MOST_FOLDERS or clock() > until:
            break
        file = folder.joinpath(*place)
        if file.is_file():
            found.add(file)
    return tuple(sorted(found))


def _folders(roots: Sequence[Path]) -> Iterator[Path]:
    """Level by level, so that what lies near comes first."""
    waiting = deque((root, 0) for root in roots if root.is_dir())
    while waiting:
        folder, depth = waiting.popleft()
        yield folder
        if depth < DEEPEST:
            waiting.extend((inner, depth + 1) for inner in _inside(folder))


def _inside(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [
                Path(entry.path)
                for entry in entries
                if not entry.name.startswith(".")
                and entry.name not in _NEVER
                and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []
