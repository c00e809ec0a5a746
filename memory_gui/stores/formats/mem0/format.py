# SPDX-License-Identifier: MIT
"""Stores of Mem0: which files they may be, and opening all of one together."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.peek import beginning
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.mem0.chroma import TABLES as CHROMA_TABLES
from memory_gui.stores.formats.mem0.layout import EVENTS, HISTORY, NEEDED, Places, root_of
from memory_gui.stores.formats.mem0.opening import open_files
from memory_gui.stores.formats.mem0.qdrant import COLUMNS, TABLE
from memory_gui.stores.formats.mem0.records import KINDS, NAME
from memory_gui.stores.formats.mem0.store import Mem0Store, Today, today
from memory_gui.stores.sight import Sight

_BEGINNING: Final = 4 << 20
"""Bytes of a vector store that are looked through for Mem0's fields."""
_FIELDS: Final = (b"data", b"created_at")
_HASH: Final = re.compile(rb"hash.{0,8}?(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])", re.DOTALL)
_ENTITY: Final = b"linked_memory_ids"
SHARED: Final = Path("/tmp/qdrant")  # noqa: S108 - where Mem0 itself puts it


class Mem0Format(Format):
    """A history database, or the vector store of one; whichever is named, all are opened."""

    name = NAME
    agent = "Mem0"
    kinds = tuple(kind.name for kind in KINDS)
    declared = KINDS
    places = (HISTORY,)

    def __init__(
        self, home: Path | None = None, *, shared: Path = SHARED, day: Today = today
    ) -> None:
        folder = "" if home is None else os.environ.get("MEM0_DIR", "")
        self._places = Places(home, shared, folder)
        self._day = day

    def probe(self, sight: Sight) -> Confidence:
        """By the history's columns; of a vector store, whose it is, only its rows tell."""
        if sight.look == "other" and root_of(sight.path) is not None:
            return Confidence.LIKELY
        if sight.look != "plain" or sight.schema is None:
            return Confidence.NO
        if sight.schema.has(EVENTS, *NEEDED):
            return Confidence.CERTAIN
        is_vectors = sight.schema.has(TABLE, *COLUMNS) or all(map(sight.schema.has, CHROMA_TABLES))
        if not is_vectors or root_of(sight.path) is None:
            return Confidence.NO
        return Confidence.MAYBE

    def is_own(self, sight: Sight) -> bool:
        """Of a vector store, by what Mem0 keeps with each memory and each name."""
        if root_of(sight.path) is None:
            return False
        head = beginning(sight.path, _BEGINNING)
        return _ENTITY in head or (all(one in head for one in _FIELDS) and bool(_HASH.search(head)))

    def locate(self, path: Path) -> Location | None:
        """The main file, then the others that may belong to it."""
        if path.is_dir():
            inside = self._places.in_folder(path)
            if inside is None:
                return None
            path = inside.resolve()
        main = self._places.main_of(path) or path
        if root_of(main) is None and "history" not in main.name.lower():
            return Location((main,))
        files = self._places.around(main)
        others = [one for one in (*files.histories, *files.vectors) if one != main]
        return Location((main, *others))

    def open(self, location: Location, key: Key | None, mode: Mode) -> Mem0Store:
        """Open in the calling thread.

        Raises:
            UserError: as ``Format.open``; ``store.other_schema`` for a vector store of another
                program.
        """
        if key is not None:
            raise UserError("key.not_encrypted", path=str(location.main))
        opened = open_files(location.main, self._places.around(location.main))
        return Mem0Store(location.main, opened, mode, self._day)
