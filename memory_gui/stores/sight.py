# SPDX-License-Identifier: MIT
"""What a location looks like before any connection: all that a format may judge it by.

Made once per location and handed to every format, so that a file is read once and by one reader.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from memory_gui.domain.errors import UserError
from memory_gui.engine.evidence import inspect
from memory_gui.engine.pages.record import columns_of
from memory_gui.engine.peek import SchemaObject, beginning, peek
from memory_gui.engine.virtual import module_of
from memory_gui.stores.format import Location

TEXT_HEAD: Final = 64 * 1024
"""Bytes of a file that is no database which formats may judge it by."""
MOST_NAMES: Final = 2_000
"""Names in a folder that formats may judge it by."""

Look = Literal["nothing", "folder", "empty", "plain", "half", "random", "other", "odd"]
"""As ``engine.evidence.Head``; ``odd`` for what may not be read or is no regular file."""


@dataclass(frozen=True, slots=True)
class Schema:
    """A database's schema.

    ``tables`` maps the name of each ordinary table to its columns in stored order, ``virtual``
    that of each virtual one to its module.
    """

    tables: Mapping[str, tuple[str, ...]]
    virtual: Mapping[str, str] = field(default_factory=dict)
    views: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    user_version: int = 0
    application_id: int = 0

    def has(self, table: str, *columns: str) -> bool:
        """Whether there is this ordinary table, with at least these columns."""
        found = self.tables.get(table)
        return found is not None and set(columns) <= set(found)

    def with_columns(self, *columns: str) -> tuple[str, ...]:
        """The ordinary tables that have at least these columns."""
        return tuple(name for name in self.tables if self.has(name, *columns))


@dataclass(frozen=True)
class Sight:
    """``look`` is what the main path is; ``text`` its first 64 KB where it is no database.

    ``schema`` is None where it is not known: no database, an encrypted one whose key was not
    given, a damaged one. ``names`` are those in a folder (sorted; folders end with ``/``).
    """

    location: Location
    look: Look
    known: Schema | None = None
    """A schema that was read with the key."""
    problem: str = ""
    """The code of what is wrong with it, where it is ``odd``."""

    @property
    def path(self) -> Path:
        """The main path."""
        return self.location.main

    @property
    def is_database(self) -> bool:
        """Whether it is one for SQLite, readable or encrypted."""
        return self.look in ("plain", "half", "random")

    @property
    def is_encrypted(self) -> bool:
        """Whether a key is needed to read it."""
        return self.look in ("half", "random")

    @cached_property
    def schema(self) -> Schema | None:
        """The tables, from the file's own bytes."""
        if self.known is not None or self.look != "plain":
            return self.known
        found = peek(self.path)
        return (
            None
            if found is None
            else schema_of(found.objects, found.user_version, found.application_id)
        )

    @cached_property
    def text(self) -> bytes:
        """The first bytes of a file that is no database."""
        return beginning(self.path, TEXT_HEAD) if self.look == "other" else b""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What lies in the folder; no link is followed."""
        if self.look != "folder":
            return ()
        found = []
        try:
            with os.scandir(self.path) as entries:
                for entry in entries:
                    is_folder = entry.is_dir(follow_symlinks=False)
                    found.append(f"{entry.name}/" if is_folder else entry.name)
                    if len(found) >= MOST_NAMES:
                        break
        except OSError:
            return ()
        return tuple(sorted(found))


def see(location: Location) -> Sight:
    """Look at a location. Raises nothing: what cannot be read is ``odd`` or ``nothing``."""
    try:
        seen = inspect(location.main, any_kind=True)
    except UserError as error:
        return Sight(location, _LOOKS.get(error.code, "odd"), problem=error.code)
    return Sight(location, seen.head)


_LOOKS: Final[Mapping[str, Look]] = {
    "store.missing": "nothing",
    "store.is_folder": "folder",
    "store.empty_file": "empty",
}


def schema_of(
    objects: Iterable[SchemaObject], user_version: int = 0, application_id: int = 0
) -> Schema:
    """What the rows of ``sqlite_schema`` say. Tables of SQLite's own are left out."""
    tables: dict[str, tuple[str, ...]] = {}
    virtual: dict[str, str] = {}
    others: dict[str, list[str]] = {"view": [], "trigger": []}
    for one in objects:
        if one.kind == "table":
            module = module_of(one.sql)
            if module is not None:
                virtual[one.name] = module
            elif not one.name.startswith("sqlite_"):
                tables[one.name] = columns_of(one.sql).names
        elif one.kind in others:
            others[one.kind].append(one.name)
    views, triggers = tuple(others["view"]), tuple(others["trigger"])
    return Schema(tables, virtual, views, triggers, user_version, application_id)


def is_regular(path: Path) -> bool:
    """Whether a regular file lies there (a pipe, a socket or a folder does not count)."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False
