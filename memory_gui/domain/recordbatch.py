# SPDX-License-Identifier: MIT
"""Many records as columns, for whoever needs no object for each: reading a large store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from memory_gui.domain.records import State

FIELD_END: Final = b"\x1f"
"""Between the fields of a text; what holds it itself comes as a record, not in a batch."""

TEXT_END: Final = b"\x1e"
"""After each text; as above."""

BUT_LAST_BIT: Final = 0xFE
"""In the last bit alone the two differ."""


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """Records of one kind, column by column; all columns have the same length.

    ``ids`` are as ``Ref.id``, in UTF-8. ``joined`` are their texts, one after another because all
    of them are passed over at once: what ``Record.searchable`` gives, in UTF-8, the title first (be
    it empty), ``FIELD_END`` between fields, ``TEXT_END`` after each. ``created`` and ``updated``
    (the latter falls back to the former) are microseconds since 1970 in UTC, None where not known.
    """

    kind: str
    ids: Sequence[bytes]
    states: Sequence[State]
    joined: bytes
    types: Sequence[str]
    scopes: Sequence[str]
    sources: Sequence[str]
    confidences: Sequence[str]
    subjects: Sequence[str]
    tags: Sequence[tuple[str, ...]]
    created: Sequence[int | None]
    updated: Sequence[int | None]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def texts(self) -> Sequence[bytes]:
        """One by one, without their ends; made anew each time."""
        return self.joined.split(TEXT_END)[:-1]

    def at(self, places: Sequence[int]) -> RecordBatch:
        """Some of the records."""
        names = (one.name for one in fields(self) if one.name not in ("kind", "joined"))
        columns: dict[str, Any] = {
            name: [getattr(self, name)[place] for place in places] for name in names
        }
        texts = self.texts
        joined = b"".join(texts[place] + TEXT_END for place in places)
        return replace(self, joined=joined, **columns)
