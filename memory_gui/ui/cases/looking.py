# SPDX-License-Identifier: MIT
"""Looking for a person in every store, and what is to become of what is found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.cases.case import Case, CaseState
from memory_gui.cases.finds import Decision
from memory_gui.domain.errors import Cancelled, IntegrityError, UserError
from memory_gui.services import Services
from memory_gui.ui.bridge import Handle
from memory_gui.ui.cases import acts
from memory_gui.ui.cases.finds_view import FindsView
from memory_gui.ui.cases.hold_form import Hold
from memory_gui.ui.cases.shown import Shown
from memory_gui.ui.cases.words import asked_of
from memory_gui.ui.context import Context
from memory_gui.ui.pages.frame import Frame
from memory_gui.words import N_


def can_look(case: Case) -> bool:
    """Whether its person can be looked for: an answered one's once the names are known."""
    return case.subject is not None and (not case.is_final or case.state is CaseState.CLOSED)


class _Chain:
    """Decisions that follow each other: each is about the finds as the one before leaves them."""

    def __init__(self, found: acts.Found) -> None:
        self._found: acts.Found | None = found

    def decide(
        self, services: Services, numbers: list[int], decision: Decision, hold: Hold | None
    ) -> acts.Found:
        """In the bridge's line of acts, which keeps their order.

        Raises:
            UserError: as ``acts.decide``.
            Cancelled: one before it was refused.
        """
        found, self._found = self._found, None
        if found is None:
            raise Cancelled
        self._found = acts.decide(services, found, numbers=numbers, decision=decision, hold=hold)
        return self._found


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
    broke = Signal(object)
    """The Case of a search that ended by a bug of ours."""

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
        self._chain: _Chain | None = None
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

    def forget(self) -> None:
        """Another case, or none: what was decided is still done; nobody waits for its finds."""
        if self.call is not None:
            self.call.cancel()
        self._chain = self._deciding = None

    # ---- inside

    def _begin(self, act: Callable[..., acts.Found], case: Case, *values: object) -> None:
        words = self._context.words
        self._frame.banner.dismiss()
        self._frame.show_busy(words.say("Looking in every store…"), words.say("Cancel"))
        self.call = self._context.bridge.call(
            act,
            self._context.services,
            case,
            *values,
            done=self.found.emit,
            failed=self.failed.emit,
            broke=partial(self.broke.emit, case),
            tick=self._on_tick,
            cancellable=True,
        )

    def _on_tick(self, step: str, done: int, total: int) -> None:
        if step == "case-find":
            words, n = self._context.words, min(done + 1, total)
            text = words.say("Store {n} of {total}", n=n, total=total)
            self._frame.busy.progress(text, done, total)

    def _on_decided(self, numbers: list[int], decision: Decision, hold: Hold | None) -> None:
        if (found := self._shown.found) is None:
            return
        chain = self._chain
        if chain is None or self._deciding is None or self._deciding.finished:
            chain = self._chain = _Chain(found)
        self._deciding = self._context.bridge.call(
            chain.decide,
            self._context.services,
            numbers,
            decision,
            hold,
            done=partial(self._on_done, chain),
            failed=partial(self._on_refused, chain),
            in_turn=True,
            asked=asked_of(self._context.words, N_("decide on finds of case {case}"), found.case),
        )

    def _on_done(self, chain: _Chain, found: acts.Found) -> None:
        if chain is self._chain and self._shown.still(found.case):
            self.decided.emit(found)

    def _on_refused(self, chain: _Chain, error: UserError | IntegrityError) -> None:
        if chain is self._chain:
            self.refused.emit(error)
        else:
            self._context.bridge.error.emit(error)
