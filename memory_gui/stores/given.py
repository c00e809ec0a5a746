# SPDX-License-Identifier: MIT
"""What a format may declare of its agent: what it gives its model, and how it is started.

Services ask by ``registry.given_by`` and ``registry.living_by``; nothing above knows a format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.given import Reach, Recall, Stable
from memory_gui.domain.records import Record, Ref

PROJECT: Final = "project"
USER: Final = "user"


class GivenRules(ABC):
    """An agent's own rules. Pure: records in, texts out; any thread.

    ``room`` and ``recall_room`` are how many characters its two blocks may have. ``always`` are
    facets (``domain.queries``): a memory with the values of one of them belongs into every request;
    of the others only those do that were changed last.
    """

    reach: Reach
    room: int
    recall_room: int
    always: tuple[Mapping[str, frozenset[str]], ...]

    @abstractmethod
    def in_order(self, project: Sequence[Record], user: Sequence[Record]) -> list[Record]:
        """The live memories of its two stores, as the agent lists them."""

    @abstractmethod
    def block(self, entries: Sequence[Record], summaries: Sequence[Record]) -> Stable:
        """What every request has; ``entries`` as ``in_order``, ``summaries`` as they were made."""

    @abstractmethod
    def recall(self, entries: Sequence[Record], said: str, excluded: Collection[Ref]) -> Recall:
        """What a message adds; nothing of ``excluded``."""

    @abstractmethod
    def can_be_recalled(self, record: Record) -> bool:
        """Whether any message could."""

    def is_always(self, record: Record) -> bool:
        """Whether it belongs into every request, however old it is."""
        return any(
            all(getattr(record, facet) in values for facet, values in one.items())
            for one in self.always
        )


@dataclass(frozen=True, slots=True)
class Living:
    """How its agent lives in stores that it cannot open by itself.

    ``name`` is what ``memory-cli agent`` calls it, ``python`` the line that a program of one's own
    imports, with ``{path}``. ``project`` and ``user`` are its stores below a project's folder and
    below the person's home.
    """

    name: str
    python: str
    project: str
    user: str

    def paths(self, folder: Path, home: Path) -> dict[str, Path]:
        """By role, the project's first; both are one file in the home folder itself."""
        return {PROJECT: folder / self.project, USER: home / self.user}

    def folder_of(self, store: Path) -> Path:
        """The project's folder, from the path of its store."""
        return store.parents[len(Path(self.project).parts) - 1]
