# SPDX-License-Identifier: MIT
"""The requests: made, changed, extended, closed; what is due. Kept in our own encrypted file."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any, Final

from memory_gui.cases.case import (
    FINAL,
    Case,
    CaseState,
    CheckItem,
    DueLine,
    Identity,
    LookedIn,
    NewCase,
    from_json,
    to_json,
)
from memory_gui.cases.clock import Clock, Term, due, extended
from memory_gui.cases.finds import Finds
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import GROUNDS, METHODS, REFUSALS
from memory_gui.domain.errors import UserError
from memory_gui.erasure.result import EraseState
from memory_gui.ledger import LedgerState
from memory_gui.services.cases.book.marks import CaseBooks, subject_mark, subject_marks

_CLOCK: Final = frozenset({"received", "term", "due"})
_PLAIN: Final = frozenset(
    {"subject", "right", "ground", "ground_text", "identity", "state", "notes", "keep_until"}
)
_SET_BY_HAND: Final = frozenset({CaseState.OPEN, CaseState.IDENTITY})
_FIRST: Final = date(2000, 1, 1)
_MOST_DAYS: Final = 366


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is due. ``unread``: cases were made here, and why nobody can tell now what waits."""

    lines: tuple[DueLine, ...] = ()
    unread: LedgerState | None = None


