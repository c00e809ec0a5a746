# SPDX-License-Identifier: MIT
"""Rows of a table that nobody declared, as records: which column is the title, text, time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.stores.formats.generic.cells import GenericCell, etag_of
from memory_gui.stores.formats.generic.tables import GenericTable

_TITLES: Final = (
    "title", "name", "subject", "label", "key", "memory_key", "topic", "heading", "role", "path",
)  # fmt: skip
_TEXTS: Final = (
    "content", "text", "value", "body", "fact", "message", "memory", "data", "document",
    "description", "summary", "note", "narrative", "observation", "prompt", "response",
)  # fmt: skip
_CREATED: Final = (
    "created_at", "created", "createdat", "create_time", "creation_time", "inserted_at",
    "timestamp", "time", "date", "ts",
)  # fmt: skip
_UPDATED: Final = (
    "updated_at", "updated", "updatedat", "update_time", "modified_at", "modified", "mtime",
    "last_updated", "last_modified",
)  # fmt: skip
_FEW: Final = 3
"""So many other columns stand beside a record; more are told in its text."""
_FIRST, _LAST = 631_152_000, 4_102_444_800
"""1990 and 2100 in Unix seconds: a number between them is taken for a time."""


class Reader:
    """Makes records of the rows of one table. Which column is what, is found by its name."""

    def __init__(self, store: StoreId, table: GenericTable) -> None:
        self._store = store
        self._kind = table.kind
        self._columns = table.columns
        taken: set[str] = set()
        self._title = _first(table, _TITLES, taken)
        self._text = _first(table, _TEXTS, taken)
        self._created = _first(table, _CREATED, taken)
        self._updated = _first(table, _UPDATED, taken)
        others = tuple(name for name in table.columns if name not in taken)
        self._tells_all = self._text is None or len(others) > _FEW
        self.others = () if self._tells_all else others
        """The columns beside title, text and time, where they are too few to stand in the text."""
        times = {"created": self._created, "updated": self._updated}
        self.lacks = frozenset(name for name, column in times.items() if column is None)
        """Times that its rows have none of."""

    def record(self, key: tuple[str, ...], cells: Sequence[GenericCell]) -> Record:
        """One row."""
        by_name = dict(zip(self._columns, cells, strict=True))

        def text(name: str | None) -> str:
            cell = by_name.get(name) if name is not None else None
            return (cell.text if cell is not None else None) or ""

        created, created_utc = _time(by_name.get(self._created or ""))
        updated, updated_utc = _time(by_name.get(self._updated or ""))
        used = {self._title, self._text}
        used |= {self._created} if created else set()
        used |= {self._updated} if updated else set()
        extra = {name: cell.text for name, cell in by_name.items() if name not in used}
        return Record(
            ref=Ref(self._store, self._kind, key),
            etag=etag_of(cells),
            state=State.LIVE,
            title=text(self._title) or _headline(text(self._text), extra) or "/".join(key),
            text=self._whole(text(self._text), extra),
            created_at=created,
            updated_at=updated,
            created_at_utc=created_utc,
            updated_at_utc=updated_utc,
            zone="utc" if created_utc or updated_utc else "assumed local",
            extra=extra,
        )

    def _whole(self, text: str, extra: dict[str, str | None]) -> str:
        """The text; below it every other column where those are many, or where there is none."""
        if not self._tells_all:
            return text
        return "\n\n".join(part for part in (text, _lines(extra)) if part)


def _first(table: GenericTable, names: Sequence[str], taken: set[str]) -> str | None:
    by_lower = {column.lower(): column for column in reversed(table.columns)}
    for name in names:
        column = by_lower.get(name)
        if column is not None and column not in taken:
            taken.add(column)
            return column
    return None


def _headline(text: str, extra: dict[str, str | None]) -> str:
    """The first line of the text, else the first value that is not a number."""
    line = text.strip().partition("\n")[0][:120]
    if line:
        return line
    values = (value.strip() for value in extra.values() if value)
    return next((v.partition("\n")[0][:120] for v in values if v and not _is_number(v)), "")


def _lines(extra: dict[str, str | None]) -> str:
    """A row without a column for its text is told by all of them."""
    return "\n".join(f"{name}: {value}" for name, value in extra.items() if value is not None)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _time(cell: GenericCell | None) -> tuple[str | None, str | None]:
    """As it is stored, and in UTC where that is certain: Unix time, or a text with its zone."""
    if cell is None or cell.value is None:
        return None, None
    if isinstance(cell.value, (int, float)):
        seconds = float(cell.value)
        seconds = seconds / 1000 if seconds > _LAST else seconds
        if not _FIRST < seconds < _LAST:
            return None, None
        return str(cell.value), _iso(datetime.fromtimestamp(seconds, UTC))
    if isinstance(cell.value, str) and len(cell.value) < 40:
        try:
            moment = datetime.fromisoformat(cell.value)
        except ValueError:
            return None, None
        return cell.value, _iso(moment.astimezone(UTC)) if moment.tzinfo is not None else None
    return None, None


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
