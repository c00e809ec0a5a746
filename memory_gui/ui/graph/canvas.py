# SPDX-License-Identifier: MIT
"""The drawing: lines between nodes, and a button for each node, so that each can be read aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QWidget

from memory_gui.domain.graphs import Graph
from memory_gui.ui.graph.layout import next_to, place
from memory_gui.ui.graph.node import NodeButton
from memory_gui.ui.names import named
from memory_gui.ui.palette import tokens_of
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XL, Tokens
from memory_gui.ui.visible import one_line

Spoken = Callable[[int], str]
"""What a screen reader says of a node, by its place."""

_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_NAMED: Final = 8
"""A node with more relations has no room for what they are called."""
_FEW: Final = 24
_NAME_ROOM: Final = 24
"""Between few nodes there is room for what their relations are called."""
_WIDE: Final = 16
"""Letters that a node is at most wide."""


class GraphCanvas(QWidget):
    """GUI thread. Arrow keys go from node to node; Enter chooses one."""

    moved = Signal(int)
    """The keyboard is at that node now."""
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._graph = Graph((), ())
        self._points: tuple[tuple[float, float], ...] = ()
        self._nodes: list[NodeButton] = []
        self._current = 0
        self._names = True
        self._size = QSize(0, 0)
        self._shift = QPointF(0, 0)
        """From the middle node to the middle of the drawing."""

    @property
    def nodes(self) -> list[NodeButton]:
        """The buttons, in the order of the graph's nodes."""
        return self._nodes

    @property
    def current(self) -> int:
        """Where the keyboard is."""
        return self._current

    @property
    def middle(self) -> QPoint:
        """Where the middle node is."""
        return self._spot(0).toPoint() if self._points else self.rect().center()

    def show_graph(
        self, graph: Graph, texts: list[str], spoken: Spoken, *, names: bool = True
    ) -> None:
        """Draw another graph; ``texts`` are what the nodes show, ``names``: relations theirs."""
        self.clear()
        self._names = names
        self._graph = graph
        box = self._box()
        gap = _NAME_ROOM if len(graph.nodes) <= _FEW else SPACE_M
        self._points = place(graph, box.width(), box.height(), gap)
        self._nodes = [self._make(number, box, text) for number, text in enumerate(texts)]
        self._lay_out(box)
        self.say(spoken)
        self._mark(0)
        self.update()

    def say(self, spoken: Spoken) -> None:
        """Say all nodes again."""
        for number, node in enumerate(self._nodes):
            node.setAccessibleName(spoken(number))

    def focus_node(self, number: int) -> None:
        """Go to a node with the keyboard."""
        if 0 <= number < len(self._nodes):
            self._mark(number)
            self._nodes[number].setFocus(Qt.FocusReason.OtherFocusReason)

    def clear(self) -> None:
        """Forget every text."""
        for node in self._nodes:
            node.removeEventFilter(self)
            node.setText("")
            node.setAccessibleName("")
            node.hide()
            node.deleteLater()
        self._nodes, self._points, self._current = [], (), 0
        self._graph = Graph((), ())
        self._size = QSize(0, 0)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return self._size

    def minimumSizeHint(self) -> QSize:
        return self._size

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = _ARROWS.get(Qt.Key(event.key()))
            if step is not None:
                self.focus_node(next_to(self._points, self._current, *step))
                return True
            if event.key() == Qt.Key.Key_Home:
                self.focus_node(0)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.chosen.emit(self._current)
                return True
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, NodeButton):
            self._mark(watched.number)
            self._reveal(watched)
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = tokens_of(self.palette())
        quiet, loud = QColor(tokens.edge), QColor(tokens.accent)
        quiet.setAlpha(110)
        for link in self._graph.links:
            near = self._current in (link.start, link.end)
            painter.setPen(QPen(loud if near else quiet, 2 if near else 1))
            painter.drawLine(self._spot(link.start), self._spot(link.end))
        self._name_links(painter, tokens)
        del event

    # ---- inside

    def _name_links(self, painter: QPainter, tokens: Tokens) -> None:
        """What the relations of the current node are called, where there is room for it."""
        beside = self._graph.beside(self._current)
        if len(beside) > _NAMED or not self._names:
            return
        metrics = QFontMetrics(self.font())
        for link, _other in beside:
            text = metrics.elidedText(
                one_line(link.name, 60), Qt.TextElideMode.ElideRight, self._box().width()
            )
            middle = (self._spot(link.start) + self._spot(link.end)) / 2
            box = metrics.boundingRect(text).adjusted(-SPACE_S, -2, SPACE_S, 2)
            box.moveCenter(middle.toPoint())
            painter.fillRect(box, self.palette().window())
            painter.setPen(QColor(tokens.muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _box(self) -> QSize:
        metrics = QFontMetrics(self.font())
        width = metrics.averageCharWidth() * _WIDE + 2 * SPACE_M
        return QSize(width, metrics.height() + 2 * SPACE_S)

    def _make(self, number: int, box: QSize, text: str) -> NodeButton:
        node = self._graph.nodes[number]
        button = NodeButton(number, text, self, there=node.ref is not None, middle=number == 0)
        named(button, f"graph.node{number}")
        button.setFixedSize(box)
        button.installEventFilter(self)
        button.clicked.connect(lambda _checked=False, number=number: self.chosen.emit(number))
        button.show()
        return button

    def _lay_out(self, box: QSize) -> None:
        if not self._points:
            return
        left, right = min(x for x, _ in self._points), max(x for x, _ in self._points)
        top, bottom = min(y for _, y in self._points), max(y for _, y in self._points)
        self._shift = QPointF((left + right) / 2, (top + bottom) / 2)
        wide = right - left + box.width() + 2 * SPACE_M
        high = bottom - top + box.height() + 2 * SPACE_M
        self._size = QSize(round(wide), round(high))
        self.setMinimumSize(self._size)
        self.updateGeometry()
        self._move()

    def resizeEvent(self, event: object) -> None:
        del event
        self._move()

    def _move(self) -> None:
        for number, node in enumerate(self._nodes):
            corner = self._spot(number).toPoint() - QPoint(node.width() // 2, node.height() // 2)
            node.setGeometry(QRect(corner, node.size()))

    def _spot(self, number: int) -> QPointF:
        x, y = self._points[number]
        return QPointF(self.width() / 2 + x, self.height() / 2 + y) - self._shift

    def _mark(self, number: int) -> None:
        """One node takes Tab; the arrows go from there."""
        changed = number != self._current
        self._current = number
        for node in self._nodes:
            at = node.number == number
            node.setFocusPolicy(Qt.FocusPolicy.StrongFocus if at else Qt.FocusPolicy.ClickFocus)
        self.update()
        if changed or number == 0:
            self.moved.emit(number)

    def _reveal(self, node: NodeButton) -> None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            area.ensureWidgetVisible(node, SPACE_XL, SPACE_XL)