class CaseBook:
    """The list of cases. Any thread; the first call may ask the keychain."""

    def __init__(self, books: CaseBooks) -> None:
        self._books = books

    # ---- making and reading

    def new(self, wanted: NewCase, looked_in: LookedIn | None = None) -> Case:
        """Keep a request; ``looked_in``: where it was looked for already.

        Raises:
            UserError: ``case.no_ledger``, ``case.date``, ``case.future``, ``case.ground``.
        """
        rows = self._books.rows()
        made = self.draft(wanted)
        marker = self._books.marker()
        mark = subject_mark(marker, wanted.subject)
        made = replace(made, mark=mark, looked_in=looked_in)
        number = rows.add(lambda _number: to_json(made))
        rows.mark(subject_marks(marker, number, wanted.subject))
        self._books.begun()
        return replace(made, number=number)

    def draft(self, wanted: NewCase) -> Case:
        """A request that is not kept: its number is 0. Raises as ``new``, but for the ledger."""
        received = wanted.received or today()
        _check_day(received)
        if wanted.ground and wanted.ground not in {one.code for one in GROUNDS}:
            raise UserError("case.ground", ground=wanted.ground)
        if wanted.identity.method and wanted.identity.method not in METHODS:
            raise UserError("case.method", method=wanted.identity.method)
        clock = Clock.started(received, wanted.term, wanted.due)
        _check_end(received, clock.due)
        return Case(
            number=0,
            ident=secrets.token_hex(8),
            subject=wanted.subject,
            right=wanted.right,
            clock=clock,
            ground=wanted.ground,
            ground_text=wanted.ground_text,
            identity=_dated(wanted.identity),
            notes=wanted.notes,
            made_at=now(),
            changed_at=now(),
        )

    def case(self, number: int) -> Case:
        """One of them. Raises UserError ``case.unknown``, ``case.no_ledger``."""
        found = self._books.rows().get(number)
        if found is None:
            raise UserError("case.unknown", number=number)
        return from_json(number, found)

    def all(self, *, final: bool = True) -> tuple[Case, ...]:
        """All, those that are due first in front; without those that are answered, if wanted."""
        rows = self._books.rows_if_any()
        found = [from_json(*one) for one in rows.all()] if rows is not None else []
        return tuple(one for one in found if final or not one.is_final)

    def due(self, on: date | None = None) -> tuple[DueLine, ...]:
        """The requests that wait, the most urgent first. Nobody is asked where there never was one.

        Raises:
            UserError: ``store.*``: our own file cannot be read.
        """
        day = on or today()
        lines = [
            DueLine(one.number, one.title, one.right, one.state, one.clock.ends, left)
            for one in self.all(final=False)
            if (left := one.clock.days_left(day)) is not None
        ]
        return tuple(sorted(lines, key=lambda line: (line.days_left, line.number)))

    def waiting(self, on: date | None = None) -> Waiting:
        """As ``due``; and where our own file cannot be read, that, with its reason."""
        if not self._books.any_yet:
            return Waiting()
        ledger = self._books.ledger()
        if ledger.cases is None:
            return Waiting(unread=ledger.state)
        try:
            return Waiting(self.due(on))
        except UserError as error:
            return Waiting(unread=LedgerState("unreadable", problem=error))

    def same_as(self, subject: Subject) -> tuple[Case, ...]:
        """Earlier cases about somebody of one of these names, reduced ones too."""
        rows = self._books.rows_if_any()
        if rows is None:
            return ()
        wanted = {one.mark for one in subject_marks(self._books.marker(), 0, subject)}
        numbers = {one.case for one in rows.marked() if one.mark in wanted}
        return tuple(one for one in self.all() if one.number in numbers)

    def again(self, subject: Subject) -> Case | None:
        """An answered case of somebody who has all of these names, with them for now.

        So that who came back is looked for once more: its clock stands, and no name is kept.
        """
        rows = self._books.rows_if_any()
        if rows is None:
            return None
        wanted = {one.mark for one in subject_marks(self._books.marker(), 0, subject)}
        marked: dict[int, set[bytes]] = {}
        for one in rows.marked():
            marked.setdefault(one.case, set()).add(one.mark)
        mine = (one for one in self.all() if one.state is CaseState.CLOSED)
        found = [one for one in mine if wanted <= marked.get(one.number, set())]
        return replace(found[-1], subject=subject) if found else None

    # ---- changing

    def edit(self, case: Case, **fields: Any) -> Case:
        """Give a case other values: those of ``_PLAIN``, and received, term, due.

        Raises:
            UserError: ``case.is_final``, ``case.date``, ``case.future``, ``case.ground``,
                ``case.state``.
        """
        _refuse_final(case)
        unknown = fields.keys() - _PLAIN - _CLOCK
        if unknown:
            raise TypeError(f"no field of a case: {', '.join(sorted(unknown))}")
        if "state" in fields and (
            fields["state"] not in _SET_BY_HAND or case.state not in _SET_BY_HAND
        ):
            raise UserError("case.state", state=str(fields["state"]))
        if fields.get("ground") and fields["ground"] not in {one.code for one in GROUNDS}:
            raise UserError("case.ground", ground=str(fields["ground"]))
        changed = {name: value for name, value in fields.items() if name in _PLAIN}
        if "identity" in changed:
            changed["identity"] = _dated(changed["identity"])
        if _CLOCK & fields.keys():
            changed["clock"] = _clock(case.clock, fields)
        if "subject" in changed and case.number:
            marker = self._books.marker()
            changed["mark"] = subject_mark(marker, changed["subject"])
            self._books.rows().mark(subject_marks(marker, case.number, changed["subject"]))
        return self.put(case, lambda one: replace(one, **changed))

    def extend(self, case: Case, reason: str, until: date | None = None) -> Case:
        """More time, once, told within the first: GDPR two more months, CCPA 45 more days.

        Raises:
            UserError: ``case.is_final``, ``case.no_reason``, ``case.extended``,
                ``case.too_late``, ``case.too_long``.
        """
        _refuse_final(case)
        clock = case.clock
        if not reason.strip():
            raise UserError("case.no_reason")
        if clock.extended_until is not None:
            raise UserError("case.extended", date=str(clock.extended_until))
        if today() > clock.tell_by:
            raise UserError("case.too_late", date=str(clock.tell_by))
        most = extended(clock.received, clock.term)
        end = until or most
        if not clock.due < end <= most:
            raise UserError("case.too_long", date=str(most))
        longer = replace(clock, extended_until=end, extension_reason=reason.strip())
        return self.put(case, lambda one: replace(one, clock=longer))

    def check_off(self, case: Case, index: int, done_on: date | None, note: str = "") -> Case:
        """Say when something that cannot be reached from here was taken care of.

        Raises:
            UserError: ``case.no_item``, ``case.future``, ``case.date``: before it was asked for.
        """
        if done_on is not None:
            check_past(done_on)

        def change(one: Case) -> Case:
            items = list(one.checklist)
            if done_on is not None and done_on < one.clock.received:
                raise UserError("case.date", date=str(done_on))
            if not 0 <= index < len(items):
                raise UserError("case.no_item", index=index + 1)
            items[index] = replace(items[index], done_on=done_on, note=note)
            return replace(one, checklist=tuple(items))

        return self.put(case, change)

    def with_checklist(self, case: Case, items: tuple[CheckItem, ...]) -> Case:
        """Add what is new; what a person has said about an item stays."""

        def change(one: Case) -> Case:
            known = {(item.code, *item.params.values()) for item in one.checklist}
            more = [item for item in items if (item.code, *item.params.values()) not in known]
            return replace(one, checklist=(*one.checklist, *more))

        return self.put(case, change)

    def looked(
        self, case: Case, finds: Finds, *, whole: bool, where: LookedIn | None = None
    ) -> Case:
        """Keep how much waits for a decision, and where that was looked for.

        ``whole``: a store that was not met is gone.
        """
        now_waiting, looked = finds.waiting, frozenset(finds.looked)
        unseen = frozenset(one.path for one in finds.not_looked)

        def change(one: Case) -> Case:
            def stays(path: str) -> bool:
                return path not in looked and (path in unseen or not whole)

            rest = {path: counts for path, counts in one.waiting.items() if stays(path)}
            kept = (*(it for it in one.only_kept if stays(it.path)), *finds.only_kept)
            one = replace(one, only_kept=kept)
            looked_in = one.looked_in if where is None else where.joined(one.looked_in)
            return _waiting(replace(one, waiting={**rest, **now_waiting}, looked_in=looked_in))

        if case.number and change(before := self.case(case.number)) == before:
            return before
        return self.put(case, change)

    def proved(self, case: Case) -> Case:
        """All that was begun is proved by now, or accepted: it is done when nothing waits."""

        def change(one: Case) -> Case:
            told = {"state": str(EraseState.PROVED), "unproved": 0}
            one = replace(one, outcome={**one.outcome, **told})
            return one if one.is_final else _waiting(replace(one, state=CaseState.DONE))

        return self.put(case, change)

    def refusal(self, code: str) -> str:
        """A code of the pick list. Raises UserError ``case.no_reason``."""
        if code not in REFUSALS:
            raise UserError("case.no_reason")
        return code

    def put(self, case: Case, change: Callable[[Case], Case]) -> Case:
        """Change a case as it is kept now; of one that is not kept, the given one.

        Raises:
            UserError: ``case.unknown``.
        """
        if not case.number:
            return replace(change(case), changed_at=now())

        def changed(found: Mapping[str, Any]) -> Mapping[str, Any]:
            before = from_json(case.number, found)
            return to_json(replace(change(before), changed_at=now()))

        found = self._books.rows().change(case.number, changed)
        if found is None:
            raise UserError("case.unknown", number=case.number)
        return from_json(case.number, found)


