# SPDX-License-Identifier: MIT
"""Where a person is looked for: the open stores, those known, and those found on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from memory_gui.cases.case import LookedIn
from memory_gui.cases.finds import NotLooked
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services.cases.finding.candidates import ANY_DATABASE
from memory_gui.services.home.discovery import Discovery, Found
from memory_gui.services.library.library import Library

NO_ADAPTER: Final = "case.no_adapter"
"""``NotLooked.code`` of a store that no format of ours reads."""
_FOLDERS: Final = frozenset({"store.is_folder", "store.two_formats"})


@dataclass(frozen=True, slots=True)
class Where:
    """What a person said about where to look.

    With ``only`` nothing but ``stores`` and what lies below ``folders``; else also what is open,
    what is known, and with ``usual`` the places where agents put their stores. ``key`` is tried
    for any encrypted store whose key the keychain has not; ``keys`` are by path.
    """

    stores: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    usual: bool = False
    only: bool = False
    in_passing: bool = False
    """A part of where its case looks: that is not kept with the case."""
    key: Key | None = field(default=None, repr=False)
    keys: Mapping[str, Key] = field(default_factory=dict, hash=False, repr=False)

    def key_of(self, path: str) -> Key | None:
        """What was given for a store."""
        return self.keys.get(path, self.key)

    @property
    def kept(self) -> LookedIn:
        """What of it is kept with a case: no key."""
        return LookedIn(self.stores, self.folders, usual=self.usual, only=self.only)


@dataclass(frozen=True, slots=True)
class Spots:
    """The stores' main files, in the order in which they are looked into; and what is none."""

    paths: tuple[str, ...]
    agents: Mapping[str, str] = field(default_factory=dict, hash=False)
    not_looked: tuple[NotLooked, ...] = ()
    limits: tuple[str, ...] = ()
    stopped: bool = False
    texts: tuple[Found, ...] = ()
    """Files and folders that are no stores of a format of ours, and may be plain texts."""
    beside: tuple[Found, ...] = ()
    """Those in which agents repeat what they were told."""


class Places:
    """Finds the stores. Any thread."""

    def __init__(self, library: Library, discovery: Discovery) -> None:
        self._library = library
        self._discovery = discovery

    def where(
        self,
        names: Sequence[str] = (),
        *,
        usual: bool | None = None,
        key: Key | None = None,
        keys: Mapping[str, Key] | None = None,
    ) -> Where:
        """From what was typed: stores, folders, ``name:NAME``. None: wherever it is allowed.

        Raises:
            UserError: ``store.missing``, ``known.not_found``, ``store.two_formats``.
        """
        allowed = self._discovery.at_hand()
        looks = (allowed.looks if usual is None else usual) and not names
        folders = () if names else allowed.roots
        made = Where((), folders, usual=looks, only=bool(names), key=key, keys=keys or {})
        for name in names:
            made = self._with(made, name)
        return made

    def again(
        self,
        looked_in: LookedIn,
        *,
        key: Key | None = None,
        keys: Mapping[str, Key] | None = None,
    ) -> Where:
        """Where a case was looked for before, as far as that is there; what is not is told."""
        folders = looked_in.folders
        if not looked_in.only:
            folders = tuple(dict.fromkeys((*folders, *self._discovery.at_hand().roots)))
        return Where(
            looked_in.stores,
            folders,
            usual=looked_in.usual,
            only=looked_in.only,
            key=key,
            keys=keys or {},
        )

    def look(self, where: Where, tick: Tick = no_tick, cancel: CancelToken | None = None) -> Spots:
        """The stores that are there now. Opens none."""
        agents: dict[str, str] = {}
        not_looked: list[NotLooked] = []
        for path in where.stores:
            agents.setdefault(path, self._discovery.named(path))
        if not where.only:
            for shelf in self._library.shelves():
                path, agent = shelf.info.path, shelf.info.agent
                if path not in agents and shelf.info.format == ANY_DATABASE:
                    agent = self._discovery.named(path)
                agents.setdefault(path, agent)
            for known in self._library.known():
                self._known(known.path, agents, not_looked)
        limits: tuple[str, ...] = ()
        texts: list[Found] = []
        beside: tuple[Found, ...] = ()
        stopped = False
        gone = [one for one in where.folders if one not in agents and not Path(one).is_dir()]
        not_looked += [NotLooked(one, "", "store.missing", {"path": one}) for one in gone]
        if where.folders or where.usual:
            seen = self._discovery.search(
                where.folders, usual=where.usual, tick=tick, cancel=cancel
            )
            limits, stopped, beside = seen.limits, seen.stopped, seen.beside
            for one in seen.found:
                if _may_be_text(one):
                    texts.append(one)
                else:
                    self._found(one, agents, not_looked)
            if seen.unreadable:
                limits = (*limits, "unreadable")
        spots = Spots(tuple(agents), agents, tuple(not_looked), limits, stopped)
        return replace(spots, texts=tuple(texts), beside=beside)

    # ---- inside

    def _with(self, where: Where, name: str) -> Where:
        path = self._library.path_of(name[5:]) if name.startswith("name:") else name
        resolved = Path(path).expanduser()
        stores, folders = where.stores, where.folders
        try:
            stores = (*stores, str(self._library.locate(resolved).main))
        except UserError as error:
            # A home holds stores of several agents: all that lies below it is meant.
            if error.code not in _FOLDERS or not resolved.is_dir():
                raise
        if resolved.is_dir():
            folders = (*folders, str(resolved.resolve()))
        return replace(where, stores=tuple(dict.fromkeys(stores)), folders=folders)

    def _known(self, path: str, agents: dict[str, str], not_looked: list[NotLooked]) -> None:
        try:
            main = str(self._library.locate(path).main)
            if main not in agents:
                agents[main] = self._discovery.named(main)
        except UserError as error:
            not_looked.append(NotLooked(path, "", error.code, error.params))

    def _found(self, one: Found, agents: dict[str, str], not_looked: list[NotLooked]) -> None:
        path = str(one.path)
        if one.opens or (one.is_database and not one.problem):
            agents[path] = agents.get(path) or one.agent
        elif path not in agents:
            not_looked.append(NotLooked(path, one.agent, one.problem or NO_ADAPTER, {"path": path}))


def _may_be_text(one: Found) -> bool:
    """Whether no format of ours opens it, and it is neither a database nor out of order."""
    return not (one.opens or one.is_database or one.problem)
