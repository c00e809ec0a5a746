# SPDX-License-Identifier: MIT
"""Times of a whole column at once. Loaded through ``memory_gui.lazy``, because of numpy."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

_SECONDS: Final = len("2026-01-01T00:00:00")
_MICROS: Final = len("2026-01-01T00:00:00.000000")
_DIGITS: Final = (0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18)
_MARKS: Final = {4: b"-", 7: b"-", 10: b"T ", 13: b":", 16: b":", 19: b"."}
_DATE: Final = 10 ** np.arange(7, -1, -1)
_TIME: Final = np.array([36_000, 3_600, 600, 60, 10, 1])
_FRACTION: Final = 10 ** np.arange(5, -1, -1)
_SECOND: Final = 1_000_000


def instants_of(cells: Sequence[bytes], day: Callable[[int], int | None]) -> array[int] | None:
    """Microseconds since 1970 in UTC of ISO 8601 times without a zone; None where any is not one.

    All are to the second, or all to the microsecond. ``day`` says when a day (20260131)
    begins, None of one that has not 24 hours.
    """
    widths = set(map(len, cells))
    width = widths.pop() if len(widths) == 1 else 0
    if width not in (_SECONDS, _MICROS):
        return None
    read = np.frombuffer(b"".join(cells), np.uint8).reshape(len(cells), width)
    marks = {at: wanted for at, wanted in _MARKS.items() if at < width}
    if not all(np.isin(read[:, at], list(wanted)).all() for at, wanted in marks.items()):
        return None
    digits = read[:, [*_DIGITS, *range(_SECONDS + 1, width)]].astype(np.int64) - ord("0")
    if ((digits < 0) | (digits > 9)).any() or _past(digits):
        return None
    dates, which = np.unique(digits[:, :8] @ _DATE, return_inverse=True)
    begins = list(map(day, dates.tolist()))
    if None in begins:
        return None
    times = np.array(begins, np.int64)[which] + digits[:, 8:14] @ _TIME * _SECOND
    if width == _MICROS:
        times += digits[:, 14:] @ _FRACTION
    return array("q", times.tobytes())


def _past(digits: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> bool:
    """Whether any hour is above 23, or minute or second above 59."""
    hours = digits[:, 8] * 10 + digits[:, 9]
    return bool((hours > 23).any() or (digits[:, (10, 12)] > 5).any())
