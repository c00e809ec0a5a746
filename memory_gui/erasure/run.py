# SPDX-License-Identifier: MIT
"""Carrying out a plan: pending entry, eraser, prover; and finishing what was stopped.

The caller must have closed its own connections to the stores. Keys are by the plan's paths. All
functions are synchronous; call them from a worker thread. They may be called in a process that
has SQLite loaded: nothing here opens a database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from memory_gui.domain.erasing import EraseRows, SideFile
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.filecuts import FileCut
from memory_gui.domain.keptfiles import KeptFile
from memory_gui.domain.keys import Key, RawKey
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.engine.holders import open_by
from memory_gui.erasure.answers import (
    is_unnamed,
    not_begun,
    now,
    plan_to_resume,
    planned,
    result_of,
    unchanged,
)
from memory_gui.erasure.asking import prove_store
from memory_gui.erasure.filecuts import paths_of, with_kept
from memory_gui.erasure.filework import FilesWork
from memory_gui.erasure.keptfiles import still_kept, told_apart
from memory_gui.erasure.left import limits_after
from memory_gui.erasure.plan import ErasePlan, StorePlan, TableKind, plan_limits, plan_of
from memory_gui.erasure.proof import Proof
from memory_gui.erasure.result import (
    KEPT,
    NEW_GIVEN,
    NEW_KEY,
    Count,
    EraseResult,
    EraseState,
    StoreResult,
    worst,
)
from memory_gui.erasure.taking import Busy, Job, take_over
from memory_gui.erasure.work import StoreWork
from memory_gui.ledger import DONE, Pending, PendingErase

__all__ = [
    "EraseResult",
    "Pending",
    "Proof",
    "is_done",
    "is_unnamed",
    "not_begun",
    "plan_to_resume",
    "planned",
    "prove",
    "resume",
    "run_erase",
]


Settle = Callable[[str], str]
"""Asked for the key's state (``StoreResult.key``) of the database at a path."""


def is_done(entry: PendingErase) -> bool:
    """Whether an entry is kept only so that the same command, given again, is understood."""
    return entry.state == DONE


def run_erase(
    plan: ErasePlan,
    keys: Mapping[str, Key | None],
    *,
    pending: Pending,
    tick: Tick = no_tick,
    cancel: CancelToken | None = None,
    accept_side_files: bool = False,
    clean_side_files: bool = True,
    again: Mapping[str, str] | None = None,
    new_keys: Mapping[str, RawKey] | None = None,
    settle: Settle = lambda _path: KEPT,
) -> EraseResult:
    """Erase and prove, over all stores of the plan.

    Before anything is touched every store is asked who has it open: one that is held leaves all
    as they are. An erase of the same store that was begun before is finished in the same go.
    ``again``: by path, entries whose rows are gone already and that this continues.
    ``clean_side_files``: text in files that the agent wrote by itself is overwritten.
    ``new_keys``: by path, what the databases are given in the same act; ``settle`` is asked for
    each of them, when its work has ended, which key it is under.

    Raises:
        Cancelled: stopped before the point of no return; nothing changed.
        UserError: ``erase.nothing``, ``erase.more_rows``, ``erase.rowids``, ``key.*``,
            ``store.*``, ``raw.*``, ``pending.*``: nothing changed.
    """
    started = now()
    writing = [store for store in plan.stores if store.is_written]
    if not writing:
        raise UserError("erase.nothing")
    jobs, busy = _take_all(writing, keys, pending, (tick, cancel), again or {})
    held = [] if busy else _held(plan, writing)
    results: list[StoreResult] = []
    unseen = False
    if busy or held:
        results = busy or held
    else:
        # Each file once, with the first database: the texts are those of all of them.
        cleans = clean_side_files and not accept_side_files
        files = plan.side_files if cleans else ()
        for job in jobs:
            new = (new_keys or {}).get(job.plan.path)
            work = _work(replace(job, new_key=new, side_files=files), pending, tick)
            files = ()
            try:
                done = work.run(cancel, accept_side_files=accept_side_files)
                results.append(_with_key(done, job, work, settle, pending))
            except (UserError, Cancelled) as error:
                results.append(_stopped(job, error, results, jobs, pending))
            cancel = None  # one store is erased: the others follow
            unseen = unseen or work.unseen
        for store in plan.stores:
            if not store.is_written:
                results.append(
                    _look_only(store, keys.get(store.path), pending, tick, accept_side_files)
                )
    return result_of(plan, results, started, unseen=unseen)


