# SPDX-License-Identifier: MIT
"""Times of records as numbers, to sort and to compare by."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FRACTION: Final = re.compile(r"\d[.,](\d{1,6})")


def instant(stored: str | None, utc: str | None) -> int | None:
    """Microseconds since 1970 in UTC; None where it is not known.

    ``utc`` is ISO 8601 to the second; ``stored`` is what the agent wrote, with its fraction.
    """
    if not utc:
        return None
    try:
        whole = datetime.fromisoformat(utc)
        if whole.tzinfo is None:
            whole = whole.replace(tzinfo=UTC)
        micros = (whole - _EPOCH) // _MICROSECOND
    except (ValueError, OverflowError):
        return None
    found = (
        _FRACTION.search(stored) if stored and len(stored) > len("2026-01-01T00:00:00") else None
    )
    if found is not None and not whole.microsecond:
        micros += int(found[1].ljust(6, "0"))
    return micros


def month_of(micros: int) -> int | None:
    """The month in this machine's zone, ``year * 12 + month - 1``; None outside the calendar."""
    try:
        moment = time.localtime(micros // 1_000_000)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.tm_year * 12 + moment.tm_mon - 1


def month_text(number: int) -> str:
    """``2026-06`` for a number of ``month_of``."""
    return f"{number // 12:04d}-{number % 12 + 1:02d}"


def micros_of(moment: datetime) -> int:
    """Microseconds since 1970 in UTC of an aware moment."""
    return (moment - _EPOCH) // _MICROSECOND
