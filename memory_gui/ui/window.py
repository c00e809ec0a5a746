# SPDX-License-Identifier: MIT
"""The window: painted with its top line and Home, and made whole after that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow

from memory_gui.ui import lazy
from memory_gui.ui.context import Context
from memory_gui.ui.palette import Theme
from memory_gui.ui.shell.panes import PANES_WIDTH, Panes

if TYPE_CHECKING:  # the window is painted before these are loaded
    from memory_gui.ui.records.bulk.stopped import StoppedNotice
    from memory_gui.ui.records.page import MemoriesPage
    from memory_gui.ui.shell.opening import OpenSample
    from memory_gui.ui.shell.whole import Whole
    from memory_gui.ui.views import View

SIZE: Final = (PANES_WIDTH, 760)
_ENDING_MS: Final = 2_000
"""So long a lock is waited for when the session ends."""


class MainWindow(QMainWindow):
    """One per application. Close it before the services are closed.

    With a context that has no services yet it is the part that is painted first; ``furnish`` does
    the rest when there are. Only ``end`` and ``close`` may be called before.
    """

    painted = Signal()
    """Once, after the first paint."""
    language_changed = Signal(str)

    def __init__(self, context: Context, theme: Theme, open_sample: OpenSample) -> None:
        super().__init__()
        self.setObjectName("window")
        self._context = context
        self._theme = theme
        self._open_sample = open_sample
        self._painted = False
        self._whole: Whole | None = None
        with theme.put_off():
            self._panes = Panes(context)
            self.setCentralWidget(self._panes.root)
            self.setMinimumSize(960, 560)
            self.resize(*SIZE)
            self.setWindowTitle(context.words.say("Agent Memory"))
            self._panes.host.show_page("start")
            if context.ready:
                for _ in self.furnish():
                    pass

    def furnish(self) -> Iterator[None]:
        """Make all that is missing, in steps that are short enough for the event loop."""
        whole: Whole = lazy.whole().Whole(
            self, self._context, self._panes, self._theme, self._open_sample
        )
        yield from whole.furnish()
        self._whole = whole
        self._holding, self._opener, self._quick = whole.holding, whole.opener, whole.quick
        self._commands, self._preferences = whole.commands, whole.preferences
        self._guarding, self._idle, self._watch = whole.guarding, whole.idle, whole.watch
        self._notices, self._returned, self._back = whole.notices, whole.returned, whole.back

    # ---- for the front door and for tests

    @property
    def whole(self) -> bool:
        """Whether nothing is missing any more."""
        return self._whole is not None

    @property
    def memories(self) -> MemoriesPage:
        """The list and its detail."""
        return self._panes.memories

    @property
    def stopped(self) -> StoppedNotice:
        """Tells of acts that a kill stopped."""
        return self._parts.stopped

    @property
    def page_name(self) -> str:
        """The page that is shown; ``locked`` while locked."""
        locked = self._whole is not None and self._whole.holding.locked
        return "locked" if locked else self._panes.host.name

    def begin(self) -> None:
        """All is there: what may take its time."""
        self._parts.begin()

    def listen(self) -> None:
        """Hear of the screen's lock, of sleep and of the session's end."""
        self._parts.guarding.listen()

    def open_paths(self, paths: list[str]) -> None:
        """Open stores, one after the other."""
        self._parts.open_paths(paths)

    def open_sample(self) -> None:
        """Open the sample store."""
        self._parts.opener.open_sample()

    def go(self, name: str, argument: object = None) -> None:
        """Go to a page, or do one of the acts that a page may ask for."""
        self._parts.navigation.go(name, argument)

    def search(self, text: str) -> None:
        """Search as if it had been typed."""
        self._panes.top.search(text)

    def choose_view(self, view: View) -> None:
        """Go to a view."""
        self._parts.navigation.choose_view(view)

    def lock(self) -> None:
        """The locked page first, then forget everything, then let go of the stores."""
        self._parts.holding.lock()

    def end(self) -> None:
        """The session ends: lock, which keeps what was typed, then close; wait for nobody."""
        if self._whole is None or self._whole.holding.locked:
            self.close()
            return
        self._whole.holding.locked_away.connect(self.close)
        QTimer.singleShot(_ENDING_MS, self, self.close)
        self.lock()

    def cover(self) -> None:
        """Show the locked page and forget every text; the stores stay as they are."""
        self._parts.holding.cover()

    def unlock(self) -> None:
        """Open again what was open."""
        self._parts.holding.unlock()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.setWindowTitle(self._context.words.say("Agent Memory"))
        self._parts.retranslate()

    @property
    def _parts(self) -> Whole:
        assert self._whole is not None  # noqa: S101 - asked for once it is whole
        return self._whole

    # ---- Qt's own

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._whole is not None:
            self._whole.quick.box.place()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._whole is not None and not self._may_close(self._whole):
            event.ignore()
            return
        if self._whole is not None:
            self._whole.watch.stop()
            self._whole.guarding.close()
        self._context.bridge.close()
        super().closeEvent(event)

    def _may_close(self, whole: Whole) -> bool:
        page = self._panes.host.page
        return whole.holding.locked or page is None or page.may_leave()
