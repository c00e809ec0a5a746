# SPDX-License-Identifier: MIT
"""Our words in Qt's file dialogs: its own translations leave some of them in English."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog

from memory_gui.words import Words


def say_labels(dialog: QFileDialog, words: Words, accept: str) -> None:
    """Name its fields and buttons; ``accept`` is already said in the language."""
    labels = QFileDialog.DialogLabel
    dialog.setLabelText(labels.LookIn, words.say("In:"))
    dialog.setLabelText(labels.FileName, words.say("Name:"))
    dialog.setLabelText(labels.FileType, words.say("Kind:"))
    dialog.setLabelText(labels.Accept, accept)
    dialog.setLabelText(labels.Reject, words.say("Cancel"))
