# SPDX-License-Identifier: MIT
"""What an erase would take, over both databases of an agent. Writes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.erasing import EraseRows, EraseScope, MayHold, SideFile
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut
from memory_gui.domain.keptfiles import KeptFile
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken, nobody_asks
from memory_gui.engine.holders import family
from memory_gui.engine.running import running
from memory_gui.erasure.holding import seconds
from memory_gui.erasure.keptfiles import Spared, by_path, spared
from memory_gui.erasure.limits import Limit
from memory_gui.erasure.plan import ErasePlan, StoreFacts, StorePlan, TableKind, make_plan
from memory_gui.services.erasing.keys import EraseKeys
from memory_gui.services.library.library import Library
from memory_gui.services.library.shelf import Shelf
from memory_gui.stores.contract import Store
from memory_gui.stores.habits import habits_of

_TOLD: Final = 2_000
"""Of more records those that go first stand for all when it is asked who was told of them."""
_MANY: Final = 16
"""More records than these are not looked up where the list fetches its rows."""


Guard = Callable[[ErasePlan], ErasePlan]
"""Gives the plan back, changed or not, or raises what speaks against it."""
Overtaken = Callable[[ErasePlan], Sequence[Limit]]
"""Says of a plan that was carried out what it took although it was to stay."""


class ErasePlans:
    """Plans erasures over the pair. Any thread may call."""

    def __init__(self, library: Library, keys: EraseKeys) -> None:
        self._library = library
        self._keys = keys
        self._guards: list[Guard] = []
        self._overtaken: list[Overtaken] = []

    def guard_with(self, guard: Guard) -> None:
        """Ask of each plan, by what it takes; it raises where a record of it must stay."""
        self._guards.append(guard)

    def plan(
        self,
        refs: Sequence[Ref],
        *,
        policy: str | None = None,
        cancel: CancelToken | None = None,
    ) -> ErasePlan:
        """What would go, by table and file, over both databases. Writes nothing.

        Refs that no store holds are in ``missing``. Without a ``policy`` (``keep``, ``new``) an
        encrypted database gets a new key where the keychain holds the one it has.

        Raises:
            UserError: ``erase.on_hold``: a case keeps one of the records that would go.
        """
        wanted = tuple(dict.fromkeys(refs))
        shelves = self._with_partners(dict.fromkeys(ref.store for ref in wanted))
        first = {shelf.id: _scope(shelf, _of(shelf, wanted), (), cancel) for shelf in shelves}
        scopes: list[EraseScope] = []
        for shelf in shelves:
            others = [scope.texts for store, scope in first.items() if store != shelf.id]
            texts = tuple(dict.fromkeys(text for some in others for text in some))
            mine = _of(shelf, wanted)
            scopes.append(_scope(shelf, mine, texts, cancel) if texts else first[shelf.id])
        rows = {scope.store: bool(scope.rows) for scope in scopes}
        facts = {str(one.id): self._facts(one, has_rows=rows[one.id]) for one in shelves}
        plan = self._keys.plan(make_plan(scopes, facts), shelves, policy)
        missing = (*_missing_halves(shelves), *self._unseen(shelves))
        limits = (*plan.not_covered, *missing)
        return self.guarded(
            replace(plan, not_covered=limits, may_hold=self._may_hold(shelves, scopes))
        )

    def tell_overtaken_with(self, overtaken: Overtaken) -> None:
        """Ask of each plan that goes on after a stop: it is finished as it was begun."""
        self._overtaken.append(overtaken)

    def overtaken(
        self, plan: ErasePlan, rows: Sequence[EraseRows] | None = None
    ) -> tuple[Limit, ...]:
        """What was to stay since a plan was begun, and went with it.

        ``rows`` are those of its one store, where its note could not name them.
        """
        if rows is not None:
            plan = replace(plan, stores=(replace(plan.stores[0], rows=tuple(rows)),))
        return tuple(limit for call in self._overtaken for limit in call(plan))

    def guarded(self, plan: ErasePlan) -> ErasePlan:
        """The plan as it may be carried out now: something may have to stay since it was made.

        Raises:
            UserError: as ``plan``, ``erase.file_on_hold``, ``erase.holds_unseen``.
        """
        for guard in self._guards:
            plan = guard(plan)
        return plan

    def spared(self, files: Sequence[SideFile], kept: Sequence[KeptFile]) -> Spared:
        """Other files of an agent as an erase that goes on may look into them.

        ``kept`` are those that its note names. Where nobody can tell what has to stay, all do.
        """
        alone = StorePlan("", "", False, (), (), side_files=tuple(files))
        plan = spared(ErasePlan((alone,)), by_path(kept))
        try:
            plan = self.guarded(plan)
        except UserError:
            unseen = (replace(one, cleanable=False, whole=False) for one in plan.side_files)
            return Spared(tuple(unseen), plan.kept)
        return Spared(plan.side_files, plan.kept)

    def plan_correction(
        self, ref: Ref, new: Sequence[str], *, policy: str | None = None
    ) -> ErasePlan:
        """What goes when a record gets new texts: all that carries the old ones, but not itself.

        Its entries in the change log so far go as well. A database from which no row goes is wiped
        all the same: the old text is in its free space, its log, its indexes.
        """
        plan = self.plan((ref,), policy=policy)
        kept = " \n ".join(new)
        stores = []
        for store in plan.stores:
            own = store.path == str(ref.store)
            rows = tuple(_without(rows, ref) if own else rows for rows in store.rows)
            texts = tuple(text for text in store.texts if text not in kept)
            rows = tuple(one for one in rows if one.keys)
            # Those that the correction itself rewrites are another text by then.
            cells = tuple(
                one for one in store.cells if not own or (ref.kind, ref.key) not in one.of
            )
            stores.append(replace(store, rows=rows, cells=cells, texts=texts, anyway=own))
        return replace(plan, stores=tuple(stores))

    def held_for(self, plan: ErasePlan) -> tuple[tuple[str, int, float], ...]:
        """(path, seconds, seconds its agent waits) where the agent would wait too short a time."""
        long = []
        for store in plan.stores:
            files = (Path(f"{store.path}{role}") for role in ("", "-wal"))
            size = sum(file.stat().st_size for file in files if file.exists())
            held, waits = seconds(store, size), habits_of(store.format).wait_s
            if store.is_written and held > waits:
                long.append((store.path, math.ceil(held), waits))
        return tuple(long)

    def own_clear(self, plan: ErasePlan) -> tuple[tuple[str, str, int], ...]:
        """(kind, TEXT or BYTES, rows): what the agent's own "clear" would have left of a plan."""
        return tuple(
            (rows.kind, left, len(rows.keys))
            for store in plan.stores
            for rows in store.rows
            if (left := habits_of(store.format).own_clear.get(rows.kind)) is not None
        )

    def erasable(self, refs: Sequence[Ref]) -> tuple[list[Ref], list[Ref]]:
        """Those that can be erased, and those that are the agent's own bookkeeping."""
        fixed = {
            store: self._library.shelf(store).screen(lambda found: found.bookkeeping)
            for store in dict.fromkeys(ref.store for ref in refs)
        }
        chosen = [ref for ref in refs if ref.kind not in fixed[ref.store]]
        return chosen, [ref for ref in refs if ref.kind in fixed[ref.store]]

    def plan_query(self, query: Query) -> ErasePlan:
        """The plan for all that a query shows and that can be erased."""
        found = self._library.refs(self._library.search(query, "created").ids)
        return self.plan(self.erasable(found)[0])

    def _with_partners(self, stores: Sequence[StoreId] | dict[StoreId, None]) -> list[Shelf]:
        shelves: dict[StoreId, Shelf] = {}
        for store in stores:
            shelf = self._library.shelf(store)
            shelves[shelf.id] = shelf
            partner = self._library.partner_of(shelf)
            if partner is not None:
                shelves[partner.id] = partner
        return list(shelves.values())

    def _may_hold(
        self, shelves: Sequence[Shelf], scopes: Sequence[EraseScope]
    ) -> tuple[MayHold, ...]:
        """Running agents; models, transcripts and summaries, by the first of very many records."""
        found: list[MayHold] = [*self.programs([shelf.info for shelf in shelves])]
        for shelf, scope in zip(shelves, scopes, strict=True):
            taken = (rows for rows in scope.rows if rows.kind != "event")
            keys = [(rows.kind, key) for rows in taken for key in rows.keys]
            refs = [Ref(shelf.id, kind, tuple(map(str, key))) for kind, key in keys[:_TOLD]]
            records = [one for one in shelf.fetch(refs) if one is not None]
            found += shelf.screen(lambda store, records=records: store.may_hold(records))  # type: ignore[misc]  # mypy knows no defaults of a lambda
        return tuple({(one.code, *one.params.values()): one for one in found}.values())

    def programs(self, stores: Sequence[StoreInfo]) -> tuple[MayHold, ...]:
        """Agents of these stores that are running: they may hold it in memory, and save it anew."""
        ours, found = family(), {}
        for info in stores:
            names = habits_of(info.format).programs
            folder = Path(info.path).parent.parent if info.role == "project" else None
            for one in running(names, folder, excluding=ours) if names else ():
                found[one.pid] = MayHold("hold.program", {"name": one.name, "pid": str(one.pid)})
        return tuple(found.values())

    def _facts(self, shelf: Shelf, *, has_rows: bool) -> StoreFacts:
        info = shelf.info
        return StoreFacts(
            path=info.path,
            format=info.format,
            encrypted=info.encrypted,
            salt=shelf.salt,
            side_files=self.side_files(shelf, everywhere=has_rows),
            tables=shelf.screen(tables_of),
            foreign_sql=info.foreign_sql,
            opaque_ids=shelf.screen(lambda store: store.opaque_ids),
            names=tuple(map(str, self._library.locate(info.path).names)),
        )

    def _unseen(self, shelves: Sequence[Shelf]) -> list[Limit]:
        """Known stores of the same agent whose folders could not be looked into."""
        found = (path for shelf in shelves for path in self._library.unseen_near(shelf))
        return [Limit("limit.store_unseen", {"path": path}) for path in dict.fromkeys(found)]

    def side_files(self, shelf: Shelf, *, everywhere: bool = False) -> tuple[SideFile, ...]:
        """Beside the store; and what an agent is told it repeats in other projects' folders."""
        beside = shelf.screen(lambda store: store.side_files())
        if not everywhere:
            return beside
        return tuple(dict.fromkeys([*beside, *self._library.side_files_near(shelf.info.format)]))


