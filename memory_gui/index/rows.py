# SPDX-License-Identifier: MIT
"""Which of a store's rows are as they were, without making a record of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

NO_ROW: Final = np.iinfo(np.int64).min
"""Stands where the number of a record's row is not known."""

Numbers = npt.NDArray[np.int64]


class Rows:
    """The ordinals of a store's rows by kind and number, as they were when a reading began."""

    def __init__(self) -> None:
        self._kinds: dict[int, tuple[Numbers, Numbers]] = {}

    def begin(self, kinds: npt.NDArray[np.uint8], rows: Numbers) -> None:
        """Know the rows of these ordinals; numpy sorts without the interpreter's lock."""
        self._kinds = {}
        known = rows != NO_ROW
        for kind in range(1, int(kinds.max(initial=0)) + 1):
            ordinals = np.flatnonzero(known & (kinds == kind))
            order = np.argsort(rows[ordinals], kind="stable")
            self._kinds[kind] = rows[ordinals][order], ordinals[order]

    def find(self, kind: int, numbers: Sequence[int]) -> Numbers:
        """The ordinals of some rows; -1 for one that is not known."""
        wanted = np.asarray(numbers, np.int64)
        sorted_rows, ordinals = self._kinds.get(kind, (wanted[:0], wanted[:0]))
        if not len(sorted_rows):
            return np.full(len(wanted), -1, np.int64)
        at = np.minimum(np.searchsorted(sorted_rows, wanted), len(sorted_rows) - 1)
        return np.where(sorted_rows[at] == wanted, ordinals[at], -1)

    def clear(self) -> None:
        """Forget them."""
        self._kinds = {}
