# SPDX-License-Identifier: MIT
"""Walking through folders that a person named, with limits on everything.

No link is followed, no network mount is gone into, and what is no regular file and no folder (a
pipe, a socket) is passed over. Names are read; nothing is opened here.
"""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from memory_gui.domain.work import nobody_asks
from memory_gui.engine.evidence import far_mounts

DEEPEST: Final = 6
"""How many folders below the named one are gone into."""
MOST_FOLDERS: Final = 20_000
MOST_NAMES: Final = 500_000
PATIENCE_S: Final = 30.0
ENDINGS: Final = (".db", ".sqlite", ".sqlite3", ".db3", ".vscdb", ".jsonl")
"""How the names of files end that are worth a look at their heads, whatever they are called."""
_ASK_EVERY: Final = 200
_MOST_STARS: Final = 500
_NEVER: Final = frozenset(
    ["node_modules", "site-packages", "__pycache__", "venv", "target", "lost+found", "proc", "sys"]
)
"""Large, and made by tools: no agent keeps its memory there by itself."""


@dataclass(slots=True)
class Walked:
    """``limits`` are codes of what ended the walk early; ``unreadable`` counts folders."""

    folders: int = 0
    names: int = 0
    unreadable: int = 0
    limits: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A path below a folder, cut at its slashes; a part ``*`` stands for one name."""

    format: str
    parts: tuple[str, ...]


class Walk:
    """One walk. For one thread; ``check`` is called often and may raise to end it."""

    def __init__(
        self,
        wanted: Sequence[Wanted],
        *,
        check: Callable[[], object] = nobody_asks,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[int], object] = lambda _folders: None,
    ) -> None:
        self.walked = Walked()
        self._check = check
        self._clock = clock
        self._tell = tell
        self._first: dict[str, list[Wanted]] = {}
        for one in wanted:
            self._first.setdefault(one.parts[0], []).append(one)
        self._far = far_mounts()

    def below(self, roots: Sequence[Path]) -> Iterator[tuple[Path, str]]:
        """(path, format) of what lies at a wanted place; level by level, what is near comes first.

        The format is empty for other files that are worth a look.
        """
        until = self._clock() + PATIENCE_S
        waiting = deque((str(root), 0) for root in roots)
        while waiting:
            folder, depth = waiting.popleft()
            self.walked.folders += 1
            if self.walked.folders > MOST_FOLDERS:
                self.walked.limits.append("folders")
                return
            if self._clock() > until:
                self.walked.limits.append("time")
                return
            self._check()
            self._tell(self.walked.folders)
            inner: list[str] = []
            yield from self._look(folder, inner)
            if self.walked.names > MOST_NAMES:
                self.walked.limits.append("names")
                return
            if depth < DEEPEST:
                paths = (f"{folder.rstrip('/')}/{name}" for name in sorted(inner))
                waiting.extend((path, depth + 1) for path in paths if path not in self._far)
            elif inner and "depth" not in self.walked.limits:
                self.walked.limits.append("depth")

    def _look(self, folder: str, inner: list[str]) -> Iterator[tuple[Path, str]]:
        found: list[tuple[Path, str]] = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self.walked.names += 1
                    if self.walked.names % _ASK_EVERY == 0:
                        self._check()
                    if self.walked.names > MOST_NAMES:
                        break
                    self._judge(entry, inner, found)
        except OSError:
            self.walked.unreadable += 1
        yield from sorted(found)

    def _judge(
        self, entry: os.DirEntry[str], inner: list[str], found: list[tuple[Path, str]]
    ) -> None:
        name = entry.name
        for one in self._first.get(name, ()):
            found.extend((path, one.format) for path in follow(entry.path, one.parts[1:]))
        if entry.is_dir(follow_symlinks=False):
            if name not in _NEVER and not name.startswith("."):
                inner.append(name)
        elif name.lower().endswith(ENDINGS) and entry.is_file(follow_symlinks=False):
            found.append((Path(entry.path), ""))


def follow(start: str, parts: Sequence[str]) -> Iterator[Path]:
    """What is there along the rest of a wanted path, without a link on the way.

    A ``*`` in a part stands for anything within one name.
    """
    try:
        mode = os.lstat(start).st_mode
    except OSError:
        return
    if not parts:
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
            yield Path(start)
        return
    if not stat.S_ISDIR(mode):
        return
    first, star, last = parts[0].partition("*")
    if not star:
        yield from follow(f"{start}/{parts[0]}", parts[1:])
        return
    try:
        with os.scandir(start) as entries:
            every = (entry.name for entry in entries)
            fit = (one for one in every if one.startswith(first) and one.endswith(last))
            names = sorted(islice(fit, _MOST_STARS))
    except OSError:
        return
    for name in names:
        yield from follow(f"{start}/{name}", parts[1:])
