# SPDX-License-Identifier: MIT
"""Until when a request must be answered: days from a calendar, and what holds for every day."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.cases.clock import Clock, Term, due, extended

DAYS = st.dates(date(2020, 1, 1), date(2060, 12, 31))


@pytest.mark.parametrize(
    ("received", "term", "first", "longer"),
    [
        ("2026-01-15", "month", "2026-02-15", "2026-04-15"),
        ("2026-01-31", "month", "2026-02-28", "2026-04-30"),  # no 31st: the last day
        ("2028-01-31", "month", "2028-02-29", "2028-04-30"),  # a leap year
        ("2026-03-31", "month", "2026-04-30", "2026-06-30"),
        ("2026-02-28", "month", "2026-03-28", "2026-05-28"),  # not the last: the same day
        ("2026-11-30", "month", "2026-12-30", "2027-02-28"),  # over the year's end
        ("2026-12-01", "month", "2027-01-01", "2027-03-01"),
        ("2026-01-31", "30-days", "2026-03-02", "2026-04-01"),
        ("2026-01-31", "45-days", "2026-03-17", "2026-05-01"),
    ],
)
def test_known_days(received, term, first, longer):
    day = date.fromisoformat(received)
    assert due(day, Term(term)) == date.fromisoformat(first)
    assert extended(day, Term(term)) == date.fromisoformat(longer)


@given(DAYS, st.sampled_from(list(Term)))
def test_an_extension_is_longer_and_a_month_never_skips_one(day, term):
    first, longer = due(day, term), extended(day, term)
    assert day + timedelta(days=27) < first < longer <= day + timedelta(days=92)
    if term is Term.MONTH:
        months = (first.year - day.year) * 12 + first.month - day.month
        assert months == 1
        assert first.day == day.day or (first + timedelta(days=1)).day == 1


class TestClock:
    def test_it_counts_down_over_and_stands(self):
        clock = Clock.started(date(2026, 1, 31))
        assert clock.days_left(date(2026, 2, 27)) == 1
        assert clock.days_left(date(2026, 2, 28)) == 0
        assert not clock.is_over(date(2026, 2, 28))
        assert clock.is_over(date(2026, 3, 1))
        stands = clock.stopped(date(2026, 2, 10))
        assert stands.days_left(date(2027, 1, 1)) is None
        assert not stands.is_over(date(2027, 1, 1))
        assert stands.stopped(date(2026, 6, 1)).stopped_on == date(2026, 2, 10)

    def test_an_own_end_and_what_an_extension_is_told_by(self):
        clock = Clock.started(date(2026, 1, 31), Term.DAYS_45, date(2026, 2, 5))
        assert clock.ends == clock.tell_by == date(2026, 2, 5)
