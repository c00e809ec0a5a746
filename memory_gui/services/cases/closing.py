# SPDX-License-Identifier: MIT
"""Closing a case: its name becomes a keyed mark, and our own file is wiped by our own recipe."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Final

from memory_gui.cases.case import FINAL, Case, CaseState, Identity
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.keys import RawKey
from memory_gui.erasure.plan import ErasePlan, StorePlan, TableKind
from memory_gui.erasure.result import EraseState
from memory_gui.erasure.run import resume, run_erase
from memory_gui.ledger import Ledger
from memory_gui.ledger.files import private_folder
from memory_gui.ledger.pendingfiles import PendingFiles
from memory_gui.services.cases.book import CaseBook, now, today
from memory_gui.services.cases.marks import CaseBooks
from memory_gui.services.cases.unfinished import Unfinished

OWN_NOTES: Final = "cleaning"
"""The folder in which an unfinished cleaning of our own file is noted: not in that file."""
_TABLES: Final = (
    TableKind("case_file", "case", ("number",)),
    TableKind("case_act", "case", ("number",)),
    TableKind("proposal", "proposal", ("id",)),
    TableKind("store", "store", ("path",)),
    TableKind("draft", "draft", ("id",)),
)
"""What of our own may go on to hold such a text: another case of the same person."""


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
        self._folder = data_dir / OWN_NOTES

    def close(
        self,
        case: Case,
        outcome: CaseState = CaseState.CLOSED,
        *,
        reason: str = "",
        keep_until: date | None = None,
    ) -> Case:
        """The clock stands from now on. Without ``keep_until`` no name is left in it.

        Raises:
            UserError: ``case.is_final``, ``case.no_reason`` where a refusal has none,
                ``case.running`` while a store is not proved, ``case.date``.
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
            raise UserError("case.date", date=str(keep_until))

        def end(one: Case) -> Case:
            clock = one.clock.stopped(today())
            ended = replace(one, state=outcome, refusal=refusal, clock=clock, closed_at=now())
            return replace(ended, keep_until=keep_until)

        closed = self._book.put(case, end)
        return closed if keep_until is not None else self.reduce(closed)

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
        if not over and self._books.any_yet and any(self._folder.glob("pending/*.json")):
            self.clean(())
        return len(over)

    def clean(self, texts: Sequence[str]) -> bool:
        """Wipe what our own file has freed, and prove that the texts are gone from it.

        False where another copy of the app has it open at this moment: it is done at the next
        closing, or start.
        """
        ledger = self._books.ledger()
        if not isinstance(ledger, Ledger):
            return False
        path, key = str(ledger.file), RawKey(ledger.secret())
        private_folder(self._folder)
        notes = PendingFiles(self._folder)
        plan = StorePlan(
            path,
            "ledger",
            encrypted=True,
            rows=(),
            texts=tuple(text for text in texts if text),
            tables=_TABLES,
            anyway=True,
            mode="persist",
        )
        try:
            for entry in notes.list(path):
                result = resume(entry, key, pending=notes, texts=plan.texts)
                if result.state is EraseState.NOT_FINISHED:
                    return False
                notes.remove(entry.id)
            result = run_erase(ErasePlan((plan,)), {path: key}, pending=notes)
            if result.state is not EraseState.NOT_FINISHED:
                for entry in notes.list(path):
                    notes.remove(entry.id)
        except (UserError, Cancelled):
            return False
        return result.state is EraseState.PROVED


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
