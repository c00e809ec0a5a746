# SPDX-License-Identifier: MIT
"""The dialog in which a store is chosen: a database, or the folder of its project."""

from __future__ import annotations

import sys
from functools import partial
from typing import Final

from PySide6.QtCore import QDir, QFileInfo
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QWidget

from memory_gui.domain.errors import MemoryGuiError
from memory_gui.stores.format import Location
from memory_gui.ui.context import Context
from memory_gui.ui.filedialogs import say_labels

_SHOWN: Final = QDir.Filter.AllEntries | QDir.Filter.Hidden | QDir.Filter.NoDotAndDotDot
"""Agents keep their memory in folders whose names begin with a dot."""


class StoreDialog(QFileDialog):
    """Shows hidden folders. ``open`` it, not ``exec``. GUI thread."""

    def __init__(self, context: Context, parent: QWidget, *, folder: bool) -> None:
        super().__init__(parent)
        self._context = context
        say = context.words.say
        self.setWindowTitle(say("Open a project folder") if folder else say("Open a store"))
        mode = QFileDialog.FileMode
        self.setFileMode(mode.Directory if folder else mode.ExistingFile)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        # The desktops' own dialogs on Linux heed no wish to show what is hidden.
        own = sys.platform not in ("darwin", "win32")
        self.setOption(QFileDialog.Option.DontUseNativeDialog, own)
        self.setFilter(_SHOWN | QDir.Filter.AllDirs)
        if not folder:
            self.setNameFilters(
                [
                    say("Stores of agents (*.db *.sqlite *.sqlite3 *.json *.jsonl *.md)"),
                    say("All files (*)"),
                ]
            )
        self.setDirectory(QDir.homePath())
        say_labels(self, context.words, say("Open"))
        if not folder:
            self.directoryEntered.connect(self._on_entered)

    def accept(self) -> None:
        """A folder in which a store is found is chosen; into any other one goes."""
        chosen = self.selectedFiles()
        asks_file = self.fileMode() == QFileDialog.FileMode.ExistingFile
        if asks_file and len(chosen) == 1 and QFileInfo(chosen[0]).isDir():
            self._context.bridge.call(
                self._context.services.library.locate,
                chosen[0],
                done=partial(self._take, chosen[0]),
                failed=partial(self._go_into, chosen[0]),
            )
        else:
            super().accept()

    def _on_entered(self, folder: str) -> None:
        """Who went into the folder of a project can open it from there, too."""
        self._context.bridge.call(
            self._context.services.library.locate,
            folder,
            done=partial(self._propose, folder),
            failed=self._on_none_there,
        )

    def _propose(self, folder: str, location: Location) -> None:
        line = self.findChild(QLineEdit, "fileNameEdit")
        path = QDir(folder).relativeFilePath(str(location.main))
        inside = path not in ("", ".") and not path.startswith("..")
        same = QDir(folder) == self.directory()
        if line is not None and inside and same and not line.text():
            line.setText(path)

    def _on_none_there(self, _error: MemoryGuiError) -> None:
        """A folder like any other."""

    def _take(self, path: str, _location: object) -> None:
        self.fileSelected.emit(path)
        QDialog.accept(self)

    def _go_into(self, path: str, _error: MemoryGuiError) -> None:
        self.setDirectory(path)
