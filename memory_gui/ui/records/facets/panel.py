# SPDX-License-Identifier: MIT
"""What the list can be narrowed to: facets, and under each its values with counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QTreeWidget, QTreeWidgetItem, QTreeWidgetItemIterator, QWidget

from memory_gui.domain.queries import FACETS, Facet
from memory_gui.ui.palette import colour
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.records.facets.delegate import COUNT_ROLE, FacetDelegate
from memory_gui.ui.records.facets.phrases import ORDERED, title_of, value_of
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S
from memory_gui.ui.visible import one_line
from memory_gui.words import Words

FEW: Final = 7
"""So many values of a facet are shown at first."""
MANY: Final = 300
"""So many at most: who looks for one among more types its name into the search."""
WIDTH: Final = 184
_ROLE: Final = Qt.ItemDataRole.UserRole
_INDENT: Final = "\u2003"
"""Before a place in a tree, for each that it lies in."""
_MORE: Final = "more"


class FacetPanel(QTreeWidget):
    """Space or Return chooses a value, Left and Right fold a facet. GUI thread."""

    chosen_changed = Signal(object)
    """facet -> frozenset of values."""

    def __init__(
        self, words: Words, parent: QWidget | None = None, showing: Showing | None = None
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._showing = showing or Showing(words)
        self._counts: Mapping[str, tuple[Facet, ...]] = {}
        self._chosen: dict[str, frozenset[str]] = {}
        self._folded: set[str] = set()
        self._whole: set[str] = set()
        self._filling = False
        self._ticked: tuple[str, str] | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._on_soon_timeout)
        self.setItemDelegate(FacetDelegate(self))
        self.setColumnCount(1)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QTreeWidget.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setExpandsOnDoubleClick(False)
        self.viewport().setAutoFillBackground(False)
        self.itemChanged.connect(self._on_item_changed)
        self.itemExpanded.connect(self._on_item_folded)
        self.itemCollapsed.connect(self._on_item_folded)

    @property
    def chosen(self) -> Mapping[str, frozenset[str]]:
        """What the list is narrowed to."""
        return {facet: values for facet, values in self._chosen.items() if values}

    def show_counts(self, counts: Mapping[str, Sequence[Facet]]) -> None:
        """Replace all values; the keyboard stays where it is."""
        self._counts = {facet: tuple(values) for facet, values in counts.items()}
        self._fill()

    def choose(self, chosen: Mapping[str, frozenset[str]]) -> None:
        """Narrow to other values, and tell of it."""
        self._chosen = dict(chosen)
        self._fill()
        self.chosen_changed.emit(self.chosen)

    def toggle(self, facet: str, value: str) -> None:
        """Choose a value, or no longer."""
        self.choose({**self._chosen, facet: self._chosen.get(facet, frozenset()) ^ {value}})

    def clear_all(self) -> None:
        """Forget counts and choice, without telling."""
        self._counts = {}
        self._chosen = {}
        self._whole.clear()
        self._fill()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.setAccessibleName(self._words.say("Filters"))
        self._fill()

    # ---- rows

    def _fill(self) -> None:
        place = self._place()
        scroll = self.verticalScrollBar().value()
        self._filling = True
        self.clear()
        values = {facet: self._values(facet) for facet in FACETS}
        useful = {name: some for name, some in values.items() if self._narrows(name, some)}
        for facet, some in (useful or values).items():  # of one match: what it is
            if some:
                self._add(facet, some)
        self._filling = False
        self._go_to(place)
        self.verticalScrollBar().setValue(scroll)

    def _narrows(self, facet: str, values: Sequence[Facet]) -> bool:
        """Whether choosing one of them would leave less, or one is chosen."""
        return len(values) > 1 or bool(self._chosen.get(facet))

    def _values(self, facet: str) -> list[Facet]:
        """What can be chosen, with what is chosen, even where nothing has it any more."""
        values = list(self._counts.get(facet, ()))
        if facet == "month":
            values.sort(key=lambda one: one.value, reverse=True)
        elif facet in ORDERED:
            order = list(ORDERED[facet])
            values.sort(
                key=lambda one: order.index(one.value) if one.value in order else len(order)
            )
        known = {one.value for one in values}
        gone = self._chosen.get(facet, frozenset()) - known
        return values + [Facet(value, 0) for value in sorted(gone)]

    def _add(self, facet: str, values: list[Facet]) -> None:
        words = self._words
        head = QTreeWidgetItem([title_of(words, facet)])
        head.setData(0, _ROLE, (facet, None))
        head.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        self.addTopLevelItem(head)
        chosen = self._chosen.get(facet, frozenset())
        most = MANY if facet in self._whole else FEW
        for number, one in enumerate(values):
            if number < most or one.value in chosen:
                head.addChild(self._row(facet, one, chosen=one.value in chosen))
        left = len(values) - most
        if left > 0 and most == FEW:
            more = QTreeWidgetItem([words.many("{n} more", "{n} more", left)])
            more.setData(0, _ROLE, (facet, _MORE))
            more.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            head.addChild(more)
        head.setExpanded(facet not in self._folded)

    def _row(self, facet: str, one: Facet, *, chosen: bool) -> QTreeWidgetItem:
        words = self._words
        text, count = value_of(words, facet, one.value), words.number(one.count)
        if facet == "tag":
            text = self._showing.line(text)
        inside = _INDENT * one.level
        row = QTreeWidgetItem([f"{inside}{one_line(one.label, 80)}" if inside else text])
        row.setData(0, _ROLE, (facet, (one.value,)))
        row.setData(0, COUNT_ROLE, count)
        spoken = words.say("{value}, {count}", value=text, count=count)
        row.setData(0, Qt.ItemDataRole.AccessibleTextRole, spoken)
        row.setToolTip(0, text)
        row.setFlags(
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsUserCheckable
        )
        row.setCheckState(0, Qt.CheckState.Checked if chosen else Qt.CheckState.Unchecked)
        return row

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.topLevelItemCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(colour(QGuiApplication.palette(), "muted"))
            area = self.viewport().rect().adjusted(SPACE_L, SPACE_M, -SPACE_S, 0)
            flags = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
            text = self._words.say("Nothing to filter by.")
            painter.drawText(area, flags | Qt.TextFlag.TextWordWrap, text)
            painter.end()

    # ---- keyboard and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if item is not None and event.key() in _ACTS_ON:
            self._act(item)
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        super().mouseReleaseEvent(event)
        if item is not None and event.button() == Qt.MouseButton.LeftButton:
            self._act(item)

    def _act(self, item: QTreeWidgetItem) -> None:
        facet, what = item.data(0, _ROLE)
        if what is None:
            item.setExpanded(not item.isExpanded())
        elif what == _MORE:
            self._whole.add(facet)
            self._fill()
        else:
            self.toggle(facet, what[0])

    def _on_item_changed(self, item: QTreeWidgetItem, _column: int) -> None:
        """A screen reader ticks a box: the rows are made anew only after it has done so."""
        what = item.data(0, _ROLE)
        if self._filling or what is None or not isinstance(what[1], tuple):
            return
        checked = item.checkState(0) == Qt.CheckState.Checked
        if checked != (what[1][0] in self._chosen.get(what[0], frozenset())):
            self._ticked = (what[0], what[1][0])
            self._soon.start()

    def _on_soon_timeout(self) -> None:
        ticked, self._ticked = self._ticked, None
        if ticked is not None:
            self.toggle(*ticked)

    def _on_item_folded(self, item: QTreeWidgetItem) -> None:
        if not self._filling:
            facet = item.data(0, _ROLE)[0]
            (self._folded.discard if item.isExpanded() else self._folded.add)(facet)

    # ---- where the keyboard is

    def _place(self) -> object:
        item = self.currentItem()
        return item.data(0, _ROLE) if item is not None else None

    def _go_to(self, place: object) -> None:
        rows = QTreeWidgetItemIterator(self)
        while (item := rows.value()) is not None:
            if item.data(0, _ROLE) == place:
                self.setCurrentItem(item)
                return
            rows += 1

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 200)

    def minimumSizeHint(self) -> QSize:
        return QSize(WIDTH - 40, 80)


_ACTS_ON: Final = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
