# SPDX-License-Identifier: MIT
"""What can be done with a proposal: buttons at the foot of the page, and a key for each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ui.context import Context
from memory_gui.ui.icons import Icon
from memory_gui.ui.names import named
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.widgets import Button, Caption, PrimaryButton, QuietButton
from memory_gui.ui.widgets.flow import FlowLayout

_DECISIONS = frozenset({"approve", "reject", "reopen", "unapprove"})


class DecisionBar(QWidget):
    """Emits what is wanted; knows whether there is a decision to take back. GUI thread."""

    approve_wanted = Signal()
    despite_wanted = Signal()
    edit_wanted = Signal()
    reject_wanted = Signal()
    skip_wanted = Signal()
    reopen_wanted = Signal()
    undo_wanted = Signal()
    next_wanted = Signal()
    previous_wanted = Signal()

    def __init__(self, context: Context, page: QWidget) -> None:
        """``page`` is where the keys are heard."""
        super().__init__(page)
        self._context = context
        self._asking = Asking(context.bridge)
        self._undoable = False
        self._editing = False
        self._decided = False
        self._apart: QWidget | None = None
        self.skipped = False
        """Whether the last thing done is a skip: then that is what Z takes back."""
        self.approve = named(PrimaryButton(icon=Icon.CHECK), "review.approve")
        self.edit = named(Button(icon=Icon.EDIT), "review.edit")
        self.reject = named(Button(icon=Icon.CLOSE), "review.reject")
        self.skip = named(Button(icon=Icon.NEXT), "review.skip")
        self.reopen = named(PrimaryButton(icon=Icon.UNDO), "review.reopen")
        self.undo = named(QuietButton(icon=Icon.UNDO), "review.undo")
        self.keys = named(Caption(wrap=False), "review.keys")
        self.approve.clicked.connect(self.approve_wanted)
        self.edit.clicked.connect(self.edit_wanted)
        self.reject.clicked.connect(self.reject_wanted)
        self.skip.clicked.connect(self.skip_wanted)
        self.reopen.clicked.connect(self.reopen_wanted)
        self.undo.clicked.connect(self.undo_wanted)
        row = FlowLayout(self)
        shown = (self.approve, self.edit, self.reject, self.skip, self.reopen, self.undo)
        for widget in (*shown, self.keys):
            row.addWidget(widget)
        self.reopen.hide()
        self._shortcuts = self._make_keys(page)
        self._show_undo()

    def leave_letters_to(self, part: QWidget) -> None:
        """While the focus is in this part of the page no letter decides on the proposal below."""
        self._apart = part

    def set_editing(self, *, on: bool) -> None:
        """While a correction is typed letters are letters."""
        self._editing = on
        for shortcut in self._shortcuts:
            shortcut.setEnabled(not on)
        for button in (self.edit, self.reject, self.skip):
            button.setEnabled(not on)
        self._show_undo()

    def set_decided(self, *, on: bool) -> None:
        """What is decided can be opened again, and nothing else."""
        self._decided = on
        for button in (self.approve, self.edit, self.reject, self.skip, self.keys):
            button.setVisible(not on)
        self.reopen.setVisible(on)

    def set_skipped(self, *, on: bool) -> None:
        """A skip can be taken back, or not any more."""
        self.skipped = on
        self._show_undo()

    def look(self) -> None:
        """Ask again whether there is a decision to take back."""
        self._asking.anew(
            self._context.services.editing.undo_text, done=self._on_told, failed=self._on_failed
        )

    def forget(self) -> None:
        """There is nothing to take back (at the lock)."""
        self._asking.drop()
        self.skipped = False
        self._on_told(None)

    def retranslate(self) -> None:
        """Say all texts again."""
        say = self._context.words.say
        self.approve.setText(say("Approve"))
        self.edit.setText(say("Edit"))
        self.reject.setText(say("Reject"))
        self.skip.setText(say("Skip"))
        self.reopen.setText(say("Open again"))
        self.undo.setText(say("Undo"))
        self.keys.setText(say("A approves, E edits, R rejects, S skips, J/K move, Z undoes"))
        for button, tip in (
            (self.approve, say("Approve (A)")),
            (self.edit, say("Edit, then approve (E)")),
            (self.reject, say("Reject (R)")),
            (self.skip, say("Skip: it comes again after the others (S)")),
            (self.reopen, say("Let it wait for a decision again (O)")),
            (self.undo, say("Take the last decision or skip back (Z)")),
        ):
            button.setToolTip(tip)

    def _on_told(self, told: tuple[str, int] | None) -> None:
        # What was done last elsewhere is not taken back from here, unseen.
        self._undoable = told is not None and told[0] in _DECISIONS
        self._show_undo()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        """Deciding tells what is wrong."""

    def _on_key(self, act: Callable[[], object]) -> None:
        focus = QApplication.focusWidget()
        if self._apart is None or focus is None or not self._apart.isAncestorOf(focus):
            act()

    def _unless_decided(self, act: Callable[[], object]) -> Callable[[], object]:
        return lambda: None if self._decided else act()

    def _on_reopen_key(self) -> None:
        if self._decided:
            self.reopen_wanted.emit()

    def _on_undo_key(self) -> None:
        if self._undoable or self.skipped:
            self.undo_wanted.emit()

    def _show_undo(self) -> None:
        self.undo.setEnabled((self._undoable or self.skipped) and not self._editing)

    def _make_keys(self, page: QWidget) -> list[QShortcut]:
        acts = {
            "A": self._unless_decided(self.approve_wanted.emit),
            "Shift+A": self._unless_decided(self.despite_wanted.emit),
            "E": self._unless_decided(self.edit_wanted.emit),
            "R": self._unless_decided(self.reject_wanted.emit),
            "S": self._unless_decided(self.skip_wanted.emit),
            "O": self._on_reopen_key,
            "J": self.next_wanted.emit,
            "K": self.previous_wanted.emit,
            "Z": self._on_undo_key,
        }
        made = []
        for keys, act in acts.items():
            shortcut = QShortcut(QKeySequence(keys), page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.setAutoRepeat(False)
            shortcut.activated.connect(partial(self._on_key, act))
            made.append(shortcut)
        return made
