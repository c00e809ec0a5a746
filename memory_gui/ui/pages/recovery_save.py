# SPDX-License-Identifier: MIT
"""Where a recovery key goes: a printer, a PDF or a text file, as the person chooses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services.keys.papers import write_paper
from memory_gui.services.keys.recovery import RecoverySheet
from memory_gui.ui.context import Context
from memory_gui.ui.filedialogs import say_labels
from memory_gui.ui.names import named
from memory_gui.ui.pdf import draw_sheets, page_layout, recovery_pdf
from memory_gui.words import Words
from memory_gui.words.recovery import TITLE, plain_text

PDF: Final = "pdf"
TEXT: Final = "txt"


def write_sheets(words: Words, sheets: Sequence[RecoverySheet], kind: str, out: Path) -> Path:
    """Make the file, 0600 and never over another one; any thread but the window's.

    Raises:
        UserError: ``recovery.exists``, ``recovery.not_written``.
    """
    if kind == PDF:
        write_paper(out, recovery_pdf(words, sheets))
    else:
        write_paper(out, plain_text(words, sheets).encode())
    return out


class Saver(QObject):
    """Asks where, then writes off the GUI thread. Dialogs block nothing and close on lock."""

    saved = Signal(str)
    """The path of the file."""
    printed = Signal()
    failed = Signal(object)

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._window = parent
        self._sheets: tuple[RecoverySheet, ...] = ()
        self._kind = TEXT
        self._dialog: QFileDialog | None = None
        self._printing: QPrintDialog | None = None
        self._printer: QPrinter | None = None

    def save(self, sheets: Sequence[RecoverySheet], kind: str) -> None:
        """Ask for a file of this kind and write it."""
        if self._dialog is not None:
            return
        self._sheets, self._kind = tuple(sheets), kind
        words = self._context.words
        dialog = named(QFileDialog(self._window, words.say("Save as")), "recovery.dialog")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setDefaultSuffix(kind)
        # Nothing is ever written over, so the system must not offer it.
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        say_labels(dialog, words, words.say("Save"))
        dialog.selectFile(f"{words.say(TITLE)}.{kind}")
        dialog.fileSelected.connect(self.write)
        dialog.finished.connect(self._on_dialog_finished)
        self._dialog = dialog
        dialog.open()

    def write(self, path: str) -> None:
        """Write what was chosen before to this file."""
        self._context.bridge.call(
            write_sheets,
            self._context.words,
            self._sheets,
            self._kind,
            Path(path),
            done=self._on_written,
            failed=self._on_failed,
        )

    def print(self, sheets: Sequence[RecoverySheet]) -> None:
        """Ask for a printer and print."""
        if self._printing is not None:
            return
        self._sheets = tuple(sheets)
        self._printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        self._printer.setPageLayout(page_layout())
        self._printer.setDocName(self._context.words.say(TITLE))
        dialog = named(QPrintDialog(self._printer, self._window), "recovery.print.dialog")
        dialog.accepted.connect(self._on_print_accepted)
        dialog.finished.connect(self._on_print_finished)
        self._printing = dialog
        QDialog.open(dialog)  # its own ``open`` wants a receiver

    def wipe(self) -> None:
        """Forget the keys and close what asks."""
        self._sheets = ()
        for dialog in (self._dialog, self._printing):
            if dialog is not None:
                dialog.reject()

    def _on_written(self, path: Path) -> None:
        self.saved.emit(str(path))

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.failed.emit(error)

    def _on_dialog_finished(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
            self._dialog = None

    def _on_print_accepted(self) -> None:
        printer, sheets = self._printer, self._sheets
        if printer is None or not sheets:
            return
        if printer.outputFileName():
            # "Print to file": Qt would write it for all to read.
            self._kind = PDF
            self.write(printer.outputFileName())
            return
        painter = QPainter()
        if not painter.begin(printer):
            self.failed.emit(UserError("recovery.not_printed"))
            return
        draw_sheets(painter, printer, self._context.words, sheets)
        painter.end()
        self.printed.emit()

    def _on_print_finished(self) -> None:
        if self._printing is not None:
            self._printing.deleteLater()
        self._printing = self._printer = None
