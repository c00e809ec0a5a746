# SPDX-License-Identifier: MIT
"""A record of a person's gets another text, and the old one is erased, without leaving the case."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.cases.case import Case
from memory_gui.cases.finds import CaseFind
from memory_gui.domain.changes import Fields
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Record
from memory_gui.erasure.result import EraseState
from memory_gui.services.erasing.forgetting import Corrected
from memory_gui.services.locking.drafts import Fields as Typed
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.finds_view import FindsView
from memory_gui.ui.cases.shown import Shown
from memory_gui.ui.context import Context
from memory_gui.ui.pages import erase_words, frame
from memory_gui.ui.pages.asking import Asking
from memory_gui.ui.pages.frame import Frame
from memory_gui.words.erasure import state_text


class Correcting(QObject):
    """Reads the record, shows the form, asks for the correction. GUI thread."""

    corrected = Signal(object, object, object)
    """The CaseFind as it was, Corrected, and the acts.Found of what is left to decide on."""

    def __init__(
        self,
        context: Context,
        frame_: Frame,
        finds: FindsView,
        shown: Shown,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._frame = frame_
        self._finds = finds
        self._shown = shown
        self.active = False
        self._reading = Asking(context.bridge)
        self._typed: Typed = {}
        """What a lock has kept, until the record is read."""
        finds.correct_wanted.connect(self._on_wanted)
        finds.correct.given.connect(self._on_given)
        finds.correct_typed.connect(self._on_typed)

    def say(self, done: Corrected) -> None:
        """Tell how it ended."""
        words, state = self._context.words, done.erase.state
        if state is EraseState.PROVED:
            text = words.say("Corrected. The old text is gone for good, and that is proved.")
            self._frame.banner.tell("ok", text)
            return
        how = state_text(words, str(state))
        self._frame.banner.tell("warn", words.say("Corrected. The old text: {how}", how=how))

    def _on_typed(self, find: CaseFind, fields: Typed) -> None:
        self._typed = fields
        self._on_wanted(find)

    def _on_wanted(self, find: CaseFind) -> None:
        if (found := self._shown.found) is None:
            return
        self._reading.anew(
            acts.read,
            self._context.services,
            found,
            find,
            done=partial(self._on_read, found.case, find),
            failed=self._on_failed,
        )

    def _on_read(self, case: Case, find: CaseFind, record: Record) -> None:
        typed, self._typed = self._typed, {}
        if self._shown.still(case):
            self._finds.correct.ask(find, record)
            self._finds.correct.take_up(typed)
            self._finds.asked.emit(self._finds.correct)

    def _on_given(self, find: CaseFind, fields: Fields) -> None:
        if (found := self._shown.found) is None or self.active:
            return
        self.active = True
        self._frame.banner.dismiss()
        self._frame.show_busy(self._context.words.say("Correcting…"))
        self._context.bridge.call(
            acts.correct,
            self._context.services,
            found,
            find,
            fields,
            done=partial(self._on_done, find),
            failed=self._on_failed,
            broke=self._end,
            tick=self._on_tick,
            outlives=True,
        )

    def _on_tick(self, step: str, done: int, total: int) -> None:
        self._frame.busy.progress(erase_words.step(self._context.words, step), done, total)

    def _on_done(self, find: CaseFind, done: tuple[Corrected, acts.Found]) -> None:
        if self._end():  # else it locked meanwhile: the case tells of it
            self.corrected.emit(find, *done)

    def _end(self) -> bool:
        """It must not look as if something still ran; whether finds are shown: else it locked."""
        self.active = False
        shown = self._shown.found is not None
        if shown:
            self._frame.show_state(frame.CONTENT)
        return shown

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        if self._end():
            self._frame.say_error(self._context.words, error)
