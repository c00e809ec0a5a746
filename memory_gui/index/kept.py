# SPDX-License-Identifier: MIT
"""The records of one store that were fetched last, by ordinal."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from memory_gui.domain.records import Record

_MOST: Final = 2_048
"""So many are kept."""
_LONG: Final = 50_000
"""A record with a longer text is not."""


class Kept:
    """Call inside the guard of the content."""

    def __init__(self) -> None:
        self._records: OrderedDict[int, Record] = OrderedDict()

    def get(self, ordinal: int) -> Record | None:
        """A record that was fetched lately."""
        record = self._records.get(ordinal)
        if record is not None:
            self._records.move_to_end(ordinal)
        return record

    def put(self, ordinal: int, record: Record) -> None:
        """Remember one that was fetched whole; the one that was asked for longest ago goes."""
        if len(record.text) <= _LONG and not record.more:
            self._records[ordinal] = record
            while len(self._records) > _MOST:
                self._records.popitem(last=False)

    def forget(self, ordinal: int) -> None:
        """It has changed or is gone."""
        self._records.pop(ordinal, None)

    def clear(self) -> None:
        """Forget them all."""
        self._records.clear()
