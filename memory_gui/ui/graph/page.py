# SPDX-License-Identifier: MIT
"""The page: the drawing, and beside it the relations of the node at which the keyboard is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.graphs import Graph, Link, Node
from memory_gui.domain.records import Ref
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.graph.canvas import GraphCanvas
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.pages.page import Page
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import SPACE_L, SPACE_S
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import Button, SectionLabel, TextLabel

_SIDE: Final = 260
_LEAST: Final = 220
_LONGEST: Final = 120


class GraphPage(Page):
    """What a record is related to, by two steps. Nothing is written."""

    icon_name = Icon.COMMAND

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        named(self, "graph")
        self._ref: Ref | None = None
        self._graph = Graph((), ())
        self._call: Handle | None = None
        self._showing = Showing(context.words, context.privacy)
        self.frame = Frame("graph", width=0, fills=True, parent=self)
        self.lead = named(TextLabel(tone="muted"), "graph.lead")
        self.canvas = named(GraphCanvas(), "graph.canvas")
        self.area = named(QScrollArea(), "graph.area")
        self.name = named(SectionLabel(), "graph.name")
        self.relations = named(QListWidget(), "graph.relations")
        self.record = named(Button("", Icon.BRAIN), "graph.record")
        self.middle = named(Button(), "graph.middle")
        self.back = named(Button(), "graph.back")
        self._lay_out()
        self._connect()
        self.retranslate()

    def show_for(self, argument: object) -> None:
        self._ref = argument if isinstance(argument, Ref) else None
        self.refresh()

    def refresh(self) -> None:
        if self._ref is None:
            return
        if self._call is not None:
            self._call.cancel()
        if not self._graph.nodes:
            self.frame.show_busy(self.words.say("Reading…"))
        self._call = self.bridge.call(
            self.services.graphs.around, self._ref, done=self._on_graph, failed=self._on_failed
        )

    def retranslate(self) -> None:
        say = self.words.say
        self.frame.title.setText(say("Relations"))
        self.frame.banner.set_close_name(say("Close"))
        self.canvas.setAccessibleName(say("The drawing: arrow keys go from one to the next"))
        self.area.setAccessibleName(say("The drawing"))
        self.relations.setAccessibleName(say("Its relations"))
        self.record.setText(say("Show the record"))
        self.middle.setText(say("Put it in the middle"))
        self.back.setText(say("Back to the list"))
        self._say()

    def clear(self) -> None:
        if self._call is not None:
            self._call.cancel()
        self._ref, self._graph = None, Graph((), ())
        self.canvas.clear()
        self.relations.clear()
        self.name.clear()
        self.lead.clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)

    # ---- what came

    def _on_graph(self, graph: Graph) -> None:
        if graph != self._graph or not self.canvas.nodes:
            self._graph = graph
            self._draw()
        self.frame.show_state(frame.CONTENT)
        self._say()
        self.canvas.focus_node(self.canvas.current)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self.frame.show_error(self.words, error)

    def _draw(self) -> None:
        texts = [self._text(node) for node in self._graph.nodes]
        names = not self._showing.hidden
        self.canvas.show_graph(self._graph, texts, self._spoken, names=names)
        self._to_middle()

    def _to_middle(self) -> None:
        spot, room = self.canvas.middle, self.area.viewport().size()
        self.area.horizontalScrollBar().setValue(spot.x() - room.width() // 2)
        self.area.verticalScrollBar().setValue(spot.y() - room.height() // 2)

    def _say(self) -> None:
        words, graph = self.words, self._graph
        if not graph.nodes:
            return
        text = words.many(
            "{n} other within two steps.", "{n} others within two steps.", len(graph.nodes) - 1
        )
        if graph.left_out:
            more = words.many("{n} more is not drawn.", "{n} more are not drawn.", graph.left_out)
            text = f"{text} {more}"
        self.lead.setText(text)
        self.canvas.say(self._spoken)
        self._on_moved(self.canvas.current)

    def _text(self, node: Node) -> str:
        return self._showing.line(one_line(node.name, _LONGEST)) or self.words.say("Untitled")

    def _spoken(self, number: int) -> str:
        """``Ginkgo, project, 3 relations, 1 step away``."""
        words, node = self.words, self._graph.nodes[number]
        parts = [self._text(node)]
        if node.type:
            parts.append(one_line(node.type, 40))
        if node.ref is None:
            parts.append(words.say("not in the store"))
        count = len(self._graph.beside(number))
        parts.append(words.many("{n} relation", "{n} relations", count))
        if node.distance:
            parts.append(words.many("{n} step away", "{n} steps away", node.distance))
        return ", ".join(parts)

    # ---- beside it

    def _on_moved(self, number: int) -> None:
        if number >= len(self._graph.nodes):
            return
        node = self._graph.nodes[number]
        self.name.setText(self._text(node))
        self.relations.clear()
        for link, other in self._graph.beside(number):
            item = QListWidgetItem(self._sentence(link, number))
            item.setData(Qt.ItemDataRole.UserRole, other)
            self.relations.addItem(item)
        self.record.setEnabled(node.ref is not None)
        self.middle.setEnabled(node.ref is not None and number != 0)

    def _sentence(self, link: Link, number: int) -> str:
        """``works on → Ginkgo``, or ``← knows Lin Wei`` where it is the other's relation."""
        name = self._showing.line(one_line(link.name, 60))
        if link.start == number:
            other = self._text(self._graph.nodes[link.end])
            return self.words.say("{relation} → {other}", relation=name, other=other)
        other = self._text(self._graph.nodes[link.start])
        return self.words.say("← {other} {relation}", relation=name, other=other)

    def _on_relation_chosen(self, item: QListWidgetItem) -> None:
        self.canvas.focus_node(int(item.data(Qt.ItemDataRole.UserRole)))

    def _on_chosen(self, number: int) -> None:
        node = self._graph.nodes[number]
        if node.ref is not None and number != 0:
            self.show_for(node.ref)

    def _on_middle_clicked(self) -> None:
        self._on_chosen(self.canvas.current)

    def _on_record_clicked(self) -> None:
        if self._graph.nodes:
            ref = self._graph.nodes[self.canvas.current].ref
            if ref is not None:
                self.go.emit("record", ref)

    def _on_showing_changed(self) -> None:
        if self._graph.nodes:
            self._draw()
            self._say()

    # ---- putting together

    def _connect(self) -> None:
        for bar in (self.area.horizontalScrollBar(), self.area.verticalScrollBar()):
            bar.rangeChanged.connect(self._to_middle)  # the room is known, or is another
        self.canvas.moved.connect(self._on_moved)
        self.canvas.chosen.connect(self._on_chosen)
        self.relations.itemActivated.connect(self._on_relation_chosen)
        self.record.clicked.connect(self._on_record_clicked)
        self.middle.clicked.connect(self._on_middle_clicked)
        self.back.clicked.connect(self.closed)
        self.frame.retried.connect(self.refresh)
        self._showing.when_changed(self._on_showing_changed)

    def _lay_out(self) -> None:
        self.area.setWidget(self.canvas)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.relations.setFrameShape(QFrame.Shape.NoFrame)
        for part, least in ((self.area, _LEAST), (self.relations, _LEAST // 2)):
            part.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
            part.setMinimumHeight(least)
        self.relations.setWordWrap(True)
        side = QVBoxLayout()
        side.setSpacing(SPACE_S)
        side.addWidget(self.name)
        side.addWidget(self.relations, 1)
        side.addWidget(self.record)
        side.addWidget(self.middle)
        place = QWidget()
        place.setFixedWidth(_SIDE)
        place.setLayout(side)
        side.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.setSpacing(SPACE_L)
        row.addWidget(self.area, 1)
        row.addWidget(place)
        self.frame.content.addWidget(self.lead)
        self.frame.content.addLayout(row, 1)
        self.frame.foot.addStretch(1)
        self.frame.foot.addWidget(self.back)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.frame)
