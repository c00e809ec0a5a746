# SPDX-License-Identifier: MIT
"""What is kept of each record beside its texts: one growing array for each property."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

NO_TIME: Final = np.iinfo(np.int64).min
"""Stands where a time is not known; sorts before all others."""

NAMED: Final = ("type", "scope", "source", "confidence", "subject")
"""The properties that are kept as numbers of Names."""

_LAYOUT: Final = {
    "state": np.uint8,
    **dict.fromkeys(NAMED, np.uint32),
    "tags": np.uint32,
    "created": np.int64,
    "updated": np.int64,
    "month": np.int32,
    "etag": np.uint64,
    "place": np.int64,
    "length": np.uint32,
    "title": np.uint32,
    "seen": np.uint32,
    "row": np.int64,
    "print": np.int64,
}
"""``place`` and ``length`` of the text in the arena, ``title`` is the length of its first field;
``seen`` numbers the last reading of the store that met the record, ``row`` is the number of its row
then, and ``print`` stays the same while that row does."""

Array = npt.NDArray[Any]
Column = Sequence[int] | Array | int


class Columns:
    """Arrays of equal length. Ordinals are added at the end, one batch after another."""

    def __init__(self) -> None:
        self._arrays: dict[str, Array] = {
            name: np.zeros(256, dtype) for name, dtype in _LAYOUT.items()
        }
        self.count = 0

    def __getitem__(self, name: str) -> Array:
        """The values of all ordinals so far; a view, which a later ``add`` may leave behind."""
        return self._arrays[name][: self.count]

    def expect(self, number: int) -> None:
        """Have room for so many, taken at once: what grows is copied, again and again."""
        for name in self._arrays:
            self._widen(name, number)

    def add(self, rows: Mapping[str, Column], number: int) -> None:
        """The properties of the next ``number`` ordinals; one number: that of all of them."""
        needed = self.count + number
        self.expect(needed)
        for name, array in self._arrays.items():
            array[self.count : needed] = rows[name]
        self.count = needed

    def _widen(self, name: str, needed: int) -> None:
        array = self._arrays[name]
        if needed > len(array):
            wider = np.zeros(max(needed, len(array) * 2), array.dtype)
            wider[: self.count] = array[: self.count]
            self._arrays[name] = wider

    def fit(self) -> None:
        """Give back what was taken for more records than there are."""
        for name, array in self._arrays.items():
            self._arrays[name] = array[: self.count].copy()

    def row(self, ordinal: int) -> dict[str, int]:
        """All properties of one record."""
        return {name: int(array[ordinal]) for name, array in self._arrays.items()}

    def set(self, ordinal: int, row: dict[str, int]) -> None:
        """Give one record other properties."""
        for name, value in row.items():
            self._arrays[name][ordinal] = value

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return sum(array.nbytes for array in self._arrays.values())

    def clear(self) -> None:
        """Forget every record."""
        self.__init__()  # type: ignore[misc]  # the same object, as new
