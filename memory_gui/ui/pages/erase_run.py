# SPDX-License-Identifier: MIT
"""An erase from its start to its result: the same for a new one and for one that is resumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Ref
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.receipt import receipt_of
from memory_gui.erasure.result import EraseResult
from memory_gui.services.erasing.everything import Part
from memory_gui.ui.context import Context
from memory_gui.ui.names import named
from memory_gui.ui.pages.erase_receipt import Document, save
from memory_gui.ui.pages.erase_result_view import ResultView
from memory_gui.ui.pages.erase_steps_view import StepsView
from memory_gui.ui.pages.erase_words import receipt_path, still_in
from memory_gui.words.formats import called


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an erase ended: the result and its receipt. Neither holds content.

    ``kinds`` says of each table which kind of records it holds.
    """

    result: EraseResult
    document: Document
    kinds: Mapping[str, str] = field(default_factory=dict)
    summaries: tuple[Ref, ...] = ()
    """Session summaries that repeat it and stay, as far as the plan knows them."""
    parts: tuple[Part, ...] = ()
    """Of an erase of everything: what became of each part."""


def outcome_of(result: EraseResult, plan: ErasePlan) -> Outcome:
    """What is kept of a result when its plan is forgotten."""
    databases = (store for store in plan.stores if not store.files)
    kinds = {rows.table: called(rows) for store in databases for rows in store.rows}
    return Outcome(result, receipt_of(result, plan), kinds, still_in(plan, "summary"))


class RunView(QWidget):
    """Its steps while it runs, then its result with the receipt. GUI thread.

    A lock does not stop an erase: it goes on in its own process. After ``leave`` nothing is shown,
    and what comes in the end goes to ``ended_unseen`` instead of the other signals.
    """

    ended = Signal(object)
    """An Outcome, which is shown; None: it was stopped while nothing was changed yet."""
    failed = Signal(object)
    """A UserError or IntegrityError."""
    broke = Signal()
    """A bug, which the window tells of; nothing runs any more."""
    ended_unseen = Signal(object)
    """An Outcome, a UserError or an IntegrityError."""
    not_saved = Signal(object)
    """Why the receipt is in no file."""

    def __init__(self, context: Context, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = context.bridge
        self._services = context.services
        self._words = context.words
        self._running = False
        self._unseen = False
        self.outcome: Outcome | None = None
        """What is shown."""
        self.steps_view = named(StepsView(context.words), f"{name}.steps")
        self.result_view = named(ResultView(context.words), f"{name}.result_view")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.steps_view)
        layout.addWidget(self.result_view)
        self.result_view.save_wanted.connect(self._on_save_wanted)

    @property
    def running(self) -> bool:
        """Whether an erase is on its way, seen or not."""
        return self._running

    def run(self, erase: Callable[..., Outcome | None]) -> None:
        """Run ``erase(tick=…)`` on a thread of the bridge."""
        self._running, self._unseen = True, False
        self.steps_view.begin()
        self.show_steps()
        self._bridge.call(
            erase,
            done=self._on_done,
            failed=self._on_failed,
            broke=self._on_broke,
            tick=self._on_tick,
            outlives=True,
        )

    def show_steps(self) -> None:
        """What runs is looked at (again)."""
        self._unseen = False
        self.result_view.hide()
        self.steps_view.show()

    def show_outcome(self, outcome: Outcome) -> None:
        """How one ended, now or earlier."""
        self.outcome = outcome
        path = receipt_path(outcome.result)
        # Asked for only where the prover found some: the plan may be older than the erase.
        named = any(find.where == "summary" for find in outcome.result.finds)
        more = len(outcome.summaries) if named else 0
        self.result_view.show_result(outcome.result, outcome.document, path, outcome.kinds, more)
        self.result_view.show_parts(outcome.parts)
        self.steps_view.hide()
        self.result_view.show()

    def show_instead(self, before: Outcome, outcome: Outcome) -> None:
        """The same erase as it stands now, where ``before`` is still what is shown."""
        if self.outcome is before:
            self.show_outcome(outcome)

    def leave(self) -> None:
        """Forget what is shown; what runs is not waited for."""
        self._unseen = self._running
        self.outcome = None
        self.steps_view.begin()
        self.result_view.wipe()

    def retranslate(self) -> None:
        """Say all texts again."""
        self.result_view.retranslate()

    def _on_tick(self, step: str, done: int, total: int) -> None:
        self.steps_view.tick(step, done, total)

    def _on_done(self, outcome: Outcome | None) -> None:
        unseen = self._end()
        if outcome is not None and unseen:
            self.ended_unseen.emit(outcome)
            return
        if outcome is not None:
            self.show_outcome(outcome)
        if not unseen:
            self.ended.emit(outcome)

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        signal = self.ended_unseen if self._end() else self.failed
        signal.emit(error)

    def _on_broke(self) -> None:
        if not self._end():
            self.broke.emit()

    def _end(self) -> bool:
        """Nothing runs now; whether nobody looked."""
        unseen = self._unseen
        self._running = self._unseen = False
        return unseen

    # ---- the receipt

    def _on_save_wanted(self, path: Path) -> None:
        if self.outcome is None:
            return
        self._bridge.call(
            save,
            self._services,
            self._words,
            self.outcome.result,
            path,
            done=partial(self._on_saved, self.outcome),
            failed=self.not_saved.emit,
        )

    def _on_saved(self, outcome: Outcome, path: Path) -> None:
        if outcome is self.outcome:
            self.result_view.say_saved(str(path))
