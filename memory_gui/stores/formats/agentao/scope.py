# SPDX-License-Identifier: MIT
"""Everything in one store that carries the content of some records: what an erase must take."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from memory_gui.domain.erasing import EraseRows, EraseScope
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.domain.work import nobody_asks
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.agentao.rows import ref_of
from memory_gui.stores.formats.agentao.schema import KEY_COLUMNS, TABLES
from memory_gui.stores.formats.agentao.tables import Tables
from memory_gui.stores.sql.cells import Cell, Row
from memory_gui.stores.sql.windows import Windows, fold

_TITLE_BYTES: Final = 12
"""Shorter titles are words of the trade ("language", "editor"), which prove nothing."""
_WORD: Final = 8
"""A text of fewer bytes ("yes", "vim") takes only proposals that say just that."""

_MANY: Final = 16
"""For more records one pass over a table is quicker than a look-up for each."""

_CARRIERS: Final = {
    "memory": ("content", "title"),
    "review": ("content", "title", "evidence"),
    "summary": ("summary_text",),
    "event": ("detail",),
    "meta": ("value",),
}
"""Columns in which text of a memory may stand, by kind."""


_TITLED: Final = frozenset({"memory", "review", "summary"})
"""Kinds in which the words of a title may stand as somebody else's."""

_OPAQUE: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
"""An id as Agentao makes them, and as tests do: one word, which a sentence is not."""

_BATCH: Final = 200
"""Records that are looked up between two checks."""


@dataclass(slots=True)
class _Taken:
    """What is taken so far: rows by kind and rowid, and the texts they carry."""

    rows: dict[str, dict[int, Row]] = field(default_factory=lambda: {kind: {} for kind in TABLES})
    texts: dict[str, None] = field(default_factory=dict)

    def add(self, kind: str, row: Row) -> None:
        self.rows[kind][row.rowid] = row
        for column in _CARRIERS[kind]:
            if text := row.text(column).strip():
                if column == "title" and len(text.encode(errors="replace")) < _TITLE_BYTES:
                    continue
                self.texts[text] = None

    def has(self, kind: str, row: Row) -> bool:
        return row.rowid in self.rows[kind]


def erase_scope(
    tables: Tables,
    refs: Sequence[Ref],
    also_texts: Sequence[str],
    check: Callable[[], object] = nobody_asks,
) -> EraseScope:
    """The rows that carry the records' content, the texts, and the rows that carry it and stay.

    ``check`` is called after each batch of rows.

    Raises:
        UserError: ``store.cannot`` for a meta row: it is the agent's own bookkeeping.
    """
    taken = _Taken()
    missing = _take_named(tables, refs, taken, check)
    for text in also_texts:
        if text.strip():
            taken.texts[text.strip()] = None
    seen = _Rows(tables, check)
    _take_twins(tables, taken, seen)
    keys = _keys(taken, refs, also_texts, tables)
    if any(ref.kind == "memory" for ref in refs) or also_texts:
        _take_proposals(taken, keys, seen)
    _take_events(tables, taken, seen)
    still_in, texts = _kept(tables, taken, seen)
    return EraseScope(
        store=tables.store,
        rows=tuple(_erase_rows(tables, kind, rows) for kind, rows in taken.rows.items() if rows),
        texts=texts,
        missing=tuple(missing),
        still_in=still_in,
    )


