# SPDX-License-Identifier: MIT
"""What a format is: how one agent lays out a store, where that lies, how it is opened.

``contract.Store`` is what ``Format.open`` gives.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from memory_gui.domain.changes import Confidence
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.keys import Key
from memory_gui.domain.kinds import Kind
from memory_gui.stores.given import GivenRules, Living

if TYPE_CHECKING:
    from memory_gui.stores.contract import Store
    from memory_gui.stores.sight import Sight


class Mode(Enum):
    """How a store is opened."""

    LOOK = "look"
    """``mode=ro`` and ``query_only``: the database's bytes stay as they are."""
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class Location:
    """What a store is opened from: one file, several, or a folder.

    ``paths[0]`` is the main file or folder, resolved (no symlink left). ``names`` are other paths
    by which its agent reaches it, through links: beside those it keeps its other files.
    """

    paths: tuple[Path, ...]
    names: tuple[Path, ...] = field(default=(), compare=False)

    @property
    def main(self) -> Path:
        """The main file or folder."""
        return self.paths[0]


class Access(Enum):
    """Who can still open a store when it is encrypted, apart from this app."""

    AGENT = "agent"
    """Its agent, by itself."""
    CONNECTOR = "connector"
    """Its agent through ``memory_gui.agents``; as it is installed it cannot."""
    NOBODY = "nobody"


class Format(ABC):
    """One agent's way of laying out a store: probes and opens.

    ``declared`` are its kinds with their words, ``places`` the files that its store is in a folder
    that a person names, best first. ``encrypted_for`` says who can open it encrypted; ``loses``
    names the programs that cannot. A ``fallback`` opens what no other format knows. ``given`` are
    its agent's rules of what it gives its model, ``living`` how it is started over stores that it
    cannot open by itself; None where that is not known. Files above ``most_bytes`` are not read,
    where it reads a file as a whole.
    """

    name: str
    agent: str
    kinds: tuple[str, ...]
    declared: tuple[Kind, ...] = ()
    places: tuple[str, ...] = ()
    fallback: bool = False
    encrypted_for: Access = Access.NOBODY
    loses: tuple[str, ...] = ()
    given: GivenRules | None = None
    living: Living | None = None
    most_bytes: int = 0

    @abstractmethod
    def probe(self, sight: Sight) -> Confidence:
        """Judge before any connection exists: by schema or text, and by the name where that is all.

        CERTAIN: it is laid out as only this format is. LIKELY: the schema is not known (encrypted),
        and the place is this agent's own. MAYBE: it could be. Opens nothing, raises nothing.
        """

    def is_own(self, _sight: Sight) -> bool:
        """Whether what lies in a file says that it is this agent's, where ``probe`` is not sure.

        By the beginning of its bytes; opens nothing, raises nothing. For who looks for stores.
        """
        return False

    def locate(self, path: Path) -> Location | None:
        """The store that a path means which is there and resolved; None for none of this format.

        A file means itself, a folder the first of ``places`` that is a file in it. Only names are
        looked at.
        """
        if not path.is_dir():
            return Location((path,))
        found = next((file for file in map(path.joinpath, self.places) if file.is_file()), None)
        return None if found is None else Location((found.resolve(),))

    def side_files(self, _location: Location) -> tuple[SideFile, ...]:
        """The agent's other files beside a store that need not be open; most formats have none."""
        return ()

    @abstractmethod
    def open(self, location: Location, key: Key | None, mode: Mode) -> Store:
        """Open in the calling thread.

        Raises:
            UserError: ``store.missing``, ``store.empty_file``, ``store.is_folder``,
                ``store.not_a_database``, ``store.other_schema``, ``store.newer_schema``,
                ``store.damaged``, ``store.locked``, ``store.no_permission``, ``store.read_only``,
                ``key.needed``, ``key.wrong``.
        """