def tables_of(store: Store) -> tuple[TableKind, ...]:
    """Which kind of record each table of a store holds."""
    layout = store.layout().items()
    return tuple(TableKind(table, kind, columns) for kind, (table, columns) in layout)


def files_of(store: Store) -> tuple[FileCut, ...]:
    """All files of a store that is made of text files, none of them cut."""
    return store.erase_scope(()).files if store.follows_path else ()


def all_files_of(store: Store) -> tuple[FileCut, ...]:
    """The same, with those that are a record by themselves."""
    if not store.follows_path:
        return ()
    refs = [record.ref for batch in store.scan() for record in batch]
    return store.erase_scope(refs).files


def _without(rows: EraseRows, ref: Ref) -> EraseRows:
    if rows.kind != ref.kind:
        return rows
    mine = [key for key in rows.keys if tuple(map(str, key)) != ref.key]
    return replace(rows, keys=tuple(mine))


def _missing_halves(shelves: Sequence[Shelf]) -> list[Limit]:
    """Databases of the same agent that could not be looked into."""
    return [
        Limit("limit.other_database", {"path": shelf.info.path})
        for shelf in shelves
        if (shelf.problem is not None and shelf.problem.code != "pair.absent")
        or (shelf.info.role == "user" and shelf.partner is None)
    ]


def _of(shelf: Shelf, refs: Sequence[Ref]) -> tuple[Ref, ...]:
    return tuple(ref for ref in refs if ref.store == shelf.id)


def _scope(
    shelf: Shelf, refs: Sequence[Ref], texts: Sequence[str], cancel: CancelToken | None
) -> EraseScope:
    """Of many records it takes seconds, in which the list goes on fetching what it shows."""
    run = shelf.work if max(len(refs), len(texts)) > _MANY else shelf.screen
    check = nobody_asks if cancel is None else cancel.check
    return run(lambda store: store.erase_scope(refs, texts, check), cancel)