def _take_named(
    tables: Tables, refs: Sequence[Ref], taken: _Taken, check: Callable[[], object]
) -> list[Ref]:
    """Take the rows that are named; the refs of those that are not there."""
    if any(ref.kind == "meta" for ref in refs):
        raise UserError("store.cannot", act="erase", format="agentao")
    mine = [ref for ref in refs if ref.store == tables.store]
    missing = []
    for start in range(0, len(mine), _BATCH):
        check()
        some = mine[start : start + _BATCH]
        rows: dict[tuple[str, tuple[str, ...]], Row] = {}
        for kind in {ref.kind for ref in some} - {"event"}:
            keys = [ref.key[0] for ref in some if ref.kind == kind and len(ref.key) == 1]
            rows.update({(kind, (key,)): row for key, row in tables.rows(kind, keys).items()})
        for ref in some:
            row = rows.get((ref.kind, ref.key)) or tables.row(ref)
            if row is None:
                missing.append(ref)
            else:
                taken.add(ref.kind, row)
    return missing


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a table, with a check after each batch."""

    tables: Tables
    check: Callable[[], object]

    def of(self, kind: str, where: str = "1") -> Iterator[list[Row]]:
        """In batches."""
        for rows in self.tables.batches(kind, where) if self.tables.has(kind) else ():
            yield rows
            self.check()


def _take_twins(tables: Tables, taken: _Taken, seen: _Rows) -> None:
    """Dead rows with the same scope and key: older forms of the same memory."""
    mine = {(r.cells["scope"], r.cells["key_normalized"]) for r in taken.rows["memory"].values()}
    for twin in _dead(tables, mine, seen):
        if not taken.has("memory", twin):
            taken.add("memory", twin)


def _dead(tables: Tables, keys: set[tuple[Cell, Cell]], seen: _Rows) -> Iterator[Row]:
    if len(keys) <= _MANY:
        for key in keys:
            where = "scope = ? AND key_normalized = ? AND deleted_at IS NOT NULL"
            yield from tables.select("memory", where, key)
        return
    for rows in seen.of("memory", "deleted_at IS NOT NULL"):
        yield from (r for r in rows if (r.cells["scope"], r.cells["key_normalized"]) in keys)


def _keys(
    taken: _Taken, refs: Sequence[Ref], also_texts: Sequence[str], tables: Tables
) -> frozenset[tuple[str, str]]:
    """(scope, key) of the memories; those of the other file by the titles among ``also_texts``."""
    keys = {
        (row.text("scope"), row.text("key_normalized")) for row in taken.rows["memory"].values()
    }
    if any(ref.store != tables.store and ref.kind == "memory" for ref in refs):
        # Only the person's memories have proposals in another file than their own.
        keys |= {("user", rules.bare_key(t)) for t in also_texts if len(t) <= rules.TITLE_LIMIT}
    return frozenset((scope, key) for scope, key in keys if key)


def _take_proposals(taken: _Taken, keys: frozenset[tuple[str, str]], seen: _Rows) -> None:
    words = {text.casefold() for text in taken.texts}
    long = (text for text in taken.texts if len(text.encode(errors="replace")) >= _WORD)
    windows = Windows(long, seen.check)
    for rows in seen.of("review"):
        held = _holding(rows, windows, ("content", "evidence"))
        for place, row in enumerate(rows):
            said = row.text("content").strip().casefold()
            if place in held or said in words or _same_key(row, keys):
                taken.add("review", row)


def _holding(rows: Sequence[Row], windows: Windows, columns: Sequence[str]) -> set[int]:
    """The places of rows that hold something in one of the columns."""
    found = windows.in_texts([row.text(column) for row in rows for column in columns])
    return {place // len(columns) for place in found}


def _same_key(row: Row, keys: frozenset[tuple[str, str]]) -> bool:
    """The memory's own key; or one that Agentao made it of when it approved the item.

    A proposal that still waits and only shares what is left of its key is somebody else's.
    """
    scope, own = row.text("scope"), row.text("key_normalized")
    if (scope, own) in keys:
        return True
    return row.text("status") == "approved" and (scope, rules.bare_key(own)) in keys


def _take_events(tables: Tables, taken: _Taken, seen: _Rows) -> None:
    if not tables.has("event"):
        return
    ids = [row.cells["id"] for row in taken.rows["memory"].values()]
    if len(ids) <= _MANY:
        for memory in ids:
            for event in tables.select("event", "memory_id = ?", (memory,)):
                taken.add("event", event)
        return
    wanted = set(ids)
    for events in seen.of("event"):
        for event in events:
            if event.cells["memory_id"] in wanted:
                taken.add("event", event)


def _kept(tables: Tables, taken: _Taken, seen: _Rows) -> tuple[tuple[Ref, ...], tuple[str, ...]]:
    """By one pass over the rows that stay: those that carry the text, and what can be proved.

    The first are named so that nobody believes the text gone. The second are the texts that must
    not be found: titles only where no kept row has the same words.
    """
    contents = set(_contents(taken))
    windows = Windows((text for text in taken.texts if text in contents), seen.check)
    titles = [text for text in taken.texts if text not in contents]
    of_titles = Windows(titles, seen.check)
    found: list[Ref] = []
    shared: set[str] = set()
    for kind, carriers in _CARRIERS.items():
        names = (*carriers, "key_normalized") if titles and kind in _TITLED else carriers
        for numbers, cells in tables.texts(kind, names):
            seen.check()
            kept = [place for place, n in enumerate(numbers) if n not in taken.rows[kind]]
            width = len(names)
            texts = fold(cells[place * width + at] for place in kept for at in range(width))
            held = {
                place // width
                for place in windows.in_folded(texts)
                if place % width < len(carriers)
            }
            rows = tables.numbered(kind, [numbers[kept[place]] for place in sorted(held)])
            found += [ref_of(tables.store, kind, row) for row in rows]
            if len(names) > len(carriers):
                shared |= of_titles.newly_held(texts)
    provable = (text for text in taken.texts if text in contents or text not in shared)
    return tuple(found), tuple(provable)


def _contents(taken: _Taken) -> list[str]:
    """The texts proper; a title that is shared with other records carries nobody's content."""
    titles = {
        row.text("title").strip()
        for kind in ("memory", "review")
        for row in taken.rows[kind].values()
    }
    contents = {
        row.text(column).strip()
        for kind, columns in _CARRIERS.items()
        for row in taken.rows[kind].values()
        for column in columns
        if column != "title"
    }
    return [text for text in taken.texts if text in contents or text not in titles]


def _erase_rows(tables: Tables, kind: str, rows: dict[int, Row]) -> EraseRows:
    column = KEY_COLUMNS[kind]
    keys = [row.cells[column] for row in rows.values()]
    if all(isinstance(key, str) or (kind == "event" and isinstance(key, int)) for key in keys):
        named = tuple((key,) for key in keys if isinstance(key, (str, int)))
        owners: dict[tuple[str | int, ...], str] = {
            (number,): memory
            for row in rows.values()
            if isinstance(number := row.cells[column], int)
            and isinstance(memory := row.cells.get("memory_id"), str)
            and _OPAQUE.fullmatch(memory)  # it is written down in a note: never a text
        }
        if kind == "event" and len(owners) == len(named):  # counted from 1 in every store
            return EraseRows(TABLES[kind], (column,), named, kind, "memory_id", owners)
        return EraseRows(TABLES[kind], (column,), named, kind)
    rowid = tables.rowid_name(kind)
    return EraseRows(TABLES[kind], (rowid,), tuple((number,) for number in rows), kind)
