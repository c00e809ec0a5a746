# SPDX-License-Identifier: MIT
"""Which places are a folder of notes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.engine.plainfile import head_of
from memory_gui.stores.files.labels import Labels
from memory_gui.stores.format import Format, Location, Mode
from memory_gui.stores.formats.notes.records import FILES, KINDS, SESSIONS
from memory_gui.stores.formats.notes.store import NotesStore
from memory_gui.stores.sight import Sight

FOLDER: Final = ".agent-harness"
MEMORY: Final = "memory"


class NotesFormat(Format):
    """The memory folder of agent-harness, or one file of it."""

    name = "notes"
    agent = "agent-harness"
    kinds = tuple(kind.name for kind in KINDS)
    declared = KINDS

    def __init__(self) -> None:
        self._labels = Labels()

    def locate(self, path: Path) -> Location | None:
        """The folder itself, the one in ``.agent-harness``, or the one in a home's folder."""
        if not path.is_dir():
            return Location((path,)) if path.name in FILES else None
        for folder in (path, path / MEMORY, path / FOLDER / MEMORY):
            if _is_memory(folder):
                return Location((folder.resolve(),))
        return None

    def probe(self, sight: Sight) -> Confidence:
        """By the names in the folder; a file by its name and by being text."""
        path = sight.path
        if sight.look == "folder":
            if not _is_memory(path):
                return Confidence.NO
            own = path.name == MEMORY and path.parent.name == FOLDER
            return Confidence.CERTAIN if own else Confidence.LIKELY
        if path.name not in FILES or sight.look not in ("other", "empty"):
            return Confidence.NO
        if b"\0" in head_of(path):
            return Confidence.NO
        own = path.parent.name == MEMORY and path.parent.parent.name == FOLDER
        return Confidence.CERTAIN if own else Confidence.LIKELY

    def open(self, location: Location, key: Key | None, mode: Mode) -> NotesStore:
        """Open in the calling thread.

        Raises:
            UserError: ``file.*``, ``store.*``, ``key.not_encrypted``.
        """
        if key is not None:
            raise UserError("key.not_encrypted", path=str(location.main))
        return NotesStore(location.main, mode, self._labels)


def _is_memory(folder: Path) -> bool:
    try:
        if not folder.is_dir():
            return False
        files = any((folder / name).is_file() for name in FILES)
        own = folder.name == MEMORY and folder.parent.name == FOLDER
        return files or (own and (folder / SESSIONS).is_dir())
    except OSError:
        return False
