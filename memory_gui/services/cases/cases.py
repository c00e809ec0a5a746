# SPDX-License-Identifier: MIT
"""Cases of "forget me" from the request to the signed receipt: what window and terminal call."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from memory_gui.cases.case import Case, CaseState, DueLine, NewCase
from memory_gui.cases.finds import CaseFind, Decision, Finds, Place
from memory_gui.cases.names import Subject
from memory_gui.domain.changes import Edit, Fields, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Key
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.erasure.receipt import refuse_receipt
from memory_gui.services.cases.answering.accepting import Accepting
from memory_gui.services.cases.answering.closing import Closing
from memory_gui.services.cases.answering.reporting import CaseReport, Reporting
from memory_gui.services.cases.answering.returning import Back, Returning
from memory_gui.services.cases.book.book import CaseBook, Waiting
from memory_gui.services.cases.book.deciding import Deciding
from memory_gui.services.cases.book.holds import HoldLine, Holds
from memory_gui.services.cases.book.lifting import Lifted, Lifting
from memory_gui.services.cases.book.marks import CaseBooks
from memory_gui.services.cases.book.others import standing_now, with_others
from memory_gui.services.cases.finding.contents import Content, Contents
from memory_gui.services.cases.finding.finding import Finding
from memory_gui.services.cases.finding.opening import Looking
from memory_gui.services.cases.finding.places import Places, Where
from memory_gui.services.cases.running.afterwards import Afterwards
from memory_gui.services.cases.running.planning import Planning
from memory_gui.services.cases.running.plans import CasePlan, CaseResult
from memory_gui.services.cases.running.running import Asked, Running
from memory_gui.services.erasing.forgetting import Corrected, Forgetting


class Cases:
    """The use cases. Any thread but the window's own; nothing of a person is kept in memory."""

    def __init__(
        self,
        books: CaseBooks,
        *,
        book: CaseBook,
        places: Places,
        looking: Looking,
        finding: Finding,
        deciding: Deciding,
        planning: Planning,
        running: Running,
        afterwards: Afterwards,
        accepting: Accepting,
        reporting: Reporting,
        closing: Closing,
        returning: Returning,
        holds: Holds,
        lifting: Lifting,
        forgetting: Forgetting,
    ) -> None:
        self._books = books
        self._book = book
        self._places = places
        self._looking = looking
        self._finding = finding
        self._contents = Contents(looking, finding)
        self._deciding = deciding
        self._planning = planning
        self._running = running
        self._afterwards = afterwards
        self._accepting = accepting
        self._reporting = reporting
        self._closing = closing
        self._returning = returning
        self._holds = holds
        self._lifting = lifting
        self._forgetting = forgetting

    # ---- the requests

    @property
    def any_yet(self) -> bool:
        """Whether a case was ever made here; asks nobody and opens nothing."""
        return self._books.any_yet

    @property
    def is_kept(self) -> bool:
        """Whether cases can be kept; opens our own file, and may make it."""
        return self._books.ledger().cases is not None

    def new(self, wanted: NewCase) -> Case:
        """Keep a request. Raises as ``CaseBook.new``."""
        return self._book.new(wanted)

    def draft(self, wanted: NewCase) -> Case:
        """A request that is not kept anywhere: number 0. Raises as ``new``."""
        return self._book.draft(wanted)

    def case(self, number: int) -> Case:
        """One of them. Raises ``case.unknown``, ``case.no_ledger``."""
        return self._book.case(number)

    def all(self, *, final: bool = True) -> tuple[Case, ...]:
        """All, those that are due first in front; ``final``: answered ones too."""
        return self._book.all(final=final)

    def due(self, on: date | None = None) -> tuple[DueLine, ...]:
        """What waits, the most urgent first. Nobody is asked where no case was ever made."""
        return self._book.due(on)

    def waiting(self, on: date | None = None) -> Waiting:
        """As ``due``, for a page that must not look as if nothing waited: never raises."""
        return self._book.waiting(on)

    def same_as(self, subject: Subject) -> tuple[Case, ...]:
        """Earlier cases of somebody with one of these names, closed ones too."""
        return self._book.same_as(subject)

    def ongoing(self, subject: Subject) -> Case | None:
        """The case of that very name which is not answered yet: its clock runs already."""
        mine = (one for one in self.same_as(subject) if not one.is_final)
        return next((one for one in mine if one.title == subject.title), None)

    def again(self, subject: Subject) -> Case | None:
        """An answered case of somebody with all of these names: to be run anew, clock untouched."""
        return self._book.again(subject)

    def edit(self, case: Case, **fields: Any) -> Case:
        """Other values. Raises as ``CaseBook.edit``."""
        return self._book.edit(case, **fields)

    def extend(self, case: Case, reason: str, until: date | None = None) -> Case:
        """More time, once. Raises ``case.no_reason``, ``case.extended``, ``case.too_late``."""
        return self._book.extend(case, reason, until)

    def check_off(self, case: Case, index: int, done_on: date | None, note: str = "") -> Case:
        """Something that cannot be reached from here was taken care of."""
        return self._book.check_off(case, index, done_on, note)

    # ---- finding and deciding

    def where(
        self,
        names: Sequence[str] = (),
        *,
        usual: bool | None = None,
        key: Key | None = None,
        keys: Mapping[str, Key] | None = None,
    ) -> Where:
        """Where to look. Raises ``store.missing``, ``known.not_found``, ``store.two_formats``."""
        return self._places.where(names, usual=usual, key=key, keys=keys)

    def where_of(
        self,
        case: Case,
        *,
        usual: bool | None = None,
        key: Key | None = None,
        keys: Mapping[str, Key] | None = None,
    ) -> Where:
        """Where the case was looked for before; of one that never was, as ``where``."""
        if case.looked_in is None:
            return self._places.where((), usual=usual, key=key, keys=keys)
        return self._places.again(case.looked_in, key=key, keys=keys)

    def find(
        self,
        case: Case,
        where: Where,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> Finds:
        """What there is about the person, with what was decided about it before.

        Raises:
            UserError: ``case.reduced``: the case holds no name any more.
        """
        return self.find_many([case], where, tick=tick, cancel=cancel)[0]

    def find_many(
        self,
        cases: Sequence[Case],
        where: Where,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> list[Finds]:
        """The same for several; each store is read once. Raises as ``find``."""
        wanted = [(_subject(one), one.right) for one in cases]
        found = self._finding.find_many(wanted, where, tick=tick, cancel=cancel)
        standing = standing_now(self._books)
        applied = [
            with_others(self._books, case.number, self._deciding.applied(case, finds), standing)
            for case, finds in zip(cases, found, strict=True)
        ]
        for case, finds in zip(cases, applied, strict=True):
            if case.number and not case.is_final:
                whole = not (where.only or finds.stopped)
                kept = None if where.in_passing else where.kept
                self._book.looked(case, finds, whole=whole, where=kept)
        return applied

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
        """Say what is to become of some.

        Raises:
            UserError: ``case.cannot``, ``case.hold_reason``, ``case.keep_reason``.
        """
        decided = self._deciding.decide(
            case, finds, numbers, decision, reason=reason, text=text, who=who, until=until
        )
        return self._noted(case, decided)

    def lift(self, case: Case, finds: Finds, numbers: Collection[int], where: Where) -> Finds:
        """End holds and restrictions; a restricted record leaves the trash again."""
        return self._noted(case, self._deciding.lift(case, finds, numbers, where))

    def lift_closed(
        self,
        case: Case,
        where: Where,
        names: Collection[str] = (),
        *,
        file: str = "",
        cancel: CancelToken | None = None,
    ) -> Lifted:
        """The same by keyed marks, of a case that holds no name any more; none named: all."""
        return self._lifting.lift(case, where, names, file=file, cancel=cancel)

    def holds(self, number: int | None = None) -> tuple[HoldLine, ...]:
        """What must stay, of one case or of all."""
        return self._holds.lines(number)

    def kept_by(self, refs: Collection[Ref]) -> dict[Ref, HoldLine]:
        """Of some records of open stores those that a case keeps, and why."""
        return self._holds.known(refs)

    def contents(
        self,
        finds: Finds,
        where: Where,
        numbers: Collection[int] = (),
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> Iterator[Content]:
        """Finds in full (none named: all), store by store, as they are now.

        Of one that is gone the record is None, the text empty. Raises ``store.*``, ``key.*``.
        """
        return self._contents.of(finds, where, numbers, tick=tick, cancel=cancel)

    def correct(
        self,
        case: Case,
        find: CaseFind,
        fields: Fields,
        where: Where,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> Corrected:
        """Art. 16: another text for a record, and the old one gone for good.

        Raises:
            UserError: ``case.cannot``; as ``Forgetting.edit``.
        """
        if find.ref is None or find.place is not Place.RECORD:
            raise UserError("case.cannot", decision="correct", number=find.number)
        edit = Edit(Target(find.ref, find.etag), fields)
        with self._looking.opened(str(find.store), where, cancel):
            plan = self._holds.kept(case.number, self._forgetting.plan(edit))
            done = self._forgetting.edit(edit, plan, tick=tick, cancel=cancel)
        if case.number:
            self._running.corrected(case, find, done.erase, plan)
        return done

    # ---- doing it

    def as_case(self, plan: CasePlan) -> CasePlan:
        """A plan that was made of a draft, for a case that is kept. Raises ``case.no_ledger``."""
        draft = plan.case
        if draft.number or draft.subject is None:
            return plan
        wanted = NewCase(draft.subject, draft.right, received=draft.clock.received)
        return replace(plan, case=self._book.new(wanted, plan.where.kept))

    def plan(
        self,
        case: Case,
        finds: Finds,
        where: Where,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> CasePlan:
        """What ``run`` will do, as one value. Writes nothing. Raises Cancelled."""
        stays, standing = self._deciding.stays(case, finds), standing_now(self._books)
        finds = with_others(self._books, case.number, stays, standing)
        return self._planning.plan(case, finds, where, tick=tick, cancel=cancel)

    def run(
        self,
        plan: CasePlan,
        *,
        typed: str,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
        receipt: Path | None = None,
        despite_foreign: bool = False,
        accept_side_files: bool = False,
    ) -> CaseResult:
        """Do that very plan, store by store, and prove each; the receipt is for all of it.

        ``typed`` is what a person typed, and must be ``plan.word``. A store that is busy, or
        refuses, leaves the case open at it; the others go on. Cancelled between two stores.

        Raises:
            UserError: ``case.not_typed``, ``case.nothing``, ``case.is_final``, ``receipt.*``.
        """
        refuse_receipt(receipt)
        asked = Asked(tick, cancel, despite_foreign, accept_side_files)
        result = self._afterwards.look(plan, self._running.run(plan, typed, asked))
        if receipt is not None:
            self.save_receipt(result.case, receipt)
            result = replace(result, receipt=str(receipt))
        return result

    def accept(self, case: Case, *, reason: str, text: str = "") -> Case:
        """Let stay what the runs found again in other places: ``CaseReport.remains``.

        Raises:
            UserError: ``case.keep_reason``, ``case.nothing_left``.
        """
        return self._accepting.accept(case, reason=reason, text=text)

    def report(self, case: Case) -> CaseReport:
        """What was done over all runs: for a letter, a page, a receipt."""
        return self._reporting.report(case)

    def receipt(self, case: Case) -> dict[str, Any]:
        """The receipt's document before it is signed."""
        return self._reporting.receipt(case)

    def save_receipt(self, case: Case, path: Path) -> Path:
        """Sign and write it. Raises ``receipt.exists``, ``receipt.failed``."""
        return self._reporting.save_receipt(case, path)

    # ---- afterwards

    def close(
        self,
        case: Case,
        outcome: CaseState = CaseState.CLOSED,
        *,
        reason: str = "",
        keep_until: date | None = None,
        leave_undecided: bool = False,
    ) -> Case:
        """Answered: the clock stands, and without ``keep_until`` no name is left in it.

        Raises:
            UserError: ``case.undecided`` while something that is surely about the person waits
                for a decision: with ``leave_undecided`` a person wants it so, and that is kept;
                ``case.running``, ``case.no_reason``, ``case.is_final``, ``case.past``.
        """
        return self._closing.close(
            *(case, outcome),
            reason=reason,
            keep_until=keep_until,
            leave_undecided=leave_undecided,
        )

    def tidy(self) -> int:
        """Reduce the cases whose time of keeping is over. Asks nobody where there never was one."""
        with suppress(UserError):
            return self._closing.tidy() if self.any_yet else 0
        return 0

    def back(self, store: StoreId, cancel: CancelToken | None = None) -> tuple[Back, ...]:
        """Records of an open store that name somebody who was forgotten."""
        return self._returning.back(store, cancel)

    # ---- inside

    def _noted(self, case: Case, finds: Finds) -> Finds:
        """Whether anything waits for a decision is kept with the case."""
        if case.number and not case.is_final:
            self._book.looked(case, finds, whole=False)
        return finds


def _subject(case: Case) -> Subject:
    if case.subject is None:
        raise UserError("case.reduced", number=case.number)
    return case.subject
