# SPDX-License-Identifier: MIT
"""Erasing for good, with proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.filecuts import FileCut
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.engine.holders import family, open_by
from memory_gui.erasure.answers import together
from memory_gui.erasure.limits import Limit
from memory_gui.erasure.plan import ErasePlan, TableKind
from memory_gui.erasure.proof import Proof
from memory_gui.erasure.receipt import receipt_of, refuse_receipt
from memory_gui.erasure.result import EraseResult, EraseState
from memory_gui.erasure.run import accept, not_begun, plan_to_resume, prove, resume, run_erase
from memory_gui.erasure.space import require_space
from memory_gui.ledger import PendingErase
from memory_gui.services.activity.journal import Journal
from memory_gui.services.erased.about import (
    erased_refs,
    holding_after,
    refuse_foreign,
)
from memory_gui.services.erased.receipts import Receipts
from memory_gui.services.erased.returned import Returned
from memory_gui.services.erasing.begun import BegunErasures
from memory_gui.services.erasing.kepthits import by_records
from memory_gui.services.erasing.keys import EraseKeys
from memory_gui.services.erasing.plans import ErasePlans, files_of, tables_of
from memory_gui.services.erasing.still import still_there
from memory_gui.services.library.keyfinder import KeyFinder
from memory_gui.services.library.library import Library
from memory_gui.services.neighbours import Held
from memory_gui.services.neighbours.apart import Apart
from memory_gui.services.own.known import LedgerKeeper
from memory_gui.services.undo.stack import UndoStack
from memory_gui.services.values import KeyPlace

P = ParamSpec("P")


def _to_its_end(
    act: Callable[Concatenate[Erasing, P], EraseResult],
) -> Callable[Concatenate[Erasing, P], EraseResult]:
    """Keep the ledger until it ends, whoever locks meanwhile: each step is written down there."""

    @wraps(act)
    def held(self: Erasing, /, *args: P.args, **kwargs: P.kwargs) -> EraseResult:
        with self._keeper.held():
            return act(self, *args, **kwargs)

    return held


class Erasing(BegunErasures):
    """Runs and proves erasures over the pair. Any thread may call."""

    def __init__(
        self,
        library: Library,
        finder: KeyFinder,
        keeper: LedgerKeeper,
        stack: UndoStack,
        apart: Apart,
        *,
        keys: EraseKeys,
        receipts: Receipts,
        returned: Returned,
        journal: Journal | None = None,
    ) -> None:
        super().__init__(keeper)
        self._receipts = receipts
        self._keys = keys
        self._returned = returned
        self.plans = ErasePlans(library, keys)
        """What an erase would take; nothing is written."""
        self._library = library
        self._journal = journal
        self._finder = finder
        self._stack = stack
        self._apart = apart
        self._done: dict[str, ErasePlan] = {}
        self._kinds: dict[str, str] = {}
        self._on_erased: list[Callable[[ErasePlan], object]] = []

    def when_erased(self, call: Callable[[ErasePlan], object]) -> None:
        """Have each plan whose rows are gone: what is kept elsewhere of its texts goes too."""
        self._on_erased.append(call)

    # ---- other programs

    def open_by(self, plan: ErasePlan) -> tuple[OpenBy, ...]:
        """The other programs that have the stores open; copies of this app are asked later."""
        paths = [store.path for store in plan.stores]
        ours = {one.pid for one in self._apart.holding(paths)}
        locks = [lock for store in plan.stores for lock in store.locks]
        return open_by(map(Path, [*paths, *locks]), excluding=family() | ours)

    # ---- running

    @_to_its_end
    def run(
        self,
        plan: ErasePlan,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
        accept_side_files: bool = False,
        clean_side_files: bool = True,
        receipt: Path | None = None,
        despite_foreign: bool = False,
        new_key: RawKey | None = None,
        kind: str = "selective",
    ) -> EraseResult:
        """Erase and prove. Every copy of the app lets go first and opens again afterwards.

        One that does not makes it "not finished", with nothing changed. Text in files that the
        agent wrote by itself is overwritten (``clean_side_files``) unless it is accepted there.
        Undo forgets everything about the erased records. The receipt is written to ``receipt``.
        ``despite_foreign``: a person has seen ``plan.foreign_sql`` and agrees. ``told`` is called
        when the result has reached the person. The same plan again, or one that takes more
        (``plan.together``), continues what is not proved: it is one act with one receipt.
        Databases whose plan says so get ``new_key``, or one of their own that goes to the keychain.

        Raises:
            UserError: ``erase.*`` (``erase.on_hold``, ``erase.file_on_hold``), ``store.*``
                (``store.foreign_objects``), ``key.*``: nothing was changed.
        """
        refuse_receipt(receipt)
        plan = self.plans.guarded(plan)
        shelves = {shelf.info.path: shelf for shelf in self._library.shelves()}
        mine = [shelves[store.path] for store in plan.stores if store.path in shelves]
        keys = {shelf.info.path: shelf.key for shelf in mine}
        for store in plan.stores:
            if not despite_foreign:
                refuse_foreign(store, shelves.get(store.path))
        require_space([store for store in plan.stores if store.is_written])
        pending = self._keeper.ledger().pending
        plan = self._returned.begin(plan)
        try:
            with (
                self._apart.alone([store.path for store in plan.stores]),
                self._keys.changing(plan, shelves, new_key) as keyed,
            ):
                result = run_erase(
                    plan,
                    keys,
                    pending=pending,
                    tick=tick,
                    cancel=cancel,
                    accept_side_files=accept_side_files,
                    clean_side_files=clean_side_files,
                    again={
                        store.path: found[-1].id
                        for store in plan.stores
                        if (found := self._settled(store))
                    },
                    new_keys=keyed.new,
                    settle=keyed.settle,
                )
            result = by_records(result, mine)
            self._returned.settle(plan, result)
            self._stack.drop(erased_refs(plan))
            for call in self._on_erased if result.state is not EraseState.NOT_FINISHED else ():
                call(plan)
            if self._journal is not None and result.state is not EraseState.NOT_FINISHED:
                chosen = [ref for ref in erased_refs(plan) if ref.kind != "event"]
                kinds = {path: shelf.info.kinds for path, shelf in shelves.items()}
                chosen = [ref for ref in chosen if ref.kind in kinds.get(str(ref.store), ())]
                if chosen:
                    self._journal.done("erase", chosen)
        except Held as held:
            self._returned.drop(plan)
            result = not_begun(plan, held, held.holder)
        except (UserError, Cancelled):
            self._returned.drop(plan)
            raise
        self._kinds[result.id] = kind
        cleaned = clean_side_files and not accept_side_files
        result = replace(result, may_hold=holding_after(plan, result, cleaned=cleaned))
        return self._kept(result, plan, receipt)

    def accept(self, result: EraseResult, plan: ErasePlan) -> EraseResult:
        """A person accepts what was found: listed as not covered, and no longer unfinished.

        Raises:
            UserError: ``pending.*``: it stays listed.
        """
        done = accept(result)
        states = {store.path: store.state for store in done.stores}
        for store in plan.stores:
            if states.get(store.path) is EraseState.PROVED:
                for entry in self._settled(store):
                    self._keeper.ledger().pending.remove(entry.id)
        return done

    def save_receipt(self, result: EraseResult, path: Path) -> Path:
        """Sign and write the receipt of an erase that this run of the app did: nobody else does.

        Raises:
            UserError: ``receipt.exists``, ``receipt.failed``.
        """
        plan = self._done.get(result.id, ErasePlan(()))
        marks = self._receipts.marks()
        kind = self._kinds.get(result.id, "selective")
        document = receipt_of(result, plan, marks.of if marks.on else None, kind=kind)
        self._receipts.write(document, path)
        return path

    def _kept(self, result: EraseResult, plan: ErasePlan, receipt: Path | None) -> EraseResult:
        """Keep what a receipt needs, without texts; write it where one was asked for."""
        bare = [replace(store, texts=()) for store in plan.stores]
        self._done[result.id] = replace(plan, stores=tuple(bare))
        if receipt is None:
            return result
        self.save_receipt(result, receipt)
        return replace(result, receipt=str(receipt))

    # ---- what was begun

    def finish_waiting(self, *, tick: Tick = no_tick) -> tuple[EraseResult, ...]:
        """Finish them. One whose key is not to be had stays listed."""
        results = []
        for entry in self.waiting():
            with suppress(UserError):
                results.append(self.resume(entry, tick=tick))
        return tuple(results)

    def pending_in(self, path: str | Path) -> tuple[PendingErase, ...]:
        """Erasures that were begun and not finished, in any of the files of the store at ``path``.

        Raises:
            UserError: ``store.missing``, ``store.is_folder``.
        """
        files = self._library.locate(path).paths
        return tuple(entry for file in files for entry in self.pending(file))

    def finished_in(self, path: str | Path) -> tuple[PendingErase, ...]:
        """As ``finished``, of all the files of the store at ``path``.

        Raises:
            UserError: ``store.missing``, ``store.is_folder``.
        """
        files = self._library.locate(path).paths
        return tuple(entry for file in files for entry in self.finished(file))

    def finish_begun(
        self, path: str | Path, *, key: Key | None = None, tick: Tick = no_tick
    ) -> tuple[EraseResult, ...]:
        """Finish what was begun in a store and its pair's other one, before they are opened.

        ``key`` is for the store that ``path`` names; the other one's is the keychain's. What waits
        for a person only (not proved, still in side files) stays as it is.

        Raises:
            UserError: as ``resume``, for the store that ``path`` names.
        """
        own, *other = self._library.pair_files(path)
        results = [self.resume(entry, key=key, tick=tick) for entry in self._begun(own)]
        for file in other:
            with suppress(UserError):  # its own opening says why it cannot be opened
                results += [self.resume(entry, tick=tick) for entry in self._begun(file)]
        return tuple(results)

    @_to_its_end
    def resume(
        self,
        entry: PendingErase,
        *,
        key: Key | None = None,
        new_key: RawKey | None = None,
        tick: Tick = no_tick,
        accept_side_files: bool = False,
        receipt: Path | None = None,
    ) -> EraseResult:
        """Finish one. The key is the open store's, the given one, or the keychain's.

        Of a given ``key`` and ``new_key`` the one that opens the file by now is taken.

        Raises:
            UserError: ``key.needed``, ``erase.*``, ``store.*``.
        """
        refuse_receipt(receipt)
        open_now = {s.info.path: s for s in self._library.shelves()}
        plan = plan_to_resume(entry)
        try:
            with (
                self._apart.alone([entry.store_path]),
                self._keys.resuming(entry, open_now, key, new_key, self._key_for) as keyed,
            ):
                still = still_there(self._library, self._returned, entry, keyed.key)
                beside = self.plans.spared(still.side_files, plan.stores[0].kept)
                result = resume(
                    entry,
                    keyed.key,
                    rows=still.rows,
                    texts=still.texts,
                    side_files=beside.files,
                    kept_files=beside.kept,
                    whole=still.whole,
                    files=still.files,
                    pending=self._keeper.ledger().pending,
                    tick=tick,
                    accept_side_files=accept_side_files,
                    new_key=keyed.new.get(entry.store_path),
                    settle=keyed.settle,
                    changed=keyed.changed,
                )
            self._returned.settle(plan, result)
            plan = replace(plan, stores=(replace(plan.stores[0], side_files=still.side_files),))
            plan = replace(plan, may_hold=still.may_hold)
            told = holding_after(plan, result, cleaned=not accept_side_files)
            limits = (*result.not_covered, *self._not_looked_at(entry.store_path))
            if result.state is not EraseState.NOT_FINISHED:
                limits += self.plans.overtaken(plan, still.rows)
            result = replace(result, may_hold=told, not_covered=limits)
        except Held as held:
            result = not_begun(plan, held, held.holder)
        return self._kept(result, plan, receipt)

    def resume_all(
        self,
        entries: Sequence[PendingErase],
        *,
        key: Key | None = None,
        new_key: RawKey | None = None,
        accept_side_files: bool = False,
        receipt: Path | None = None,
    ) -> tuple[EraseResult, ...]:
        """Finish several; one receipt for all: the files of a store have a note each of one act.

        Raises:
            UserError: as ``resume``; ``usage.one_receipt`` where two are of one file: two acts.
        """
        paths = {entry.store_path for entry in entries}
        if receipt is not None and len(paths) < len(entries):
            raise UserError("usage.one_receipt")
        refuse_receipt(receipt)
        results = [
            self.resume(one, key=key, new_key=new_key, accept_side_files=accept_side_files)
            for one in entries
        ]
        if receipt is None or not results:
            return tuple(results)
        plans = [self._done[result.id] for result in results]
        whole = ErasePlan(tuple(store for plan in plans for store in plan.stores))
        self._kept(together(results), whole, receipt)
        return tuple(replace(result, receipt=str(receipt)) for result in results)

    def _not_looked_at(self, path: str) -> tuple[Limit, ...]:
        """The pair's other one, which is searched with the first run only."""
        with suppress(UserError):
            other = self._library.pair_files(path)[1:]
            if any(file.exists() for file in other):
                return (Limit("limit.other_database", {"path": path}),)
        return ()

    def prove(
        self,
        path: str | Path,
        texts: Sequence[str] = (),
        *,
        key: Key | None = None,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> Proof:
        """Look, from another process, whether anything is left."""
        resolved = str(Path(path).resolve())
        open_now = [s for s in self._library.shelves() if s.info.path == resolved]
        side_files: tuple[SideFile, ...] = ()
        tables: tuple[TableKind, ...] = ()
        files: tuple[FileCut, ...] = ()
        if open_now:
            key = open_now[0].key
            side_files = self.plans.side_files(open_now[0])
            tables = open_now[0].screen(tables_of)
            files = open_now[0].screen(files_of)
        elif key is None:
            key = self._key_for(resolved)
        with self._apart.alone([resolved], ask=False):
            return prove(
                resolved,
                key,
                texts,
                side_files=side_files,
                tables=tables,
                files=files,
                tick=tick,
                cancel=cancel,
            )

    def _key_for(self, path: str) -> Key | None:
        return self._finder.key_for(self._library.locate(path), None, KeyPlace.NONE)[0]
