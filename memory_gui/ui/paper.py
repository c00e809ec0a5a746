# SPDX-License-Identifier: MIT
"""A document on pages: a heading stays with what it is about, and pages have numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)

_MM: Final = 25.4
_FOOT_MM: Final = 8.0
"""For the number of the page, where there are several."""


def print_paper(document: QTextDocument, writer: QPdfWriter) -> None:
    """Draw it on the writer's pages. Any thread; QApplication exists.

    ``QTextDocument.print_`` would add two centimetres to the margins, and leave a heading alone at
    the end of a page.
    """
    foot = _FOOT_MM * writer.logicalDpiY() / _MM
    width, height = float(writer.width()), float(writer.height()) - foot
    document.setDocumentMargin(0)
    document.documentLayout().setPaintDevice(writer)
    document.setPageSize(QSizeF(width, height))
    _keep_headings(document, height)
    painter = QPainter(writer)
    count = document.pageCount()
    for number in range(count):
        if number:
            writer.newPage()
        _draw(document, painter, QRectF(0, number * height, width, height))
        if count > 1:
            place = QRectF(0, height, width, foot)
            corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
            painter.setFont(document.defaultFont())
            painter.drawText(place, int(corner), str(number + 1))
    painter.end()


def _draw(document: QTextDocument, painter: QPainter, part: QRectF) -> None:
    """What lies on one page. Black whatever the window's palette is."""
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = part
    context.palette.setColor(QPalette.ColorRole.Text, QColor(Qt.GlobalColor.black))
    painter.save()
    painter.translate(0, -part.top())
    painter.setClipRect(part)
    document.documentLayout().draw(painter, context)
    painter.restore()


def _keep_headings(document: QTextDocument, height: float) -> None:
    """Move each heading that would stand alone at the end of a page to the next one."""
    for heading in list(_headings(document)):
        if _page(document, heading, height) != _page(document, heading.next(), height):
            look = heading.blockFormat()
            look.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
            QTextCursor(heading).setBlockFormat(look)


def _headings(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel() and block.next().isValid():
            yield block
        block = block.next()


def _page(document: QTextDocument, block: QTextBlock, height: float) -> int:
    """The page on which the first line of a block lies."""
    return int(document.documentLayout().blockBoundingRect(block).top() // height)
