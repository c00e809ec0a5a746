# SPDX-License-Identifier: MIT
"""Whose bytes a find lies in: a kept record, a record set apart, or nobody who may have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from memory_gui.engine.pages.record import decode_record, encoding_name, key_of
from memory_gui.engine.pages.survey import Survey, Tree
from memory_gui.engine.virtual import FullText, full_text_of
from memory_gui.erasure.plan import TableKind
from memory_gui.erasure.proof import TABLE, Find, KeptHit

MOST_REFS: Final = 1_000
"""Kept records that are named; more are counted under the last."""
_GONE: Final = ""
"""Stands for "an erased row that is still there"."""
_SCHEMA: Final = "sqlite_schema"

Row = tuple[str, int]
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the prover knows of the store.

    ``tables`` names kinds; ``erased`` is table -> (key columns, keys that must be gone). Where
    ``tables`` is empty the layout is not known, and each row is named by its table and number.
    ``words``: the shortest texts are looked for as whole words (an erase), not anywhere (a person
    who asks for them).
    """

    tables: Mapping[str, TableKind]
    erased: Mapping[str, tuple[tuple[str, ...], frozenset[Key]]]
    words: bool = True


class Places:
    """Finds, sorted by where they lie. Counts are numbers of separate runs of bytes.

    ``hits`` are those that nobody may have; ``full_text`` those in the segments of an index, by
    its name, which the caller judges.
    """

    def __init__(self, survey: Survey, wanted: Wanted) -> None:
        self._survey = survey
        self._wanted = wanted
        self._encoding = encoding_name(survey.file.header.encoding)
        self._kept: dict[str, int] = {}
        self._apart: dict[tuple[str, str], int] = {}
        self._refs: dict[Row, str] = {}
        self._index_finds: dict[Row, int] = {}
        self._sample_finds = 0
        self._keys: dict[str, frozenset[int]] = {}
        self._segments: dict[str, str] = {}
        self.full_text: dict[str, int] = {}
        self.hits = 0

    def add(self, tree: Tree, rowid: int, payload: bytes, count: int) -> None:
        """Count finds in one cell. ``payload`` is whole.

        Raises:
            PageError: the payload is no record.
        """
        if tree.kind == "index":
            values = decode_record(payload, self._encoding)
            last = values[-1] if values else None
            row = (tree.table, last if isinstance(last, int) else 0)
            self._index_finds[row] = self._index_finds.get(row, 0) + count
        elif tree.name.startswith("sqlite_stat"):
            self._sample_finds += count
        elif (name := self._index_of(tree.name)) is not None:
            self.full_text[name] = self.full_text.get(name, 0) + count
        elif tree.name == _SCHEMA:
            table = str(decode_record(payload, self._encoding)[2])
            # A word of the agent's own layout is no content; a view of somebody's may be.
            own = not self._wanted.tables or table in self._wanted.tables
            if not own:
                self._set_apart(_SCHEMA, TABLE, count)
        else:
            ref = self._name(tree, rowid, payload)
            self._refs[tree.name, rowid] = ref
            self._count(tree.name, ref, count)

    def finish(self) -> None:
        """Settle what could not be told while reading: entries of indexes, and samples."""
        unknown: dict[str, set[int]] = {}
        for table, rowid in self._index_finds:
            if (table, rowid) not in self._refs:
                unknown.setdefault(table, set()).add(rowid)
        for table, rowids in unknown.items():
            for rowid in self._living(table, rowids):
                self._refs[table, rowid] = f"{table}:{rowid}"
        for (table, rowid), count in self._index_finds.items():
            self._count(table, self._refs.get((table, rowid), _GONE), count)
        # A sample of an index may repeat what kept records hold, and nothing else.
        if not any(self._refs.values()):
            self.hits += self._sample_finds

    @property
    def kept(self) -> tuple[KeptHit, ...]:
        """Kept records that share text, the ones with most of it first."""
        named = sorted(self._kept.items(), key=lambda item: (-item[1], item[0]))
        return tuple(KeptHit(ref, count) for ref, count in named[:MOST_REFS])

    @property
    def apart(self) -> list[Find]:
        """Kinds set apart, and tables that are not the agent's, that still hold text."""
        return [Find(where, what, count) for (where, what), count in sorted(self._apart.items())]

    def holds_values(self, tree: Tree) -> bool:
        """Whether a tree's rows have values that somebody wrote: no index, nothing of SQLite's."""
        if tree.kind != "table" or tree.name.startswith("sqlite_"):
            return False
        return self._index_of(tree.name) is None

    def values(self, tree: Tree, payload: bytes, *, keys: bool) -> bytes:
        """The texts and blobs of a row, apart from each other; without ``keys`` not its own key.

        Raises:
            PageError: the payload is no record.
        """
        own = frozenset[int]() if keys else self._key_places(tree)
        parts = []
        for place, value in enumerate(decode_record(payload, self._encoding)):
            if place in own:
                continue
            if isinstance(value, str):
                parts.append(value.encode("utf-8", "surrogatepass"))
            elif isinstance(value, bytes):
                parts.append(value)
        return b"\xff".join(parts)

    def _key_places(self, tree: Tree) -> frozenset[int]:
        if tree.name not in self._keys:
            known, columns = self._wanted.tables.get(tree.name), tree.columns
            own = known.key_columns if known is not None and not columns.without_rowid else ()
            places = (i for i, name in enumerate(columns.names) if name in own)
            self._keys[tree.name] = frozenset(places)
        return self._keys[tree.name]

    def _count(self, table: str, ref: str, count: int) -> None:
        known = self._wanted.tables.get(table)
        if ref == _GONE:
            self.hits += count
        elif known is not None and known.apart:
            self._set_apart(known.kind, known.kind, count)
        elif known is None and self._wanted.tables:
            # What a person may keep is a record. A row of a table that is none is a copy.
            self._set_apart(table, TABLE, count)
        else:
            self._kept[ref] = self._kept.get(ref, 0) + count

    def _set_apart(self, where: str, what: str, count: int) -> None:
        self._apart[where, what] = self._apart.get((where, what), 0) + count

    def _name(self, tree: Tree, rowid: int, payload: bytes) -> str:
        columns = tree.columns
        if columns.without_rowid:
            return tree.name  # stored in another order than declared
        values = decode_record(payload, self._encoding)
        gone = self._wanted.erased.get(tree.name)
        if gone is not None and key_of(columns, values, rowid, gone[0]) in gone[1]:
            return _GONE
        known = self._wanted.tables.get(tree.name)
        key = key_of(columns, values, rowid, known.key_columns) if known is not None else None
        if known is None or key is None:
            return f"{tree.name}:{rowid}"
        return f"{known.kind}:" + "/".join(quote(part, safe="") for part in key)

    def _index_of(self, table: str) -> str | None:
        if not self._segments and self._survey.virtual:
            for index in full_text_in(self._survey):
                for ending in ("_data", "_idx", "_segments", "_segdir"):
                    self._segments[f"{index.name}{ending}"] = index.name
        return self._segments.get(table)

    def _living(self, table: str, rowids: set[int]) -> set[int]:
        for number, tree in enumerate(self._survey.trees):
            if tree.kind == "table" and tree.name == table:
                if tree.columns.without_rowid:
                    return rowids
                return {rowid for rowid, _ in self._survey.rows(number) if rowid in rowids}
        return set()


def full_text_in(survey: Survey) -> list[FullText]:
    """The full-text tables of a schema."""
    found = (full_text_of(tree.name, tree.sql) for tree in survey.virtual)
    return [index for index in found if index is not None]
