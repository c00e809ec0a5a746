# SPDX-License-Identifier: MIT
"""Until when a request must be answered.

A month is one of the calendar: it ends on the same day of the month, and where that month has no
such day on its last (Regulation 1182/71, Art. 3). An end on a Saturday, Sunday or holiday may move
to the next working day by that regulation; it is not moved here, for an earlier answer is never
late.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from typing import Final


class Term(StrEnum):
    """How long there is."""

    MONTH = "month"
    """GDPR Art. 12(3): one month, and two more."""
    DAYS_30 = "30-days"
    DAYS_45 = "45-days"
    """CCPA 1798.130: 45 days, and 45 more."""


_DAYS: Final = {Term.DAYS_30: (30, 60), Term.DAYS_45: (45, 90)}
_MONTHS: Final = (1, 3)


def due(received: date, term: Term) -> date:
    """The last day, counted from the day on which it was received."""
    return _end(received, term, 0)


def extended(received: date, term: Term) -> date:
    """The last day where the time was extended, counted from the same day."""
    return _end(received, term, 1)


@dataclass(frozen=True, slots=True)
class Clock:
    """The time that a case has. ``due`` may be another day than the law's: a person has set it."""

    received: date
    term: Term
    due: date
    extended_until: date | None = None
    extension_reason: str = ""
    stopped_on: date | None = None

    @classmethod
    def started(cls, received: date, term: Term = Term.MONTH, until: date | None = None) -> Clock:
        """For a request that was received on a day."""
        return cls(received, term, due(received, term) if until is None else until)

    @property
    def ends(self) -> date:
        """The day that counts."""
        return self.due if self.extended_until is None else self.extended_until

    @property
    def tell_by(self) -> date:
        """Until when the person must have been told of an extension: within the first time."""
        return self.due

    def days_left(self, today: date) -> int | None:
        """0 on the last day, negative when it is over; None when the clock was stopped."""
        return None if self.stopped_on is not None else (self.ends - today).days

    def is_over(self, today: date) -> bool:
        """Whether the last day is gone and nothing was answered."""
        left = self.days_left(today)
        return left is not None and left < 0

    def stopped(self, today: date) -> Clock:
        """The same, stopped; a clock that stands is not stopped again."""
        return self if self.stopped_on is not None else replace(self, stopped_on=today)


def _end(received: date, term: Term, place: int) -> date:
    if term is Term.MONTH:
        return _months_on(received, _MONTHS[place])
    return received + timedelta(days=_DAYS[term][place])


def _months_on(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