def resume(
    entry: PendingErase,
    key: Key | None,
    *,
    pending: Pending,
    tick: Tick = no_tick,
    texts: Sequence[str] = (),
    side_files: Sequence[SideFile] = (),
    accept_side_files: bool = False,
    new_key: RawKey | None = None,
    settle: Settle = lambda _path: KEPT,
    rows: Sequence[EraseRows] | None = None,
    whole: bool = True,
    files: Sequence[FileCut] = (),
    kept_files: Sequence[KeptFile] = (),
    changed: str = "",
) -> EraseResult:
    """Finish an erase that was stopped. Without ``texts`` it is proved by structure only.

    ``rows`` are those that are still to go, where the entry could not name them: without them
    such an erase is not finished. In ``side_files`` the texts are overwritten, unless they are
    accepted there; ``whole`` says that no text of the erase is missing. Those that an earlier run
    found text in stay named until they are accepted. ``files`` say where in text files lie the
    records that stay. ``kept_files``: of ``side_files`` those that stay as
    they are. ``changed``: what became of the key, where an earlier run changed it.

    Raises:
        UserError: as ``run_erase``.
    """
    started = now()
    store = replace(
        plan_of(entry.store_path, entry.scheme),
        texts=tuple(texts),
        side_files=tuple(side_files),
    )
    store = replace(store, kept=still_kept(store.kept, kept_files, side_files))
    if rows is not None:
        store = replace(store, rows=tuple(rows), anyway=True)
    plan = ErasePlan((store,), plan_limits([store]))
    if rows is None and is_unnamed(store):
        reason = UserError("erase.rows_unnamed", path=store.path)
        known = {t: Count(found=int(n)) for t, n in entry.scheme.get("counts", {}).items()}
        kept = replace(unchanged(store, (), reason), counts=known)
        return result_of(plan, [kept], started, unseen=False)
    unseen = False
    try:
        job = take_over(store, key, pending, tick, entry.id)
    except Busy as error:
        results = [_busy(store.path, error)]
    else:
        if job.plan.files and files:
            job = replace(job, plan=replace(job.plan, files=with_kept(job.plan.files, files)))
        plan = replace(plan, stores=(replace(job.plan, texts=store.texts),))
        cleaned = () if accept_side_files else store.side_files
        job = replace(job, new_key=new_key, side_files=cleaned, whole=job.whole and whole)
        work = _work(job, pending, tick)
        done = work.run(None, accept_side_files=accept_side_files)
        results = [_with_key(done, job, work, settle, pending, before=changed)]
        unseen = work.unseen
    return result_of(plan, results, started, unseen=unseen)


def prove(
    path: str,
    key: Key | None,
    texts: Sequence[str] = (),
    *,
    side_files: Sequence[SideFile] = (),
    tables: Sequence[TableKind] = (),
    files: Sequence[FileCut] = (),
    tick: Tick = no_tick,
    cancel: CancelToken | None = None,
) -> Proof:
    """Look from another process: ``memory-cli prove`` ends 8 when it is not clean or has finds.

    Raises:
        UserError: ``store.*``, ``key.*``. Cancelled: as asked.
    """
    plan = StorePlan(
        path=path,
        format="",
        encrypted=key is not None,
        rows=(),
        texts=tuple(text for text in texts if text),
        side_files=tuple(side_files),
        tables=tuple(tables),
        files=tuple(files),
    )
    return prove_store(plan, key, tick=tick, cancel=cancel, words=False)


def accept(result: EraseResult) -> EraseResult:
    """The same act, with what it found listed as not covered because a person accepts it.

    Nothing is read or written. A database where bytes are left stays not proved.
    """
    stores = tuple(
        replace(store, state=EraseState.PROVED, accepted=True)
        if store.state is EraseState.NOT_PROVED and store.proof is not None and store.proof.clean
        else store
        for store in result.stores
    )
    known = list(result.not_covered)
    known += [limit for limit in limits_after(stores, unseen=False) if limit not in known]
    state = worst([store.state for store in stores])
    return replace(result, state=state, stores=stores, not_covered=tuple(known))