def _waiting(case: Case) -> Case:
    """A case that was run is done when nothing waits, and is not while something does."""
    if case.state in {CaseState.DONE, CaseState.ASKING}:
        undecided = sum(sure + unsure for sure, unsure in case.waiting.values())
        case = replace(case, outcome={**case.outcome, "undecided": undecided})
    if case.state is CaseState.DONE and case.asking:
        return replace(case, state=CaseState.ASKING)
    if case.state is CaseState.ASKING and not case.asking:
        return replace(case, state=CaseState.DONE)
    return case


def _dated(identity: Identity) -> Identity:
    """A result has its day: the one on which it was written down, unless another one is given."""
    if identity.at:
        try:
            check_past(datetime.fromisoformat(identity.at).date())
        except ValueError as error:
            raise UserError("case.date", date=identity.at) from error
    if identity.result == "pending" or identity.at:
        return identity
    return replace(identity, at=today().isoformat())


def today() -> date:
    """By this computer's clock, where the person is."""
    return datetime.now(UTC).astimezone().date()


def now() -> str:
    """ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _refuse_final(case: Case) -> None:
    if case.state in FINAL:
        raise UserError("case.is_final", number=case.number)


def check_past(day: date) -> None:
    """What was done, or came, did so today or before. Raises UserError ``case.future``."""
    if day > today():
        raise UserError("case.future", date=str(day))


def _check_day(day: date) -> None:
    """A request is not of the last century, and not of tomorrow."""
    check_past(day)
    if day < _FIRST:
        raise UserError("case.date", date=str(day))


def _check_end(received: date, end: date) -> None:
    """No law gives more than a year."""
    if not 0 <= (end - received).days <= _MOST_DAYS:
        raise UserError("case.date", date=str(end))


def _clock(clock: Clock, fields: Mapping[str, Any]) -> Clock:
    """Another day of receipt or term moves the end, unless that is given as well."""
    received = fields.get("received", clock.received)
    term = Term(fields.get("term", clock.term))
    _check_day(received)
    end = fields.get("due") or due(received, term)
    if "received" not in fields and "term" not in fields and fields.get("due") is None:
        end = clock.due
    _check_end(received, end)
    return replace(clock, received=received, term=term, due=end)
