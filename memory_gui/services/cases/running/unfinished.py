# SPDX-License-Identifier: MIT
"""What earlier runs of a case have left: stores that were begun, and are not proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from memory_gui.domain.keys import Key
from memory_gui.erasure.result import EraseState
from memory_gui.ledger import PendingErase
from memory_gui.services.cases.book.marks import CaseBooks
from memory_gui.services.cases.running.plans import CasePlan
from memory_gui.services.erasing.erasing import Erasing

BEGUN: Final = "begun"
"""``DoneAt.state`` of what is written down before a store is touched."""


@dataclass(frozen=True, slots=True)
class Begun:
    """One store. ``unseen``: the last search could not look into it.

    ``uncounted``: finds that no run has counted as erased yet; None where that was not kept.
    ``redacted``: records of which no run has counted yet that the name was taken out.
    """

    path: str
    entries: tuple[PendingErase, ...]
    key: Key | None = field(repr=False)
    unseen: bool
    uncounted: int | None = None
    redacted: int = 0


class Unfinished:
    """Knows them by what is written down of each run. Any thread."""

    def __init__(self, books: CaseBooks, erasing: Erasing) -> None:
        self._books = books
        self._erasing = erasing

    def of(self, plan: CasePlan) -> tuple[Begun, ...]:
        """Those that the plan itself does not take up again."""
        taken = {path for part in plan.parts for path in (part.path, *part.paths)}
        taken |= {part.path for part in plan.files}
        looked = set(plan.finds.looked) if plan.finds is not None else set()
        unread = {one.path for one in plan.not_looked}
        found = []
        for path, note in self.left(plan.case.number).items():
            if path in taken:
                continue
            files = [str(one) for one in note.get("paths", [path])]
            entries = tuple(entry for one in files for entry in self._erasing.pending(one))
            unseen = path in unread or (not note.get("file") and path not in looked)
            unseen = unseen and not entries
            key, count = plan.where.key_of(path), note.get("finds")
            names = int(note.get("redacted", 0))
            found.append(Begun(path, entries, key, unseen, count, names))
        return tuple(found)

    def left(self, case: int) -> dict[str, Mapping[str, Any]]:
        """Path -> what was written down before it was begun, of what is not proved."""
        rows = self._books.rows_if_any() if case else None
        states: dict[str, str] = {}
        notes: dict[str, Mapping[str, Any]] = {}
        for one in rows.acts(case) if rows is not None else ():
            states[one.path] = one.state
            if one.state == BEGUN:
                notes[one.path] = one.document
        counted, proved = str(EraseState.NOT_PROVED), str(EraseState.PROVED)
        # Names are taken out and counted before the erase that may not come to its end.
        told = {
            path: ({"finds": 0} if state == counted else {})
            | ({"redacted": 0} if state != BEGUN else {})
            for path, state in states.items()
        }
        return {
            path: {**notes.get(path, {}), **told[path]}
            for path, state in states.items()
            if state != proved
        }