# ---- inside


def _work(job: Job, pending: Pending, tick: Tick) -> StoreWork:
    return (FilesWork if job.plan.files else StoreWork)(job, pending, tick)


def _with_key(
    done: StoreResult,
    job: Job,
    work: StoreWork,
    settle: Settle,
    pending: Pending,
    *,
    before: str = "",
) -> StoreResult:
    """The result with what became of the key; an erase that is resumed need not change it again."""
    if not job.plan.encrypted:
        return done
    if work.new_key is None:
        if not before and work.entry.scheme.get("rekeyed"):
            before = NEW_GIVEN if job.plan.given else NEW_KEY
        return replace(done, key=before or KEPT)
    key = settle(job.plan.path)
    if key != KEPT and done.state is not EraseState.PROVED:
        entry = work.entry
        pending.put(replace(entry, scheme={**entry.scheme, "rekeyed": True}))
    return replace(done, key=key)


def _take_all(
    stores: Sequence[StorePlan],
    keys: Mapping[str, Key | None],
    pending: Pending,
    asked: tuple[Tick, CancelToken | None],
    again: Mapping[str, str],
) -> tuple[list[Job], list[StoreResult]]:
    """Every store's entry is on the disk before the first statement."""
    jobs: list[Job] = []
    for store in stores:
        try:
            resumed = again.get(store.path, "")
            key, (tick, cancel) = keys.get(store.path), asked
            jobs.append(take_over(store, key, pending, tick, resumed, cancel=cancel))
        except Busy as error:
            return jobs, [_busy(store.path, error)]
        except BaseException:
            _drop(jobs, pending)
            raise
    return jobs, []


def _busy(path: str, error: Busy) -> StoreResult:
    return StoreResult(
        path,
        EraseState.NOT_FINISHED,
        open_by=open_by([Path(path)]),
        reason=error.code,
        reason_params=dict(error.params),
    )


def _held(plan: ErasePlan, stores: Sequence[StorePlan]) -> list[StoreResult]:
    """When one of the stores is open elsewhere: what to say of each; nothing was changed."""
    holders = {
        store.path: open_by(
            [*(paths_of(store.files) or [Path(store.path)]), *map(Path, store.locks)]
        )
        for store in stores
    }
    if not any(holders.values()):
        return []
    return [
        unchanged(store, holders.get(store.path, ()), UserError("erase.in_use", path=store.path))
        for store in plan.stores
        if store.is_written
    ]


def _stopped(
    job: Job,
    error: UserError | Cancelled,
    results: Sequence[StoreResult],
    jobs: Sequence[Job],
    pending: Pending,
) -> StoreResult:
    """Raise while nothing has changed anywhere; afterwards it is a result among others."""
    if not results:
        _drop(jobs, pending)
        raise error
    code = error.code if isinstance(error, UserError) else "erase.cancelled"
    params = error.params if isinstance(error, UserError) else {}
    return StoreResult(
        job.plan.path, EraseState.NOT_FINISHED, reason=code, reason_params=dict(params)
    )


def _drop(jobs: Sequence[Job], pending: Pending) -> None:
    for job in jobs:
        if job.fresh:
            pending.remove(job.entry.id)


def _look_only(
    store: StorePlan, key: Key | None, pending: Pending, tick: Tick, accept_side_files: bool
) -> StoreResult:
    """A database from which no row goes: search it, and wipe its free space where text is left."""
    proof = told_apart(prove_store(store, key, tick=tick), store.kept)
    places = proof.structure.by_place
    if proof.hits or proof.structure.unreadable or places.get("overflow") or places.get("tail"):
        job = take_over(store, key, pending, tick)
        return _work(job, pending, tick).run(None, accept_side_files=accept_side_files)
    proof = replace(proof, by="content")
    open_finds = bool(proof.still_in)
    state = EraseState.PROVED
    if open_finds and not accept_side_files:
        state = EraseState.NOT_PROVED
    return StoreResult(store.path, state, proof=proof, accepted=open_finds and accept_side_files)
