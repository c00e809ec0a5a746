# SPDX-License-Identifier: MIT
"""What an erase will take: one value, shown by the dry run and carried out by the run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memory_gui.domain.changes import Told
from memory_gui.domain.erasing import CellCut, ErasePart, EraseRows, EraseScope, MayHold, SideFile
from memory_gui.domain.filecuts import FileCut
from memory_gui.domain.keptfiles import KeptFile
from memory_gui.domain.keptrecords import KeptRecords
from memory_gui.domain.records import Ref
from memory_gui.erasure.cells import cell_message, cell_name, cell_of
from memory_gui.erasure.filecuts import REWRITE, cut_from, cut_message
from memory_gui.erasure.limits import Limit, limits_of

RECIPE = "in-place-wipe"
"""The one recipe so far: ERASURE §4 (b); with a new key the rekey follows its VACUUM."""

KEEP, NEW = "keep", "new"
"""What becomes of the key of an encrypted database."""


@dataclass(frozen=True, slots=True)
class TableKind:
    """Which kind of record a table holds, so that a kept record can be named.

    ``key_columns`` is the store's own key. A find in a table with ``apart`` (session summaries) is
    not a kept record: it makes the result "not proved: still in ...", as a side file does.
    """

    table: str
    kind: str
    key_columns: tuple[str, ...]
    apart: bool = False


@dataclass(frozen=True, slots=True)
class StorePlan:
    """The part of a plan that concerns one database.

    ``path`` is resolved, ``salt`` the first 16 bytes as hex of an encrypted file. ``texts`` must
    not be found afterwards; they never reach a file. ``key_policy`` is KEEP or NEW; with NEW,
    ``others`` are files that the old key opens as well, and ``paper`` is the date of the recovery
    sheet that stops working: either keeps the old key. ``foreign_sql`` is what the file holds that
    its agent did not make: it may run when rows go, so a person must have seen it.
    """

    path: str
    format: str
    encrypted: bool
    rows: tuple[EraseRows, ...]
    texts: tuple[str, ...] = field(repr=False)
    salt: str = ""
    side_files: tuple[SideFile, ...] = ()
    tables: tuple[TableKind, ...] = ()
    still_in: tuple[Ref, ...] = ()
    missing: tuple[Ref, ...] = ()
    opaque_ids: bool = True
    key_policy: str = KEEP
    others: tuple[str, ...] = ()
    paper: str = ""
    given: bool = False
    """Whether somebody else keeps the old key: then it is not destroyed with a new one."""
    foreign_sql: tuple[str, ...] = field(default=(), repr=False)
    anyway: bool = False
    """Whether the recipe runs although no row goes: a record there got another text."""
    act: str = ""
    """Under which its records are marked in the ledger; empty where they are not."""
    mode: str = ""
    """The journal mode that the file is to have afterwards; empty: the one it has."""
    files: tuple[FileCut, ...] = ()
    """All files of a store that is made of text files; then there is no database."""
    cells: tuple[CellCut, ...] = ()
    """Places in rows that stay."""
    locks: tuple[str, ...] = ()
    """Files that its agent locks while it has it open; held while it is written to."""
    names: tuple[str, ...] = ()
    """Other paths, through links, by which it was opened: beside those lie side files, too."""
    stays: Mapping[str, str] = field(default_factory=dict)
    """By table what tells the keys that stay (``Store.staying``), where those that go cannot be
    written down; under no name what it was made with."""
    kept: tuple[KeptFile, ...] = ()
    """Of the agent's other files those that stay as they are, by a person's decision."""

    @property
    def is_written(self) -> bool:
        """Whether the database is changed, and not only searched."""
        takes = bool(self.rows) or bool(self.cells) or self.anyway
        return takes or any(file.is_written for file in self.files)

    @property
    def recipe(self) -> str:
        """The name of the recipe."""
        return REWRITE if self.files else RECIPE

    @property
    def counts(self) -> Mapping[str, int]:
        """Table -> rows that go."""
        counts: dict[str, int] = {}
        for rows in self.rows:
            counts[rows.table] = counts.get(rows.table, 0) + rows.total
        for cell in self.cells:
            name = cell_name(cell)
            counts[name] = counts.get(name, 0) + 1
        return counts

    @property
    def gets_new_key(self) -> bool:
        """Whether its key is changed in the same act."""
        return self.key_policy == NEW and self.is_written

    @property
    def total(self) -> int:
        """Rows that go."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class ErasePlan:
    """Everything that one act of erasing takes, over one store or a pair. Nothing is written."""

    stores: tuple[StorePlan, ...]
    not_covered: tuple[Limit, ...] = ()
    may_hold: tuple[MayHold, ...] = ()
    """Who was told it: named for a person to look at."""
    case: int = 0
    """Whose passages of a file these are: what it holds of that file stays beside them."""
    kept_in_cases: tuple[KeptRecords, ...] = ()
    """Records among those that go which a case decided to keep: it does not bind this act."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Table -> rows that go, over all stores."""
        counts: dict[str, int] = {}
        for store in self.stores:
            for table, number in store.counts.items():
                counts[table] = counts.get(table, 0) + number
        return counts

    @property
    def total(self) -> int:
        """Rows that go, over all stores."""
        return sum(store.total for store in self.stores)

    @property
    def missing(self) -> tuple[Ref, ...]:
        """Records that were asked for and are in no store."""
        return tuple(ref for store in self.stores for ref in store.missing)

    @property
    def foreign_sql(self) -> tuple[str, ...]:
        """Statements of what is foreign in the databases from which rows go."""
        return tuple(sql for store in self.stores if store.is_written for sql in store.foreign_sql)

    @property
    def side_files(self) -> tuple[SideFile, ...]:
        """The agent's other files that are searched, each once."""
        return tuple(dict.fromkeys(file for store in self.stores for file in store.side_files))

    @property
    def kept(self) -> tuple[KeptFile, ...]:
        """Those of them that stay as they are, each once."""
        return tuple(dict.fromkeys(one for store in self.stores for one in store.kept))

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that must be gone, each once."""
        return tuple(dict.fromkeys(text for store in self.stores for text in store.texts))


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """What the caller knows of a store beside its scope. ``tables`` lets kept records be named."""

    path: str
    format: str
    encrypted: bool
    salt: bytes = b""
    side_files: tuple[SideFile, ...] = ()
    tables: tuple[TableKind, ...] = ()
    opaque_ids: bool = True
    foreign_sql: tuple[str, ...] = ()
    key_policy: str = KEEP
    others: tuple[str, ...] = ()
    paper: str = ""
    names: tuple[str, ...] = ()


def make_plan(
    scopes: Sequence[EraseScope],
    facts: Mapping[str, StoreFacts],
    *,
    apart_kinds: Collection[str] = ("summary",),
) -> ErasePlan:
    """Compose a plan from the stores' scopes. Writes nothing.

    ``facts`` is by store id. Each database is searched for the texts of all of them, because
    one agent's two databases repeat each other. Tables of ``apart_kinds`` are searched like side
    files. A scope without rows stays in the plan: its database is searched, not written.
    """
    texts = tuple(dict.fromkeys(text for scope in scopes for text in scope.texts if text))
    stores = []
    for scope in scopes:
        known = facts[scope.store]
        tables = {entry.table: entry for entry in known.tables}
        own = {file.path for file in scope.files}
        for table, kind, columns in scope.tables:
            tables.setdefault(table, TableKind(table, kind, columns))
        for rows in () if scope.files else scope.rows:
            tables.setdefault(rows.table, TableKind(rows.table, rows.kind, rows.key_columns))
        stores.append(
            StorePlan(
                path=known.path,
                format=known.format,
                encrypted=known.encrypted,
                salt=known.salt.hex() if known.encrypted else "",
                rows=tuple(rows for rows in scope.rows if rows.keys),
                texts=texts,
                side_files=tuple(one for one in known.side_files if one.path not in own),
                tables=tuple(
                    replace(entry, apart=entry.apart or entry.kind in apart_kinds)
                    for entry in tables.values()
                ),
                still_in=scope.still_in,
                missing=scope.missing,
                opaque_ids=known.opaque_ids,
                foreign_sql=known.foreign_sql,
                key_policy=known.key_policy,
                others=known.others,
                paper=known.paper,
                files=scope.files,
                cells=scope.cells,
                locks=scope.locks,
                names=known.names,
            )
        )
    paths = {store.path for store in stores}
    for scope in scopes:
        parts = [part for part in scope.parts if part.path not in paths]
        stores += [_part_plan(part, facts[scope.store], texts, apart_kinds) for part in parts]
        paths |= {part.path for part in parts}
    unread = dict.fromkeys(path for scope in scopes for path in scope.unread)
    limits = [Limit("limit.unread_file", {"path": path}) for path in unread]
    beyond = dict.fromkeys(_limit(one) for scope in scopes for one in scope.beyond)
    limits += [Limit(code, dict(values)) for code, values in beyond]
    return ErasePlan(tuple(stores), (*plan_limits(stores), *limits))


def _limit(told: Told) -> tuple[str, tuple[tuple[str, str], ...]]:
    return told.code, tuple((name, str(value)) for name, value in told.values.items())


def _part_plan(
    part: ErasePart, known: StoreFacts, texts: tuple[str, ...], apart_kinds: Collection[str]
) -> StorePlan:
    """One more file of a store, under the store's own format."""
    return StorePlan(
        path=part.path,
        format=known.format,
        encrypted=False,
        rows=tuple(rows for rows in part.rows if rows.keys),
        texts=texts,
        tables=tuple(
            TableKind(table, kind, columns, apart=kind in apart_kinds)
            for table, kind, columns in part.tables
        ),
        opaque_ids=known.opaque_ids,
        files=part.files,
        cells=part.cells,
        locks=part.locks,
    )


