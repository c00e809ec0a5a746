# SPDX-License-Identifier: MIT
"""A collection of Qdrant's local mode: ``points``, of which id and point are pickles.

Sources: qdrant-client 1.20, ``local/persistence.py`` (the id in base64 is the key; a point is a
pydantic model) and ``local/qdrant_local.py`` (``.lock`` is held as long as a client lives).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.erasing import CellCut, ErasePart, EraseRows
from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.mem0.values import LINKS, Entry
from memory_gui.stores.formats.mem0.vectors import Going, Vectors
from memory_gui.stores.pickles import Made, PickleError, plain, read_pickle
from memory_gui.stores.sql.table import Table, codec_of

TABLE: Final = "points"
COLUMNS: Final = ("id", "point")
KIND: Final = "embedding"
LOCK: Final = ".lock"
_LARGE: Final = 256 << 10
"""Bytes of a row: a vector of 16,384 numbers, and a long text."""
_MOST_LARGE: Final = 32 << 20
"""Of larger rows so much is read in all: they can be made to take long."""
_UUID: Final = 36
_SHORT_TEXT: Final = b"\x8c"
_MEMOIZE: Final = b"\x94"
_POP: Final = b"0"


class Qdrant(Vectors):
    """One collection's ``storage.sqlite``."""

    label = "Qdrant"
    tables = ((TABLE, KIND, ("id",)),)

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_database(path, None, write=False)
        try:
            self._table = Table(self._connection, TABLE, codec_of(self._connection))
        except BaseException:
            self._connection.close()
            raise

    def read(self) -> list[Entry]:
        """Every point; one that cannot be read has no payload."""
        found = []
        left = _MOST_LARGE
        for rows in self._table.batches(columns=COLUMNS):
            for row in rows:
                key, point = row.text("id"), row.cells.get("point")
                raw = point if isinstance(point, bytes) else b""
                left -= len(raw) if len(raw) > _LARGE else 0
                payload = payload_of(raw) if left > 0 or len(raw) <= _LARGE else None
                name = id_of(key) or key
                collection = self.path.parent.name
                found.append(Entry(name, (key,), payload, collection, size=len(raw)))
        return found

    def token(self) -> tuple[int, ...]:
        """SQLite's own."""
        return (self._connection.data_version(),)

    def row_of(self, key: tuple[str, ...]) -> str:
        """By the pickled id."""
        return id_of(key[0]) if len(key) == 1 else ""

    def parts(self, going: Going) -> Sequence[ErasePart]:
        """Its points; of entities that stay, the links to what goes."""
        keys = tuple(entry.key for entry in going.rows)
        rows = (EraseRows(TABLE, ("id",), keys, KIND),) if keys else ()
        cells = [cut for entry, gone in going.unlink if (cut := self._unlinked(entry, gone))]
        lock = self.path.parent.parent.parent / LOCK
        return (
            ErasePart(
                str(self.path),
                rows,
                tuple(cells),
                self.tables,
                locks=(str(lock),) if lock.is_file() else (),
            ),
        )

    def interrupt(self) -> None:
        """Stop the running statement."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _unlinked(self, entry: Entry, gone: frozenset[str]) -> CellCut | None:
        """The point without some links, of the same length; None where that cannot be written."""
        found = self._table.select("id = ?", entry.key)
        raw = found[0].cells.get("point") if found else None
        if not isinstance(raw, bytes):
            return None
        puts = unlinking(raw, gone)
        return CellCut(TABLE, ("id",), entry.key, "point", len(raw), puts) if puts else None


def payload_of(raw: bytes) -> Mapping[str, Any] | None:
    """What a pickled point says beside its vector; None where it cannot be read."""
    try:
        point = read_pickle(raw)
    except PickleError:
        return None
    fields = point.state if isinstance(point, Made) else point
    if isinstance(fields, dict):
        fields = fields.get("__dict__", fields)
    payload = fields.get("payload") if isinstance(fields, dict) else None
    if not isinstance(payload, dict):
        return None
    found = plain(payload)
    return found if isinstance(found, dict) else None


def id_of(key: str) -> str:
    """The id that a row's key is; empty for what is none."""
    try:
        found = read_pickle(base64.b64decode(key, validate=True))
    except (PickleError, binascii.Error, ValueError):
        return ""
    return str(found) if isinstance(found, (str, int)) else ""


def unlinking(raw: bytes, gone: frozenset[str]) -> tuple[tuple[int, int, str], ...]:
    """What to put into a pickled entity, so that its list of links has some less.

    A text that goes becomes a filler that is taken off the stack again: no byte moves, and what
    the pickle remembers keeps its numbers. Nothing where the outcome would not be just that.
    """
    puts = []
    for name in sorted(gone):
        text = name.encode()
        at = raw.find(_SHORT_TEXT + bytes([len(text)]) + text) if len(text) == _UUID else -1
        if at < 0:
            continue
        end = at + 2 + len(text)
        tail = _POP
        if raw[end : end + 1] == _MEMOIZE:
            end, tail = end + 1, _MEMOIZE + _POP
        room = end - at - 2 - len(tail)
        puts.append((at, end, (_SHORT_TEXT + bytes([room]) + b"-" * room + tail).hex()))
    before, after = payload_of(raw), payload_of(_put(raw, puts))
    if before is None or after is None or not puts:
        return ()
    links = [one for one in before.get(LINKS, ()) if one not in gone]
    return tuple(puts) if after == {**before, LINKS: links} else ()


def _put(raw: bytes, puts: Sequence[tuple[int, int, str]]) -> bytes:
    data = bytearray(raw)
    for start, end, new in puts:
        data[start:end] = bytes.fromhex(new)
    return bytes(data)
