# SPDX-License-Identifier: MIT
"""The page of what happened: by day, by whom, to which record; and the way to that record."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListView, QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.services import OpenedStore, Services
from memory_gui.services.activity.activity import PAGE, Timeline, Wanted, Who
from memory_gui.ui.activity import phrases
from memory_gui.ui.activity.delegate import TimelineDelegate
from memory_gui.ui.activity.model import Row, TimelineModel
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.page import Page
from memory_gui.ui.phrases import store_name
from memory_gui.ui.tokens import SPACE_L, SPACE_M, SPACE_S, SPACE_XL
from memory_gui.ui.visible import one_line
from memory_gui.ui.widgets import (
    Banner,
    Busy,
    Button,
    Choice,
    EmptyState,
    QuietButton,
    Rule,
    TitleLabel,
)
from memory_gui.words import N_
from memory_gui.words.errors import explain

_LIST, _NONE, _ERROR = range(3)
_OPENS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _List(QListView):
    """Enter opens what is chosen."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OPENS and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)


class ActivityPage(Page):
    """Shown with None, or with the Ref of the record whose history is wanted. GUI thread."""

    icon_name = "activity"

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._record: Ref | None = None
        self._record_title = ""
        self._limit = PAGE
        self._opened: tuple[OpenedStore, ...] = ()
        self._wished: StoreId | None = None
        """What was chosen in the left pane."""
        self._handle: Handle | None = None
        self._timeline = Timeline(())
        self._title = named(TitleLabel(wrap=False), "activity.title")
        self.banner = named(Banner(below=SPACE_S), "activity.banner")
        self._busy = named(Busy(), "activity.busy")
        self.who = named(Choice(), "activity.who")
        self.group = named(Choice(), "activity.group")
        self.store = named(Choice(), "activity.store")
        self._only = named(Button("", Icon.CLOSE), "activity.only")
        self._forget = named(QuietButton(), "activity.forget")
        self.model = TimelineModel(context.words, self)
        self.list = named(_List(), "activity.list")
        self._none = named(EmptyState(Icon.ACTIVITY), "activity.none")
        self._error = named(EmptyState(Icon.WARN), "activity.error")
        self._more = named(Button(), "activity.more")
        self._states = (self.list, self._none, self._error)
        self._fill_choices()
        self._arrange()
        self._connect()
        self.retranslate()

    # ---- the shell's calls

    def show_for(self, argument: object) -> None:
        self._record = argument if isinstance(argument, Ref) else None
        self._record_title = ""
        self._limit = PAGE
        self.banner.dismiss()
        self._say_only()
        self.refresh()

    def refresh(self) -> None:
        """Ask again, keeping selection and place."""
        if self._handle is not None:
            self._handle.cancel()
        if not self.model.rowCount():
            self._busy.start(self.words.say("Reading what happened…"))
        self._handle = self.bridge.call(
            _read,
            self.services,
            self._wanted(),
            self._limit,
            done=self._on_read,
            failed=self._on_failed,
            cancellable=True,
        )

    def retranslate(self) -> None:
        say = self.words.say
        self._title.setText(say("Activity"))
        self.list.setAccessibleName(say("What happened, the newest first"))
        for box, name in (
            (self.who, say("Whose doing")),
            (self.group, say("What was done")),
            (self.store, say("In which store")),
        ):
            box.setAccessibleName(name)
            box.setToolTip(name)
        self._say_choices()
        self._more.setText(say("Show older"))
        self._forget.setText(say("Forget what you did…"))
        self._forget.setToolTip(
            say("What you did is kept without any text. The agents keep logs of their own.")
        )
        self.banner.set_close_name(say("Close this message"))
        self._say_only()
        self._say_none()
        self.model.say()

    def choose_store(self, store: StoreId | None) -> None:
        self._wished = store
        at = self.store.findData(store or "")
        if at >= 0:  # else it is chosen when the stores are known
            self.store.setCurrentIndex(at)

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._record, self._record_title = None, ""
        self._opened = ()
        self._timeline = Timeline(())
        self.model.clear()
        self._busy.stop()
        self.banner.dismiss()
        self._say_only()
        self._fill_stores()

    # ---- reading

    def _wanted(self) -> Wanted:
        who, group, store = (box.currentData() for box in (self.who, self.group, self.store))
        store = store if self._opened else self._wished
        if self._record is not None:
            return Wanted(record=self._record)
        return Wanted(
            stores=frozenset({StoreId(store)} if store else ()),
            who=frozenset({Who(who)} if who else ()),
            groups=frozenset({group} if group else ()),
        )

    def _on_read(self, found: tuple[Timeline, tuple[OpenedStore, ...], str]) -> None:
        self._timeline, opened, self._record_title = found
        self._busy.stop()
        if opened != self._opened:
            self._opened = opened
            self._fill_stores()
        place = self.list.verticalScrollBar().value()
        chosen = self._chosen()
        names = {one.id: store_name(self.words, one) for one in opened}
        self.model.show(self._timeline.happenings, names)
        if chosen is not None:
            again = self.model.find(lambda one: one == chosen.happening)
            if again is not None:
                self.list.setCurrentIndex(self.model.index(again))
        self.list.verticalScrollBar().setValue(place)
        self._more.setVisible(self._timeline.more)
        self._say_only()
        self._say_none()
        self._show(_LIST if self._timeline.happenings else _NONE)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._busy.stop()
        told = explain(self.words, error)
        self._error.say(told.title, told.next, self.words.say("Try again"))
        self._show(_ERROR)

    def _chosen(self) -> Row | None:
        row = self.model.row(self.list.currentIndex().row())
        return row if isinstance(row, Row) else None

    # ---- acting

    def _on_filter_changed(self) -> None:
        self._limit = PAGE
        self.refresh()

    def _on_more_clicked(self) -> None:
        self._limit += PAGE
        self.refresh()

    def _on_only_clicked(self) -> None:
        self._record = None
        self.refresh()

    def _on_activated(self, index: QModelIndex) -> None:
        row = self.model.row(index.row())
        if not isinstance(row, Row):
            return
        there = [one.ref for one in row.happening.about if one.title]
        if there:
            self.go.emit("record", there[0])
        elif row.happening.store is None and row.happening.store_path:
            self.banner.tell("info", self.words.say("Open the store to see the record."))
        else:
            self.banner.tell("info", self.words.say("There is no record to go to any more."))

    def _on_forget_clicked(self) -> None:
        say = self.words.say
        self.banner.tell(
            "warn",
            say(
                "Forget what you did with this app? The stores stay as they are, and the agents’ "
                "own logs with them."
            ),
            (say("Cancel"), self.banner.dismiss),
            (say("Forget it"), self._on_forget_confirmed),
        )

    def _on_forget_confirmed(self) -> None:
        self.banner.dismiss()
        self.bridge.call(
            self.services.activity.forget_acts,
            done=self._on_forgotten,
            failed=self._on_failed,
            in_turn=True,
            asked=partial(self.words.say, N_("forget what you did with this app")),
        )

    def _on_forgotten(self, _nothing: object) -> None:
        self.refresh()

    def _on_hiding_changed(self, hidden: bool) -> None:
        self.model.hidden = hidden
        self.model.say()
        self._say_only()

    # ---- saying

    def _fill_choices(self) -> None:
        self.who.addItem("", "")
        for who in Who:
            self.who.addItem("", who)
        self.group.addItem("", "")
        for group in phrases.GROUPS:
            self.group.addItem("", group)
        self._fill_stores()

    def _fill_stores(self) -> None:
        chosen = self.store.currentData() or self._wished
        self.store.blockSignals(True)
        self.store.clear()
        self.store.addItem(self.words.say("All stores"), "")
        for one in self._opened:
            self.store.addItem(store_name(self.words, one), one.id)
        self.store.setCurrentIndex(max(0, self.store.findData(chosen)))
        self.store.blockSignals(False)
        self.store.setVisible(len(self._opened) > 1)

    def _say_choices(self) -> None:
        say = self.words.say
        whose = {
            "": say("Anybody"),
            Who.YOU: say("You"),
            Who.AGENT: say("The agent"),
            Who.PROGRAM: say("Programs in the terminal"),
        }
        for row in range(self.who.count()):
            self.who.setItemText(row, whose[self.who.itemData(row)])
        for row in range(self.group.count()):
            group = self.group.itemData(row)
            self.group.setItemText(row, say(phrases.GROUPS[group]) if group else say("Anything"))
        for row in range(1, self.store.count()):
            self.store.setItemText(row, store_name(self.words, self._opened[row - 1]))
        self.store.setItemText(0, say("All stores"))
        for box in (self.who, self.group, self.store):
            box.updateGeometry()

    def _say_only(self) -> None:
        """One record's history: which, and the way back to all."""
        one = self._record is not None
        self._only.setVisible(one)
        for box in (self.who, self.group):
            box.setVisible(not one)
        self.store.setVisible(not one and len(self._opened) > 1)
        self._forget.setVisible(not one)
        hidden = self.context.privacy.hiding.hidden
        title = "" if hidden else one_line(self._record_title, 40)
        say = self.words.say
        self._only.setText(
            say("Only “{title}”", title=title).replace("&", "&&")
            if title
            else say("Only one record")
        )
        self._only.setToolTip(say("Show everything again"))

    def _say_none(self) -> None:
        say = self.words.say
        if self._wanted() == Wanted():
            self._none.say(
                say("Nothing happened yet"), say("What you and the agents do is listed here.")
            )
        else:
            self._none.say(
                say("Nothing of that kind happened"), say("Choose something else above.")
            )

    def _show(self, which: int) -> None:
        for number, widget in enumerate(self._states):
            widget.setVisible(number == which)
        self._more.setVisible(which == _LIST and self._timeline.more)

    # ---- arranging

    def _arrange(self) -> None:
        self.list.setModel(self.model)
        self.list.setItemDelegate(TimelineDelegate(self.list))
        self.list.setFrameShape(QListView.Shape.NoFrame)
        self.list.setMouseTracking(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        told = QVBoxLayout()
        told.setContentsMargins(SPACE_XL, 0, SPACE_XL, 0)
        told.addWidget(self._busy)
        told.addWidget(self.banner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._make_head())
        layout.addLayout(told)
        layout.addWidget(Rule())
        for state in self._states:
            layout.addWidget(state, 1)
        layout.addWidget(Rule())
        layout.addLayout(self._make_foot())
        self._show(_NONE)

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(SPACE_XL, SPACE_L, SPACE_XL, SPACE_M)
        head.setSpacing(SPACE_S)
        head.addWidget(self._title)
        head.addStretch(1)
        for widget in (self._only, self.who, self.group, self.store):
            head.addWidget(widget)
        return head

    def _make_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setContentsMargins(SPACE_XL, SPACE_S, SPACE_XL, SPACE_S)
        foot.addWidget(self._forget)
        foot.addStretch(1)
        foot.addWidget(self._more)
        return foot

    def _connect(self) -> None:
        for box in (self.who, self.group, self.store):
            box.currentIndexChanged.connect(self._on_filter_changed)
        self.list.activated.connect(self._on_activated)
        self._more.clicked.connect(self._on_more_clicked)
        self._only.clicked.connect(self._on_only_clicked)
        self._forget.clicked.connect(self._on_forget_clicked)
        self._error.acted.connect(self.refresh)
        self.context.privacy.hiding.changed.connect(self._on_hiding_changed)


def _read(
    services: Services, wanted: Wanted, limit: int, cancel: CancelToken | None = None
) -> tuple[Timeline, tuple[OpenedStore, ...], str]:
    """In a thread of the bridge."""
    timeline = services.activity.list(wanted, limit, cancel)
    title = ""
    if wanted.record is not None:
        record = services.library.record(wanted.record)
        title = "" if record is None else record.title
    return timeline, services.library.stores(), title
