# SPDX-License-Identifier: MIT
"""Changes of the request itself, and the end of what has to stay for a closed one."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from memory_gui.cases.case import Case, Identity
from memory_gui.services.cases.book.lifting import Lifted
from memory_gui.ui.cases import acts
from memory_gui.ui.cases import words as say_of
from memory_gui.ui.cases.request_view import RequestView
from memory_gui.ui.cases.shown import Shown
from memory_gui.ui.context import Context
from memory_gui.ui.pages.frame import Frame
from memory_gui.words import N_


class Changing(QObject):
    """Asks for what the step of the request wants. GUI thread."""

    changed = Signal(object)
    """The Case as it is now."""
    lifted = Signal()
    refused = Signal(object)
    """A UserError or IntegrityError."""
    broke = Signal(object)
    """The Case of an act that ended by a bug of ours."""

    def __init__(
        self,
        context: Context,
        frame: Frame,
        view: RequestView,
        shown: Shown,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._frame = frame
        self._view = view
        self._shown = shown
        cases = context.services.cases
        view.extended.connect(partial(self._change, cases.extend))
        view.checked.connect(partial(self._change, cases.check_off))
        view.identified.connect(self._on_identified)
        view.held.lift_wanted.connect(self._on_lift_wanted)

    def _on_identified(self, identity: Identity) -> None:
        self._change(self._context.services.cases.edit, identity=identity)

    def _change(self, act: Any, *values: object, **fields: object) -> None:
        if (case := self._shown.case) is not None:
            self._context.bridge.call(
                partial(act, case, *values, **fields),
                done=self._on_changed,
                failed=self.refused.emit,
                in_turn=True,
                asked=say_of.asked_of(self._context.words, N_("change case {case}"), case),
            )

    def _on_changed(self, case: Case) -> None:
        if self._shown.still(case):
            self.changed.emit(case)

    def _on_lift_wanted(self) -> None:
        if (case := self._shown.case) is not None:
            self._frame.show_busy(self._context.words.say("Looking in every store…"))
            self._context.bridge.call(
                acts.lift,
                self._context.services,
                case,
                done=self._on_lifted,
                failed=self.refused.emit,
                broke=partial(self.broke.emit, case),
                asked=say_of.asked_of(
                    self._context.words, N_("lift what has to stay for case {case}"), case
                ),
            )

    def _on_lifted(self, done: tuple[Lifted, acts.Seen]) -> None:
        what, seen = done
        if self._shown.still(seen.case):
            self._view.held.show_holds(seen.holds)
            self.lifted.emit()
            text = say_of.lifted(self._context.words, what)
            self._frame.banner.tell("warn" if what.missing else "ok", text)
