# SPDX-License-Identifier: MIT
"""Recovery keys on paper: drawn on any paint device, or into a PDF; always black on white."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
)

from memory_gui.services.keys.recovery import RecoverySheet
from memory_gui.ui.fonts import base_font
from memory_gui.words import Words
from memory_gui.words.recovery import HOW, LAST_GROUP, TITLE, day, name_of

_BLACK: Final = QColor(Qt.GlobalColor.black)
_GREY: Final = QColor(90, 90, 90)
_DPI: Final = 300
_MM: Final = 25.4
_MARGIN_MM: Final = 20.0
_QR_MM: Final = 38.0
_QUIET: Final = 4
"""Modules of white around a QR code, as its standard wants."""
_TITLE_PT: Final = 18.0
_NAME_PT: Final = 12.0
_BODY_PT: Final = 9.5
_KEY_PT: Final = 14.0
_WRAP: Final = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere


def recovery_pdf(words: Words, sheets: Sequence[RecoverySheet]) -> bytes:
    """The papers as one PDF (A4), several stores below each other. Any thread; QApplication exists.

    The keys are in what is returned: write it to a file of its owner's only, or nowhere.
    """

    def draw(writer: QPdfWriter) -> None:
        painter = QPainter(writer)
        draw_sheets(painter, writer, words, sheets)
        painter.end()

    return pdf_of(words.say(TITLE), draw)


def pdf_of(title: str, draw: Callable[[QPdfWriter], object]) -> bytes:
    """A PDF (A4) with a title, of what ``draw`` puts on its pages."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DPI)
    writer.setTitle(title)
    writer.setCreator("memory-gui")
    writer.setPageLayout(page_layout())
    draw(writer)
    buffer.close()
    return bytes(data.data())


def page_layout() -> QPageLayout:
    """A4 with margins that every printer can do."""
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    size = QPageSize(QPageSize.PageSizeId.A4)
    unit = QPageLayout.Unit.Millimeter
    return QPageLayout(size, QPageLayout.Orientation.Portrait, margins, unit)


def draw_sheets(
    painter: QPainter, device: QPagedPaintDevice, words: Words, sheets: Sequence[RecoverySheet]
) -> None:
    """Draw on pages of the device's size; a store is never broken over two pages."""
    paper = _Paper(painter, device)
    paper.text(words.say(TITLE), _TITLE_PT, bold=True)
    paper.down(3)
    for line in HOW:
        paper.text(words.say(line), _BODY_PT)
        paper.down(1)
    for sheet in sheets:
        paper.down(5)
        paper.store(words, sheet)
    paper.down(5)
    paper.text(words.say(LAST_GROUP), _BODY_PT, tone=_GREY)


class _Paper:
    """A pen that goes down the page."""

    def __init__(self, painter: QPainter, device: QPagedPaintDevice) -> None:
        self._painter = painter
        self._device = device
        self._dots = device.logicalDpiY() / _MM
        self._width = float(device.width())
        self._height = float(device.height())
        self._at = 0.0

    def down(self, millimetres: float) -> None:
        """Leave some white."""
        self._at += millimetres * self._dots

    def text(self, text: str, points: float, *, bold: bool = False, tone: QColor = _BLACK) -> None:
        """A paragraph over the whole width."""
        height = self._measure(text, points, self._width, bold=bold)
        self._keep(height)
        self._write(text, points, QRectF(0, self._at, self._width, height), bold=bold, tone=tone)
        self._at += height

    def store(self, words: Words, sheet: RecoverySheet) -> None:
        """Name, file, date, groups, and the QR code at the right."""
        qr = _QR_MM * self._dots
        beside = self._width - qr - 6 * self._dots
        made = words.say("Made on: {date}", date=day(words, sheet.date))
        parts = [
            (name_of(words, sheet), _NAME_PT, True, _BLACK),
            (sheet.path, _BODY_PT, False, _GREY),
            (made, _BODY_PT, False, _GREY),
            *((line, _KEY_PT, True, _BLACK) for line in sheet.lines),
        ]
        heights = [self._measure(text, size, beside, bold=bold) for text, size, bold, _ in parts]
        gap = 2 * self._dots
        self._keep(max(sum(heights) + gap * 4, qr))
        top = self._at
        self._rule(top - gap)
        for (text, size, bold, tone), height in zip(parts, heights, strict=True):
            if size == _KEY_PT and text == sheet.lines[0]:
                self._at += gap
            place = QRectF(0, self._at, beside, height)
            self._write(text, size, place, bold=bold, tone=tone, key=size == _KEY_PT)
            self._at += height
        self._draw_qr(sheet, QRectF(self._width - qr, top, qr, qr))
        self._at = max(self._at, top + qr)

    def _keep(self, height: float) -> None:
        """Go to a new page where this one has no room left for it."""
        if self._at and self._at + height > self._height:
            self._device.newPage()
            self._at = 0.0

    def _font(self, points: float, *, bold: bool, key: bool = False) -> QFont:
        font = QFont(base_font(shipped=True))
        font.setPointSizeF(points)
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        if key:
            font.setFeature(QFont.Tag("tnum"), 1)
            font.setFeature(QFont.Tag("zero"), 1)  # a zero that is no O
            font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 108)
        return font

    def _measure(self, text: str, points: float, width: float, *, bold: bool) -> float:
        self._painter.setFont(self._font(points, bold=bold, key=points == _KEY_PT))
        room = QRectF(0, 0, width, 1e6)
        return self._painter.boundingRect(room, int(_WRAP.value), text).height()

    def _write(
        self,
        text: str,
        points: float,
        place: QRectF,
        *,
        bold: bool,
        tone: QColor,
        key: bool = False,
    ) -> None:
        self._painter.setFont(self._font(points, bold=bold, key=key))
        self._painter.setPen(tone)
        self._painter.drawText(place, int(_WRAP.value), text)

    def _rule(self, at: float) -> None:
        self._painter.fillRect(QRectF(0, at, self._width, max(1.0, self._dots / 8)), _GREY)

    def _draw_qr(self, sheet: RecoverySheet, place: QRectF) -> None:
        draw_qr(self._painter, sheet.qr, place)


def draw_qr(painter: QPainter, modules: Sequence[Sequence[bool]], place: QRectF) -> None:
    """A QR code with its white margin: always dark on white, or no reader takes it."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.fillRect(place, Qt.GlobalColor.white)
    count = len(modules) + 2 * _QUIET
    step = min(place.width(), place.height()) / count
    size = QSizeF(step * 1.02, step * 1.02)  # no hairlines between modules
    for y, row in enumerate(modules):
        for x, dark in enumerate(row):
            if dark:
                left = place.left() + (x + _QUIET) * step
                top = place.top() + (y + _QUIET) * step
                painter.fillRect(QRectF(left, top, size.width(), size.height()), _BLACK)
    painter.restore()
