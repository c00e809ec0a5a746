# SPDX-License-Identifier: MIT
"""A person lets stay what a run found again in other places: said why, and told in the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from memory_gui.cases.case import Case
from memory_gui.cases.rights import KEEP_REASONS, is_told
from memory_gui.domain.errors import UserError
from memory_gui.erasure.left import limits_after
from memory_gui.erasure.proof import Proof
from memory_gui.erasure.result import EraseState, StoreResult
from memory_gui.services.cases.answering.reporting import Reporting, RunLine
from memory_gui.services.cases.book.book import CaseBook, now
from memory_gui.services.cases.book.marks import CaseBooks
from memory_gui.services.cases.running.leftover import can_be_accepted, places
from memory_gui.services.cases.running.outcome import counted
from memory_gui.services.cases.running.unfinished import BEGUN
from memory_gui.services.erasing.erasing import Erasing

STILL_IN: Final = "still-in"
"""The state of a note of an erase whose text was found again, outside of what is the store's."""
_MOST_TEXT: Final = 2_000


class Accepting:
    """Nothing of a store is read or written by it. Any thread."""

    def __init__(
        self, books: CaseBooks, book: CaseBook, erasing: Erasing, reporting: Reporting
    ) -> None:
        self._books = books
        self._book = book
        self._erasing = erasing
        self._reporting = reporting

    def accept(self, case: Case, *, reason: str, text: str = "") -> Case:
        """What the last runs name stays where it is, and stands under "not covered" from then on.

        What was not finished, or where bytes are left in a database, stays as it is. ``text``
        goes to the notes of the case, which an answered one has no more.

        Raises:
            UserError: ``case.keep_reason``; ``case.nothing_left``: there is nothing to accept.
        """
        text = text.strip()[:_MOST_TEXT]
        if not is_told(reason, text, KEEP_REASONS):
            raise UserError("case.keep_reason")
        lines = [
            line
            for line in self._reporting.report(case).runs
            if line.state is EraseState.NOT_PROVED and can_be_accepted(line.document)
        ]
        begun = self._begun(case)
        lines = [line for line in lines if line.path not in begun]
        if not lines:
            raise UserError("case.nothing_left", number=case.number)
        documents = [_accepted(line, reason) for line in lines]
        for line, document in zip(lines, documents, strict=True):
            self._keep(case, line, document)

        def change(one: Case) -> Case:
            if not one.number:
                before = tuple(one.outcome.get("parts", ()))
                one = replace(one, outcome={**one.outcome, "parts": [*before, *documents]})
            if text and not one.is_final:
                one = replace(one, notes="\n".join(filter(None, (one.notes, text))))
            return one

        case = self._book.put(case, change)
        state = self._reporting.report(case).state
        if state is EraseState.PROVED:
            return self._book.proved(case)
        if not case.number:
            return case
        # What was accepted waits for no proof any more, though another place does.
        acts = self._books.rows().acts(case.number)
        return self._book.put(case, lambda one: counted(one, acts))

    # ---- inside

    def _begun(self, case: Case) -> frozenset[str]:
        """Where a run was begun after the last one that ended: it is looked at by another one."""
        rows = self._books.rows_if_any() if case.number else None
        states = {one.path: one.state for one in rows.acts(case.number)} if rows else {}
        return frozenset(path for path, state in states.items() if state == BEGUN)

    def _keep(self, case: Case, line: RunLine, document: Mapping[str, Any]) -> None:
        """With the case, and the notes of the erase go: nothing of it waits any more."""
        files = {line.path}
        if case.number:
            rows = self._books.rows()
            rows.done(case.number, now(), line.path, str(EraseState.PROVED), document)
            for one in rows.acts(case.number):
                if one.path == line.path and one.state == BEGUN:
                    files.update(map(str, one.document.get("paths", ())))
        for file in sorted(files):
            notes = (one for one in self._erasing.pending(file) if one.state == STILL_IN)
            self._erasing.withdraw(tuple(notes))


def _accepted(line: RunLine, reason: str) -> dict[str, Any]:
    """What is kept of the run, as of an erase whose finds were accepted; nothing was done anew."""
    found = tuple(one.find for one in places(line.path, line.agent, line.document))
    proof = Proof(by="content", finds=found)
    told = StoreResult(line.path, EraseState.PROVED, proof=proof, accepted=True)
    known = list(line.document.get("not_covered", ()))
    more = [limit.as_json() for limit in limits_after([told], unseen=False)]
    known += [one for one in more if one not in known]
    part = {**line.document["part"], "state": str(EraseState.PROVED), "error": None}
    part |= dict.fromkeys(("erased", "redacted", "restricted", "corrected"), 0)
    return {
        **line.document,
        "part": part,
        "state": str(EraseState.PROVED),
        "accepted": True,
        "accepted_why": reason,
        "not_covered": known,
    }
