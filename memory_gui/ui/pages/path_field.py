# SPDX-License-Identifier: MIT
"""A path that a person types or chooses: a new file, never an old one; or one to be read."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QWidget

from memory_gui.ui.filedialogs import say_labels
from memory_gui.ui.names import named
from memory_gui.ui.tokens import SPACE_S
from memory_gui.ui.widgets import Button
from memory_gui.words import Words


class PathField(QWidget):
    """A line with a button that opens the system's file dialog, which blocks nothing."""

    changed = Signal()
    entered = Signal()

    def __init__(
        self, words: Words, name: str, parent: QWidget | None = None, *, opens: bool = False
    ) -> None:
        """``opens``: the file is there, and is read."""
        super().__init__(parent)
        self._words = words
        self._opens = opens
        self._dialog: QFileDialog | None = None
        self.line = named(QLineEdit(), f"{name}.path")
        self.choose = named(Button(), f"{name}.choose")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addWidget(self.line, 1)
        layout.addWidget(self.choose)
        self.setFocusProxy(self.line)
        self.line.textChanged.connect(self.changed)
        self.line.returnPressed.connect(self.entered)
        self.choose.clicked.connect(self._on_choose_clicked)
        self.retranslate()

    @property
    def path(self) -> Path | None:
        """What stands in the line; None while it is empty."""
        text = self.line.text().strip()
        return Path(text).expanduser() if text else None

    def set_path(self, path: str) -> None:
        """Propose one."""
        self.line.setText(path)

    def wipe(self) -> None:
        """Forget the path and close the dialog."""
        if self._dialog is not None:
            self._dialog.reject()
        self.line.clear()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.line.setAccessibleName(self._words.say("File"))
        self.choose.setText(self._words.say("Choose…"))

    def _on_choose_clicked(self) -> None:
        if self._dialog is not None:
            return
        say, opens = self._words.say, self._opens
        title = say("Open a file") if opens else say("Save as")
        dialog = named(QFileDialog(self, title), "open.dialog" if opens else "save.dialog")
        accept, mode = QFileDialog.AcceptMode, QFileDialog.FileMode
        dialog.setAcceptMode(accept.AcceptOpen if opens else accept.AcceptSave)
        dialog.setFileMode(mode.ExistingFile if opens else mode.AnyFile)
        say_labels(dialog, self._words, say("Open") if opens else say("Save"))
        if self.path is not None:
            dialog.setDirectory(str(self.path.parent))
            dialog.selectFile(self.path.name)
        dialog.fileSelected.connect(self.line.setText)
        dialog.finished.connect(self._on_dialog_finished)
        self._dialog = dialog
        dialog.open()  # not exec: the lock must not wait for it

    def _on_dialog_finished(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None
