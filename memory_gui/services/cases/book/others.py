# SPDX-License-Identifier: MIT
"""What other cases have decided about the finds of one: said at the find, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memory_gui.cases.finds import LASTING, CaseFind, Decision, Finds, OtherCase
from memory_gui.ledger.cases import Decided
from memory_gui.ledger.erased import EraseMarker
from memory_gui.services.cases.book.book import today
from memory_gui.services.cases.book.marks import CaseBooks, marks_of, most_of, said_of_file


def standing_now(books: CaseBooks) -> list[Decided]:
    """What stands today in any case; asks nobody where none was ever made."""
    rows = books.rows_if_any()
    day = today().isoformat()
    return [one for one in (() if rows is None else rows.standing()) if not one.is_over(day)]


def with_others(books: CaseBooks, case: int, finds: Finds, standing: Iterable[Decided]) -> Finds:
    """The same finds, each with what of ``standing`` another case than ``case`` says about it.

    A hold of any passage keeps a whole file.
    """
    said = [one for one in standing if one.case != case]
    if not said:
        return finds
    others = _Others(books.marker(), said, finds)
    return finds.decided([one.number for one in finds.finds], others.put)


class _Others:
    """Of several the one that says the most, and of those the last."""

    def __init__(self, marker: EraseMarker, said: Sequence[Decided], finds: Finds) -> None:
        self._marker = marker
        self._salts = finds.salts
        self._said = {(one.mark, one.store): one for one in said}
        self._lasting = most_of(one for one in said if one.decision in LASTING)
        self._files: dict[str, Decided | None] = {}

    def put(self, find: CaseFind) -> CaseFind:
        """The find with it."""
        said = self._of(find)
        if said is None:
            return replace(find, other=None)
        decision = Decision(said.decision)
        return replace(find, other=OtherCase(said.case, decision, said.reason, said.last_day))

    def _of(self, find: CaseFind) -> Decided | None:
        if find.ref is not None:
            salt = self._salts.get(str(find.store), "")
            return self._said.get(marks_of(self._marker, find, salt))
        if find.path not in self._files:
            self._files[find.path] = said_of_file(self._marker, self._lasting, find.path)
        return self._files[find.path]
