# SPDX-License-Identifier: MIT
"""Which of the files that lie at a place are stores, and of which format each is.

By the file's head and schema, as they lie on the disk; no connection is made and nothing changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.work import nobody_asks
from memory_gui.engine.evidence import far_mounts
from memory_gui.engine.plainfile import head_of
from memory_gui.stores.discovery.places import (
    Agent,
    Surroundings,
    each,
    expand,
    relative_places,
    there,
)
from memory_gui.stores.discovery.walk import Walk, Walked, Wanted, follow
from memory_gui.stores.format import Format, Location
from memory_gui.stores.sight import Sight, see

MOST_HEADS: Final = 5_000
MOST_FOUND: Final = 2_000
_LOOKED_AT: Final = 100
"""Names in a folder of texts whose beginnings are looked at."""


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
        for agent in self._agents:
            for path in self._at(agent.places):
                if (found := self._recognised(path, agent.format, usual=True)) is not None:
                    yield found

    @cached_property
    def _far(self) -> tuple[str, ...]:
        """The network mounts, but for one in which the home folder is; read once a search."""
        home = str(self._around.home)
        return tuple(where for where in far_mounts() if not _is_below(home, where))

    def _at(self, places: Sequence[str]) -> Iterator[Path]:
        """What is at some places now, but on no network mount."""
        for place in places:
            self._check()
            patterns = each(place, self._around)
            near = [one for one in patterns if not any(_is_below(one, away) for away in self._far)]
            for path in (path for pattern in near for path in there(pattern)):
                self._check()
                yield path

    def beside(self, roots: Sequence[Path], *, usual: bool) -> Iterator[Found]:
        """Files and folders that are no stores, in which agents repeat what they were told.

        Of the usual places, and of each folder as if it were somebody's home.
        """
        homes = [root for root in map(_resolved, roots) if root]
        told: set[Path] = set()
        for agent in self._agents:
            places = agent.beside
            own = self._at(places) if usual else ()
            for path in chain(own, *(self._in_home(places, home) for home in homes)):
                resolved = _resolved(path)
                if resolved is not None and resolved not in told:
                    told.add(resolved)
                    yield Found(resolved, agent.format, agent.agent, opens=False, encrypted=None)

    def _in_home(self, places: Sequence[str], home: Path) -> Iterator[Path]:
        """What is at some places if a folder is somebody's home; through no link.

        What is set here and now is not set there.
        """
        around = Surroundings(home, self._around.system, {})
        for place in places:
            self._check()
            pattern = expand(place, around)
            if _is_below(pattern, str(home)):
                yield from follow(str(home), Path(pattern).relative_to(home).parts)

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
        real = [root for root in map(_resolved, roots) if root]
        for path, format_ in chain(walk.below(real), self._in_homes(real)):
            self._check()
            if self._heads >= MOST_HEADS or count >= MOST_FOUND:
                self.walked.limits.append("files")
                return
            if (found := self._recognised(path, format_, usual=False)) is not None:
                count += 1
                yield found

    def _in_homes(self, roots: Sequence[Path]) -> Iterator[tuple[Path, str]]:
        """What agents put into a home by a name that may be anything's elsewhere."""
        for root in roots:
            for agent in self._agents:
                for path in self._in_home(agent.places, root):
                    yield path, agent.format

    def named(self, path: Path) -> str:
        """Whose a database is by its tables, where no adapter knows it; else nothing."""
        resolved = _resolved(path)
        if resolved is None or not resolved.is_file():
            return ""
        sight = see(Location((resolved,)))
        if not sight.is_database or sight.schema is None or self._best(sight) is not None:
            return ""
        return next((one.agent for one in self._agents if one.fits(sight.schema)), "")

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
        if judged is None:
            return None
        mains = {location.main, self._main_of(judged)}
        told = bool(mains & self._seen)
        self._seen |= mains
        return None if told else judged

    def _main_of(self, found: Found) -> Path:
        """The main file of the store that it is a part of."""
        adapter = self._by_name.get(found.format)
        whole = adapter.locate(found.path) if adapter is not None and found.opens else None
        return found.path if whole is None else whole.main

    def _judge(self, sight: Sight, format_: str, *, usual: bool) -> Found | None:
        if sight.look in ("odd", "empty"):
            if not usual:
                return None
            return self._found(sight, format_, usual=usual, problem=sight.problem)
        best = self._best(sight)
        if best is not None and (self._says_more(best, sight, format_) or best[0].is_own(sight)):
            return self._found(sight, best[0].name, usual=usual)
        if sight.is_database:
            return self._database(sight, format_, usual=usual)
        shut = sight.look == "folder" and not self._is_its_folder(sight, format_)
        if not format_ or format_ in self._by_name or shut:
            return None
        return self._found(sight, format_, usual=usual)

    def _says_more(self, best: tuple[Format, Confidence], sight: Sight, format_: str) -> bool:
        """Whether what is in it says more than its place."""
        known, sure = best
        if sure is Confidence.CERTAIN or known.name == format_:
            return True
        return sure is Confidence.LIKELY and not self._is_named_so(sight, format_)

    def _is_named_so(self, sight: Sight, format_: str) -> bool:
        """Whether the name of a folder of texts says more than one file that others have too."""
        texts = any(one.texts and one.format == format_ for one in self._agents)
        return texts and sight.look == "folder" and self._is_its_folder(sight, format_)

    def _is_its_folder(self, sight: Sight, format_: str) -> bool:
        """Whether what lies in a folder speaks for the agent whose place it is."""
        agent = next((one for one in self._agents if one.format == format_), None)
        if agent is None or not sight.names or set(agent.but) & set(sight.names):
            return False
        return not agent.texts or _is_of_texts(sight.path)

    def _database(self, sight: Sight, format_: str, *, usual: bool) -> Found | None:
        """One that no adapter knows: named by its tables, else by the agent whose place it is."""
        if sight.schema is not None:
            for agent in self._agents:
                if agent.fits(sight.schema):
                    return self._found(sight, agent.format, usual=usual)
        if not format_ or (not usual and format_ in self._by_name):
            return None
        broken = sight.look == "plain" and sight.schema is None
        problem = "store.damaged" if broken else ""
        return replace(self._found(sight, format_, usual=usual, problem=problem), opens=False)

    def _best(self, sight: Sight) -> tuple[Format, Confidence] | None:
        judged = [(one, one.probe(sight)) for one in self._formats]
        best = max(judged, key=lambda pair: pair[1].value, default=None)
        return None if best is None or best[1] is Confidence.NO else best

    def _found(self, sight: Sight, format_: str, *, usual: bool, problem: str = "") -> Found:
        adapter = self._by_name.get(format_)
        most = adapter.most_bytes if adapter is not None and not problem else 0
        if most and _size(sight.path) > most:
            problem = "store.too_big"
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


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def _is_of_texts(folder: Path) -> bool:
    """Whether there are files in it, two levels deep, and none of them is anything but text."""
    some = False
    for path in islice(chain(folder.iterdir(), folder.glob("*/*")), _LOOKED_AT):
        if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
            if b"\0" in head_of(path):
                return False
            some = True
    return some


def _resolved(path: Path) -> Path | None:
    try:
        return path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        return None


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + os.sep)
