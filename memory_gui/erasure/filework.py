# SPDX-License-Identifier: MIT
"""A store of text files from the pending entry to the proof, with both children watched."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.asking import prove_files
from memory_gui.erasure.filecuts import REWRITE, STEPS, cut_message
from memory_gui.erasure.messages import (
    Message,
    open_by_from,
    side_files_message,
    step_from,
)
from memory_gui.erasure.proof import Find, Proof
from memory_gui.erasure.result import Count, EraseState, StoreResult
from memory_gui.erasure.work import StoreWork
from memory_gui.process.child import Child, ChildGone


class FilesWork(StoreWork):
    """Erases from the files and proves it. Used by one thread."""

    _cleaned: tuple[Find, ...] = ()

    def run(self, cancel: CancelToken | None, *, accept_side_files: bool) -> StoreResult:
        """Erase, then prove. Raises as ``StoreWork.run``."""
        child = Child.start("eraser")
        self._past = False
        try:
            self._lease(child.pid)
            blocked = self._files_ready(child)
            if blocked is not None:
                return blocked
            if cancel is not None and cancel.cancelled:
                child.ask({"do": "files-stop"})
                raise Cancelled
            self._write_down(state="erasing")
            self._past = True
            answer = self._clean_first(child)
            if "failed" not in answer:
                answer = child.ask({"do": "files-erase"}, tick=self._tick)
            self._past = False
        except ChildGone:
            self._past = False
            return self._not_finished("process.gone", {"worker": "eraser"})
        except (UserError, Cancelled):
            self._past = False
            self._drop_if_fresh()
            raise
        finally:
            if not self._past:
                child.close()
        return self._after_files(answer, accept_side_files=accept_side_files)

    # ---- inside

    def _files_ready(self, child: Child) -> StoreResult | None:
        answer = child.ask(
            {
                "do": "files-open",
                "files": [cut_message(file) for file in self._plan.files],
                "locks": list(self._plan.locks),
                "new": dict(self._entry.scheme.get("new_files", {})),
                "texts": list(self._plan.texts) if self._to_clean else [],
                "side_files": side_files_message(self._to_clean),
            },
            tick=self._tick,
        )
        if "blocked" in answer:
            self._write_down(state="waiting")
            return self._not_finished(
                answer["blocked"],
                {"path": self._plan.path},
                open_by=open_by_from(answer["open_by"]),
            )
        self._unseen = bool(answer["unseen"])
        self._recipe = {"name": REWRITE, "case": {}, "steps": list(STEPS)}
        # Written down before anything is changed: by it a later run sees what was done.
        noted = {**self._entry.scheme.get("new_files", {}), **answer["new"]}
        self._write_down(new_files=noted, unseen=self._unseen)
        return None

    def _clean_first(self, child: Child) -> Message:
        """The agent's other files, before the store is written: then it can still be begun anew.

        That they were looked into, and what is left in them, is written down before the swap.
        """
        if not (self._to_clean and self._plan.texts):
            return {}
        answer = child.ask({"do": "files-clean"}, tick=self._tick)
        if "failed" in answer:
            return answer
        before, scheme = self._cleaned_so_far, self._entry.scheme
        self._cleaned = (*before, *(Find(**find) for find in answer["cleaned"]))
        finds = [] if self._whole else list(scheme.get("finds", ()))
        finds += [Find(**find).as_json() for find in answer["finds"]]
        with contextlib.suppress(UserError):  # then the next run says that it could not look
            self._write_down(
                searched=self._whole or bool(scheme.get("searched")),
                finds=finds,
                cleaned=[asdict(find) for find in self._cleaned],
            )
        return {}

    @property
    def _cleaned_so_far(self) -> tuple[Find, ...]:
        """With what an earlier run of this erase overwrote."""
        before = self._entry.scheme.get("cleaned", ())
        return self._cleaned or tuple(Find(**find) for find in before)

    def _after_files(self, answer: Message, *, accept_side_files: bool) -> StoreResult:
        self._steps = tuple(step_from(step) for step in answer["steps"])
        if "failed" in answer:
            if not answer["committed"]:
                self._drop_if_fresh()
                raise UserError(answer["failed"], **answer["params"])
            return self._not_finished(answer["failed"], answer["params"])
        taken = dict(self._entry.scheme.get("counts", {}))
        counts = {table: Count(number, number, 0) for table, number in taken.items()}
        erased = StoreResult(
            self._plan.path,
            EraseState.PROVED,
            counts,
            self._steps,
            recipe=self._recipe,
            cleaned=self._cleaned_so_far,
        )
        with contextlib.suppress(UserError):
            self._write_down(state="proving")
        try:
            proof = self._prove_files(answer.get("expected", {}))
        except ChildGone:
            stopped = self._not_finished("process.gone", {"worker": "prover"})
            return replace(stopped, counts=erased.counts)
        return self._judge(erased, proof, accept_side_files=accept_side_files)

    def _prove_files(self, expected: Mapping[str, Any]) -> Proof:
        return prove_files(self._plan, tick=self._tick, expected=expected)
