# SPDX-License-Identifier: MIT
"""Draws ``growth.json`` (beside ``bench.json``): time and memory by size.

``growth_picture.py [PNG]``; without, it is the picture of the README.
"""

from __future__ import annotations

import json
import os
import sys
from math import ceil, floor, log10
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QApplication
from rows import BENCH, ROOT

from memory_gui.ui.fonts import base_font, load_fonts
from memory_gui.ui.tokens import LIGHT

FILE = BENCH.with_name("growth.json")
PICTURE = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "packaging" / "pictures" / "growth.png"
WIDE, HIGH, EDGE = 1180, 460, 70
LINES = (
    ("Seconds of processor", (
        ("first_rows", "first rows, from the key", "accent", False),
        ("first_rows_sql", "SELECT … LIMIT 200 and an empty window", "accent", True),
        ("load", "whole store in memory", "ok", False),
        ("load_sql", "a loop that fetches it", "ok", True),
        ("search", "a search", "warn", False),
        ("search_sql", "LIKE", "warn", True),
    )),
    ("Megabytes", (
        ("memory", "the index", "accent", False),
        ("text", "its texts in UTF-8", "accent", True),
    )),
)  # fmt: skip


def draw(figures: dict[str, dict[str, float]]) -> None:
    """Both panes, both axes by powers of ten; ours as lines, what it is compared with dashed."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication([])
    load_fonts()
    image = QImage(WIDE * 2, HIGH * 2, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(2, 2)
    painter.setFont(base_font(shipped=True))
    for number, (title, lines) in enumerate(LINES):
        left = number * WIDE / 2
        pane(
            painter,
            LIGHT,
            (left + EDGE, 48, WIDE / 2 - EDGE - 44, HIGH - 210),
            title,
            lines,
            figures,
        )
    painter.end()
    PICTURE.parent.mkdir(exist_ok=True)
    image.save(str(PICTURE))
    del app


def pane(painter, tokens, place, title, lines, figures) -> None:
    left, top, wide, high = place
    unit = 1_000_000 if title == "Megabytes" else 1
    sizes = sorted(map(int, figures))
    values = [figures[str(size)][name] / unit for size in sizes for name, *_ in lines]
    low, most = floor(log10(max(min(values), 1e-4))), ceil(log10(max(values)))
    first, last = log10(sizes[0]), log10(max(sizes[-1], sizes[0] * 10))

    def x(size):
        return left + wide * (log10(size) - first) / (last - first)

    def y(value):
        return top + high - high * (log10(max(value, 1e-4)) - low) / (most - low)

    painter.setPen(QColor(tokens.text))
    painter.drawText(QPointF(left, top - 18), title)
    for power in range(low, most + 1):
        painter.setPen(QPen(QColor(tokens.line), 1))
        painter.drawLine(QPointF(left, y(10**power)), QPointF(left + wide, y(10**power)))
        painter.setPen(QColor(tokens.muted))
        label = f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"
        area = QRectF(left - EDGE, y(10**power) - 10, EDGE - 8, 20)
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)
    for size in sizes:
        area = QRectF(x(size) - 50, top + high + 6, 100, 20)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, f"{size:,}")
    for number, (name, said, tone, dashed) in enumerate(lines):
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        pen = QPen(QColor(getattr(tokens, tone)), 1.6 if dashed else 2.4, style)
        painter.setPen(pen)
        points = [QPointF(x(size), y(figures[str(size)][name] / unit)) for size in sizes]
        painter.drawPolyline(QPolygonF(points))
        below = top + high + 44 + number * 18
        painter.drawLine(QPointF(left, below), QPointF(left + 32, below))
        painter.setPen(QColor(tokens.text))
        painter.drawText(QPointF(left + 42, below + 5), said)


draw(json.loads(FILE.read_text()))