def plan_limits(stores: Sequence[StorePlan]) -> tuple[Limit, ...]:
    """What an erase of these does not reach; a kept old key is told where it is known."""
    limits = limits_of([(s.path, s.encrypted, s.gets_new_key) for s in stores])
    kept = [path for store in stores if store.gets_new_key for path in store.others]
    more = [Limit("limit.old_key_files", {"path": path}) for path in dict.fromkeys(kept)]
    papers = [store.paper for store in stores if store.gets_new_key and store.paper]
    more += [Limit("limit.old_key_paper", {"date": date}) for date in dict.fromkeys(papers)]
    if any(store.gets_new_key and store.given for store in stores):
        more.append(Limit("limit.old_key_given"))
    return (*limits, *more)


def scheme_of(plan: StorePlan) -> dict[str, Any]:
    """What a pending entry keeps of a plan: no text, and keys only where ids are opaque."""
    return {
        "version": 1,
        "recipe": plan.recipe,
        "key_policy": plan.key_policy,
        "others": list(plan.others),
        "paper": plan.paper,
        "given": plan.given,
        "format": plan.format,
        "encrypted": plan.encrypted,
        "salt": plan.salt,
        "opaque_ids": plan.opaque_ids,
        "counts": dict(plan.counts),
        "side_files": len(plan.side_files),
        "foreign": bool(plan.foreign_sql),
        "anyway": plan.anyway,
        "act": plan.act,
        "wanted_mode": plan.mode,
        "files": [cut_message(file) for file in plan.files],
        "cells": [cell_message(cell) for cell in plan.cells],
        "locks": list(plan.locks),
        "names": list(plan.names),
        "stays": dict(plan.stays),
        "kept": [one.as_json() for one in plan.kept],
        "rows": [
            row_message(rows if plan.opaque_ids else replace(rows, keys=())) for rows in plan.rows
        ],
        "tables": [
            {
                "table": entry.table,
                "kind": entry.kind,
                "key_columns": list(entry.key_columns),
                "apart": entry.apart,
            }
            for entry in plan.tables
        ],
    }


