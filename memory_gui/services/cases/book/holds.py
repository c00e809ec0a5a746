# SPDX-License-Identifier: MIT
"""Records that must stay: under a legal hold, or restricted. Nobody erases them until lifted."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keptfiles import KEEP, KeptFile
from memory_gui.domain.keptrecords import KeptRecords, merged
from memory_gui.domain.records import Ref, StoreId
from memory_gui.erasure.keptfiles import spared
from memory_gui.erasure.limits import Limit
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.ledger.cases import Decided
from memory_gui.ledger.erased import EraseMarker
from memory_gui.services.cases.book.book import today
from memory_gui.services.cases.book.marks import CaseBooks, most_of, once, said_of_file
from memory_gui.services.erased.about import taken
from memory_gui.services.library.library import Library

HOLD: Final = "hold"
RESTRICT: Final = "restrict"
ERASE: Final = "erase"
DELETE: Final = "delete"
RESTORE: Final = "restore"
TRASH: Final = "trash"
EDIT: Final = "edit"
_FREES: Final = frozenset({DELETE, RESTORE})
"""What ends a restriction; the record may be corrected meanwhile, and is in the trash already."""


@dataclass(frozen=True, slots=True)
class HoldLine:
    """Records that stay for the same reason. ``until`` is None where it has no end."""

    case: int
    what: str
    reason: str
    until: date | None
    since: str
    count: int
    text: str = field(default="", repr=False)
    who: str = field(default="", repr=False)


class Holds:
    """Knows them. Any thread; asks nobody where no case was ever made."""

    def __init__(self, books: CaseBooks, library: Library) -> None:
        self._books = books
        self._library = library
        self._guard = threading.Lock()
        self._known: tuple[float, dict[tuple[bytes, bytes], Decided]] | None = None

    def lines(self, case: int | None = None) -> tuple[HoldLine, ...]:
        """What stays, by case and reason."""
        counted: dict[HoldLine, int] = {}
        for one in once(self._lasting()):
            if case is None or one.case == case:
                line = _line(one)
                counted[line] = counted.get(line, 0) + 1
        return tuple(replace(line, count=number) for line, number in counted.items())

    def guard(self, plan: ErasePlan) -> ErasePlan:
        """The same plan; files that must stay as they are are not overwritten by it.

        What goes although a case decided to keep it is named in it (``kept_in_cases``).

        Raises:
            UserError: ``erase.on_hold``: it would take a record that must stay;
                ``erase.file_on_hold``: it would write such a file; ``erase.holds_unseen``: nobody
                can tell.
        """
        self._check_it_can_be_seen()
        lasting, kept = self._lasting(), self._kept()
        if not (lasting or kept):
            return replace(plan, kept_in_cases=())
        marker = self._books.marker()
        goes = [one for store in plan.stores for one in _taken(marker, store, kept)]
        told = (KeptRecords.of(o.case, o.reason, [(o.mark, o.store)]) for o in goes)
        plan = replace(plan, kept_in_cases=merged(told))
        held = [one for store in plan.stores for one in _taken(marker, store, lasting)]
        if held:
            cases = ", ".join(map(str, sorted({one.case for one in held})))
            count = len({(one.mark, one.store) for one in held})
            raise UserError("erase.on_hold", count=count, cases=cases)
        cuts = [cut.path for store in plan.stores for cut in store.files if cut.is_written]
        refused = _files(marker, lasting, cuts, besides=plan.case)
        if refused:
            first = next(iter(refused.values()))
            raise UserError("erase.file_on_hold", path=first.path, case=first.case)
        beside = [file.path for file in plan.side_files]
        return spared(plan, _files(marker, lasting, beside))

    def overtaken(self, plan: ErasePlan) -> tuple[Limit, ...]:
        """Records that went with an erase although they are on hold: it was begun before that."""
        lasting = self._lasting()
        if not lasting:
            return ()
        marker = self._books.marker()
        gone = Counter(one.case for s in plan.stores for one in _taken(marker, s, lasting))
        return tuple(
            Limit("limit.held_since", {"case": str(case), "count": str(count)})
            for case, count in sorted(gone.items())
        )

    def files(self, paths: Iterable[str], besides: int = 0) -> dict[str, KeptFile]:
        """By the real path, files of which passages are on hold; without those of one case."""
        lasting = self._lasting()
        return _files(self._books.marker(), lasting, paths, besides=besides) if lasting else {}

    def kept(self, case: int, plan: ErasePlan) -> ErasePlan:
        """A plan of one case's own; files of which it keeps passages stay as they are, too."""
        rows = self._books.rows_if_any() if case else None
        said = [one for one in rows.decided(case) if one.decision == KEEP] if rows else []
        beside = [file.path for file in plan.side_files]
        return spared(plan, _files(self._books.marker(), said, beside)) if said else plan

    def refuse(self, act: str, ref: Ref) -> None:
        """Whether a record may be changed, deleted, or moved to the trash or back.

        Raises:
            UserError: ``record.on_hold``, ``record.restricted``, ``erase.holds_unseen``.
        """
        self._check_it_can_be_seen()
        found = self.of((ref,)).get(ref)
        if found is None:
            return
        if found.decision == RESTRICT and act in _FREES:
            raise UserError("record.restricted", ref=ref.text, case=found.case)
        if found.decision == HOLD and act != RESTORE:
            raise UserError("record.on_hold", ref=ref.text, case=found.case)

    def refuse_store(self, store: StoreId) -> None:
        """Whether it may go. Raises UserError ``erase.on_hold``, ``erase.holds_unseen``."""
        self._check_it_can_be_seen()
        lasting = self._lasting()
        if lasting:
            mine = self._store_mark(self._books.marker(), store)
            cases = [one.case for one in lasting if one.store == mine]
            if cases:
                told = ", ".join(map(str, sorted(set(cases))))
                raise UserError("erase.on_hold", count=len(cases), cases=told)

    def of(self, refs: Collection[Ref]) -> dict[Ref, Decided]:
        """What keeps some records of open stores."""
        known = self._marks()
        if not known:
            return {}
        marker = self._books.marker()
        found = {}
        for ref in refs:
            shelf = self._library.shelf(ref.store)
            mark = marker.record(shelf.info.format, ref.kind, ref.key)
            one = known.get((mark, self._store_mark(marker, ref.store)))
            if one is not None:
                found[ref] = one
        return found

    def known(self, refs: Collection[Ref]) -> dict[Ref, HoldLine]:
        """The same with its reason, for somebody who is told before an act is refused."""
        return {ref: _line(one) for ref, one in self.of(refs).items()}

    # ---- inside

    def _marks(self) -> dict[tuple[bytes, bytes], Decided]:
        """What keeps which record, without words of a person's; a second old at most.

        An act over many records asks for each of them.
        """
        if not self._books.any_yet:
            return {}
        with self._guard:
            if self._known is None or time.monotonic() - self._known[0] > _FRESH_S:
                found = (replace(one, note="", who="") for one in self._lasting())
                marks = {(one.mark, one.store): one for one in found}
                self._known = (time.monotonic(), marks)
            return self._known[1]

    def forget(self) -> None:
        """Something was decided: look anew."""
        with self._guard:
            self._known = None
        self._lasting()

    def _check_it_can_be_seen(self) -> None:
        """A call without the keychain must not take for free what it cannot read."""
        if self._books.any_held and self._books.ledger().cases is None:
            raise UserError("erase.holds_unseen")

    def _lasting(self) -> tuple[Decided, ...]:
        """A hold ends by itself on the day after its last one."""
        rows = self._books.rows_if_any()
        day = today().isoformat()
        found = () if rows is None else rows.lasting()
        lasting = tuple(one for one in found if not one.is_over(day))
        if rows is not None:
            self._books.tell_held(any_held=bool(lasting))
        return lasting

    def _kept(self) -> list[Decided]:
        """What was decided to stay without a hold: known as long as the case is."""
        rows = self._books.rows_if_any()
        return [] if rows is None else [one for one in rows.standing() if one.decision == KEEP]

    def _store_mark(self, marker: EraseMarker, store: StoreId) -> bytes:
        shelf = self._library.shelf(store)
        salt = shelf.salt.hex() if shelf.info.encrypted else ""
        return marker.store(salt or shelf.info.path)


def _line(one: Decided) -> HoldLine:
    """No record is counted yet."""
    return HoldLine(
        *(one.case, one.decision, one.reason, one.last_day, one.since[:10], 0),
        text=one.note,
        who=one.who,
    )


_FRESH_S: Final = 1.0


def _files(
    marker: EraseMarker, lasting: Iterable[Decided], paths: Iterable[str], *, besides: int = 0
) -> dict[str, KeptFile]:
    """By the real path, those of the files of which some passage was decided upon."""
    others = most_of(one for one in lasting if not (besides and one.case == besides))
    found = {}
    for path in dict.fromkeys(paths) if others else ():
        one = said_of_file(marker, others, path)
        if one is not None:
            real = os.path.realpath(path)
            found[real] = KeptFile(path, one.decision, one.reason, one.case)
    return found


def _taken(marker: EraseMarker, store: StorePlan, said: Iterable[Decided]) -> list[Decided]:
    """What was said of records that a plan would take; of one by each case that said it."""
    name = marker.store(store.salt or store.path)
    mine = [one for one in said if one.store == name]
    if not mine:
        return []
    wanted = {marker.record(store.format, kind, key) for kind, key in taken(store)}
    return [one for one in mine if one.mark in wanted]
