# SPDX-License-Identifier: MIT
"""The records made of Agentao's rows; where a cell or its JSON is odd, its best reading."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Final

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.stores.formats.agentao.schema import KEY_COLUMNS
from memory_gui.stores.sql.cells import ROWID_KEY, Cell, Row, shown


def list_of(cell: Cell) -> tuple[str, ...] | None:
    """The texts of a JSON array; None when the cell is anything else."""
    text = shown(cell)
    if text is None:
        return None
    if text == "[]":
        return ()
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, list):
        return None
    return tuple(_item(value) for value in values)


def _item(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if text.isascii():
        return text
    # A JSON escape may spell half a character, which nothing could write out again.
    return text.encode(errors="backslashreplace").decode()


# ---- records


def ref_of(store: StoreId, kind: str, row: Row) -> Ref:
    """The row's name above ``stores/``: its own key, or its rowid where that is no text."""
    cell = row.cells.get(KEY_COLUMNS[kind])
    if isinstance(cell, str) or (kind == "event" and isinstance(cell, int)):
        return Ref(store, kind, (str(cell),))
    return Ref(store, kind, (ROWID_KEY, str(row.rowid)))


def record_of(store: StoreId, kind: str, row: Row) -> Record:
    """The row as a person reads it."""
    return _READERS[kind](ref_of(store, kind, row), row)


def state_of(kind: str, row: Row) -> State:
    """Live or trash for memories, the status for review items; what is unknown counts as live."""
    if kind == "memory":
        return State.LIVE if row.cells.get("deleted_at") is None else State.TRASH
    if kind == "review":
        status = row.text("status")
        return State(status) if status in _STATUSES else State.LIVE
    return State.LIVE


_STATUSES: Final = frozenset({State.PENDING, State.APPROVED, State.REJECTED})


_FILED: Final = frozenset(
    {"id", "scope", "type", "title", "content", "source", "created_at", "updated_at"}
)
"""Columns that the fields of a record show."""
TAGGED: Final = _FILED | {"tags_json"}


def _memory(ref: Ref, row: Row) -> Record:
    return _filed(ref, row, state_of("memory", row))


def _review(ref: Ref, row: Row) -> Record:
    return _filed(ref, row, state_of("review", row))


def _filed(ref: Ref, row: Row, state: State) -> Record:
    tags = list_of(row.cells.get("tags_json"))
    keywords = list_of(row.cells.get("keywords_json"))
    created, updated = row.text("created_at"), row.text("updated_at")
    created_utc, zone = utc_of(created)
    updated_utc = created_utc if updated == created else utc_of(updated)[0]
    return Record(
        ref=ref,
        etag=row.etag,
        state=state,
        title=row.text("title"),
        text=row.text("content"),
        scope=shown(row.cells.get("scope")),
        type=shown(row.cells.get("type")),
        tags=tags or (),
        source=shown(row.cells.get("source")),
        created_at=created or None,
        updated_at=updated or None,
        created_at_utc=created_utc,
        updated_at_utc=updated_utc,
        zone=zone,
        extra=_rest(row, _FILED if tags is None else TAGGED),
        lists={} if keywords is None else {"keywords_json": keywords},
    )


def _summary(ref: Ref, row: Row) -> Record:
    text = row.text("summary_text")
    return _dated(ref, row, "created_at", (_first_line(text), text), {"id", "summary_text"})


def _event(ref: Ref, row: Row) -> Record:
    texts = (row.text("event_type"), row.text("detail"))
    return _dated(ref, row, "timestamp", texts, {"id", "event_type", "detail"})


def _meta(ref: Ref, row: Row) -> Record:
    return Record(
        ref=ref,
        etag=row.etag,
        state=State.LIVE,
        title=row.text("key"),
        text=row.text("value"),
        extra=_rest(row, {"key", "value"}),
    )


def _dated(ref: Ref, row: Row, when: str, texts: tuple[str, str], used: set[str]) -> Record:
    moment = row.text(when)
    utc, zone = utc_of(moment)
    return Record(
        ref=ref,
        etag=row.etag,
        state=State.LIVE,
        title=texts[0],
        text=texts[1],
        created_at=moment or None,
        created_at_utc=utc,
        zone=zone,
        extra=_rest(row, used | {when}),
    )


_READERS: Final = {
    "memory": _memory,
    "review": _review,
    "summary": _summary,
    "event": _event,
    "meta": _meta,
}


def _rest(row: Row, used: Collection[str]) -> dict[str, str | None]:
    return {
        name: cell if type(cell) is str else shown(cell)
        for name, cell in row.cells.items()
        if name not in used
    }


def _first_line(text: str, width: int = 80) -> str:
    line = next((line.strip(" #*-\t") for line in text.splitlines() if line.strip(" #*-\t")), "")
    return line if len(line) <= width else line[: width - 1] + "…"


def utc_of(text: str) -> tuple[str | None, str]:
    """A stored time in UTC, and its zone. Agentao writes local time without a zone."""
    try:
        moment = datetime.fromisoformat(text)
        zone = "assumed local"
        if moment.tzinfo is not None:
            offset = moment.strftime("%z")
            zone = "utc" if offset == "+0000" else f"{offset[:3]}:{offset[3:5]}"
        return moment.astimezone(UTC).isoformat(timespec="seconds"), zone
    except (ValueError, OverflowError, OSError):
        return None, "assumed local"
