# SPDX-License-Identifier: MIT
"""A recovery key on the screen: its groups, large, and the QR code; wiped when it was seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from memory_gui.services.keys.recovery import RecoverySheet
from memory_gui.ui.fonts import digits, scaled
from memory_gui.ui.names import named
from memory_gui.ui.pages.frame import empty, padded
from memory_gui.ui.pdf import draw_qr
from memory_gui.ui.tokens import SPACE_L, SPACE_S, TITLE_PT
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import Caption, Panel, SectionLabel, TextLabel
from memory_gui.words import Words
from memory_gui.words.recovery import LAST_GROUP, day, name_of

QR_SIZE: Final = 184


class QrView(QWidget):
    """Dark on white in both palettes, or no reader takes it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._modules: Sequence[Sequence[bool]] = ()
        self.setFixedSize(QR_SIZE, QR_SIZE)

    def sizeHint(self) -> QSize:
        return QSize(QR_SIZE, QR_SIZE)

    def show_modules(self, modules: Sequence[Sequence[bool]]) -> None:
        """Show another one; empty: none."""
        self._modules = modules
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._modules:
            painter = QPainter(self)
            draw_qr(painter, self._modules, QRectF(self.rect()))
            painter.end()


class SheetView(Panel):
    """One store's recovery key. Not selectable: a clipboard keeps what was copied."""

    def __init__(self, words: Words, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._sheet: RecoverySheet | None = None
        prefix = f"recovery.sheet{number}"
        self.setObjectName(prefix)
        self._name = named(SectionLabel(), f"{prefix}.name")
        self._where = named(Caption(), f"{prefix}.where")
        self.groups = named(TextLabel(wrap=False), f"{prefix}.groups")
        font = digits(scaled(self.groups.font(), TITLE_PT, bold=True))
        font.setFeature(QFont.Tag("zero"), 1)  # a zero that is no O
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
        self.groups.setFont(font)
        self._last = named(Caption(), f"{prefix}.last")
        self._qr = named(QrView(), f"{prefix}.qr")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()

    def show_sheet(self, sheet: RecoverySheet) -> None:
        """Show one."""
        self._sheet = sheet
        self.groups.setText("\n".join(sheet.lines))
        self._qr.show_modules(sheet.qr)
        self.retranslate()

    def retranslate(self) -> None:
        """Say all texts again."""
        if self._sheet is None:
            return
        words = self._words
        self._name.setText(visible(name_of(words, self._sheet)))
        made = words.say("Made on: {date}", date=day(words, self._sheet.date))
        self._where.setText(f"{visible(self._sheet.path)}\n{made}")
        self._last.setText(words.say(LAST_GROUP))
        self._qr.setAccessibleName(words.say("QR code of the recovery key"))

    def wipe(self) -> None:
        """Forget the key."""
        self._sheet = None
        self._qr.show_modules(())
        for label in (self._name, self._where, self.groups):
            label.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The groups are never cut: where letters are large the QR code stands below them."""
        super().resizeEvent(event)
        beside = self.groups.sizeHint().width() + SPACE_L + QR_SIZE
        fits = beside <= self.contentsRect().width() - 2 * SPACE_L
        way = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        self._row.setDirection(way)

    def _lay_out(self) -> None:
        inside = padded(self)
        row = self._row
        row.setSpacing(SPACE_L)
        left = QVBoxLayout()
        left.setSpacing(SPACE_S)
        for label in (self._name, self._where, self.groups, self._last):
            left.addWidget(label)
        left.addStretch(1)
        row.addLayout(left, 1)
        row.addWidget(self._qr, 0, Qt.AlignmentFlag.AlignTop)
        inside.addLayout(row)


class Sheets(QWidget):
    """All that one paper carries."""

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.views: list[SheetView] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_S)
        self.setObjectName("recovery.sheets")
        self.hide()

    def show_sheets(self, sheets: Sequence[RecoverySheet]) -> None:
        """Show these instead of what was shown."""
        self.wipe()
        for number, sheet in enumerate(sheets):
            view = SheetView(self._words, number)
            view.show_sheet(sheet)
            self._layout.addWidget(view)
            self.views.append(view)
        self.setVisible(bool(sheets))

    def retranslate(self) -> None:
        """Say all texts again."""
        for view in self.views:
            view.retranslate()

    def wipe(self) -> None:
        """Forget every key."""
        for view in self.views:
            view.wipe()
        self.views = []
        empty(self._layout)
        self.hide()
