# SPDX-License-Identifier: MIT
"""Looking for a person in every store, and what is to become of what is found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.cases.case import Case, CaseState
from memory_gui.cases.finds import Decision
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.finds_view import FindsView
from memory_gui.ui.cases.hold_form import Hold
from memory_gui.ui.cases.shown import Shown
from memory_gui.ui.context import Context
from memory_gui.ui.pages.frame import Frame
from memory_gui.words import N_


def can_look(case: Case) -> bool:
    """Whether its person can be looked for: an answered one's once the names are known."""
    return case.subject is not None and (not case.is_final or case.state is CaseState.CLOSED)


class Looking(QObject):
    """Asks for searches and decisions. GUI thread."""

    found = Signal(object)
    """An acts.Found of a new search."""
    decided = Signal(object)
    """The same finds with other decisions."""
    failed = Signal(object)
    """A UserError or IntegrityError of a search."""
    refused = Signal(object)
    """The same of a decision: what is shown stays."""

    def __init__(
        self,
        context: Context,
        frame: Frame,
        finds: FindsView,
        shown: Shown,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._frame = frame
        self._shown = shown
        self.call: Handle | None = None
        self._deciding: Handle | None = None
        self._next: list[tuple[list[int], Decision, Hold | None]] = []
        """Decided since; each is about the finds as the one before leaves them."""
        finds.decided.connect(self._on_decided)

    def look(self, case: Case) -> None:
        """Look in every store that is open, known, or may be looked for."""
        self._begin(acts.find, case)

    def look_again(self, case: Case, names: tuple[str, ...]) -> None:
        """For whom an answered case was about: where it keeps no name, some are given anew."""
        if names:
            self._begin(acts.find_again, case, names)
        else:
            self.look(case)

    # ---- inside

    def _begin(self, act: Callable[..., acts.Found], *values: object) -> None:
        words = self._context.words
        self._frame.banner.dismiss()
        self._frame.show_busy(words.say("Looking in every store…"), words.say("Cancel"))
        self.call = self._context.bridge.call(
            act,
            self._context.services,
            *values,
            done=self.found.emit,
            failed=self.failed.emit,
            tick=self._on_tick,
            cancellable=True,
        )

    def _on_tick(self, step: str, done: int, total: int) -> None:
        if step == "case-find":
            words, n = self._context.words, min(done + 1, total)
            text = words.say("Store {n} of {total}", n=n, total=total)
            self._frame.busy.progress(text, done, total)

    def _on_decided(self, numbers: list[int], decision: Decision, hold: Hold | None) -> None:
        self._next.append((numbers, decision, hold))
        if self._deciding is None or self._deciding.finished:
            self._decide()

    def _decide(self) -> None:
        if (found := self._shown.found) is None or not self._next:
            self._next.clear()
            return
        numbers, decision, hold = self._next.pop(0)
        self._deciding = self._context.bridge.call(
            acts.decide,
            self._context.services,
            found,
            numbers=numbers,
            decision=decision,
            hold=hold,
            done=self._on_done,
            failed=self._on_refused,
            in_turn=True,
            asked=partial(
                self._context.words.say,
                N_("decide on finds of case {case}"),
                case=str(found.case.number),
            ),
        )

    def _on_done(self, found: acts.Found) -> None:
        if not self._shown.still(found.case):
            self._next.clear()
            return
        self.decided.emit(found)
        self._decide()

    def _on_refused(self, error: UserError | IntegrityError) -> None:
        self._next.clear()
        self.refused.emit(error)
