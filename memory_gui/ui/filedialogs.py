# SPDX-License-Identifier: MIT
"""Qt's own file dialog in our words and our look: its translations leave some words in English."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QFileInfo, QLocale, QUrl
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialogButtonBox,
    QFileDialog,
    QFileIconProvider,
    QHeaderView,
    QSplitter,
    QTreeView,
)

from memory_gui.ui.fonts import grown
from memory_gui.ui.icons import Icon, icon
from memory_gui.words import Words

_BUTTONS: Final = {
    "backButton": Icon.BACK,
    "forwardButton": Icon.NEXT,
    "toParentButton": Icon.UP,
    "newFolderButton": Icon.ADD,
    "listModeButton": Icon.COMPACT,
    "detailModeButton": Icon.COMFORTABLE,
}
"""Qt's names of the buttons at the top."""
_DATABASES: Final = (".db", ".sqlite", ".sqlite3")
_NAME: Final = 0
_PLACES_WIDTH: Final = 140


class _Icons(QFileIconProvider):
    """Our icons, in the colours of the palette that is worn, and our words for what a file is."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._folder, self._database = words.say("Folder"), words.say("Database")
        self._file = words.say("File")

    def type(self, info: QFileInfo, /) -> str:
        """What stands beside a name."""
        if info.isDir():
            return self._folder
        return self._database if info.fileName().endswith(_DATABASES) else self._file

    def icon(self, of: QAbstractFileIconProvider.IconType | QFileInfo, /) -> QIcon:
        """By what it is; the name of a file tells a database."""
        kinds = QAbstractFileIconProvider.IconType
        if isinstance(of, QFileInfo):
            if of.isDir():
                return icon(Icon.FOLDER, "accent")
            database = of.fileName().endswith(_DATABASES)
            return icon(Icon.DATABASE if database else Icon.FILE, "muted")
        if of in (kinds.Folder, kinds.Desktop):
            return icon(Icon.FOLDER, "accent")
        return icon(Icon.COMPUTER if of in (kinds.Computer, kinds.Drive) else Icon.FILE, "muted")


def say_labels(dialog: QFileDialog, words: Words, accept: str) -> None:
    """Name its fields and buttons, and dress it; ``accept`` is already said in the language.

    Where the system has a dialog of its own only the names reach it.
    """
    labels = QFileDialog.DialogLabel
    dialog.setLabelText(labels.LookIn, words.say("In:"))
    dialog.setLabelText(labels.FileName, words.say("Name:"))
    dialog.setLabelText(labels.FileType, words.say("Kind:"))
    dialog.setLabelText(labels.Accept, accept)
    dialog.setLabelText(labels.Reject, words.say("Cancel"))
    table = dialog.findChild(QTreeView, "treeView")
    if table is not None:
        _dress(dialog, table, words)


def _dress(dialog: QFileDialog, table: QTreeView, words: Words) -> None:
    icons = _Icons(words)
    dialog.setIconProvider(icons)
    dialog.icons = icons  # type: ignore[attr-defined]  # Qt keeps no reference of its own
    dialog.setLocale(QLocale(str(words.locale)))  # of the dates
    dialog.setSidebarUrls([QUrl.fromLocalFile(str(place)) for place in (Path.home(), Path("/"))])
    for name, drawn in _BUTTONS.items():
        button = dialog.findChild(QAbstractButton, name)
        if button is not None:
            button.setIcon(icon(drawn))
    for standard in dialog.findChildren(QDialogButtonBox):
        for plain in standard.buttons():
            plain.setIcon(QIcon())  # the style's own are of another look
    split = dialog.findChild(QSplitter, "splitter")
    if split is not None:
        split.setSizes([grown(_PLACES_WIDTH), grown(4 * _PLACES_WIDTH)])
    header = table.header()
    header.setStretchLastSection(False)
    mode = QHeaderView.ResizeMode
    for column in range(header.count()):
        whole = mode.Stretch if column == _NAME else mode.ResizeToContents
        header.setSectionResizeMode(column, whole)
    table.setRootIsDecorated(False)
