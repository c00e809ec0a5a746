# SPDX-License-Identifier: MIT
"""The records of some rows, as the list shows them. Runs in threads of the bridge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memory_gui.domain.records import Record, Ref
from memory_gui.services.library.library import Library

BLOCK: Final = 128
"""Rows that are fetched together."""
MOST_IN_ROW: Final = 20_000
"""Characters of a title or text; as many as the right pane shows before it is asked for all."""
ABOUT: Final = "about"
"""In ``extra`` of an event as it is listed: the title of the memory that it is about."""


def fetch_rows(library: Library, ids: Sequence[int]) -> list[Record | None]:
    """The records of listing ids; an event knows the title of its memory, where there is one."""
    return [
        _told(library, record) if record is not None and record.kind == "event" else record
        for record in library.window(ids, MOST_IN_ROW)
    ]


def _told(library: Library, event: Record) -> Record:
    memory = event.extra.get("memory_id")
    number = library.id_of(Ref(event.ref.store, "memory", (memory,))) if memory else None
    found = library.window([number], MOST_IN_ROW)[0] if number is not None else None
    return replace(event, extra={**event.extra, ABOUT: found.title}) if found else event


def below_title(record: Record) -> str:
    """The text without the heading that says the title again."""
    first, _, rest = record.text.lstrip().partition("\n")
    again = first.startswith("#") and first.strip("# \r") == record.title.strip()
    return rest.lstrip("\r\n") if again else record.text
