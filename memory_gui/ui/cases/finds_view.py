# SPDX-License-Identifier: MIT
"""What was found, in three heaps: each row with its match, and what is to become of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from PySide6.QtCore import QItemSelectionModel, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QListView,
    QVBoxLayout,
    QWidget,
)

from memory_gui.cases.finds import CaseFind, Decision, Finds, Heap
from memory_gui.services.locking.drafts import Fields
from memory_gui.ui.cases.correct_form import CorrectForm
from memory_gui.ui.cases.finds_delegate import ROW, FindsDelegate
from memory_gui.ui.cases.finds_model import FIND_ROLE, FindsModel
from memory_gui.ui.cases.hold_form import Hold, HoldForm
from memory_gui.ui.cases.tabs import Tabs
from memory_gui.ui.cases.words import (
    act,
    cannot,
    excerpts,
    field_line,
    heap_count,
    heap_hint,
    nothing_found,
    way_out,
)
from memory_gui.ui.context import Context
from memory_gui.ui.fonts import grown
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.text_view import TextView
from memory_gui.ui.privacy.showing import Showing
from memory_gui.ui.tokens import SPACE_M, SPACE_S
from memory_gui.ui.widgets import Button, EraseButton, Panel, QuietButton, TextLabel
from memory_gui.ui.widgets.flow import FlowLayout

HEAPS: Final = (Heap.SURE, Heap.SHARED, Heap.MENTIONS)
ACTS: Final = (
    (Decision.ERASE, "E"),
    (Decision.REDACT, "R"),
    (Decision.RESTRICT, "T"),
    (Decision.HOLD, "H"),
    (Decision.KEEP, "K"),
    (Decision.NONE, "U"),
)
"""What can become of the chosen rows, and the key for it in the list."""
_LEAST_ROWS: Final = 3
_ABOUT: Final = "find.about"
OF_FINDS: Final = ("find.", "hold.", "correct.")
"""With these begins what a lock keeps of the forms below the list."""


def _known_by(find: CaseFind) -> str:
    """What names a find beyond one search."""
    ref = find.ref.text if find.ref is not None else ""
    return f"{find.heap}\n{find.path}\n{ref}"


class FindsView(QWidget):
    """Nothing is decided here: ``decided`` asks for it. GUI thread."""

    decided = Signal(object, object, object)
    """Numbers, a Decision, a Hold or None."""
    record_wanted = Signal(object)
    """The Ref of a record of an open store, to be read in full."""
    refused = Signal(str)
    """Why an act was not done: a sentence."""
    asked = Signal(object)
    """A form was opened below the list: the widget."""
    correct_wanted = Signal(object)
    """A CaseFind: its record is to be shown in the form for another text."""
    correct_typed = Signal(object, object)
    """The same, and what was typed there before a lock."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = context.words
        self._library = context.services.library
        self._showing = Showing(context.words, context.privacy)
        self._finds: Finds | None = None
        self.heaps = named(Tabs(), "case.heaps")
        for _heap in HEAPS:
            self.heaps.addTab("")
        self.hint = named(TextLabel(tone="muted"), "case.heap.hint")
        self.away = QWidget()
        """Takes the room of the list where nothing was found."""
        self.model = FindsModel(context.words, self._showing, self)
        self.list = named(QListView(), "case.finds")
        self._dress()
        self.detail = TextView("case.find", lines=7)
        self._detail_panel = named(Panel(), "case.find.panel")
        self.hold = HoldForm(context.words)
        self.correct = CorrectForm(context.words)
        self._deciding = False
        self.acts: dict[Decision, Button] = {
            decision: named(
                EraseButton() if decision is Decision.ERASE else Button(), f"case.{decision}"
            )
            for decision, _key in ACTS
        }
        self.all = named(Button(icon=Icon.CHECK), "case.choose_all")
        self.open = named(QuietButton(icon=Icon.NEXT), "case.open_record")
        self.to_correct = named(QuietButton(icon=Icon.EDIT), "case.correct")
        self._acts = QWidget()
        self._lay_out()
        self._connect()
        self.retranslate()

    def show_finds(self, finds: Finds, *, deciding: bool = False) -> None:
        """Show them; the heap that is looked at stays, else the first one that has some.

        ``deciding``: something has to become of all that is surely about the person.
        """
        self._deciding = deciding
        first = self._finds is None
        self._finds = finds
        if first:
            self.heaps.setCurrentIndex(
                next((n for n, heap in enumerate(HEAPS) if finds.heap(heap)), 0)
            )
        self._say_heaps()
        self._fill()

    def typed(self) -> dict[str, str | tuple[str, ...]]:
        """What a lock would take: a form that is open, and which finds it is about."""
        typed = self.hold.typed() | self.correct.typed()
        return {_ABOUT: tuple(map(_known_by, self.chosen)), **typed} if typed else {}

    def take_up(self, fields: Fields) -> bool:
        """Go on with it where those finds are there again; whether they are."""
        about = set(fields.get(_ABOUT, ()))
        finds = self._finds.finds if self._finds is not None else ()
        mine = [one for one in finds if _known_by(one) in about]
        if not mine:
            return False
        self.heaps.setCurrentIndex(HEAPS.index(mine[0].heap))
        selection, flags = self.list.selectionModel(), QItemSelectionModel.SelectionFlag
        selection.clear()
        for row in range(self.model.rowCount()):
            if self.model.find(row) in mine:
                selection.setCurrentIndex(self.model.index(row), flags.Select)
        if "hold.as" in fields:
            self.hold.take_up(len(self.chosen), fields)
            self.asked.emit(self.hold)
        else:
            self.correct_typed.emit(mine[0], fields)
        return True

    def wipe(self) -> None:
        """Forget every text."""
        self._finds = None
        self.model.show(())
        self.detail.wipe()
        self._detail_panel.hide()
        self.hold.wipe()
        self.correct.wipe()
        self._say_heaps()
        self._enable()

    def retranslate(self) -> None:
        """Say all texts again."""
        words, say = self._words, self._words.say
        self.list.setAccessibleName(say("What was found"))
        self.heaps.setAccessibleName(say("Heaps"))
        self.detail.setAccessibleName(say("The find in full"))
        self.all.setText(say("Choose all"))
        self.open.setText(say("Read it in its store"))
        self.to_correct.setText(say("Correct…"))
        for decision, _key in ACTS:
            self.acts[decision].setText(act(words, decision))
        self.hold.retranslate()
        self.correct.retranslate()
        self._say_heaps()
        self._on_current()

    @property
    def chosen(self) -> tuple[CaseFind, ...]:
        """The rows that are selected."""
        return tuple(self._chosen())

    def select(self, row: int) -> None:
        """Make one row the chosen one."""
        flags = QItemSelectionModel.SelectionFlag
        self.list.selectionModel().setCurrentIndex(self.model.index(row), flags.ClearAndSelect)

    # ---- inside

    def _chosen(self) -> Iterator[CaseFind]:
        selection = self.list.selectionModel().selection()
        for number in range(selection.size()):
            part = selection.at(number)
            for row in range(part.top(), part.bottom() + 1):
                if (find := self.model.find(row)) is not None:
                    yield find

    def _heap(self) -> Heap:
        return HEAPS[max(0, self.heaps.currentIndex())]

    def _fill(self) -> None:
        finds = self._finds.heap(self._heap()) if self._finds is not None else ()
        self.model.show(finds)
        self._say_hint()
        if finds and not self.list.currentIndex().isValid():
            self.select(0)
        self._on_current()

    def _say_heaps(self) -> None:
        words = self._words
        for number, heap in enumerate(HEAPS):
            count = len(self._finds.heap(heap)) if self._finds is not None else 0
            self.heaps.setTabText(number, heap_count(words, heap, count))
        self._say_hint()

    def _say_hint(self) -> None:
        words, finds = self._words, self._finds
        nobody = finds is not None and not finds.finds
        self.hint.setText(nothing_found(words) if nobody else heap_hint(words, self._heap()))
        for widget in (self.list, self._acts, self.heaps):
            widget.setVisible(not nobody)
        self.away.setVisible(nobody)

    def _on_heap(self) -> None:
        self.hold.wipe()
        self.correct.wipe()
        self.list.selectionModel().clear()
        self._fill()

    def _on_current(self) -> None:
        find = self.list.currentIndex().data(FIND_ROLE)
        self._detail_panel.setVisible(isinstance(find, CaseFind))
        if isinstance(find, CaseFind):
            self._showing.treat(self.detail)
            self.detail.show_pieces(excerpts(self._words, find))
            self.where.setText(field_line(self._words, find))
            self.way.setText(way_out(self._words, find))
        else:
            self.detail.wipe()
            self.where.clear()
            self.way.clear()
        self.way.setVisible(bool(self.way.text()))
        QTimer.singleShot(0, self.list, self._see_current)  # once the panel has its height
        self._enable()

    def _see_current(self) -> None:
        self.list.scrollTo(self.list.currentIndex())

    def _enable(self) -> None:
        chosen = self.chosen
        words = self._words
        for decision, key in ACTS:
            button = self.acts[decision]
            unable = [one for one in chosen if decision not in (*one.can, Decision.NONE)]
            button.setEnabled(bool(chosen) and not unable)
            why = cannot(words, len(unable), len(chosen)) if unable else ""
            if decision is Decision.ERASE and len(chosen) == 1:
                why = way_out(words, chosen[0])
            tip = words.say("{act} ({key})", act=button.text(), key=key)
            button.setToolTip(why or tip)
            button.setAccessibleDescription(why)
        self.all.setEnabled(bool(self.model.rowCount()))
        one_record = len(chosen) == 1 and chosen[0].ref is not None
        self.to_correct.setVisible(one_record and Decision.REDACT in chosen[0].can)
        opened = {one.id for one in self._library.stores()} if one_record else set()
        self.open.setVisible(any(one.ref is not None and one.store in opened for one in chosen))

    def _act(self, decision: Decision) -> None:
        chosen = self.chosen
        unable = [] if decision is Decision.NONE else [o for o in chosen if decision not in o.can]
        if unable:  # by its key: the button is disabled
            self.refused.emit(cannot(self._words, len(unable), len(chosen)))
        if not chosen or unable:
            return
        self.correct.wipe()
        sure = self._heap() is Heap.SURE
        if decision is Decision.HOLD or (decision is Decision.KEEP and sure and self._deciding):
            self.hold.ask(len(chosen), decision)
            self.asked.emit(self.hold)
            return
        self.hold.wipe()
        self.decided.emit([one.number for one in chosen], decision, None)

    def _on_open(self) -> None:
        for find in self.chosen[:1]:
            self.record_wanted.emit(find.ref)

    def _on_correct(self) -> None:
        self.hold.wipe()
        for find in self.chosen[:1]:
            self.correct_wanted.emit(find)

    def _on_held(self, hold: Hold) -> None:
        numbers = [one.number for one in self.chosen]
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if numbers:
            self.decided.emit(numbers, hold.decision, hold)

    def _on_form_left(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_all(self) -> None:
        self.list.selectAll()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _redraw(self) -> None:
        self._showing.treat(self.detail)
        self.list.viewport().update()

    # ---- putting together

    def _dress(self) -> None:
        rows = self.list
        rows.setModel(self.model)
        rows.setItemDelegate(FindsDelegate(self._words, self._showing, rows))
        rows.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        rows.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        rows.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows.setUniformItemSizes(True)
        rows.setTabKeyNavigation(False)
        rows.setFrameShape(QFrame.Shape.NoFrame)
        rows.setMouseTracking(True)
        rows.setMinimumHeight(_LEAST_ROWS * grown(ROW))

    def _connect(self) -> None:
        self.heaps.currentChanged.connect(self._on_heap)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.selectionModel().selectionChanged.connect(self._enable)
        self.all.clicked.connect(self._on_all)
        self.open.clicked.connect(self._on_open)
        self.hold.given.connect(self._on_held)
        self.hold.left.connect(self._on_form_left)
        self.correct.left.connect(self._on_form_left)
        self.to_correct.clicked.connect(self._on_correct)
        self._showing.when_changed(self._redraw)
        for decision, key in ACTS:
            self.acts[decision].clicked.connect(partial(self._act, decision))
            keys = QShortcut(QKeySequence(key), self.list)
            keys.setContext(Qt.ShortcutContext.WidgetShortcut)
            keys.activated.connect(partial(self._act, decision))

    def _lay_out(self) -> None:
        self.where = named(TextLabel(tone="muted"), "case.find.where")
        self.way = named(TextLabel(tone="warn"), "case.find.way")
        inside = QVBoxLayout(self._detail_panel)
        inside.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        inside.setSpacing(SPACE_S // 2)
        inside.addWidget(self.where)
        inside.addWidget(self.way)
        inside.addWidget(self.detail)
        ways = QWidget()
        more = FlowLayout(ways)
        more.addWidget(self.to_correct)
        more.addWidget(self.open)
        inside.addWidget(ways)
        acts = FlowLayout(self._acts)
        for decision, _key in ACTS:
            acts.addWidget(self.acts[decision])
        acts.addWidget(self.all)
        head = QHBoxLayout()
        head.addWidget(self.heaps)
        head.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_S)
        layout.addLayout(head)
        layout.addWidget(self.hint)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.away, 1)
        layout.addWidget(self._acts)
        layout.addWidget(self.hold)
        layout.addWidget(self.correct)
        layout.addWidget(self._detail_panel)
