# SPDX-License-Identifier: MIT
"""The left pane: which stores, which view."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from memory_gui.domain.records import State, StoreId
from memory_gui.services import KeyPlace, OpenedStore
from memory_gui.ui.fonts import digits, scaled, small_font
from memory_gui.ui.icons import Icon, draw_icon
from memory_gui.ui.names import named
from memory_gui.ui.palette import colour, tokens_of
from memory_gui.ui.phrases import store_name
from memory_gui.ui.tokens import (
    BODY_PT,
    FOCUS_WIDTH,
    ICON,
    RADIUS,
    SIDEBAR_ROW,
    SIDEBAR_WIDTH,
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    Tokens,
)
from memory_gui.ui.views import VIEWS, View
from memory_gui.ui.visible import plain_tip
from memory_gui.ui.widgets import QuietButton, SectionLabel
from memory_gui.words import Words

_ROLE = Qt.ItemDataRole.UserRole
_ICON: Final = _ROLE + 1
_TONE: Final = _ROLE + 2
_COUNT: Final = _ROLE + 3
_SECOND: Final = _ROLE + 4
_STORE_ROW: Final = 46


class _RowDelegate(QStyledItemDelegate):
    """An icon, one or two lines, a number at the right.

    With ``ticks`` the chosen row has a tick and no ground: it says which stores count, and must
    not look like the place where a person is.
    """

    def __init__(self, parent: QWidget, *, ticks: bool = False) -> None:
        super().__init__(parent)
        self._ticks = ticks
        self.marked = not ticks

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(SIDEBAR_WIDTH, _STORE_ROW if index.data(_SECOND) else SIDEBAR_ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        tokens = tokens_of(QGuiApplication.palette())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect).adjusted(SPACE_S, 1, -SPACE_S, -1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        _background(painter, rect, option.state, tokens, filled=self.marked)
        x = rect.left() + SPACE_S
        mark = QRectF(x, rect.center().y() - ICON / 2, ICON, ICON)
        tone = "accent" if selected and self.marked else index.data(_TONE) or "muted"
        draw_icon(painter, index.data(_ICON), mark, QColor(getattr(tokens, tone)))
        right = self._count(painter, rect, index, option.font, tokens)
        area = QRect(int(x + ICON + SPACE_S), int(rect.top()), 0, int(rect.height()))
        area.setRight(int(right))
        if self._ticks and selected:
            spot = QRectF(right - ICON, rect.center().y() - ICON / 2, ICON, ICON)
            if index.data(_SECOND):  # the second line has the whole width
                spot.moveTop(rect.top() + SPACE_XS)
            draw_icon(painter, Icon.CHECK, spot, QColor(tokens.accent))
        self._lines(painter, area, index, option.font, tokens)
        painter.restore()

    def _count(
        self,
        painter: QPainter,
        rect: QRectF,
        index: QModelIndex | QPersistentModelIndex,
        font: QFont,
        tokens: Tokens,
    ) -> float:
        count = index.data(_COUNT)
        right = rect.right() - SPACE_S
        if not count:
            return right
        small = digits(small_font(font))
        width = QFontMetrics(small).horizontalAdvance(count)
        painter.setFont(small)
        painter.setPen(QColor(tokens.muted))
        area = QRectF(right - width - 1, rect.top(), width + 2, rect.height())
        painter.drawText(
            area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), count
        )
        return right - width - SPACE_S

    def _lines(
        self,
        painter: QPainter,
        area: QRect,
        index: QModelIndex | QPersistentModelIndex,
        font: QFont,
        tokens: Tokens,
    ) -> None:
        second = index.data(_SECOND)
        first_area = area
        if self._ticks:
            first_area = area.adjusted(0, 0, -ICON - SPACE_XS, 0)
        if second:
            half = area.height() // 2
            first_area = first_area.adjusted(0, SPACE_XS - 1, 0, -half)
            below = area.adjusted(0, half - 1, 0, -SPACE_XS)
            _line(painter, below, second, small_font(font), tokens.muted)
        bold = scaled(font, BODY_PT, bold=bool(second))
        text = index.data(Qt.ItemDataRole.DisplayRole)
        _line(painter, first_area, text, bold, tokens.text)


class _Rows(QListWidget):
    """A list as high as its rows, with no frame and no background of its own."""

    def __init__(self, *, ticks: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = _RowDelegate(self, ticks=ticks)
        self.setItemDelegate(self._look)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTabKeyNavigation(False)
        self.viewport().setAutoFillBackground(False)

    def mark(self, *, marked: bool) -> None:
        """Whether the chosen row looks like the place where a person is."""
        self._look.marked = marked
        self.viewport().update()

    def sizeHint(self) -> QSize:
        height = sum(self.sizeHintForRow(row) for row in range(self.count()))
        return QSize(SIDEBAR_WIDTH, height + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(184, min(self.sizeHint().height(), 4 * _STORE_ROW))


class Sidebar(QWidget):
    """Emits what a person chose; the window tells it what there is."""

    view_chosen = Signal(object)
    stores_chosen = Signal(object)
    """frozenset of StoreId; empty = all."""
    open_wanted = Signal()

    def __init__(self, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._opened: tuple[OpenedStore, ...] = ()
        self._samples: frozenset[StoreId] = frozenset()
        self._counts: Mapping[str, Mapping[State, int]] = {}
        self._stores_label = named(SectionLabel(), "sidebar.stores.label")
        self._views_label = named(SectionLabel(), "sidebar.views.label")
        self._stores = named(_Rows(ticks=True), "sidebar.stores")
        self._views = named(_Rows(), "sidebar.views")
        self._open = named(QuietButton("", Icon.ADD), "sidebar.open")
        for view in VIEWS:
            item = QListWidgetItem()
            item.setData(_ROLE, view)
            item.setData(_ICON, view.icon)
            self._views.addItem(item)
        self._views.setCurrentRow(0)
        self._views.currentItemChanged.connect(self._on_view_changed)
        self._views.itemClicked.connect(self._on_view_changed)
        self._stores.currentItemChanged.connect(self._on_store_changed)
        for rows in (self._stores, self._views):
            rows.itemSelectionChanged.connect(partial(self._follow, rows))
        self._open.clicked.connect(self.open_wanted)
        self._arrange()
        self.retranslate()

    @staticmethod
    def _follow(rows: QListWidget) -> None:
        # A screen reader chooses by selecting, which leaves the current item where it was.
        chosen = rows.selectedItems()
        if chosen:
            rows.setCurrentItem(chosen[0])

    @property
    def view(self) -> View:
        """The view that is chosen."""
        view = self._views.currentItem().data(_ROLE)
        assert isinstance(view, View)  # noqa: S101 - put there above
        return view

    @property
    def stores(self) -> frozenset[StoreId]:
        """The stores that are chosen; empty = all."""
        item = self._stores.currentItem()
        store = item.data(_ROLE) if item is not None else None
        return frozenset({StoreId(store)}) if store else frozenset()

    def choose_view(self, view: View) -> None:
        """Go to a view, as if a person had clicked it."""
        self._views.setCurrentRow(VIEWS.index(view))

    def choose_store(self, store: StoreId) -> None:
        """Show one store alone, as if a person had clicked it; all where it is not there."""
        rows = [row for row in range(self._stores.count()) if self._store_at(row) == store]
        self._stores.setCurrentRow(rows[0] if rows else 0)

    def mark_view(self, *, marked: bool) -> None:
        """Whether the window shows the chosen view, and not a page such as the settings."""
        self._views.mark(marked=marked)

    def show_stores(self, opened: tuple[OpenedStore, ...]) -> None:
        """The stores that are open."""
        chosen = self.stores
        self._opened = opened
        self._stores.blockSignals(True)
        self._stores.clear()
        if len(opened) > 1:
            self._add_store(None)
        for one in opened:
            self._add_store(one)
        rows = [row for row in range(self._stores.count()) if self._store_at(row) in chosen]
        self._stores.setCurrentRow(rows[0] if rows else 0)
        self._stores.blockSignals(False)
        self._stores.updateGeometry()

    def mark_samples(self, samples: frozenset[StoreId]) -> None:
        """Which stores were invented for trying the app. They stay marked until it ends."""
        self._samples |= samples
        self.show_stores(self._opened)

    def show_counts(self, counts: Mapping[str, Mapping[State, int]]) -> None:
        """The numbers beside the views."""
        self._counts = counts
        words = self._words
        for row, view in enumerate(VIEWS):
            number = view.count(counts)
            item = self._views.item(row)
            item.setText(words.say(view.title))
            item.setData(_COUNT, words.number(number) if number else "")
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole,
                words.say("{view}, {n}", view=words.say(view.title), n=number),
            )

    def clear(self) -> None:
        """Forget names and numbers."""
        self.show_stores(())
        self.show_counts({})

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._stores_label.setText(say("Stores"))
        self._views_label.setText(say("Views"))
        self._stores.setAccessibleName(say("Stores"))
        self._views.setAccessibleName(say("Views"))
        self._open.setText(say("Open a store…"))
        self.show_counts(self._counts)
        self.show_stores(self._opened)

    def _store_at(self, row: int) -> object:
        return self._stores.item(row).data(_ROLE)

    def _add_store(self, one: OpenedStore | None) -> None:
        say = self._words.say
        item = QListWidgetItem()
        if one is None:
            item.setText(say("All stores"))
            item.setData(_ICON, Icon.DATABASE)
        else:
            item.setText(store_name(self._words, one))
            item.setData(_ROLE, one.id)
            item.setData(_ICON, Icon.LOCK if one.info.encrypted else Icon.READABLE)
            item.setData(_TONE, "ok" if one.info.encrypted else "warn")
            item.setData(_SECOND, self._second(one))
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole,
                say("{store}, {state}", store=store_name(self._words, one), state=self._state(one)),
            )
            item.setToolTip(plain_tip(one.info.path))
        self._stores.addItem(item)

    def _second(self, one: OpenedStore) -> str:
        """Below the name: what the lock beside it does not show."""
        say = self._words.say
        if one.id in self._samples:
            return say("Sample, all invented")
        return self._kept(one)

    def _kept(self, one: OpenedStore) -> str:
        say = self._words.say
        if {"opened.read_only", "opened.from_copy"} & set(one.info.notes):
            return say("encrypted, read-only") if one.info.encrypted else say("read-only")
        if not one.info.encrypted:
            return say("readable by anyone")
        return {
            KeyPlace.KEYCHAIN: say("key in the keychain"),
            KeyPlace.TYPED: say("key typed in"),
            KeyPlace.THIS_RUN: say("key kept for this run only"),
        }.get(one.key_place, say("encrypted"))

    def _state(self, one: OpenedStore) -> str:
        """The same for who does not see the lock."""
        say = self._words.say
        state = self._kept(one)
        if one.info.encrypted and one.key_place != KeyPlace.NONE:
            state = say("encrypted, {key}", key=state)
        return say("sample, {state}", state=state) if one.id in self._samples else state

    def _on_view_changed(self) -> None:
        self.view_chosen.emit(self.view)

    def _on_store_changed(self) -> None:
        self.stores_chosen.emit(self.stores)

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE_M, 0, SPACE_S)
        layout.setSpacing(SPACE_XS)
        for label, rows in ((self._stores_label, self._stores), (self._views_label, self._views)):
            label.setContentsMargins(SPACE_L, SPACE_XS, SPACE_L, 0)
            layout.addWidget(label)
            layout.addWidget(rows)
            layout.addSpacing(SPACE_S)
        layout.addStretch(1)
        self._open.setContentsMargins(SPACE_S, 0, SPACE_S, 0)
        layout.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)


def _background(
    painter: QPainter,
    rect: QRectF,
    state: QStyle.StateFlag,
    tokens: Tokens,
    *,
    filled: bool,
) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    if filled and state & QStyle.StateFlag.State_Selected:
        painter.setBrush(QColor(tokens.selected))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.setBrush(QColor(tokens.hover))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)
    if state & QStyle.StateFlag.State_HasFocus:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour(QGuiApplication.palette(), "focus"), FOCUS_WIDTH))
        painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), RADIUS, RADIUS)


def _line(painter: QPainter, area: QRect, text: str, font: QFont, ink: str) -> None:
    painter.setFont(font)
    painter.setPen(QColor(ink))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(area, int(flags), shown)
