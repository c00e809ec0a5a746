# SPDX-License-Identifier: MIT
"""The rows of LangGraph's two tables, a thread at a time and a row at a time.

No read lasts longer than one row, and no row is read beyond ``MOST_BYTES``, however large the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memory_gui.engine.database import Connection
from memory_gui.engine.sql import quote
from memory_gui.stores.formats.langgraph_checkpoints.layout import CHECKPOINTS, COLUMNS, WRITES
from memory_gui.stores.formats.langgraph_checkpoints.threads import Gathered
from memory_gui.stores.formats.langgraph_checkpoints.values import Opened
from memory_gui.stores.sql.table import codec_of

MOST_BYTES: Final = 64 << 20
"""Of one value; what is beyond is not shown (an erase takes it all the same)."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What a thread has: rows of both tables, and their bytes. ``mark`` tells its states apart."""

    checkpoints: int = 0
    writes: int = 0
    size: int = 0
    mark: tuple[int, ...] = ()

    @property
    def rows(self) -> int:
        """Of both tables."""
        return self.checkpoints + self.writes


class Source:
    """Belongs to the thread of its connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._codec = codec_of(connection)

    def extents(self, thread: str | None = None) -> dict[str, Extent]:
        """Every thread by its id, or one; those whose id is no text are left out."""
        found: dict[str, Extent] = {}
        for table, columns in COLUMNS.items():
            sizes = "+".join(f"total(length({quote(one)}))" for one in columns if one in _HEAVY)
            where, values = (" AND thread_id = ?", (thread,)) if thread is not None else ("", ())
            rows = self._connection.execute(
                f"SELECT CAST(thread_id AS BLOB), count(*), max(rowid), {sizes}"  # noqa: S608 - names of ours
                f" FROM {quote(table)} WHERE typeof(thread_id) = 'text'{where} GROUP BY thread_id",
                values,
            )
            for name, count, last, size in rows:
                key = self._name(name)
                if key is not None:
                    found[key] = _more(found.get(key, Extent()), table, count, last, int(size))
        return found

    def _name(self, raw: bytes) -> str | None:
        try:
            return bytes(raw).decode(self._codec)
        except UnicodeDecodeError:
            return None

    def odd(self) -> int:
        """Rows of threads whose id is no text."""
        known = sum(extent.rows for extent in self.extents().values())
        counts = (self._connection.execute(f"SELECT count(*) FROM {quote(t)}") for t in COLUMNS)  # noqa: S608 - names of ours
        return sum(int(count[0][0]) for count in counts) - known

    def gather(self, thread: str, into: Gathered) -> Iterator[int]:
        """Read a thread, the newest first; how many rows were read, now and then."""
        times: dict[str, str] = {}
        newest: set[str] = set()
        spaces: set[str] = set()
        for number, space, name in self._keys(CHECKPOINTS, thread):
            is_newest = space not in spaces
            spaces.add(space)
            newest |= {name} if is_newest else set()
            for codec, data, metadata in self._read(CHECKPOINTS, number):
                times[name] = into.take_checkpoint(space, Opened(codec, data), newest=is_newest)
                if metadata is not None:
                    into.take_metadata(Opened("json", metadata))
            yield 1
        for number, _space, name in self._keys(WRITES, thread):
            for codec, data, channel in self._read(WRITES, number):
                told = "" if channel is None else channel.decode(errors="backslashreplace")
                waiting = name in newest
                into.take_write(Opened(codec, data), told, times.get(name, ""), waiting=waiting)
            yield 1

    def _keys(self, table: str, thread: str) -> list[tuple[int, str, str]]:
        """(number, namespace, checkpoint) of a thread's rows, the newest of a namespace first."""
        found = self._connection.execute(
            f"SELECT rowid, CAST(checkpoint_ns AS BLOB), CAST(checkpoint_id AS BLOB)"  # noqa: S608 - names of ours
            f" FROM {quote(table)} WHERE thread_id = ?"
            " ORDER BY checkpoint_ns, checkpoint_id DESC, rowid",
            (thread,),
        )
        return [(int(n), self._text(space), self._text(name)) for n, space, name in found]

    def _read(self, table: str, number: int) -> Iterator[tuple[str | None, bytes, bytes | None]]:
        """(codec, value, metadata or channel) of one row."""
        heavy, other = ("checkpoint", "metadata") if table == CHECKPOINTS else ("value", "channel")
        rows = self._connection.execute(
            f"SELECT CAST(type AS BLOB), {_cut(heavy)}, typeof({other}), {_cut(other)}"  # noqa: S608 - names of ours
            f" FROM {quote(table)} WHERE rowid = ?",
            (number,),
        )
        for codec, value, kind, more in rows:
            beside = self._text(more).encode() if kind == "text" and more is not None else more
            yield (None if codec is None else self._text(codec)), bytes(value or b""), beside

    def _text(self, raw: object) -> str:
        return bytes(raw).decode(self._codec, "backslashreplace") if isinstance(raw, bytes) else ""

    def newest(self, thread: str) -> list[bytes]:
        """What the newest row of each table holds of a thread, as it is stored."""
        found: list[bytes] = []
        for table in COLUMNS:
            for number, _space, _name in self._keys(table, thread)[:1]:
                for _codec, value, more in self._read(table, number):
                    found += (value, more or b"")
        return found


_HEAVY: Final = frozenset({"checkpoint", "metadata", "value"})


def _cut(column: str) -> str:
    whole = f"CAST({quote(column)} AS BLOB)"
    return (
        f"CASE WHEN length({quote(column)}) <= {MOST_BYTES} THEN {whole}"
        f" ELSE CAST(substr({quote(column)}, 1, {MOST_BYTES}) AS BLOB) END"
    )


def _more(extent: Extent, table: str, count: int, last: int, size: int) -> Extent:
    """With the rows of one more table."""
    mark = (*extent.mark, int(table == WRITES), count, last, size)
    if table == CHECKPOINTS:
        return Extent(count, extent.writes, extent.size + size, mark)
    return Extent(extent.checkpoints, count, extent.size + size, mark)
