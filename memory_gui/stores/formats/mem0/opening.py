# SPDX-License-Identifier: MIT
"""Opening the files of one store: the main one, and of the others those that belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.engine.peek import peek
from memory_gui.stores.formats.mem0.chroma import TABLES as CHROMA_TABLES
from memory_gui.stores.formats.mem0.chroma import Chroma
from memory_gui.stores.formats.mem0.content import Opened
from memory_gui.stores.formats.mem0.faiss import Faiss
from memory_gui.stores.formats.mem0.history import History
from memory_gui.stores.formats.mem0.layout import Files, has_history
from memory_gui.stores.formats.mem0.qdrant import COLUMNS, TABLE, Qdrant
from memory_gui.stores.formats.mem0.values import Entry
from memory_gui.stores.formats.mem0.vectors import Vectors
from memory_gui.stores.sight import schema_of

_OWN: Final = frozenset({"data", "hash"})


def open_files(main: Path, files: Files) -> Opened:
    """Open the main file, and of the others those that are one store with it.

    They are when they have a memory in common, or lie where Mem0 itself puts them.

    Raises:
        UserError: as for the main file; ``store.other_schema`` when it holds no memory of Mem0.
    """
    found = _Belonging(main, files)
    try:
        found.take_main()
        found.take_vectors()
        found.take_history()
    except BaseException:
        found.close()
        raise
    return Opened(found.histories, found.vectors, found.unread)


class _Belonging:
    """What was opened so far, and the memories that it knows."""

    def __init__(self, main: Path, files: Files) -> None:
        self._main = main
        self._files = files
        self._known: set[str] = set()
        self.histories: list[History] = []
        self.vectors: list[Vectors] = []
        self.unread: list[Path] = []

    def close(self) -> None:
        """Let go of all."""
        Opened(self.histories, self.vectors).close()

    def take_main(self) -> None:
        """The file that was named; it must be Mem0's."""
        if self._main in self._files.histories:
            history = History(self._main)
            self.histories.append(history)
            self._known |= {event.memory for event in history.events()}
            return
        vectors = _vectors(self._main, self._files)
        self.vectors.append(vectors)
        entries = vectors.read()
        if not _is_own(entries):
            raise UserError("store.other_schema", path=str(self._main))
        self._known |= _ids(entries)

    def take_vectors(self) -> None:
        """Vector stores that hold some of the same memories, and all of one's collections."""
        for path in self._files.vectors:
            if path == self._main:
                continue
            try:
                vectors = _vectors(path, self._files)
            except UserError as error:
                if error.code != "store.other_schema":
                    self.unread.append(path)
                continue
            try:
                part = self._is_part(vectors)
            except UserError:
                self.unread.append(path)
                part = False
            if part:
                self.vectors.append(vectors)
            else:
                vectors.close()

    def take_history(self) -> None:
        """The history of a vector store that was named."""
        for path in self._files.histories:
            if self.histories:
                return
            if not has_history(path):
                continue
            with suppress(UserError):
                history = History(path)
                mine = {event.memory for event in history.events()}
                if path in self._files.sure or mine & self._known:
                    self.histories.append(history)
                else:
                    history.close()

    def _is_part(self, vectors: Vectors) -> bool:
        ids = _ids(vectors.read())
        near = any(one.path.parent.parent == vectors.path.parent.parent for one in self.vectors)
        if vectors.path in self._files.sure or ids & self._known or (near and not ids):
            self._known |= ids
            return True
        return False


def _ids(entries: Sequence[Entry]) -> set[str]:
    """The memories that some rows are, or point to."""
    return {name for entry in entries for name in (entry.links or (entry.id,))}


def _vectors(path: Path, files: Files) -> Vectors:
    if path in files.faiss:
        return Faiss(path)
    seen = peek(path)
    schema = None if seen is None else schema_of(seen.objects)
    if path in files.qdrant and schema is not None and schema.has(TABLE, *COLUMNS):
        return Qdrant(path)
    if path in files.chroma and schema is not None and all(map(schema.has, CHROMA_TABLES)):
        return Chroma(path)
    raise UserError("store.other_schema", path=str(path))


def _is_own(entries: Sequence[Entry]) -> bool:
    """Whether a vector store is Mem0's: its fields, or its entities."""
    return any(one.is_entity or (one.payload and set(one.payload) >= _OWN) for one in entries)