def plan_of(path: str, scheme: Mapping[str, Any]) -> StorePlan:
    """The plan that a pending entry remembers, without texts."""
    return StorePlan(
        path=path,
        format=str(scheme.get("format", "")),
        encrypted=bool(scheme.get("encrypted", False)),
        rows=tuple(rows_of(entry) for entry in scheme.get("rows", ())),
        texts=(),
        salt=str(scheme.get("salt", "")),
        tables=tuple(table_of(entry) for entry in scheme.get("tables", ())),
        opaque_ids=bool(scheme.get("opaque_ids", True)),
        key_policy=str(scheme.get("key_policy", KEEP)),
        others=tuple(scheme.get("others", ())),
        paper=str(scheme.get("paper", "")),
        given=bool(scheme.get("given", False)),
        anyway=bool(scheme.get("anyway", False)),
        act=str(scheme.get("act", "")),
        mode=str(scheme.get("wanted_mode", "")),
        files=tuple(cut_from(entry) for entry in scheme.get("files", ())),
        cells=tuple(cell_of(entry) for entry in scheme.get("cells", ())),
        locks=tuple(scheme.get("locks", ())),
        names=tuple(scheme.get("names", ())),
        stays=dict(scheme.get("stays", {})),
        kept=tuple(KeptFile.of(entry) for entry in scheme.get("kept", ())),
    )


def row_message(rows: EraseRows) -> dict[str, Any]:
    """Rows for a message or a pending entry."""
    data: dict[str, Any] = {
        "table": rows.table,
        "key_columns": list(rows.key_columns),
        "keys": [list(key) for key in rows.keys],
        "kind": rows.kind,
    }
    if rows.number is not None:
        data["number"] = rows.number
    if rows.owner:
        data |= {"owner": rows.owner, "owners": [rows.owners[key] for key in rows.keys]}
    return data


def rows_of(entry: Mapping[str, Any]) -> EraseRows:
    """Rows as they stand in a message or a pending entry."""
    keys = tuple(tuple(key) for key in entry["keys"])
    return EraseRows(
        str(entry["table"]),
        tuple(entry["key_columns"]),
        keys,
        str(entry["kind"]),
        str(entry.get("owner", "")),
        dict(zip(keys, entry.get("owners", ()), strict=False)),
        entry.get("number"),
    )


def table_of(entry: Mapping[str, Any]) -> TableKind:
    """A table's kind as it stands in a message or a pending entry."""
    return TableKind(
        str(entry["table"]),
        str(entry["kind"]),
        tuple(entry["key_columns"]),
        bool(entry.get("apart", False)),
    )
