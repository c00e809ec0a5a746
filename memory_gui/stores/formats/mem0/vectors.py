# SPDX-License-Identifier: MIT
"""A vector store as one of the files of a Mem0 store: read, and what an erase takes from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memory_gui.domain.erasing import ErasePart, SideFile
from memory_gui.stores.formats.mem0.values import Entry


@dataclass(slots=True)
class Going:
    """What goes of one vector store.

    ``unlink`` are entities that stay, and the memories that they no longer point to.
    """

    rows: list[Entry] = field(default_factory=list)
    past: list[Entry] = field(default_factory=list)
    unlink: list[tuple[Entry, frozenset[str]]] = field(default_factory=list)


class Vectors(ABC):
    """One file, or one file and its index. Belongs to the thread that opened it."""

    label: str
    path: Path
    tables: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    """By which kept rows are named, as an ``ErasePart`` has them."""

    @abstractmethod
    def read(self) -> list[Entry]:
        """All rows, present ones and those of a log."""

    @abstractmethod
    def token(self) -> tuple[int, ...]:
        """Changes with every change by another program."""

    @abstractmethod
    def parts(self, going: Going) -> Sequence[ErasePart]:
        """What an erase takes from its files. Raises UserError where it cannot."""

    def row_of(self, key: tuple[str, ...]) -> str:
        """The id of the memory or entity that goes by this key there; empty for none."""
        del key
        return ""

    def side_files(self) -> tuple[SideFile, ...]:
        """Files beside it in which the same text may be."""
        return ()

    def interrupt(self) -> None:  # noqa: B027 - text files have nothing to stop
        """Stop the statement that runs. Any thread."""

    def close(self) -> None:  # noqa: B027 - text files are not held
        """Let go."""
