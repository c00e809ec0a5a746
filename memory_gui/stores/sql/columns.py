# SPDX-License-Identifier: MIT
"""Raw rows as columns of UTF-8 bytes, and the small conversions that formats share.

Made for reading a large store: everything is done by calls that pass over a whole column. Rows
with a cell that is not what its column promises are left out; records are made of those.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeVar

from memory_gui.domain.recordbatch import FIELD_END
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


def plain_places(
    rows: Sequence[RawRow], columns: Sequence[str], numbers: Collection[str] = ()
) -> Sequence[int]:
    """At which places the rows are plain: every cell is a text or NULL, those of ``numbers`` whole.

    No cell holds ``FIELD_END``. Masks of BLOBs stand between the rowid and the cells.
    """
    if not rows:
        return ()
    first = len(rows[0]) - len(columns)
    wanted = [_INTEGER if name in numbers else _TEXT_OR_NULL for name in columns]
    whole = list(zip(*rows, strict=True))
    if not any(map(any, whole[1:first])) and all(map(_plain, whole[first:], wanted)):
        return range(len(rows))
    return [
        place
        for place, row in enumerate(rows)
        if not any(row[1:first])
        and all(_plain((cell,), types) for cell, types in zip(row[first:], wanted, strict=True))
    ]


def _plain(cells: Sequence[object], types: frozenset[type]) -> bool:
    if not types.issuperset(map(type, cells)):
        return False
    return types is _INTEGER or FIELD_END not in b"".join(filter(None, cells))  # type: ignore[arg-type]  # texts and NULLs, as was looked at


def field(cell: bytes | None) -> bytes:
    """A field of a text that is not the first: with what stands before it, or nothing."""
    return FIELD_END + cell if cell else b""


def all_fields(cells: Bytes) -> list[bytes]:
    """``field`` of each."""
    return [FIELD_END + cell if cell else b"" for cell in cells]


def fields(values: Iterable[str]) -> bytes:
    """Several fields after another, empty ones too: the way ``Record.searchable`` has lists."""
    return b"".join(FIELD_END + value.encode("utf-8", "surrogatepass") for value in values)


def text(cell: bytes | None) -> str:
    """The cell as text; raises UnicodeDecodeError for one that is none."""
    return "" if cell is None else cell.decode()
