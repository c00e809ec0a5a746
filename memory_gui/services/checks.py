# SPDX-License-Identifier: MIT
"""Looking whether a store is well."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.records import Ref, StoreId
from memory_gui.engine.connection import open_database
from memory_gui.engine.errors import DAMAGED
from memory_gui.engine.evidence import Evidence, inspect
from memory_gui.engine.health import examine
from memory_gui.engine.holders import family, open_by
from memory_gui.rotation.names import has_leftovers
from memory_gui.services.erased.returned import Returned
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.services.values import CheckLine

_LARGE_LOG: Final = 8 << 20
"""Bytes of log from which on it is worth saying: it holds old versions of what was changed."""


class Checks:
    """Checks one store. Any thread may call."""

    def __init__(
        self,
        library: Library,
        returned: Returned | None = None,
        *,
        evidence: Callable[[StoreId], Sequence[Ref]] | None = None,
    ) -> None:
        """``evidence`` names the decided proposals that keep words of a talk."""
        self._library = library
        self._evidence = evidence
        self._returned = returned

    def check(self, store: StoreId | str | Path, key: Key | None = None) -> list[CheckLine]:
        """File, permissions, integrity, cipher, free pages, log, foreign objects, holders.

        ``ok`` False: certainly wrong; None: worth knowing, or could not be told. ``key`` is for a
        store that is not open; without it the keychain's is used.

        Raises:
            UserError: ``store.*``, ``key.*`` when it cannot be opened at all.
        """
        path = Path(str(store))
        known = [s for s in self._library.shelves() if s.id == store]
        try:
            shelf = known[0] if known else self._open(path, key)
        except UserError as error:
            if error.code not in DAMAGED:
                raise
            return [*_file(inspect(path)), damaged()]
        twice = self._library.moved_twice(shelf)
        lines = [*_lines(shelf), *self._kept_evidence(shelf)]
        if twice:
            lines.append(CheckLine("check.moved_twice", ok=False, params={"count": len(twice)}))
        if self._returned is not None and (back := self._returned.look(shelf.id)):
            lines.append(CheckLine("check.returned", ok=False, params={"count": len(back)}))
        return lines

    def _kept_evidence(self, shelf: Shelf) -> Iterator[CheckLine]:
        has_proposals = any("review" in kind.acts for kind in shelf.info.declared)
        if self._evidence is not None and has_proposals:
            try:
                count = len(self._evidence(shelf.id))
            except UserError as error:
                if error.code not in DAMAGED:
                    raise
                return  # a line of its own tells of the damage
            yield CheckLine("check.evidence", None if count else True, {"count": count})

    def _open(self, path: Path, key: Key | None) -> Shelf:
        opened = self._library.open(path, key=key, pair=False)
        return self._library.shelf(opened[0].id)


def damaged() -> CheckLine:
    """The line for a store that is too damaged to be opened."""
    return CheckLine("check.structure", ok=False, params={"count": 1})


def _lines(shelf: Shelf) -> Iterator[CheckLine]:
    path = Path(shelf.info.path)
    if path.is_dir():
        yield CheckLine("check.readable", None)
        yield from _open_by([path, *shelf.location.paths])
        return
    evidence = inspect(path, any_kind=True)
    is_database = evidence.head in {"plain", "half", "random"}
    encrypted = shelf.info.encrypted
    yield CheckLine("check.encrypted" if encrypted else "check.readable", encrypted or None)
    yield from _file(evidence)
    if is_database:
        yield from _inside(shelf)
        yield from _beside(shelf, evidence)
    yield from _open_by([evidence.path])


def _open_by(paths: list[Path]) -> Iterator[CheckLine]:
    holders = open_by(list(dict.fromkeys(paths)), excluding=family())
    names = ", ".join(f"{holder.name} ({holder.pid})" for holder in holders)
    yield CheckLine(
        "check.open_by", None if holders else True, {"count": len(holders), "names": names}
    )


def _beside(shelf: Shelf, evidence: Evidence) -> Iterator[CheckLine]:
    log = evidence.sidecars.get("-wal", 0) + evidence.sidecars.get("-journal", 0)
    yield CheckLine("check.log", None if log > _LARGE_LOG else True, {"bytes": log})
    foreign = len(shelf.info.foreign_sql)
    yield CheckLine("check.foreign", None if foreign else True, {"count": foreign})
    if has_leftovers(evidence.path):
        yield CheckLine("check.leftovers", ok=False)


def _file(evidence: Evidence) -> Iterator[CheckLine]:
    yield CheckLine("check.owner", evidence.owner_is_me)
    yield CheckLine("check.writable", True if evidence.writable else None)
    if sys.platform != "win32":
        mode = stat.S_IMODE(evidence.path.stat().st_mode)
        private = not mode & 0o077 or not _folder_open(evidence.path.parent)
        yield CheckLine("check.private", True if private else None, {"mode": f"{mode:04o}"})
    if evidence.network_fs:
        yield CheckLine("check.network", None, {"kind": evidence.network_fs})


def _folder_open(folder: Path) -> bool:
    """Whether others can pass through every folder on the way."""
    return all(os.stat(f).st_mode & 0o011 for f in (folder, *folder.parents))  # noqa: PTH116 - plain


def _inside(shelf: Shelf) -> Iterator[CheckLine]:
    """SQLite's and SQLCipher's own checks, by a connection of this thread."""
    try:
        with open_database(Path(shelf.info.path), shelf.key, write=False) as connection:
            health = examine(connection)
    except UserError as error:
        if error.code not in DAMAGED:
            raise
        yield damaged()
        return
    found = len(health.structure)
    yield CheckLine("check.structure", not found, {"count": found})
    if health.cipher is not None:
        broken = len(health.cipher)
        yield CheckLine("check.cipher", not broken, {"count": broken})
    free = health.free_pages
    yield CheckLine(
        "check.free_pages", None if free else True, {"count": free, "pages": health.pages}
    )
