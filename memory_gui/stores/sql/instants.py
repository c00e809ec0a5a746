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
_ZERO: Final = ord("0")
_SECOND: Final = 1_000_000

_Digits = np.ndarray[tuple[int, int], np.dtype[np.uint8]]


def instants_of(cells: Sequence[bytes], day: Callable[[int], int | None]) -> array[int] | None:
    """Microseconds since 1970 in UTC of ISO 8601 times without a zone; None where any is not one.

    All are to the second, or all to the microsecond. ``day`` says when a day (20260131)
    begins, None of one that has not 24 hours.
    """
    widths = set(map(len, cells))
    width = widths.pop() if len(widths) == 1 else 0
    if width not in (_SECONDS, _MICROS):
        return None
    # Place by place, as numbers: what is no digit is above 9.
    read = np.frombuffer(b"".join(cells), np.uint8).reshape(len(cells), width)
    places = np.ascontiguousarray(read.T) - np.uint8(_ZERO)
    for at, wanted in _MARKS.items():
        if at < width and not _all_in(places[at], wanted):
            return None
    digits = [*_DIGITS, *range(_SECONDS + 1, width)]
    if (places[digits] > 9).any():
        return None
    hour, minute, second = (_number(places, at, 2) for at in (11, 14, 17))
    if (hour > 23).any() or (minute > 59).any() or (second > 59).any():
        return None
    dates = (_number(places, 0, 4) * 100 + _number(places, 5, 2)) * 100 + _number(places, 8, 2)
    found, which = np.unique(dates, return_inverse=True)
    begins = list(map(day, found.tolist()))
    if None in begins:
        return None
    times = np.array(begins, np.int64)[which] + ((hour * 60 + minute) * 60 + second) * _SECOND
    if width == _MICROS:
        times += _number(places, _SECONDS + 1, 6)
    return array("q", times.tobytes())


def _number(places: _Digits, at: int, digits: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    number: np.ndarray[tuple[int], np.dtype[np.int64]] = places[at].astype(np.int64)
    for place in range(at + 1, at + digits):
        number = number * 10 + places[place]
    return number


def _all_in(place: np.ndarray[tuple[int], np.dtype[np.uint8]], wanted: bytes) -> bool:
    met = place == np.uint8((wanted[0] - _ZERO) % 256)
    for mark in wanted[1:]:
        met |= place == np.uint8((mark - _ZERO) % 256)
    return bool(met.all())
