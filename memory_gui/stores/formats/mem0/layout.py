# SPDX-License-Identifier: MIT
"""Which files are one store of Mem0: its history, and the vector stores beside it.

FORMATS 7: the vector store is wherever the developer's configuration says, and no file tells where.
By default it is Qdrant's in ``/tmp/qdrant``; otherwise it is looked for beside the history, in the
folders there, and taken only where it holds memories that the history knows. Names only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.engine.peek import peek
from memory_gui.stores.sight import schema_of

HISTORY: Final = "history.db"
EVENTS: Final = "history"
NEEDED: Final = ("id", "memory_id", "old_memory", "new_memory", "event")
"""Columns that every release has."""
CHROMA: Final = "chroma.sqlite3"
QDRANT: Final = "storage.sqlite"
COLLECTIONS: Final = "collection"
ENTITIES: Final = "_entities"
_MOST_NAMES: Final = 400


@dataclass(frozen=True, slots=True)
class Files:
    """``sure`` are those at the place where Mem0 itself puts them for this history.

    Of FAISS the file of its texts is named (``.json``, in old releases ``.pkl``).
    """

    histories: tuple[Path, ...] = ()
    qdrant: tuple[Path, ...] = ()
    chroma: tuple[Path, ...] = ()
    faiss: tuple[Path, ...] = ()
    sure: frozenset[Path] = frozenset()

    @property
    def vectors(self) -> tuple[Path, ...]:
        """All that hold memories."""
        return (*self.qdrant, *self.chroma, *self.faiss)

    def __or__(self, other: Files) -> Files:
        return Files(
            tuple(dict.fromkeys((*self.histories, *other.histories))),
            tuple(dict.fromkeys((*self.qdrant, *other.qdrant))),
            tuple(dict.fromkeys((*self.chroma, *other.chroma))),
            tuple(dict.fromkeys((*self.faiss, *other.faiss))),
            self.sure | other.sure,
        )


class Places:
    """Where this person's Mem0 keeps its own. ``shared`` is Qdrant's default folder."""

    def __init__(self, home: Path | None, shared: Path, folder: str = "") -> None:
        self._shared = shared
        self._own: Path | None = None
        if folder:
            self._own = Path(folder).expanduser()
        elif home is not None:
            self._own = home / ".mem0"

    @property
    def history(self) -> Path | None:
        """The history that Mem0 makes where nothing was configured, if it is there."""
        file = None if self._own is None else self._own / HISTORY
        return file.resolve() if file is not None and file.is_file() else None

    def around(self, main: Path) -> Files:
        """All files that may be one store with this one."""
        root = root_of(main)
        if root is not None:
            return self._around_vectors(root)
        found = Files(histories=(main,))
        for folder in (main.parent, *_folders(main.parent)):
            found |= vectors_in(folder)
        # A history may be configured elsewhere, its vectors not: then what they share decides.
        shared = vectors_in(self._shared)
        sure = shared.vectors if main == self.history else ()
        return found | shared | Files(sure=frozenset(sure))

    def _around_vectors(self, root: Path) -> Files:
        found = vectors_in(root)
        histories = [*_histories(root), *_histories(root.parent)]
        if root == self._shared and (own := self.history) is not None:
            histories.insert(0, own)
            found |= Files(sure=frozenset({own}))
        return found | Files(histories=tuple(dict.fromkeys(histories)))

    def main_of(self, path: Path) -> Path | None:
        """The main file of the store that a vector store's file belongs to, where it is sure."""
        root = root_of(path)
        if root is None:
            return None
        if root == self._shared:
            return self.history or _named_by(path)
        beside = root.parent / HISTORY
        others = _histories(root.parent)
        return beside.resolve() if others == [beside] else _named_by(path)

    def in_folder(self, folder: Path) -> Path | None:
        """The main file of the store in a folder that a person named."""
        if has_history(folder / HISTORY):
            return folder / HISTORY
        return next(iter(vectors_in(folder).vectors), None)


def has_history(path: Path) -> bool:
    """Whether a file is a history of Mem0: by its schema, without a connection."""
    seen = peek(path) if path.is_file() else None
    return seen is not None and schema_of(seen.objects).has(EVENTS, *NEEDED)


def root_of(path: Path) -> Path | None:
    """The folder of the vector store that a file is part of; None for what is none by its name."""
    if path.name == QDRANT and path.parent.parent.name == COLLECTIONS:
        return path.parent.parent.parent
    if path.name == CHROMA:
        return path.parent
    if path.suffix in (".json", ".pkl") and path.with_suffix(".faiss").is_file():
        return path.parent
    return None


def vectors_in(folder: Path) -> Files:
    """The vector stores of a folder."""
    qdrant = [
        one.resolve() / QDRANT for one in _folders(folder / COLLECTIONS) if (one / QDRANT).is_file()
    ]
    chroma = folder / CHROMA
    faiss = []
    for name in _names(folder):
        if name.endswith(".faiss"):
            texts = [folder / f"{name[:-6]}{ending}" for ending in (".json", ".pkl")]
            faiss += [one.resolve() for one in texts if one.is_file()][:1]
    return Files(
        qdrant=tuple(qdrant),
        chroma=(chroma.resolve(),) if chroma.is_file() else (),
        faiss=tuple(faiss),
    )


def _named_by(path: Path) -> Path | None:
    """Of a collection of names, the one of the memories beside it, after which it is called."""
    name = path.parent.name
    if path.name != QDRANT or not name.endswith(ENTITIES):
        return None
    memories = path.parent.with_name(name.removesuffix(ENTITIES)) / QDRANT
    return memories if memories.is_file() else None


def _histories(folder: Path) -> list[Path]:
    """Files that may be histories, by their names."""
    names = [one for one in _names(folder) if "history" in one.lower() and one.endswith(".db")]
    return [file.resolve() for name in names if (file := folder / name).is_file()]


def _folders(folder: Path) -> Iterator[Path]:
    for name in _names(folder):
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            yield path


def _names(folder: Path) -> list[str]:
    """Sorted; of a very full folder some."""
    found: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found.append(entry.name)
            if len(found) >= _MOST_NAMES:
                break
    return sorted(found)
