# SPDX-License-Identifier: MIT
"""Closing a case: its name becomes a keyed mark, and our own file is wiped by our own recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from memory_gui.cases.case import FINAL, LOOKED_ONLY, Case, CaseState, Identity
from memory_gui.cases.finds import Decision
from memory_gui.domain.errors import UserError
from memory_gui.ledger.cases import Decided
from memory_gui.services.cases.book.book import CaseBook, now, today
from memory_gui.services.cases.book.marks import CaseBooks
from memory_gui.services.cases.running.unfinished import Unfinished
from memory_gui.services.own.ownfile import OwnFile


class Closing:
    """Ends cases. Any thread; it takes about as long as erasing a record."""

    def __init__(
        self,
        books: CaseBooks,
        book: CaseBook,
        unfinished: Unfinished,
        data_dir: Path,
        *,
        forget_typed: Callable[[int, Collection[str]], object],
    ) -> None:
        """``forget_typed`` takes the number of a case and its names: what was half typed goes."""
        self._forget_typed = forget_typed
        self._books = books
        self._book = book
        self._unfinished = unfinished
        self._own = OwnFile(books.ledger, data_dir)

    def close(
        self,
        case: Case,
        outcome: CaseState = CaseState.CLOSED,
        *,
        reason: str = "",
        keep_until: date | None = None,
        leave_undecided: bool = False,
    ) -> Case:
        """The clock stands from now on. Without ``keep_until`` no name is left in it.

        Raises:
            UserError: ``case.is_final``, ``case.no_reason`` where a refusal has none,
                ``case.running`` while a store is not proved, ``case.past``; ``case.undecided``
                while finds wait for a decision and they are not to be left so.
        """
        if case.is_final:
            raise UserError("case.is_final", number=case.number)
        if outcome not in FINAL:
            raise UserError("case.state", state=str(outcome))
        refusal = self._book.refusal(reason) if outcome is CaseState.REFUSED else ""
        left = self._unfinished.left(case.number)
        if left and outcome is CaseState.CLOSED:
            raise UserError("case.running", number=case.number, paths=", ".join(left))
        if keep_until is not None and keep_until <= today():
            raise UserError("case.past", date=str(keep_until))
        answered = outcome is CaseState.CLOSED
        asking = self._asking(case) if answered else 0
        if asking and not leave_undecided:
            raise UserError("case.undecided", number=case.number, count=asking)
        kept = self._kept(case)

        def end(one: Case) -> Case:
            clock = one.clock.stopped(today())
            ended = replace(one, state=outcome, refusal=refusal, clock=clock, closed_at=now())
            return replace(
                ended,
                keep_until=keep_until,
                waiting={},
                looked_in=None,  # a path may hold the name
                left_undecided=asking,
                outcome={**ended.outcome, **kept, **_where(one)},
            )

        closed = self._book.put(case, end)
        return closed if keep_until is not None else self.reduce(closed)

    def _asking(self, case: Case) -> int:
        """As it is kept now: the given one may be older."""
        return (self._book.case(case.number) if case.number else case).asking

    def _kept(self, case: Case) -> dict[str, object]:
        """Why how many were kept: numbers, which stay when the decisions themselves go."""
        if not case.number:
            return {}
        why = kept_why(self._books.rows().decided(case.number))
        return {"kept": sum(why.values()), "kept_why": why} if why else {}

    def reduce(self, case: Case) -> Case:
        """Take every name and every text of a person's out of a case that is closed."""
        reduced = self._book.put(case, _reduced)
        if case.number:
            self._forget_typed(case.number, _names_of(case))
            self._books.rows().reduce(case.number)
            self.clean(_texts_of(case))
        return reduced

    def tidy(self) -> int:
        """Reduce those whose time of keeping is over; how many there were."""
        over = [
            one
            for one in self._book.all()
            if one.is_final
            and one.subject is not None
            and (one.keep_until is None or one.keep_until < today())
        ]
        for one in over:
            self.reduce(one)
        if not over and self._books.any_yet and self._own.is_half_clean:
            self.clean(())
        return len(over)

    def clean(self, texts: Sequence[str]) -> bool:
        """Wipe what our own file has freed, and prove that the texts are gone from it.

        False where another copy of the app has it open at this moment: it is done at the next
        closing, or start.
        """
        return self._own.clean(texts)


def _where(case: Case) -> dict[str, bool]:
    """Whether not everything was looked into: the answer says so when no path is kept any more."""
    return {LOOKED_ONLY: True} if case.looked_only else {}


def kept_why(decided: Iterable[Decided]) -> dict[str, int]:
    """Code of a reason, or nothing -> how many finds a person decided to keep for it."""
    return dict(Counter(one.reason for one in decided if one.decision == Decision.KEEP))


def _reduced(case: Case) -> Case:
    """What says who it was, or in whose words, goes; dates, codes and numbers stay."""
    identity = Identity(case.identity.method, case.identity.result, "", case.identity.at)
    clock = replace(case.clock, extension_reason="")
    checklist = tuple(replace(one, note="") for one in case.checklist)
    return replace(
        case,
        subject=None,
        ground_text="",
        notes="",
        identity=identity,
        clock=clock,
        checklist=checklist,
        keep_until=None,
    )


def _names_of(case: Case) -> tuple[str, ...]:
    return () if case.subject is None else tuple(one.text for one in case.subject.named)


def _texts_of(case: Case) -> tuple[str, ...]:
    if case.subject is None:
        return ()
    texts = [one.text for one in case.subject.named]
    texts += [*case.subject.others, case.ground_text, case.notes, case.identity.by]
    texts += [case.clock.extension_reason, *(one.note for one in case.checklist)]
    return tuple(dict.fromkeys(text for text in texts if text.strip()))
