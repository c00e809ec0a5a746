# SPDX-License-Identifier: MIT
"""The frame that every page here stands in: heading, banner, and one of its states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ui import lazy
from memory_gui.ui.fonts import grown
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.tokens import PAGE_WIDTH, SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from memory_gui.ui.visible import visible
from memory_gui.ui.widgets import (
    Banner,
    Busy,
    Caption,
    EmptyState,
    Panel,
    Rule,
    TextLabel,
    TitleLabel,
)
from memory_gui.ui.widgets.scrolled import Inside, Scrolled
from memory_gui.words import Words

if TYPE_CHECKING:
    from memory_gui.words.errors import Explained

CONTENT: Final = "content"
EMPTY: Final = "empty"
BUSY: Final = "busy"
ERROR: Final = "error"


class Frame(QWidget):
    """Heading, corner, banner and a body with four states; the page fills ``content`` and ``foot``.

    ``width`` bounds the content so that lines stay readable; 0 lets it take the whole place.
    ``fills``: what stretches in the content is as high as there is room.
    """

    retried = Signal()
    """The one button of the error state."""
    acted = Signal()
    """The one button of the empty state."""
    stopped = Signal()
    """Cancel while something goes on."""

    def __init__(
        self,
        name: str,
        *,
        width: int = PAGE_WIDTH,
        fills: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.title = named(TitleLabel(), f"{name}.title")
        self.corner = QHBoxLayout()
        self.banner = named(Banner(), f"{name}.banner")
        self.empty = named(EmptyState(Icon.OK), f"{name}.empty")
        self.error = named(EmptyState(Icon.WARN), f"{name}.error")
        self.busy = named(Busy(), f"{name}.busy")
        self.content = QVBoxLayout()
        self.content.setSpacing(SPACE_L)
        self.foot = QHBoxLayout()
        self.foot.setSpacing(SPACE_S)
        self._scroll = named(self._scrolled(width, fills), f"{name}.scroll")
        self._main = QWidget(self)  # without a parent the stack would show it as a window
        self._states = QStackedLayout()
        self._build()
        self.error.acted.connect(self.retried)
        self.empty.acted.connect(self.acted)
        self.busy.cancelled.connect(self.stopped)

    @property
    def state(self) -> str:
        """Which state is shown."""
        return (CONTENT, EMPTY, BUSY, ERROR)[self._states.currentIndex()]

    def show_state(self, state: str) -> None:
        """Show one of the four."""
        self._states.setCurrentIndex((CONTENT, EMPTY, BUSY, ERROR).index(state))
        if state != BUSY:
            self.busy.stop()

    def show_busy(self, text: str, cancel: str = "") -> None:
        """Say that something goes on; it shows when that takes long enough."""
        self._states.setCurrentIndex(2)
        self.busy.start(text, cancel)

    def show_error(self, words: Words, error: UserError | IntegrityError) -> None:
        """Say what went wrong instead of the content, with a way to try again."""
        told = _explain(words, error)
        self.error.say(visible(told.title), visible(told.next), words.say("Try again"))
        self.show_state(ERROR)

    def say_error(self, words: Words, error: UserError | IntegrityError) -> None:
        """Say what went wrong above the content, which stays."""
        self.banner.tell("warn", _explain(words, error).text)

    def to_top(self) -> None:
        """Scroll to the beginning."""
        self._scroll.verticalScrollBar().setValue(0)

    def reveal(self, widget: QWidget) -> None:
        """Scroll until a widget is seen."""
        self._scroll.ensureWidgetVisible(widget)

    def _on_range_changed(self, _least: int, most: int) -> None:
        self._edge.setVisible(most > 0)

    def _scrolled(self, width: int, fills: bool) -> Scrolled:
        inner = Inside()
        column = QWidget(inner)
        column.setLayout(self.content)
        self.content.setContentsMargins(0, 0, 0, 0)
        if width:
            column.setMaximumWidth(width)
        row = QHBoxLayout(inner)
        row.setContentsMargins(SPACE_XL, 0, SPACE_XL, SPACE_L)
        row.addWidget(column, 1)
        if not fills:
            row.setAlignment(column, Qt.AlignmentFlag.AlignTop)
        if width:
            row.addStretch(0)
        scroll = Scrolled()
        scroll.setWidget(inner)
        return scroll

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_M)
        head.setSpacing(SPACE_S)
        head.addWidget(self.title, 1)  # as wide as there is room: it wraps only where there is none
        head.addLayout(self.corner)
        banners = QHBoxLayout()
        banners.setContentsMargins(SPACE_XL, 0, SPACE_XL, SPACE_M)
        banners.addWidget(self.banner)
        main = QVBoxLayout(self._main)
        main.setContentsMargins(0, 0, 0, 0)
        main.setSpacing(0)
        main.addWidget(self._scroll, 1)
        self._edge = Rule()
        self._edge.hide()
        main.addWidget(self._edge)
        self._scroll.verticalScrollBar().rangeChanged.connect(self._on_range_changed)
        foot = QWidget()
        foot.setLayout(self.foot)
        self.foot.setContentsMargins(SPACE_XL, SPACE_S, SPACE_XL, SPACE_L)
        main.addWidget(foot)
        self._states.addWidget(self._main)
        self._states.addWidget(self.empty)
        self._states.addWidget(self._busy_place())
        self._states.addWidget(self.error)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addLayout(banners)
        layout.addLayout(self._states, 1)

    def _busy_place(self) -> QWidget:
        place = QWidget()
        layout = QVBoxLayout(place)
        layout.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL)
        layout.addWidget(self.busy)
        layout.addStretch(1)
        self.busy.setMaximumWidth(PAGE_WIDTH)
        return place


def _explain(words: Words, error: UserError | IntegrityError) -> Explained:
    told: Explained = lazy.errors().explain(words, error)
    return told


def padded(panel: Panel, spacing: int = SPACE_S) -> QVBoxLayout:
    """A column inside a panel, with the usual air around it."""
    layout = QVBoxLayout(panel)
    layout.setContentsMargins(SPACE_L, SPACE_M, SPACE_L, SPACE_M)
    layout.setSpacing(spacing)
    return layout


class _Name(Caption):
    """As wide as its column: wider where letters are larger."""

    def __init__(self, text: str, width: int) -> None:
        self._width = width
        super().__init__(text, wrap=True)
        self.setFixedWidth(grown(width))

    def letters_changed(self) -> None:
        super().letters_changed()
        self.setFixedWidth(grown(self._width))


class Facts(QWidget):
    """Names and values in two columns: what is known about something."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(SPACE_S // 2)
        self._shown: list[tuple[_Name, TextLabel]] = []
        self.setObjectName(name)

    def show_rows(self, rows: list[tuple[str, str]], *, name_width: int = 120) -> None:
        """Show these rows. Values may come from a store: hidden characters are drawn.

        Under the same names the values change in place: rows that are made anew have no height
        until the event loop comes to them, and a page would stand empty for as long.
        """
        if [name for name, _ in rows] == [name.text() for name, _ in self._shown]:
            for (_, value), (_, label) in zip(rows, self._shown, strict=True):
                label.show_foreign(value)
            return
        self.wipe()
        for number, (title, value) in enumerate(rows):
            row = QHBoxLayout()
            row.setSpacing(SPACE_M)
            name = named(_Name(title, name_width), f"{self._name}.name{number}")
            shown = named(TextLabel(selectable=True), f"{self._name}.value{number}")
            shown.show_foreign(value)
            # Beside a name that wraps the value stays at its first line.
            shown.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            row.addWidget(name, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(shown, 1)
            self._rows.addLayout(row)
            self._shown.append((name, shown))

    @property
    def texts(self) -> list[str]:
        """All names and values, in order."""
        return [label.text() for row in self._shown for label in row]

    def wipe(self) -> None:
        """Forget the rows."""
        empty(self._rows)
        self._shown = []


def empty(layout: QLayout) -> None:
    """Take everything out of a layout, now."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        elif inner is not None:
            empty(inner)
