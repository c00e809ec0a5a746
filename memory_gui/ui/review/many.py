# SPDX-License-Identifier: MIT
"""Looking at several proposals, and deciding on them: with progress, and a way to stop."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.changes import Verdict
from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.services import BulkResult
from memory_gui.services.reviewing.bulk import BulkLook, BulkPlan, look_over
from memory_gui.ui.bridge import Handle
from memory_gui.ui.context import Context
from memory_gui.ui.pages.frame import Frame
from memory_gui.ui.records.bulk.stopped import TakeUp
from memory_gui.ui.records.bulk.turned import act_phrase
from memory_gui.ui.review import words as say
from memory_gui.ui.review.several import AGAIN, Several


class ManyActs(QObject):
    """One look, or one act, at a time. GUI thread."""

    ended = Signal(object)
    """A BulkResult: what was done, and each that failed once with its cause."""

    def __init__(self, context: Context, several: Several, frame: Frame, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._words = context.words
        self._several = several
        self._frame = frame
        self._looking: Handle | None = None
        self._acting: Handle | None = None
        self.store: StoreId | None = None
        """Of which store alone; None: of all."""
        several.look_wanted.connect(self._on_look_wanted)
        several.act_wanted.connect(self._on_act_wanted)
        several.stop_wanted.connect(self._on_stop_wanted)

    @property
    def busy(self) -> bool:
        """Whether an act is under way."""
        return self._acting is not None

    def clear(self) -> None:
        """Drop what is on its way."""
        for handle in (self._looking, self._acting):
            if handle is not None:
                handle.cancel()
        self._looking = self._acting = None
        self._several.clear()

    def forget_look(self) -> None:
        """Another store is chosen: what was seen in the one before is not what is meant."""
        if self._looking is not None:
            self._looking.cancel()
        self._several.clear()

    # ---- looking

    def _on_look_wanted(self, text: str, which: str) -> None:
        if self._looking is not None:
            self._looking.cancel()
        self._several.begin(self._words.say("Looking at what waits…"))
        self._looking = self._context.bridge.call(
            self._look,
            text,
            which,
            self.store,
            done=partial(self._on_looked, text, which),
            failed=self._on_not_looked,
            tick=self._on_tick,
            stopped=self._several.show_stopped,
            broke=self._several.show_stopped,
            cancellable=True,
        )

    def _look(
        self,
        text: str,
        which: str,
        store: StoreId | None,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> BulkLook:
        """Not in the window's thread."""
        review = self._context.services.review
        refs = review.waiting(text, rejected_before=which == AGAIN, store=store)
        return look_over(review, refs, tick=tick, cancel=cancel)

    def _on_looked(self, text: str, which: str, look: BulkLook) -> None:
        if self._several.means(text, which):  # else another look follows at once
            self._several.show_look(look)

    # ---- acting

    def _on_act_wanted(self, verdict: Verdict, look: BulkLook, chosen: Collection[Ref]) -> None:
        if self._acting is not None:
            return
        if self._looking is not None:
            self._looking.cancel()
        self._frame.banner.dismiss()
        self._several.set_acting(on=True)
        self._several.begin(
            self._words.many("Deciding on {n} proposal…", "Deciding on {n} proposals…", len(chosen))
        )
        self._acting = self._context.bridge.call(
            self._decide,
            verdict,
            look,
            chosen,
            done=self._on_done,
            failed=self._on_failed,
            stopped=self._on_stopped,
            broke=self._end,
            tick=self._on_tick,
            cancellable=True,
            in_turn=True,
            asked=partial(act_phrase, self._words, verdict.value, len(chosen)),
        )

    def take_up(self, wanted: TakeUp) -> bool:
        """Go on with decisions that were stopped, or take them back; whether nothing else runs."""
        if self._acting is not None:
            return False
        words, one = self._words, wanted.one
        refs = one.reached if wanted.back else one.left
        if self._looking is not None:
            self._looking.cancel()
        self._frame.banner.dismiss()
        self._several.set_acting(on=True)
        self._several.begin(
            words.many("Taking {n} decision back…", "Taking {n} decisions back…", len(refs))
            if wanted.back
            else words.many("Deciding on {n} proposal…", "Deciding on {n} proposals…", len(refs))
        )
        stopped = self._context.services.stopped
        act = Verdict.REOPEN.value if wanted.back else one.act
        self._acting = self._context.bridge.call(
            stopped.take_back if wanted.back else stopped.go_on,
            wanted.store,
            one,
            done=partial(self._on_taken_up, wanted),
            failed=self._on_failed,
            stopped=self._on_stopped,
            broke=self._end,
            tick=self._on_tick,
            cancellable=True,
            in_turn=True,
            asked=partial(act_phrase, words, act, len(refs)),
        )
        return True

    def _on_taken_up(self, wanted: TakeUp, result: BulkResult) -> None:
        act = Verdict.REOPEN.value if wanted.back else wanted.one.act
        refs = wanted.one.reached if wanted.back else wanted.one.left
        self._tell_ended(act, len(refs), result)

    def _decide(
        self,
        verdict: Verdict,
        look: BulkLook,
        chosen: Collection[Ref],
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> tuple[BulkPlan, BulkResult]:
        """Not in the window's thread."""
        plan = look.plan(verdict, chosen)
        review = self._context.services.review
        return plan, review.decide_all(plan.decisions, tick=tick, cancel=cancel)

    def _on_done(self, came: tuple[BulkPlan, BulkResult]) -> None:
        plan, result = came
        self._tell_ended(plan.verdict.value, len(plan.decisions), result)

    def _tell_ended(self, act: str, wanted: int, result: BulkResult) -> None:
        self._end()
        tone = "warn" if result.failed or result.stopped else "ok"
        self._frame.banner.tell(tone, say.ended(self._words, act, wanted, result))
        self.ended.emit(result)
        self._several.look()

    def _on_tick(self, _step: str, done: int, total: int) -> None:
        told = self._words.say("{done} of {total}", done=done, total=total)
        self._several.busy.progress(told, done=done, total=total)

    def _on_stop_wanted(self) -> None:
        handle = self._acting or self._looking
        if handle is not None:
            handle.stop()

    def _on_not_looked(self, error: UserError | IntegrityError) -> None:
        """What acts meanwhile goes on."""
        if self._acting is None:
            self._several.set_acting(on=False)
        self._frame.say_error(self._words, error)

    def _on_stopped(self) -> None:
        """Before the first one."""
        self._end()
        self._several.look()

    def _on_failed(self, error: UserError | IntegrityError) -> None:
        self._end()
        self._frame.say_error(self._words, error)

    def _end(self) -> None:
        self._acting = None
        self._several.set_acting(on=False)
