# SPDX-License-Identifier: MIT
"""The way to copy a text of a memory: marked as secret, taken back after a while, on lock, on quit.

The clipboard is never read back from another program (on X11 that can hang, on Wayland it feeds
clipboard managers): it "still holds ours" when the system says that we own it and what lies in it
carries our own mark. Hints: KDE's ``x-kde-passwordManagerHint``, Windows' "Clipboard Formats"
page (``ExcludeClipboardContentFromMonitorProcessing`` and two more), nspasteboard.org on macOS.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QByteArray, QMimeData, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QClipboard, QGuiApplication

from memory_gui.ui import lazy
from memory_gui.words import Words

SECONDS: Final = 45
MARK: Final = "application/x-memory-gui"
"""Of what we put there; no other program has a use for it."""
_SECRET, _PLAIN = b"secret", b"plain"
_WINDOWS: Final = 'application/x-qt-windows-mime;value="{}"'
_HINTS: Final = (
    ("x-kde-passwordManagerHint", b"secret"),
    (_WINDOWS.format("ExcludeClipboardContentFromMonitorProcessing"), b"\0\0\0\0"),
    (_WINDOWS.format("CanIncludeInClipboardHistory"), b"\0\0\0\0"),
    (_WINDOWS.format("CanUploadToCloudClipboard"), b"\0\0\0\0"),
)


def conceal() -> object:
    """Mark what lies on macOS's pasteboard as secret."""
    return lazy.macos().conceal_pasteboard()


class Clipboard(QObject):
    """Copies, and takes back what it copied. GUI thread.

    ``guard`` also catches what Qt's own text fields copy, and keeps whatever is selected in them
    out of X11's primary selection: both within the call that put it there, so that no other program
    can have asked for it.
    """

    copied = Signal(int)
    """A text was copied; in so many seconds it is taken back (0: only on lock and quit)."""
    emptied = Signal()
    """It was taken back."""

    def __init__(
        self,
        parent: QObject | None = None,
        *,
        conceal: Callable[[], object] = conceal,
        platform: str = sys.platform,
    ) -> None:
        super().__init__(parent)
        self._seconds = SECONDS
        self._conceal = conceal
        self._platform = platform
        self._watched: QClipboard | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)  # a coarse one may take 5 % longer
        self._timer.timeout.connect(self.forget)

    @property
    def seconds(self) -> int:
        """After how many seconds a copied text is taken back; 0 = only on lock and quit."""
        return self._seconds

    def set_seconds(self, seconds: int) -> None:
        """From now on, also for what is there already."""
        self._seconds = seconds
        if self.holds_ours:
            self._wait()

    def copy(self, text: str) -> None:
        """Copy a text of a memory."""
        data = QMimeData()
        data.setText(text)
        data.setData(MARK, QByteArray(_SECRET))
        for name, value in _HINTS:
            data.setData(name, QByteArray(value))
        self._board().setMimeData(data)
        if self._platform == "darwin":
            self._conceal()
        self._wait()
        self.copied.emit(self._seconds)

    def copy_plain(self, text: str) -> None:
        """Copy what is nobody's secret, such as a command or a path; it stays."""
        data = QMimeData()
        data.setText(text)
        data.setData(MARK, QByteArray(_PLAIN))
        self._timer.stop()
        self._board().setMimeData(data)

    @property
    def holds_ours(self) -> bool:
        """Whether a text that ``copy`` put there is still there."""
        board = self._board()
        return _owns(board) and _mark_of(board) == _SECRET

    def forget(self) -> None:
        """Take a copied text back if it is still there. Called by the timer, on lock, on quit."""
        self._timer.stop()
        if self.holds_ours:
            self._board().clear()
            self.emptied.emit()

    def guard(self) -> None:
        """Begin to catch what text fields copy and select."""
        if self._watched is None:
            self._watched = self._board()
            self._watched.changed.connect(self._on_board_changed)

    def close(self) -> None:
        """Take back what is there, and watch no more."""
        self.forget()
        if self._watched is not None:
            self._watched.changed.disconnect(self._on_board_changed)
            self._watched = None

    def _wait(self) -> None:
        self._timer.stop()
        if self._seconds > 0:
            self._timer.start(self._seconds * 1000)

    def _on_board_changed(self, mode: QClipboard.Mode) -> None:
        board = self._board()
        if mode == QClipboard.Mode.Selection:
            if board.ownsSelection() and _data(board, mode) is not None:
                board.clear(mode)
        elif mode == QClipboard.Mode.Clipboard and _owns(board):
            data = _data(board)
            if data is not None and data.hasText() and not _mark_of(board):
                self.copy(data.text())

    @staticmethod
    def _board() -> QClipboard:
        return QGuiApplication.clipboard()


def _owns(board: QClipboard) -> bool:
    """Where there is no system behind it, the clipboard is the app's own and nobody says so."""
    return board.ownsClipboard() or QGuiApplication.platformName() == "offscreen"


def _data(board: QClipboard, mode: QClipboard.Mode = QClipboard.Mode.Clipboard) -> QMimeData | None:
    """What lies there; None when it was cleared. Only ever asked of what we own."""
    return board.mimeData(mode)


def _mark_of(board: QClipboard) -> bytes:
    """Our mark in it."""
    data = _data(board)
    return b"" if data is None else bytes(data.data(MARK).data())


def copied_words(words: Words, seconds: int) -> str:
    """What is told after a text was copied."""
    if not seconds:
        return words.say("Copied. Locking or quitting takes it off the clipboard.")
    return words.many(
        "Copied. It leaves the clipboard after {n} second.",
        "Copied. It leaves the clipboard after {n} seconds.",
        seconds,
    )
