# SPDX-License-Identifier: MIT
"""The answer of a case: what there is to tell, what is let stay, and its end."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.ui.cases import acts
from memory_gui.ui.cases.answer_view import Closing
from memory_gui.ui.cases.parts import Parts
from memory_gui.ui.cases.shown import Shown
from memory_gui.ui.cases.words import asked_of
from memory_gui.ui.context import Context
from memory_gui.ui.pages.frame import Frame
from memory_gui.words import N_


class Answering(QObject):
    """Asks for what the step of the answer wants. GUI thread."""

    told = Signal(object)
    """An acts.Seen."""
    closed = Signal(object)
    """The same, of the case that is closed now."""
    refused = Signal(object)
    """A UserError or IntegrityError."""
    broke = Signal(object)
    """The Case that was being closed when a bug of ours ended it."""

    def __init__(
        self,
        context: Context,
        frame: Frame,
        parts: Parts,
        shown: Shown,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._frame = frame
        self._shown = shown
        parts.answer.closing.connect(self._on_closing)
        for view in parts.remains:
            view.accepted.connect(self._on_accepted)

    def tell(self) -> None:
        """Tell what was done until now; a request can be refused before anything was."""
        if (case := self._shown.case) is not None:
            context = self._context
            context.bridge.call(
                acts.answer,
                context.services,
                case,
                done=self._on_told,
                failed=self.refused.emit,
                in_turn=True,
            )

    # ---- inside

    def _on_told(self, seen: acts.Seen) -> None:
        if self._shown.still(seen.case):
            self.told.emit(seen)

    def _on_accepted(self, reason: str, text: str) -> None:
        if (case := self._shown.case) is not None:
            self._frame.banner.dismiss()
            context = self._context
            context.bridge.call(
                acts.accept,
                context.services,
                case,
                reason,
                text,
                done=self._on_let_stay,
                failed=self.refused.emit,
                in_turn=True,
                asked=asked_of(context.words, N_("change case {case}"), case),
            )

    def _on_let_stay(self, seen: acts.Seen) -> None:
        if self._shown.still(seen.case):
            self.told.emit(seen)
            say = self._context.words.say
            text = say("Accepted. It is named in the case, in the letter and in the receipt.")
            self._frame.banner.tell("info", text)

    def _on_closing(self, closing: Closing) -> None:
        if (case := self._shown.case) is not None:
            context = self._context
            self._frame.show_busy(context.words.say("Closing the case…"))
            context.bridge.call(
                acts.close,
                context.services,
                case,
                closing,
                done=self._on_closed,
                failed=self.refused.emit,
                broke=partial(self.broke.emit, case),
                asked=asked_of(context.words, N_("close case {case}"), case),
            )

    def _on_closed(self, seen: acts.Seen) -> None:
        if self._shown.still(seen.case):
            self.closed.emit(seen)
