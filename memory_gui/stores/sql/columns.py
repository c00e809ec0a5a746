# SPDX-License-Identifier: MIT
"""Raw rows as columns of UTF-8 bytes, and the small conversions that formats share.

Made for reading a large store: everything is done by calls that pass over a whole column. Rows
with a cell that is not what its column promises are left out; records are made of those.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from operator import concat
from typing import Final, TypeVar

from memory_gui import lazy
from memory_gui.domain.recordbatch import FIELD_END, TEXT_END
from memory_gui.stores.sql.cells import RawRow

Bytes = Sequence[bytes | None]

_TEXT_OR_NULL: Final = frozenset[type]({bytes, type(None)})
_INTEGER: Final = frozenset[type]({int})
_REMEMBERED: Final = 16_384

Key = TypeVar("Key")
Value = TypeVar("Value")


class Remembered(dict[Key, Value]):
    """What a function gives for a cell, remembered: most columns have few different values."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, cell: Key) -> Value:
        if len(self) >= _REMEMBERED:
            self.clear()
        made = self[cell] = self._make(cell)
        return made


def plain_columns(
    rows: Sequence[RawRow],
    columns: Sequence[str],
    numbers: Collection[str] = (),
    *,
    texts: bool = False,
    ends: bool = True,
) -> tuple[Sequence[int], Mapping[str, Bytes]]:
    """At which places the rows are plain, and their cells column by column.

    Plain: every cell is a text or NULL (as is known with ``texts``), those of ``numbers`` whole,
    and without ``ends`` none holds ``FIELD_END`` or ``TEXT_END``. Masks stand between the rowid
    and the cells.
    """
    if not rows:
        return (), {}
    first = len(rows[0]) - len(columns)
    wanted = [_INTEGER if name in numbers else _TEXT_OR_NULL for name in columns]
    whole = list(zip(*rows, strict=True))
    places: Sequence[int] = range(len(rows))
    if not (texts and ends) and not (
        not any(map(any, whole[1:first]))
        and all(
            _plain(cells, types, ends=ends)
            for cells, types in zip(whole[first:], wanted, strict=True)
        )
    ):
        places = [place for place, row in enumerate(rows) if _is_plain(row, first, wanted, ends)]
        whole = list(zip(*(rows[place] for place in places), strict=True))
    return places, dict(zip(columns, whole[first:], strict=True)) if places else {}


def _is_plain(row: RawRow, first: int, wanted: Sequence[frozenset[type]], ends: bool) -> bool:
    return not any(row[1:first]) and all(
        _plain((cell,), types, ends=ends) for cell, types in zip(row[first:], wanted, strict=True)
    )


def _plain(cells: Sequence[object], types: frozenset[type], *, ends: bool) -> bool:
    if not types.issuperset(map(type, cells)):
        return False
    if ends or types is _INTEGER:
        return True
    joined = b"".join(filter(None, cells))  # type: ignore[arg-type]  # texts and NULLs
    return FIELD_END not in joined and TEXT_END not in joined


class Joined:
    """Texts of many records, made of their columns, as ``RecordBatch`` has them.

    What is empty is no field; only the first may be.
    """

    def __init__(self, first: Bytes) -> None:
        self._columns: list[Bytes] = [[cell or b"" for cell in first] if None in first else first]
        self._ends = 0

    def add(self, cells: Bytes) -> None:
        """One field more."""
        if all(cells):
            self._columns.append(cells)
            self._ends += len(cells)
        elif (empty := cells.count(b"") + cells.count(None)) < len(cells):
            self._put([FIELD_END + cell if cell else b"" for cell in cells], len(cells) - empty)

    def add_fields(self, parts: Sequence[bytes]) -> None:
        """Any number of fields more, as ``fields`` gives them."""
        if number := b"".join(parts).count(FIELD_END):
            self._put(parts, number)

    def _put(self, parts: Sequence[bytes], number: int) -> None:
        self._columns[-1] = list(map(concat, self._columns[-1], parts))  # type: ignore[arg-type]  # no None is kept
        self._ends += number

    def made(self) -> bytes | None:
        """The texts; None where a cell has ``FIELD_END`` or ``TEXT_END`` in it.

        Raises:
            UnicodeDecodeError: one is no UTF-8.
        """
        texts = list(map(FIELD_END.join, zip(*self._columns, strict=True)))
        ends = self._ends + len(texts)
        texts.append(b"")
        joined = TEXT_END.join(texts)
        bytewise = lazy.bytewise()
        if not bytewise.is_utf8(joined):
            joined.decode()
        return joined if bytewise.ends_in(joined) == ends else None


def fields(values: Iterable[str]) -> bytes:
    """Several fields after another, empty ones too: the way ``Record.searchable`` has lists."""
    return b"".join(FIELD_END + value.encode("utf-8", "surrogatepass") for value in values)


def text(cell: bytes | None) -> str:
    """The cell as text; raises UnicodeDecodeError for one that is none."""
    return "" if cell is None else cell.decode()
