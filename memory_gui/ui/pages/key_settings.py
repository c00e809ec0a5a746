# SPDX-License-Identifier: MIT
"""How another program set SQLCipher up: hidden behind "Advanced", because it is found out else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from memory_gui.domain.keys import ANY_CIPHER, CipherSettings
from memory_gui.ui.names import named
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Caption, Choice, TextLabel
from memory_gui.words import N_, Words

_FOUND_OUT: Final = N_("found out")
_USUAL: Final = N_("as usual for the version")
_VERSIONS: Final = ("", "4", "3", "2", "1")
_PAGES: Final = ("", *(str(1 << bits) for bits in range(9, 17)))
_DIGESTS: Final = ("", "sha1", "sha256", "sha512")
_SALT: Final = re.compile(r"[0-9a-fA-F]{32}")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


class CipherFields(QWidget):
    """Version, page size, iterations, the two algorithms, and the salt where the file lacks it."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.setObjectName("key.settings")
        self.version = self._choice("version", _VERSIONS)
        self.page = self._choice("page", _PAGES)
        self.hmac = self._choice("hmac", (*_DIGESTS, "none"))
        self.kdf = self._choice("kdf", _DIGESTS)
        self.iterations = named(QLineEdit(), "key.settings.iterations")
        self.salt = named(QLineEdit(), "key.settings.salt")
        self.hint = named(Caption(), "key.settings.hint")
        self._names: list[tuple[TextLabel, QWidget, str]] = []
        form = QFormLayout(self)
        form.setContentsMargins(0, SPACE_S, 0, 0)
        form.setHorizontalSpacing(SPACE_M)
        form.setVerticalSpacing(SPACE_S)
        form.addRow(self.hint)
        for field, text in (
            (self.salt, N_("Salt, 32 hex digits, if it is not in the file")),
            (self.version, N_("SQLCipher version")),
            (self.page, N_("Page size, bytes")),
            (self.iterations, N_("Iterations of the key derivation")),
            (self.kdf, N_("Algorithm of the key derivation")),
            (self.hmac, N_("Algorithm of the page check")),
        ):
            label = named(TextLabel(wrap=False), f"{field.objectName()}.label")
            label.setBuddy(field)
            self._names.append((label, field, text))
            form.addRow(label, field)
        self.retranslate()

    @property
    def settings(self) -> CipherSettings | None:
        """What was chosen; None where a number or the salt is none."""
        iterations, salt = self.iterations.text().strip(), self.salt.text().strip()
        if iterations and not _NUMBER.fullmatch(iterations):
            return None
        if salt and not _SALT.fullmatch(salt):
            return None
        return CipherSettings(
            compatibility=int(self.version.currentData() or 0),
            page_size=int(self.page.currentData() or 0),
            iterations=int(iterations or 0),
            hmac=str(self.hmac.currentData()),
            kdf=str(self.kdf.currentData()),
            salt=salt.lower(),
        )

    def wipe(self) -> None:
        """As at the beginning."""
        for choice in (self.version, self.page, self.hmac, self.kdf):
            choice.setCurrentIndex(0)
        self.iterations.clear()
        self.salt.clear()
        assert self.settings == ANY_CIPHER  # noqa: S101 - or a setting would outlive its store

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self.hint.setText(
            say("Leave these as they are, unless the other program’s manual names other settings.")
        )
        for label, field, text in self._names:
            label.setText(say(text))
            field.setAccessibleName(label.text())
        self.version.setItemText(0, say(_FOUND_OUT))
        self.page.setItemText(0, say(_FOUND_OUT))
        for choice in (self.hmac, self.kdf):
            choice.setItemText(0, say(_USUAL))
        self.hmac.setItemText(self.hmac.count() - 1, say("none"))
        self.iterations.setPlaceholderText(say(_USUAL))

    def _choice(self, name: str, values: tuple[str, ...]) -> Choice:
        choice = named(Choice(), f"key.settings.{name}")
        shown: Callable[[str], str] = str.upper if name in ("hmac", "kdf") else str
        for value in values:
            choice.addItem(shown(value), value)
        return choice
