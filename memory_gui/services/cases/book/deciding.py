# SPDX-License-Identifier: MIT
"""What a person says about finds: kept with the case by keyed marks, beyond one search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from memory_gui.cases.case import Case
from memory_gui.cases.finds import (
    ACTING,
    LASTING,
    RESTRICTED,
    STAYING,
    CaseFind,
    Decision,
    Finds,
    Heap,
    Place,
)
from memory_gui.cases.rights import DECIDING, HOLD_REASONS, KEEP_REASONS, is_told
from memory_gui.domain.changes import Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.ledger.cases import LEFT, Decided
from memory_gui.ledger.erased import EraseMarker
from memory_gui.services.cases.book.book import now, today
from memory_gui.services.cases.book.marks import CaseBooks, all_of, by_number, file_marks, marks_of
from memory_gui.services.cases.finding.finding import ticked
from memory_gui.services.cases.finding.opening import Looking
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.editing.editing import Editing

_MOST_TEXT: Final = 2_000


class Deciding:
    """Keeps decisions. Any thread."""

    def __init__(
        self, books: CaseBooks, looking: Looking, editing: Editing, changed: Callable[[], object]
    ) -> None:
        """``changed`` is called when something else keeps a record than before."""
        self._changed = changed
        self._books = books
        self._looking = looking
        self._editing = editing

    def decide(
        self,
        case: Case,
        finds: Finds,
        numbers: Collection[int],
        decision: Decision,
        *,
        reason: str = "",
        text: str = "",
        who: str = "",
        until: date | None = None,
    ) -> Finds:
        """The same finds with what was said of some of them.

        A hold counts at once for everybody, and a restriction from when the record is in the trash.

        Raises:
            UserError: ``case.unknown_find``, ``case.cannot``, ``case.hold_reason``, ``case.past``,
                ``case.keep_reason`` where something surely about the person is to stay and
                nobody says why, ``case.no_ledger`` where a hold cannot be kept.
        """
        mine = _known(finds, numbers)
        for one in mine:
            if decision is not Decision.NONE and decision not in one.can:
                raise UserError("case.cannot", decision=str(decision), number=one.number)
        if decision is Decision.HOLD:
            if not is_told(reason, text, HOLD_REASONS):
                raise UserError("case.hold_reason")
            if until is not None and until < today():
                raise UserError("case.past", date=str(until))
        if decision is Decision.KEEP:
            _check_keep(case, mine, reason, text)
        if decision in LASTING and not case.number:
            raise UserError("case.no_ledger")
        if case.is_final:  # it holds no words of a person's any more
            text = who = ""
        if case.number and mine:
            self._keep(case, finds, mine, decision, (reason, text[:_MOST_TEXT], who, until))
        day = until if decision is Decision.HOLD else None
        code = reason if decision in STAYING else ""
        return finds.decided(
            [one.number for one in mine],
            lambda one: replace(one, decision=decision, reason=code, until=day),
        )

    def applied(self, case: Case, finds: Finds) -> Finds:
        """What was decided before about what was found now."""
        if not case.number:
            return finds
        rows = self._books.rows().decided(case.number)
        if not rows:
            return finds
        said_of = self._said_of(rows, finds)

        def put(find: CaseFind) -> CaseFind:
            said = next(iter(said_of(find)), None)
            if said is None:
                return find
            if said.decision == LEFT:  # it stayed before: nothing ticks it by itself now
                stays = Decision.KEEP if find.ref is None else Decision.NONE
                return replace(find, decision=stays)
            decision, reason = Decision(said.decision), said.reason
            if decision is Decision.RESTRICT and Decision.RESTRICT not in find.can:
                decision, reason = Decision.KEEP, RESTRICTED  # it is in the trash already
            elif decision is not Decision.NONE and decision not in find.can:
                return find
            return replace(find, decision=decision, reason=reason, until=said.last_day)

        return finds.decided([one.number for one in finds.finds], put)

    def stays(self, case: Case, finds: Finds) -> Finds:
        """Without ticks of what was held or kept elsewhere since these were found."""
        rows = self._books.rows().decided(case.number) if case.number else ()
        if not any(one.decision in STAYING for one in rows):
            return finds
        said_of = self._said_of(rows, finds)

        def put(find: CaseFind) -> CaseFind:
            said = next(iter(said_of(find)), None) if find.decision in ACTING else None
            if said is None or said.decision not in STAYING:
                return find
            decision = Decision(said.decision)
            return replace(find, decision=decision, reason=said.reason, until=said.last_day)

        return finds.decided([one.number for one in finds.finds], put)

    def lift(self, case: Case, finds: Finds, numbers: Collection[int], where: Where) -> Finds:
        """Say nothing about some of them any more: a hold ends, a restricted record comes back.

        Raises:
            UserError: ``case.unknown_find``; what the store says to a restore.
        """
        mine = _known(finds, numbers)
        rows = self._books.rows()
        known = rows.decided(case.number)
        said_of = self._said_of(known, finds)
        back: dict[str, list[CaseFind]] = {}
        for one in mine:
            said = said_of(one)
            rows.lift(case.number, all_of(known, said))
            self._changed()
            if any(before.decision == Decision.RESTRICT for before in said):
                back.setdefault(str(one.store), []).append(one)
        for path, some in back.items():
            with self._looking.opened(path, where):
                targets = [Target(one.ref) for one in some if one.ref is not None]
                failed = self._editing.restore(targets).failed
            if failed:
                raise failed[0][1]
        return finds.decided(
            [one.number for one in mine],
            lambda one: ticked(replace(one, reason="", until=None), case.right),
        )

    def restricted(self, case: Case, finds: Finds | None, refs: Collection[Ref]) -> None:
        """Keep that these records are restricted now, whoever has chosen them."""
        wanted = frozenset(refs)
        mine = [one for one in finds.finds if one.ref in wanted] if finds is not None else []
        if finds is not None and mine:
            self._keep(case, finds, mine, Decision.RESTRICT, ("", "", "", None))

    def ran(self, case: Case, gone: Finds, left: Finds) -> None:
        """Keep which records stayed: that they name the person is no news. Of those gone it is."""
        rows, marker = self._books.rows(), self._books.marker()
        before = [one for one in rows.decided(case.number) if one.decision == LEFT]
        now = {*_marks(marker, _records(gone), gone.salts)}
        rows.lift(case.number, [m for one in before if (m := (one.mark, one.store)) in now])
        rows.leave(case.number, _marks(marker, _records(left), left.salts))

    # ---- inside

    def _said_of(
        self, rows: Sequence[Decided], finds: Finds
    ) -> Callable[[CaseFind], list[Decided]]:
        """What was said of a find, the last first.

        A file is the same one beside whichever of its agent's stores it was found.
        """
        marker = self._books.marker()
        records = {(one.mark, one.store): one for one in rows}
        files: dict[bytes, list[Decided]] = {}
        for one in rows:
            files.setdefault(one.mark, []).append(one)

        def said_of(find: CaseFind) -> list[Decided]:
            if find.ref is None:
                marks = file_marks(marker, find.path, (find.heap,))
                said = (one for mark in sorted(marks) for one in files.get(mark, ()))
                return sorted(said, key=lambda one: one.since, reverse=True)
            found = records.get(marks_of(marker, find, finds.salts.get(str(find.store), "")))
            return [found] if found is not None else []

        return said_of

    def _keep(
        self,
        case: Case,
        finds: Finds,
        mine: list[CaseFind],
        decision: Decision,
        said: tuple[str, str, str, date | None],
    ) -> None:
        rows, marker = self._books.rows(), self._books.marker()
        reason, text, who, until = said
        end = until.isoformat() if until is not None else ""
        lasts = decision in LASTING
        if lasts:
            self._books.tell_held(any_held=True)  # first: a call that cannot read it must know
        files = [one for one in mine if one.ref is None]
        known = rows.decided(case.number) if files else ()
        said_of = self._said_of(known, finds)
        before = all_of(known, (said for one in files for said in said_of(one)))
        fresh: list[Decided] = []
        for one, (mark, store) in zip(mine, _marks(marker, mine, finds.salts), strict=True):
            new = Decided(case.number, mark, store, str(decision), reason, text, who, end, now())
            fresh += [new, *(by_number(marker, one, new) if one in files and lasts else ())]
        rows.decide(fresh)
        if over := before.difference((one.mark, one.store) for one in fresh):
            rows.lift(case.number, over)
            rows.decide(fresh)  # what went with the others and is said anew
        self._books.begun()
        self._changed()


def _check_keep(case: Case, mine: list[CaseFind], reason: str, text: str) -> None:
    """What is surely about a person who wants it gone stays for a reason."""
    needed = case.right in DECIDING and any(one.heap is Heap.SURE for one in mine)
    if (reason or needed) and not is_told(reason, text, KEEP_REASONS):
        raise UserError("case.keep_reason")


def _records(finds: Finds) -> list[CaseFind]:
    return [one for one in finds.finds if one.place is Place.RECORD]


def _marks(
    marker: EraseMarker, mine: list[CaseFind], salts: Mapping[str, str]
) -> Iterator[tuple[bytes, bytes]]:
    return (marks_of(marker, one, salts.get(str(one.store), "")) for one in mine)


def _known(finds: Finds, numbers: Collection[int]) -> list[CaseFind]:
    """The finds of some numbers, each once. Raises UserError ``case.unknown_find``."""
    found = {one.number: one for one in finds.finds}
    for number in numbers:
        if number not in found:
            raise UserError("case.unknown_find", number=number)
    return [found[number] for number in dict.fromkeys(numbers)]
