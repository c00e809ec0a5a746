# SPDX-License-Identifier: MIT
"""Which of the files that lie at a place are stores, and of which format each is.

By the file's head and schema, as they lie on the disk; no connection is made and nothing changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.work import nobody_asks
from memory_gui.engine.evidence import far_mounts
from memory_gui.stores.contract import Format, Location
from memory_gui.stores.discovery.places import Agent, Surroundings, expand, relative_places, there
from memory_gui.stores.discovery.walk import Walk, Walked, Wanted
from memory_gui.stores.sight import Sight, see

MOST_HEADS: Final = 5_000
MOST_FOUND: Final = 2_000


@dataclass(frozen=True, slots=True)
class Found:
    """One store. ``opens``: an adapter for it is there. ``usual``: its agent puts it there.

    ``encrypted`` is None where the file could not be read; ``problem`` is the code of why.
    ``is_database`` says that its tables can be looked at, whatever they mean.
    """

    path: Path
    format: str
    agent: str
    opens: bool
    encrypted: bool | None
    usual: bool = False
    problem: str = ""
    is_database: bool = False


class Search:
    """Finds stores. For one thread; ``check`` is called often and may raise to end it."""

    def __init__(
        self,
        formats: Sequence[Format],
        agents: Sequence[Agent],
        around: Surroundings,
        check: Callable[[], object] = nobody_asks,
    ) -> None:
        self._formats = [one for one in formats if not one.fallback]
        self._by_name = {one.name: one for one in self._formats}
        self._agents = agents
        self._names = {one.format: one.agent for one in agents}
        self._around = around
        self._check = check
        self._seen: set[Path] = set()
        self._heads = 0
        self.walked = Walked()

    def usual(self) -> Iterator[Found]:
        """The stores at the places where agents put them by themselves."""
        home = str(self._around.home)
        far = tuple(where for where in far_mounts() if not _is_below(home, where))
        for agent in self._agents:
            for place in agent.places:
                self._check()
                pattern = expand(place, self._around)
                if not pattern or any(_is_below(pattern, where) for where in far):
                    continue
                for path in there(pattern):
                    self._check()
                    if (found := self._recognised(path, agent.format, usual=True)) is not None:
                        yield found

    def below(
        self, roots: Sequence[Path], tell: Callable[[int], object] = lambda _folders: None
    ) -> Iterator[Found]:
        """The stores in folders that a person named, and below them."""
        wanted = [
            Wanted(agent.format, tuple(place.split("/")))
            for agent in self._agents
            for place in relative_places(agent)
        ]
        walk = Walk(wanted, check=self._check, tell=tell)
        self.walked = walk.walked
        count = 0
        for path, format_ in walk.below([root for root in map(_resolved, roots) if root]):
            self._check()
            if self._heads >= MOST_HEADS or count >= MOST_FOUND:
                self.walked.limits.append("files")
                return
            if (found := self._recognised(path, format_, usual=False)) is not None:
                count += 1
                yield found

    # ---- judging one

    def _recognised(self, path: Path, format_: str, *, usual: bool) -> Found | None:
        """What lies there; None where it is no store, or one that was told already."""
        self._heads += 1
        resolved = _resolved(path)
        if resolved is None:
            return None
        adapter = self._by_name.get(format_)
        location = (adapter.locate(resolved) if adapter is not None else None) or Location(
            (resolved,)
        )
        if location.main in self._seen:
            return None
        sight = see(location)
        judged = self._judge(sight, format_, usual=usual)
        if judged is not None:
            self._seen.add(location.main)
        return judged

    def _judge(self, sight: Sight, format_: str, *, usual: bool) -> Found | None:
        if sight.look in ("odd", "empty"):
            if not usual:
                return None
            return self._found(sight, format_, usual=usual, problem=sight.problem)
        best = self._best(sight)
        if best is not None and (best[1] is not Confidence.MAYBE or best[0].name == format_):
            return self._found(sight, best[0].name, usual=usual)
        if sight.is_database:
            return self._database(sight, format_, usual=usual)
        known_by_place = format_ and format_ not in self._by_name
        if not known_by_place or (sight.look == "folder" and not sight.names):
            return None
        return self._found(sight, format_, usual=usual)

    def _database(self, sight: Sight, format_: str, *, usual: bool) -> Found | None:
        """One that no adapter knows: named by its tables, else by the agent whose place it is."""
        if sight.schema is not None:
            for agent in self._agents:
                if agent.fits(sight.schema):
                    return self._found(sight, agent.format, usual=usual)
        if not usual or not format_:
            return None
        broken = sight.look == "plain" and sight.schema is None
        return self._found(sight, format_, usual=usual, problem="store.damaged" if broken else "")

    def _best(self, sight: Sight) -> tuple[Format, Confidence] | None:
        judged = [(one, one.probe(sight)) for one in self._formats]
        best = max(judged, key=lambda pair: pair[1].value, default=None)
        return None if best is None or best[1] is Confidence.NO else best

    def _found(self, sight: Sight, format_: str, *, usual: bool, problem: str = "") -> Found:
        adapter = self._by_name.get(format_)
        agent = self._names.get(format_) or (adapter.agent if adapter is not None else format_)
        unknown = bool(problem) and not sight.is_database
        return Found(
            path=sight.path,
            format=format_,
            agent=agent,
            opens=adapter is not None and not problem,
            encrypted=None if unknown else sight.is_encrypted,
            usual=usual,
            problem=problem,
            is_database=sight.is_database and not problem,
        )


def _resolved(path: Path) -> Path | None:
    try:
        return path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + os.sep)
