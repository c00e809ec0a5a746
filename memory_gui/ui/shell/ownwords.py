# SPDX-License-Identifier: MIT
"""The language of what Qt says itself."""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication


class QtsOwnWords(QObject):
    """Keeps Qt's own dialogs (choosing a file) in the window's language."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._translator: QTranslator | None = None

    def use(self, language: str) -> None:
        """Another language; English is built in."""
        if self._translator is not None:
            self._app.removeTranslator(self._translator)
            self._translator = None
        QLocale.setDefault(QLocale(language))
        translator = QTranslator(self)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if translator.load(f"qtbase_{language}", folder):
            self._app.installTranslator(translator)
            self._translator = translator
