# SPDX-License-Identifier: MIT
"""Chroma's ``chroma.sqlite3``: rows, and the log of operations with what rows once were.

Sources: chromadb 1.5.9, ``migrations/`` (embeddings, embedding_metadata, embeddings_queue). The log
numbers its rows by the highest one that is there, and an index remembers up to which number it has
read: so the last row stays, as the delete that Chroma itself would have written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.erasing import CellCut, ErasePart, EraseRows, SideFile
from memory_gui.domain.filecuts import merged
from memory_gui.engine.connection import open_database
from memory_gui.engine.sql import marks
from memory_gui.stores.files.jsonspans import whole
from memory_gui.stores.formats.mem0.chromaindex import index_parts
from memory_gui.stores.formats.mem0.layout import ENTITIES
from memory_gui.stores.formats.mem0.links import links_cut
from memory_gui.stores.formats.mem0.values import LINKS, Entry
from memory_gui.stores.formats.mem0.vectors import Going, Vectors
from memory_gui.stores.pickles import plain

KIND: Final = "embedding"
ROWS: Final = "embeddings"
VALUES: Final = "embedding_metadata"
LISTS: Final = "embedding_metadata_array"
LOG: Final = "embeddings_queue"
TABLES: Final = (ROWS, VALUES, LOG)
_DELETE: Final = 3
_MOST_JSON: Final = 1 << 20
_AT_ONCE: Final = 400
_DIGITS: Final = 19
"""Of a number that SQLite can have for a row, at most."""


class Chroma(Vectors):
    """All collections of one folder; Mem0's are those with its entities beside, or its fields."""

    label = "Chroma"
    tables = (
        (ROWS, KIND, ("embedding_id",)),
        (VALUES, KIND, ("id",)),
        (LISTS, KIND, ("id",)),
        (LOG, KIND, ("id",)),
    )

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = open_database(path, None, write=False)
        self._has_lists = any(row[1] == LISTS for row in self._connection.schema())

    def read(self) -> list[Entry]:
        """Present rows, and what the log says of rows."""
        names = self._names()
        with self._connection.reading():
            return [*self._present(names), *self._past(names)]

    def token(self) -> tuple[int, ...]:
        """SQLite's own."""
        return (self._connection.data_version(),)

    def row_of(self, key: tuple[str, ...]) -> str:
        """By the row's number, or by the id itself."""
        name = key[0] if len(key) == 1 else ""
        if not (name.isascii() and name.isdecimal() and len(name) < _DIGITS):
            return name
        found = self._connection.execute(
            "SELECT embedding_id FROM embeddings WHERE id = ?", (int(name),)
        )
        return str(found[0][0]) if found else ""

    def parts(self, going: Going) -> Sequence[ErasePart]:
        """The database; and the binary index of each collection that has a row that goes."""
        rows = [*self._rows(going.rows), *self._links(going)]
        log, cells = self._log_rows([*going.rows, *going.past])
        cells += [cut for entry, gone in going.unlink if (cut := self._unlinked(entry, gone))]
        part = ErasePart(str(self.path), (*rows, *log), tuple(cells), self.tables)
        gone = frozenset(entry.id for entry in going.rows)
        return (part, *index_parts(self.path.parent, self._folders(), gone))

    def side_files(self) -> tuple[SideFile, ...]:
        """Binary indexes: made with memory that was used before, they may hold any text."""
        found = []
        for folder in self._folders():
            for name in ("header.bin", "data_level0.bin", "length.bin", "link_lists.bin"):
                file = self.path.parent / folder / name
                if file.is_file():
                    found.append(SideFile(str(file), "store_index", cleanable=True))
        return tuple(found)

    def interrupt(self) -> None:
        """Stop the running statement."""
        self._connection.interrupt()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    # ---- reading

    def _names(self) -> dict[str, str]:
        """Id and, for the log, last part of the topic -> name of a collection."""
        return {
            str(one): str(name)
            for one, name in self._connection.execute("SELECT id, name FROM collections")
        }

    def _folders(self) -> tuple[str, ...]:
        found = self._connection.execute("SELECT id FROM segments WHERE scope = 'VECTOR'")
        return tuple(str(row[0]) for row in found if "/" not in str(row[0]))

    def _present(self, names: Mapping[str, str]) -> Iterator[Entry]:
        values: dict[int, dict[str, Any]] = {}
        for number, name, *cells in self._connection.execute(
            f"SELECT id, key, string_value, int_value, float_value, bool_value FROM {VALUES}"  # noqa: S608 - a name of ours
        ):
            values.setdefault(number, {})[str(name)] = _first(cells)
        if self._has_lists:
            for number, name, text in self._connection.execute(
                f"SELECT id, key, string_value FROM {LISTS}"  # noqa: S608 - a name of ours
            ):
                values.setdefault(number, {}).setdefault(str(name), []).append(text)
        for number, name, collection in self._connection.execute(
            "SELECT e.id, e.embedding_id, s.collection FROM embeddings e"
            " LEFT JOIN segments s ON s.id = e.segment_id ORDER BY e.id"
        ):
            payload = dict(values.get(number, {}))
            where = names.get(str(collection), str(collection))
            if where.endswith(ENTITIES):
                payload.setdefault(LINKS, [])
            yield Entry(str(name), (number,), payload, where)

    def _past(self, names: Mapping[str, str]) -> Iterator[Entry]:
        for number, name, topic, operation, size, text in self._connection.execute(
            f"SELECT seq_id, id, topic, operation, length(vector), metadata FROM {LOG}"  # noqa: S608 - a name of ours
            " ORDER BY seq_id"
        ):
            if operation == _DELETE and not size:
                continue  # it says an id and nothing else
            where = names.get(str(topic).rsplit("/", 1)[-1], "")
            payload = _payload(text)
            if payload is not None and where.endswith(ENTITIES):
                payload.setdefault(LINKS, [])
            yield Entry(str(name), (number,), payload, where, past=True, size=size or 0)

    # ---- erasing

    def _rows(self, entries: Sequence[Entry]) -> Iterator[EraseRows]:
        if not entries:
            return
        keys = tuple(entry.key for entry in entries)
        owners = {entry.key: entry.id for entry in entries}
        yield EraseRows(ROWS, ("id",), keys, KIND, "embedding_id", owners)
        for table in (VALUES, LISTS) if self._has_lists else (VALUES,):
            found: dict[tuple[str | int, ...], int] = {}
            for part in _parts([key[0] for key in keys]):
                for row in self._connection.execute(
                    f"SELECT id, key FROM {table} WHERE id IN ({marks(len(part))})",  # noqa: S608 - names of ours
                    part,
                ):
                    found[(row[0], row[1])] = found.get((row[0], row[1]), 0) + 1
            if found:
                yield EraseRows(
                    table, ("id", "key"), tuple(found), table, number=sum(found.values())
                )

    def _links(self, going: Going) -> Iterator[EraseRows]:
        """Of entities that stay, the links to what goes: each is a row."""
        keys = [
            (*entry.key, LINKS, name)
            for entry, gone in going.unlink
            if not entry.past
            for name in sorted(gone)
        ]
        if keys and self._has_lists:
            yield EraseRows(LISTS, ("id", "key", "string_value"), tuple(keys), LISTS)

    def _unlinked(self, entry: Entry, gone: frozenset[str]) -> CellCut | None:
        """A row of the log that says what an entity pointed to, without some of it."""
        if not entry.past or not gone:
            return None
        where = ("seq_id", "id")
        found = self._connection.execute(
            f"SELECT metadata FROM {LOG} WHERE seq_id = ? AND id = ?",  # noqa: S608 - a name of ours
            (*entry.key, entry.id),
        )
        text = found[0][0] if found else None
        if not isinstance(text, str):
            return None
        try:
            cuts = links_cut(text, 0, gone)
        except ValueError:
            return None
        puts = tuple((start, end, "") for start, end in merged(cuts))
        size, key = len(text.encode()), (*entry.key, entry.id)
        return CellCut(LOG, where, key, "metadata", size, puts) if puts else None

    def _log_rows(self, entries: Sequence[Entry]) -> tuple[list[EraseRows], list[CellCut]]:
        """The log's rows of what goes; the last one of all stays, and says that it was deleted."""
        names = list(dict.fromkeys(entry.id for entry in entries))
        found: dict[int, str] = {}
        for part in _parts(names):
            for number, name in self._connection.execute(
                f"SELECT seq_id, id FROM {LOG} WHERE id IN ({marks(len(part))})"  # noqa: S608 - names of ours
                f" AND NOT (operation = {_DELETE} AND vector IS NULL)",
                part,
            ):
                found[number] = str(name)
        last = self._connection.execute(f"SELECT max(seq_id) FROM {LOG}")[0][0]  # noqa: S608 - a name of ours
        cells = self._emptied(last, found.pop(last)) if last in found else []
        owners: dict[tuple[str | int, ...], str] = {(n,): name for n, name in found.items()}
        keys = tuple(owners)
        rows = [EraseRows(LOG, ("seq_id",), keys, LOG, "id", owners)] if keys else []
        return rows, cells

    def _emptied(self, number: int, name: str) -> list[CellCut]:
        become: Mapping[str, str | int | None] = {
            "operation": _DELETE,
            "vector": None,
            "encoding": None,
            "metadata": "{}",
        }
        chosen = ", ".join(f"coalesce(length(CAST({one} AS BLOB)), 0)" for one in become)
        sizes = self._connection.execute(
            f"SELECT {chosen} FROM {LOG} WHERE seq_id = ?",  # noqa: S608 - names of ours
            (number,),
        )[0]
        return [
            CellCut(LOG, ("seq_id", "id"), (number, name), column, int(size), into=into)
            for (column, into), size in zip(become.items(), sizes, strict=True)
        ]


def _first(cells: Sequence[Any]) -> Any:
    *plain_ones, is_true = cells
    found = next((one for one in plain_ones if one is not None), None)
    return bool(is_true) if found is None and is_true is not None else found


def _payload(text: object) -> dict[str, Any] | None:
    """What a row of the log says; None where it cannot be read."""
    if not isinstance(text, str) or len(text) > _MOST_JSON:
        return None
    try:
        value = plain(whole(text))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _parts(values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    for start in range(0, len(values), _AT_ONCE):
        yield tuple(values[start : start + _AT_ONCE])
