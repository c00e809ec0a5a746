# SPDX-License-Identifier: MIT
"""One database from the pending entry to the proof, with both children watched."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from memory_gui import lazy
from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import Cancelled, MemoryGuiError, UserError
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.erasure.asking import prove_store
from memory_gui.erasure.copies import with_copies
from memory_gui.erasure.keptfiles import told_apart
from memory_gui.erasure.messages import (
    Message,
    cells_message,
    counts_from,
    key_message,
    open_by_from,
    rows_message,
    side_files_message,
    step_from,
    taken_from,
    taken_message,
)
from memory_gui.erasure.proof import Find, Proof
from memory_gui.erasure.result import OTHER_STORE, Count, EraseState, Step, StoreResult
from memory_gui.erasure.taking import Job
from memory_gui.ledger import DONE, Pending, PendingErase
from memory_gui.process.child import Child, ChildGone

_WAITING: Final = frozenset({"store.locked", "erase.in_use", "store.disk_full", "process.gone"})
"""Reasons that pass by themselves: the erase stays written down and is finished later."""


class StoreWork:
    """Erases and proves one database. Used by one thread."""

    def __init__(self, job: Job, pending: Pending, tick: Tick) -> None:
        self._plan = job.plan
        self._key = job.key
        self.new_key = job.new_key
        self._entry = job.entry
        self._fresh = job.fresh
        self._whole = job.whole
        self._before = job.before
        self._to_clean = job.side_files
        self._pending = pending
        self._tick = tick
        self._steps: tuple[Step, ...] = ()
        self._unseen = False
        self._numbered = 0
        self._moved = False
        """Whether it goes on in another file than it began in."""
        self._recipe: Mapping[str, Any] = {}
        self._past = False

    def run(self, cancel: CancelToken | None, *, accept_side_files: bool) -> StoreResult:
        """Erase, then prove.

        Raises:
            Cancelled: before the point of no return; nothing changed.
            UserError: nothing changed, and it will not pass by itself.
        """
        child = Child.start("eraser")
        self._past = False
        try:
            erased = self._erase(child, cancel)
            if erased.state is not EraseState.PROVED:
                return erased
            # The eraser holds the file until the proof is made: nobody writes in between.
            return self._prove(child, erased, accept_side_files=accept_side_files)
        finally:
            # Past the point of no return it goes on by itself when we are stopped here.
            if not self._past:
                child.close()

    @property
    def unseen(self) -> bool:
        """Whether a program of another user could have had the file open without being seen."""
        return self._unseen

    @property
    def entry(self) -> PendingErase:
        """What is written down of it."""
        return self._entry

    # ---- erasing

    def _erase(self, child: Child, cancel: CancelToken | None) -> StoreResult:
        try:
            self._lease(child.pid)
            blocked = self._make_ready(child)
            if blocked is not None:
                return blocked
            if cancel is not None and cancel.cancelled:
                child.ask({"do": "stop"})
                raise Cancelled
            self._write_down(state="erasing")
            self._past = True
            work = {"do": "erase", "new_key": key_message(self.new_key)}
            answer = child.ask(work, tick=self._tick)
            self._past = False
            if answer.get("rekeyed"):
                self._key = self.new_key
                self._entry = replace(self._entry, scheme={**self._entry.scheme, "rekeyed": True})
            return self._after(answer)
        except ChildGone:
            self._past = False
            return self._not_finished("process.gone", {"worker": "eraser"})
        except Cancelled:
            self._past = False
            self._drop_if_fresh()
            raise
        except UserError as error:
            self._past = False
            if not _is_put_back(child):  # the next run does it, and must know what it was
                return self._not_finished(error.code, error.params)
            self._drop_if_fresh()
            raise

    def _make_ready(self, child: Child) -> StoreResult | None:
        answer = child.ask(
            {
                "do": "open",
                "path": self._plan.path,
                "key": key_message(self._key),
                "rows": rows_message(self._plan.rows),
                "cells": cells_message(self._plan.cells),
                "locks": list(self._plan.locks),
                "anyway": self._plan.anyway,
                "mode": self._entry.scheme.get("journal_mode"),
                "wanted": self._entry.scheme.get("wanted_mode"),
                "foreign": bool(self._entry.scheme.get("foreign")),
                "foreign_sql": list(self._plan.foreign_sql),
                "tables": [entry.table for entry in self._plan.tables],
                "file": {k: self._entry.scheme.get(k) for k in ("inode", "encrypted", "salt")},
                "new_key": self.new_key is not None,
                "texts": list(self._plan.texts) if self._to_clean else [],
                "side_files": side_files_message(self._to_clean),
            },
            tick=self._tick,
        )
        if answer.get("other"):
            self._write_down(state="not-proved", other=True)
            return self._unproved(OTHER_STORE)
        if "blocked" not in answer:
            self._numbered = int(answer["numbered"])
            self._unseen = bool(answer["unseen"])
            # Written down before it is changed: a later run must know what it was.
            self._recipe = answer.get("recipe", {})
            self._moved = answer["file"]["inode"] != self._entry.scheme.get("inode")
            # From now on it is this file, where a backup brought the rows back.
            noted = {**answer["file"], "journal_mode": answer["mode"], "unseen": self._unseen}
            # A run that goes on does not know the triggers' SQL: what the first one found counts.
            noted["copied_to"] = self._entry.scheme.get("copied_to", answer["copied_to"])
            self._write_down(other=False, **noted)
            answer = child.ask({"do": "prepare"}, tick=self._tick)
        if "blocked" in answer:
            self._steps = tuple(step_from(step) for step in answer["steps"])
            self._write_down(state="waiting")
            return self._not_finished(
                answer["blocked"],
                {"path": self._plan.path},
                open_by=open_by_from(answer["open_by"]),
            )
        return None

    def _after(self, answer: Message) -> StoreResult:
        self._steps = tuple(step_from(step) for step in answer["steps"])
        counts = counts_from(answer["counts"])
        if "failed" not in answer:
            state = EraseState.PROVED
            cleaned = tuple(Find(**find) for find in answer.get("cleaned", ()))
            done = StoreResult(self._plan.path, state, counts, self._steps, recipe=self._recipe)
            return replace(done, cleaned=cleaned)
        if not answer["changed"] and answer["failed"] not in _WAITING:
            raise UserError(answer["failed"], **answer["params"])
        return replace(
            self._not_finished(
                answer["failed"], answer["params"], open_by=open_by_from(answer["open_by"])
            ),
            counts=counts,
        )

    def _not_finished(
        self, code: str, params: Mapping[str, object], open_by: tuple[OpenBy, ...] = ()
    ) -> StoreResult:
        return StoreResult(
            self._plan.path,
            EraseState.NOT_FINISHED,
            steps=self._steps,
            open_by=open_by,
            reason=code,
            reason_params=dict(params),
        )

    def _unproved(self, code: str) -> StoreResult:
        """Not proved, although nothing was found that should be gone."""
        params = {"path": self._plan.path}
        state = EraseState.NOT_PROVED
        return StoreResult(self._plan.path, state, reason=code, reason_params=params)

    # ---- proving

    def _prove(self, child: Child, erased: StoreResult, *, accept_side_files: bool) -> StoreResult:
        # The lease stays the eraser's: if we end here, the next run waits until it has let go.
        with contextlib.suppress(UserError):  # "erasing" says enough when the disk is full
            self._write_down(state="proving")
        worker = "prover"
        try:
            proof = prove_store(self._plan, self._key, tick=self._tick)
            worker = "eraser"
            closed = child.ask({"do": "close"}, tick=self._tick)
        except ChildGone:
            return replace(
                self._not_finished("process.gone", {"worker": worker}), counts=erased.counts
            )
        except UserError as error:  # the rows are gone: what cannot be read is told, and known
            return replace(self._not_finished(error.code, error.params), counts=erased.counts)
        if "failed" in closed:
            return replace(self._after(closed), counts=erased.counts)
        self._steps = tuple(step_from(step) for step in closed["steps"])
        return self._judge(erased, proof, accept_side_files=accept_side_files)

    def _judge(self, erased: StoreResult, proof: Proof, *, accept_side_files: bool) -> StoreResult:
        proof = self._remember_finds(proof)
        searched = bool((proof.texts and self._whole) or self._entry.scheme.get("searched"))
        written = self._entry.scheme.get("copied_to", ())
        proof = with_copies(proof, self._plan.tables, written, searched=searched)
        proof = told_apart(proof, self._plan.kept)
        finds = proof.still_in
        state = EraseState.PROVED
        if not proof.clean or (finds and not accept_side_files):
            state = EraseState.NOT_PROVED
        end = "still-in" if proof.clean else "not-proved"
        if self._numbered:
            state, end = EraseState.NOT_PROVED, "not-proved"
            why = self._unproved("erase.numbered_rows")
            erased = replace(erased, reason=why.reason, reason_params=why.reason_params)
        found = [find.as_json() for find in finds]
        erased = self._with_earlier(erased)
        with contextlib.suppress(UserError):  # then it is finished once more by the next run
            if state is EraseState.PROVED:
                self._write_down(state=DONE, finds=[], searched=searched)
            else:
                self._write_down(
                    state=end, finds=found, searched=searched, taken=taken_message(erased)
                )
        return replace(
            erased,
            state=state,
            proof=proof,
            accepted=bool(finds) and accept_side_files,
            unsearched=0 if searched else int(self._entry.scheme.get("side_files", 0)),
        )

    def _with_earlier(self, erased: StoreResult) -> StoreResult:
        """With what earlier runs of the same erase took out: it is one act, with one receipt.

        Rows that came back with another file are the same ones, and count once.
        """
        counts, steps = taken_from(self._entry.scheme.get("taken", {}))
        counts = counts or self._taken_before(erased.counts)
        planned = self._entry.scheme.get("counts", {})
        for table, now in erased.counts.items():
            before = counts.get(table, Count())
            most = max(before.found, now.found, int(planned.get(table, 0)))
            back = self._moved or self._plan.opaque_ids
            found = before.erased + now.found
            found = min(found, most) if back else found
            gone = min(before.erased + now.erased, found - now.kept)
            counts[table] = Count(found, gone, now.kept)
        return replace(erased, counts=counts, steps=steps + self._steps)

    def _taken_before(self, now: Mapping[str, Count]) -> dict[str, Count]:
        """What a run took out that was stopped before it could say so: it was one transaction.

        Rows of its plan that are there now show that it did not come so far.
        """
        more = {
            table: int(number) - int(self._before.get(table, 0))
            for table, number in self._entry.scheme.get("counts", {}).items()
        }
        if any(now.get(table, Count()).found > more.get(table, 0) for table in self._before):
            return {}
        return {table: Count(int(number), int(number)) for table, number in self._before.items()}

    def _remember_finds(self, proof: Proof) -> Proof:
        """What an earlier run found and this one could not look for, because texts are gone."""
        # With every text at hand all of the database was looked at, and the files that are named.
        all_looked = bool(proof.texts) and self._whole
        looked = {find.where for find in proof.finds if all_looked or find.count}
        old = [
            Find(entry["path"], entry["what"], int(entry["count"]), entry.get("error"))
            for entry in self._entry.scheme.get("finds", ())
            if entry["path"] not in looked
            and not (all_looked and not Path(entry["path"]).is_absolute())
            and not _file_is_gone(entry["path"])
        ]
        return replace(proof, finds=proof.finds + tuple(old)) if old else proof

    # ---- the entry

    def _write_down(self, state: str = "", **more: Any) -> None:
        scheme = {**self._entry.scheme, **more}
        self._entry = replace(self._entry, scheme=scheme, state=state or self._entry.state)
        self._pending.put(self._entry)

    def _lease(self, pid: int) -> None:
        psutil = lazy.psutil()
        started = self._entry.lease_started
        with contextlib.suppress(psutil.Error):
            started = float(psutil.Process(pid).create_time())
        self._entry = replace(self._entry, lease_pid=pid, lease_started=started)
        self._pending.put(self._entry)

    def _drop_if_fresh(self) -> None:
        if self._fresh:
            self._pending.remove(self._entry.id)


def _is_put_back(child: Child) -> bool:
    """Whether the eraser could leave the database as it was."""
    try:
        child.ask({"do": "stop"})
    except (MemoryGuiError, ChildGone):
        return False
    return True


def _file_is_gone(path: str) -> bool:
    """A side file that was deleted meanwhile holds nothing; kinds and tables are no paths."""
    return Path(path).is_absolute() and not os.path.lexists(path)
