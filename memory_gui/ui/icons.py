# SPDX-License-Identifier: MIT
"""Lucide icons, in the colours of the palette that is worn (Qt draws ``currentColor`` black)."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Final

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from memory_gui.resources import resource
from memory_gui.ui.fonts import grown
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import ICON, LIGHT


class Icon(StrEnum):
    """The icons in use; the value is Lucide's own name and the file's."""

    ACTIVITY = "activity"
    ADD = "plus"
    ASCENDING = "arrow-up-narrow-wide"
    BACK = "chevron-left"
    BRAIN = "brain"
    CHECK = "check"
    CLOCK = "clock"
    CLOSE = "x"
    COPY = "copy"
    COMFORTABLE = "rows-2"
    COMMAND = "command"
    COMPUTER = "monitor"
    COMPACT = "rows-4"
    DANGER = "circle-alert"
    DATABASE = "database"
    DESCENDING = "arrow-down-wide-narrow"
    DOWN = "chevron-down"
    EDIT = "pencil"
    ERASE = "eraser"
    EXPORT = "file-down"
    FILE = "file"
    FILTER = "list-filter"
    FOLDER = "folder-open"
    HIDDEN = "eye-off"
    HOME = "house"
    INFO = "info"
    KEY = "key-round"
    KEYBOARD = "keyboard"
    LANGUAGE = "languages"
    LOCK = "lock"
    MORE = "ellipsis"
    NEXT = "chevron-right"
    NOT_OK = "circle-x"
    OK = "circle-check"
    PERSON_GONE = "user-round-x"
    PROVED = "shield-check"
    QUIT = "log-out"
    READABLE = "lock-open"
    REDO = "redo-2"
    REFRESH = "refresh-cw"
    REPLACES = "arrow-down-up"
    RESTORE = "archive-restore"
    REVIEW = "list-checks"
    SAMPLE = "flask-conical"
    SAVE = "save"
    SAVED = "bookmark"
    SEARCH = "search"
    SETTINGS = "settings"
    SHOWN = "eye"
    SUMMARY = "scroll-text"
    TAG = "tag"
    THEME = "sun-moon"
    TRASH = "trash-2"
    UNDO = "undo-2"
    UNPLUGGED = "unplug"
    UNPROVED = "shield-alert"
    UP = "chevron-up"
    WAIT = "loader-circle"
    WARN = "triangle-alert"


SIZE: Final = QSize(ICON, ICON)
_MOST_GROWN: Final = 1.4
"""Beside letters of twice the size an icon of 22 pixels is as high as they are."""


def icon_px(pixels: int = ICON) -> int:
    """How large an icon is drawn beside letters of the size that a person chose."""
    return min(grown(pixels), round(pixels * _MOST_GROWN))


class _Tinted(QIconEngine):
    """Paints one SVG in a token's colour, looked up at each paint: it follows the palette."""

    def __init__(self, name: Icon, tone: str) -> None:
        super().__init__()
        self._name = name
        self._tone = tone

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        tone = "muted" if mode == QIcon.Mode.Disabled else self._tone
        tint = getattr(tokens_of(QGuiApplication.palette()), tone)
        if mode == QIcon.Mode.Disabled:
            painter.setOpacity(0.6)
        _render(self._name, tint, painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        return _Tinted(self._name, self._tone)


def icon(name: Icon | str, tone: str = "text") -> QIcon:
    """An icon by Lucide's name, tinted with a token (``text``, ``muted``, ``on_accent``, …)."""
    return QIcon(_Tinted(Icon(name), tone))


def draw_icon(painter: QPainter, name: Icon | str, rect: QRectF, tint: QColor) -> None:
    """Paint an icon straight into a delegate's row."""
    _render(Icon(name), tint.name(), painter, rect)


def _render(name: Icon, tint: str, painter: QPainter, rect: QRectF) -> None:
    renderer = QSvgRenderer(QByteArray(svg_text(name).replace("currentColor", tint).encode()))
    renderer.render(painter, rect)


def window_icon() -> QIcon:
    """The app's own picture, in the sizes that window managers ask for."""
    whole = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(LIGHT.accent))
        painter.drawRoundedRect(QRectF(0, 0, size, size), size * 0.22, size * 0.22)
        edge = size * 0.17
        inside = QRectF(edge, edge, size - 2 * edge, size - 2 * edge)
        _render(Icon.BRAIN, LIGHT.on_accent, painter, inside)
        painter.end()
        whole.addPixmap(pixmap)
    return whole


@cache
def svg_text(name: Icon) -> str:
    """The drawing itself."""
    return resource(f"icons/{name.value}.svg").read_text(encoding="utf-8")
