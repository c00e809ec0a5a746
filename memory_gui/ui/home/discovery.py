# SPDX-License-Identifier: MIT
"""Home's part about stores that nobody opened yet: the question, the search, what was found."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLayout, QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.services.home.discovery import Discovered
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.filedialogs import say_labels
from memory_gui.ui.home import discoverywords as phrases
from memory_gui.ui.home.discoveryrows import AgentGroup, RootRow
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages import frame
from memory_gui.ui.pages.frame import padded
from memory_gui.ui.tokens import SPACE_M, SPACE_S, SPACE_XS
from memory_gui.ui.widgets import (
    Banner,
    Busy,
    Button,
    Caption,
    Panel,
    PrimaryButton,
    QuietButton,
    SectionLabel,
    TextLabel,
)
from memory_gui.ui.widgets.flow import FlowLayout
from memory_gui.words.discovery import KNOWN
from memory_gui.words.errors import explain

_NAME: Final = "start.discovery"


class DiscoveryPanel(QWidget):
    """Asks first. Looks through ``services.home.discovery``; the window opens what is chosen."""

    path_wanted = Signal(str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._words = context.words
        self._seen: Discovered | None = None
        self._known: frozenset[str] = frozenset()
        self._shown: tuple[phrases.GroupWords, ...] | None = None
        self._call: Handle | None = None
        self._label = named(SectionLabel(), f"{_NAME}.label")
        self._banner = named(Banner(), f"{_NAME}.banner")
        self._question = named(Panel(), f"{_NAME}.question")
        self._title = named(TextLabel(), f"{_NAME}.title")
        self._text = named(TextLabel(tone="muted"), f"{_NAME}.text")
        self._which = named(Caption(), f"{_NAME}.which")
        self._yes = named(PrimaryButton("", Icon.SEARCH), f"{_NAME}.yes")
        self._folder = named(Button("", Icon.FOLDER), f"{_NAME}.folder")
        self._no = named(QuietButton(), f"{_NAME}.no")
        self._busy = named(Busy(), f"{_NAME}.busy")
        self._groups = QVBoxLayout()
        self._nothing = named(Caption(), f"{_NAME}.nothing")
        self._remarks = named(Caption(tone="warn"), f"{_NAME}.remarks")
        self._roots = QVBoxLayout()
        self._roots_label = named(Caption(), f"{_NAME}.roots")
        self._foot = QWidget()
        self._again = named(Button("", Icon.REFRESH), f"{_NAME}.again")
        self._usual = named(Button("", Icon.SEARCH), f"{_NAME}.usual")
        self._add = named(Button("", Icon.FOLDER), f"{_NAME}.add")
        self._busy.cancelled.connect(self._on_cancelled)
        self._yes.clicked.connect(partial(self._answer, looks=True))
        self._no.clicked.connect(partial(self._answer, looks=False))
        self._usual.clicked.connect(partial(self._answer, looks=True))
        self._again.clicked.connect(self.look)
        for button in (self._folder, self._add):
            button.clicked.connect(self.choose_folder)
        self._arrange()
        self.retranslate()

    # ---- the page's calls

    def begin(self) -> None:
        """The page is shown: look once, where a person said so; else ask, or show what is known."""
        seen = self._seen = self._context.services.discovery.at_hand()
        self._show()
        if (seen.looks or seen.roots) and not seen.done and self._call is None:
            self.look()

    def show_known(self, paths: Collection[str]) -> None:
        """These stand above as cards."""
        if (known := frozenset(paths)) != self._known:
            self._known = known
            self._show()

    def clear(self) -> None:
        """Forget everything that was found."""
        if self._call is not None:
            self._call.cancel()
        self._call, self._seen, self._known = None, None, frozenset()
        self._busy.stop()
        self._banner.dismiss()
        self._context.services.discovery.clear()
        self._show()

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._words.say
        self._label.setText(say("Other stores on this computer"))
        self._title.setText(say("Shall the app look for what your agents remember?"))
        self._text.setText(
            say(
                "It looks only in the places where known agents keep their memory, and reads "
                "names and the beginnings of files there. No store is opened, nothing is "
                "changed, and nothing leaves this computer."
            )
        )
        self._which.setText(say(KNOWN))
        self._yes.setText(say("Look in the usual places"))
        self._no.setText(say("Do not look"))
        self._folder.setText(say("Look below a folder…"))
        self._again.setText(say("Look again"))
        self._usual.setText(say("Look in the usual places"))
        self._add.setText(say("Look below a folder…"))
        self._banner.set_close_name(say("Close this message"))
        self._shown = None
        self._show()

    # ---- looking

    def look(self) -> None:
        """Look now; never twice at a time."""
        if self._call is not None:
            return
        self._banner.dismiss()
        text = self._words.say("Looking for stores…")
        self._busy.start(text, self._words.say("Cancel"))
        self._call = self._context.bridge.call(
            self._context.services.discovery.look,
            done=self._on_looked,
            failed=self._on_failed,
            tick=self._on_tick,
            stopped=self._on_stopped,
            broke=self._on_stopped,
            cancellable=True,
            apart=True,
        )
        self._show()

    def choose_folder(self) -> None:
        """Ask for a folder below which to look."""
        words = self._words
        dialog = named(QFileDialog(self.window()), f"{_NAME}.dialog")
        dialog.setWindowTitle(words.say("Look below a folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        say_labels(dialog, words, words.say("Look there"))
        dialog.fileSelected.connect(self.add_root)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def add_root(self, folder: str) -> None:
        """Look below this folder too, from now on."""
        self._change(partial(self._context.services.discovery.add_root, folder))

    def _answer(self, *, looks: bool) -> None:
        self._change(partial(self._context.services.discovery.answer, looks=looks))

    def _remove(self, root: str) -> None:
        self._change(partial(self._context.services.discovery.remove_root, root))

    def _change(self, act: Callable[[], Discovered]) -> None:
        if self._call is not None:  # what is on its way looks in the old places
            self._call.cancel()
            self._call = None
            self._busy.stop()
        self._context.bridge.call(act, done=self._on_changed, failed=self._on_failed, in_turn=True)

    def _on_changed(self, seen: Discovered) -> None:
        self._seen = seen
        self._show()
        if (seen.looks or seen.roots) and not seen.done:
            self.look()

    def _on_cancelled(self) -> None:
        if self._call is not None:
            self._call.stop()

    def _on_tick(self, _step: str, done: int, _total: int) -> None:
        if done:
            text = self._words.many(
                "Looking for stores: {n} folder…", "Looking for stores: {n} folders…", done
            )
            self._busy.progress(text, 0, 0)

    def _on_looked(self, seen: Discovered) -> None:
        self._call = None
        self._busy.stop()
        self._seen = seen
        self._show()

    def _on_stopped(self) -> None:
        self._call = None
        self._busy.stop()
        self._show()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._call = None
        self._busy.stop()
        self._banner.tell("warn", explain(self._words, error).text)
        self._show()

    # ---- showing

    def _show(self) -> None:
        seen = self._seen
        asked = seen is not None and seen.asked
        self._question.setVisible(seen is not None and not asked)
        self._label.setVisible(seen is not None)
        self._foot.setVisible(asked)
        self._again.setVisible(asked and seen is not None and (seen.looks or bool(seen.roots)))
        self._again.setEnabled(self._call is None)
        self._usual.setVisible(asked and seen is not None and not seen.looks)
        told = () if seen is None else phrases.groups(self._words, seen.found, self._known)
        self._show_groups(told)
        self._show_rest(seen, told)
        self._show_roots(() if seen is None else seen.roots)

    def _show_groups(self, told: tuple[phrases.GroupWords, ...]) -> None:
        if told == self._shown:
            return
        self._shown = told
        focus = self._focused()
        frame.empty(self._groups)
        for number, one in enumerate(told):
            group = AgentGroup(self._words, one, f"{_NAME}.group{number}")
            group.opened.connect(self.path_wanted)
            self._groups.addWidget(group)
        if focus:
            found = self.findChild(QWidget, focus)
            (found or self._again).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_rest(self, seen: Discovered | None, told: tuple[phrases.GroupWords, ...]) -> None:
        nothing = ""
        if seen is not None and not told and self._call is None:
            nothing = phrases.nothing(self._words, seen, elsewhere=bool(seen.found))
        if seen is not None and seen.asked and not seen.looks and not seen.roots:
            nothing = self._words.say("Nothing on this computer is searched.")
        remarks = () if seen is None else phrases.remarks(self._words, seen)
        for label, text in ((self._nothing, nothing), (self._remarks, "\n".join(remarks))):
            label.setText(text)
            label.setVisible(bool(text))

    def _show_roots(self, roots: tuple[str, ...]) -> None:
        frame.empty(self._roots)
        for number, root in enumerate(roots):
            row = RootRow(self._words, root, phrases.root_name(root), f"{_NAME}.root{number}")
            row.removed.connect(self._remove)
            self._roots.addWidget(row)
        self._roots_label.setText(self._words.say("Folders that are looked through as well:"))
        self._roots_label.setVisible(bool(roots))

    def _focused(self) -> str:
        widget = self.focusWidget()
        return widget.objectName() if widget is not None and widget.hasFocus() else ""

    # ---- arranging

    def _arrange(self) -> None:
        inside = padded(self._question, SPACE_S)
        for label in (self._title, self._text, self._which):
            inside.addWidget(label)
        inside.addLayout(_row(self._yes, self._folder, self._no))
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(SPACE_XS)
        foot.addWidget(self._roots_label)
        foot.addLayout(self._roots)
        foot.addLayout(_row(self._again, self._usual, self._add))
        self._groups.setSpacing(SPACE_S)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE_M)
        above: tuple[QWidget, ...] = (self._label, self._banner, self._question, self._busy)
        below: tuple[QWidget, ...] = (self._nothing, self._remarks, self._foot)
        for widget in above:
            layout.addWidget(widget)
        layout.addLayout(self._groups)
        for widget in below:
            layout.addWidget(widget)


def _row(*buttons: QWidget) -> QLayout:
    row = FlowLayout()
    for button in buttons:
        row.addWidget(button)
    return row
