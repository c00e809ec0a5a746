# SPDX-License-Identifier: MIT
"""Times of a whole column at once. Loaded through ``memory_gui.lazy``, because of numpy."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

_SECONDS: Final = len("2026-01-01T00:00:00")
_MICROS: Final = len("2026-01-01T00:00:00.000000")
_BETWEEN: Final = 10
"""Where date and time meet: a T, or a space."""
_SECOND: Final = 1_000_000
_LEAST: Final = np.frombuffer(b"0000-00-00T00:00:00.000000", np.uint8)
_MOST: Final = np.frombuffer(b"9999-99-99T99:99:99.999999", np.uint8) - _LEAST
_NEAR: Final = 1 << 16
"""Days, written as numbers, that lie no farther apart are told apart by a list of all between."""


def _weights() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """What each digit adds to the date as a number, hour, minute, second and microseconds."""
    found = np.zeros((_MICROS, 5))
    for column, places in enumerate(
        ((0, 1, 2, 3, 5, 6, 8, 9), (11, 12), (14, 15), (17, 18), range(_SECONDS + 1, _MICROS))
    ):
        for power, place in enumerate(reversed(places)):
            found[place, column] = 10**power
    return found


_WEIGHTS: Final = _weights()

_Numbers = np.ndarray[tuple[int], np.dtype[np.int64]]


def instants_of(cells: Sequence[bytes], day: Callable[[int], int | None]) -> array[int] | None:
    """Microseconds since 1970 in UTC of ISO 8601 times without a zone; None where any is not one.

    All are to the second, or all to the microsecond. ``day`` says when a day (20260131)
    begins, None of one that has not 24 hours.
    """
    widths = set(map(len, cells))
    width = widths.pop() if len(widths) == 1 else 0
    if width not in (_SECONDS, _MICROS):
        return None
    read = np.frombuffer(bytearray(b"".join(cells)), np.uint8).reshape(len(cells), width)
    between = read[:, _BETWEEN]
    between[between == ord(" ")] = ord("T")
    digits = read - _LEAST[:width]  # what is none is above 9
    if (digits > _MOST[:width]).any():
        return None
    # Whole numbers below 2**53, which floats have exactly: products of those are quicker. Some
    # libraries of linear algebra warn of a division that is none.
    with np.errstate(all="ignore"):
        columns = (digits.astype(np.float64) @ _WEIGHTS[:width]).astype(np.int64)
    date, hour, minute, second, micros = columns.T
    if (hour > 23).any() or (minute > 59).any() or (second > 59).any():
        return None
    begins = _begins(date, day)
    if begins is None:
        return None
    times = begins + ((hour * 60 + minute) * 60 + second) * _SECOND + micros
    return array("q", times.tobytes())


def _begins(dates: _Numbers, day: Callable[[int], int | None]) -> _Numbers | None:
    """When each of some days begins; None where that is not known of all."""
    first = int(dates.min())
    size = int(dates.max()) - first + 1
    if size > _NEAR:
        found, which = np.unique(dates, return_inverse=True)
    else:  # the same, without sorting
        there = np.zeros(size, np.bool_)
        there[dates - first] = True
        found, which = there.nonzero()[0] + first, (there.cumsum() - 1)[dates - first]
    begins = list(map(day, found.tolist()))
    return None if None in begins else np.array(begins, np.int64)[which]
