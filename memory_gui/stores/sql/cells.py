# SPDX-License-Identifier: MIT
"""Rows as they are stored, whatever other programs put into them.

A cell may hold what its column does not promise: a BLOB or NULL in a text column, text that is
not UTF-8. Rows keep the exact value.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from memory_gui.domain.changes import Fields
from memory_gui.engine.sql import quote
from memory_gui.stores.fields import refuse_others

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

    def next_number(self, column: str, default: int = 0) -> int:
        """One more than the cell; 1 after the greatest that SQLite keeps, or a greater one."""
        number = self.number(column, default)
        return number + 1 if abs(number) < _GREATEST else 1

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
    return ",".join((rowid, *masks, *(_exactly(quote(column)) for column in columns)))


def quick_list(columns: Sequence[str], texts: Collection[str], rowid: str = "rowid") -> str | None:
    """As ``select_list`` at two thirds of its cost, for columns that are declared to be ``texts``.

    A row whose mask is 0 is as ``select_list`` has it. One whose mask is 1 has a cell that is not
    what its column promises: read it by that. None where there are too many columns for one mask.
    """
    if len(columns) > _BITS:
        return None
    odd, cells = [], []
    for column in columns:
        name = quote(column)
        if column in texts:
            # Numbers sort before all texts, BLOBs after them. Without the plus a number would be
            # made a text first; a collation of the table's own may not be known here.
            plain = f"+{name} COLLATE BINARY"
            odd.append(f"{plain}<'' OR {plain}>=x''")
            cells.append(f"CAST({name} AS BLOB)")
        else:
            odd.append(f"typeof({name})='blob'")
            cells.append(_exactly(name))
    return ",".join((rowid, f"ifnull({' OR '.join(odd)},0)", *cells))


def _exactly(name: str) -> str:
    return f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END"


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
    if _BYTES_OR_NULL.issuperset(map(type, values[2:])):
        return hash(values)
    # Not of numbers themselves: 1 and 1.0 have one hash, and so have 0 and the empty text.
    return hash(marshal.dumps(values, _PLAIN))


def numbers_and_prints(
    rows: Sequence[RawRow], *, texts: bool = False
) -> tuple[array[int], array[int]]:
    """Those of many rows: ``rowid_of`` and ``print_of`` of each.

    ``texts``: behind number and mask they are known to have nothing but texts and NULLs.
    """
    numbers = [row[0] for row in rows]
    if not _INTEGERS.issuperset(map(type, numbers)):
        numbers = list(map(rowid_of, rows))  # raises
    return array("q", numbers), array("q", map(hash if texts else print_of, rows))


_GREATEST: Final = (1 << 63) - 1
_INTEGERS: Final = frozenset[type]({int})
_BYTES_OR_NULL: Final = frozenset[type]({bytes, type(None)})
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


def cells_of(fields: Fields, columns: Mapping[str, str]) -> dict[str, Cell]:
    """The columns that some fields fill; ``columns`` by the names of all fields that there are.

    Raises:
        UserError: ``record.no_such_field``.
    """
    refuse_others(fields, tuple(columns))
    return {
        columns[name]: value if isinstance(value, str) else " ".join(value)
        for name, value in fields.items()
    }


def shown(cell: Cell) -> str | None:
    """The cell as a person reads it; bytes that are no text are escaped."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bytes):
        return cell.decode(errors="backslashreplace")
    return str(cell)


def as_bytes(cell: Cell) -> bytes:
    """What ``shown`` gives, in UTF-8; of bytes what it is made of."""
    if isinstance(cell, bytes):
        return cell
    return (shown(cell) or "").encode(errors="backslashreplace")
