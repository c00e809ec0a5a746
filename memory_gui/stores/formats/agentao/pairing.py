# SPDX-License-Identifier: MIT
"""Which of Agentao's two databases a file is: the project's or the person's."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from pathlib import Path
from typing import Final

FOLDER: Final = ".agentao"
FILE: Final = "memory.db"


class Role(StrEnum):
    """A file's place in the pair. ``ALONE`` is a copy, or one that holds both scopes."""

    PROJECT = "project"
    USER = "user"
    ALONE = "alone"

    def accepts(self, scope: str) -> bool:
        """Whether records of the scope belong here."""
        return self is Role.ALONE or scope == self.value


def user_database(home: Path) -> Path:
    """Where Agentao keeps what it knows about the person."""
    return home / FOLDER / FILE


def role_of(path: Path, home: Path | None, scopes: Collection[str], *, has_queue: bool) -> Role:
    """The role by path and by rows.

    ``scopes`` are those of the file's memories. ``has_queue`` says that it holds review items or
    summaries, which Agentao writes to the project's file only. Both scopes in one file happen when
    Agentao was started in the home folder: then either may stay.
    """
    kept = {scope for scope in scopes if scope in {"user", "project"}}
    if len(kept) == 2:
        return Role.ALONE
    if home is not None and path == user_database(home):
        return Role.ALONE if "project" in kept or has_queue else Role.USER
    if kept == {"user"} and not has_queue:
        return Role.USER
    if kept == {"project"} or has_queue or path.parent.name == FOLDER:
        return Role.PROJECT
    return Role.ALONE
