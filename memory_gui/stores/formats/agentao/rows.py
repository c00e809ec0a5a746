# SPDX-License-Identifier: MIT
"""Rows as they are stored, whatever other programs put into them, and the records made of them.

A cell may hold what its column does not promise: a BLOB or NULL in a text column, text that is
not UTF-8, JSON that does not parse. Rows keep the exact value; records show the best reading.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.engine.sql import quote
from memory_gui.stores.formats.agentao.schema import KEY_COLUMNS

ROWID_KEY: Final = "rowid"
"""First part of the two-part key of a row whose own key is NULL, a BLOB or not UTF-8."""


class Mangled(bytes):
    """Bytes of a TEXT cell that are not UTF-8; written back with a CAST they are TEXT again."""

    __slots__ = ()


Cell = str | int | float | bytes | None
"""``Mangled`` is a kind of bytes; plain bytes are a BLOB."""


@dataclass(frozen=True, slots=True)
class Row:
    """One stored row: its rowid and its columns in the table's order."""

    rowid: int
    cells: Mapping[str, Cell]

    def text(self, column: str) -> str:
        """The cell as text: empty for NULL and for a column that is not there."""
        return shown(self.cells.get(column)) or ""

    def number(self, column: str, default: int = 0) -> int:
        """The cell as a whole number."""
        try:
            return int(self.text(column))
        except ValueError:
            return default

    @property
    def etag(self) -> str:
        """First 16 hex digits of SHA-256 over all stored columns."""
        parts: list[bytes] = []
        for name, cell in self.cells.items():
            # Most cells are texts, and a scan asks for every cell of a store.
            kind, raw = ("t", cell.encode()) if type(cell) is str else _stored(cell)
            parts += (f"{name}\0{kind}{len(raw)}\0".encode(), raw)
        return sha256(b"".join(parts)).hexdigest()[:16]


def _stored(cell: Cell) -> tuple[str, bytes]:
    match cell:
        case str():
            return "t", cell.encode()
        case None:
            return "n", b""
        case Mangled():
            return "t", cell
        case bytes():
            return "b", cell
        case int():
            return "i", str(cell).encode()
        case _:
            return "r", repr(cell).encode()


_BITS: Final = 60
"""Columns per mask of ``select_list``: an SQLite integer has 64 bits, one of them a sign."""


def select_list(columns: Sequence[str], rowid: str = "rowid") -> str:
    """The select list that reads every cell exactly: rowid, masks with a bit per BLOB, columns.

    Text comes as its bytes, because not all text of other programs can be decoded.
    """
    masks = []
    for start in range(0, len(columns), _BITS):
        part = columns[start : start + _BITS]
        masks.append("|".join(f"((typeof({quote(c)})='blob')<<{i})" for i, c in enumerate(part)))
    cells = [
        f"CASE typeof({quote(c)}) WHEN 'text' THEN CAST({quote(c)} AS BLOB) ELSE {quote(c)} END"
        for c in columns
    ]
    return ",".join((rowid, *masks, *cells))


def read_row(columns: Sequence[str], values: Sequence[object], codec: str) -> Row:
    """A row from what ``select_list`` selected. ``codec`` is the database's text encoding."""
    first = 1 - (-len(columns) // _BITS)
    masks = values[1:first]
    if not any(masks):  # no BLOBs: the usual row, read fast
        try:
            plain: dict[str, Cell] = {
                column: value.decode(codec) if type(value) is bytes else _number(value)
                for column, value in zip(columns, values[first:], strict=True)
            }
            return Row(_rowid(values[0]), plain)
        except UnicodeDecodeError:
            pass  # below, cell by cell
    cells = {}
    for i, (column, value) in enumerate(zip(columns, values[first:], strict=True)):
        if isinstance(value, bytes):
            mask = masks[i // _BITS]
            is_blob = isinstance(mask, int) and bool(mask >> i % _BITS & 1)
            cells[column] = value if is_blob else _text(value, codec)
        else:
            cells[column] = _number(value)
    return Row(_rowid(values[0]), cells)


RawRow = tuple[Any, ...]
"""What ``select_list`` selected: the rowid, masks, cells."""


def rowid_of(values: RawRow) -> int:
    """The row's number."""
    return _rowid(values[0])


def print_of(values: RawRow) -> int:
    """A number that stays the same, in this process, while a row does: 1 µs where etag takes 15."""
    return hash(marshal.dumps(values, _PLAIN))


_PLAIN: Final = 2
"""The last format of ``marshal`` that gives equal values equal bytes, however they came about."""


def _text(value: bytes, codec: str) -> Cell:
    try:
        return value.decode(codec)
    except UnicodeDecodeError:
        return Mangled(value)


def _number(value: object) -> int | float | None:
    if value is None or isinstance(value, (int, float)):
        return value
    raise TypeError(type(value).__name__)


def _rowid(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(type(value).__name__)
    return value


def placeholder(cell: Cell) -> str:
    """The SQL that binds a cell so that it is stored as it was read."""
    return "CAST(? AS TEXT)" if isinstance(cell, Mangled) else "?"


def bindable(cell: Cell) -> Cell:
    """The value to bind (the library knows no subclass of bytes)."""
    return bytes(cell) if isinstance(cell, Mangled) else cell


def shown(cell: Cell) -> str | None:
    """The cell as a person reads it; bytes that are no text are escaped."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bytes):
        return cell.decode(errors="backslashreplace")
    return str(cell)


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
_TAGGED: Final = _FILED | {"tags_json"}


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
        extra=_rest(row, _FILED if tags is None else _TAGGED),
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
