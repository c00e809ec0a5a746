# SPDX-License-Identifier: MIT
"""Carrying out the plan of a case: store after store, each proved by itself."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from memory_gui.cases.case import Case, CaseState
from memory_gui.cases.finds import CaseFind
from memory_gui.cases.matching import Matcher
from memory_gui.domain.changes import Edit
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import Ref
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.erasure.plan import ErasePlan, StorePlan
from memory_gui.erasure.receipt import receipt_of
from memory_gui.erasure.result import EraseResult, EraseState, worst
from memory_gui.erasure.run import plan_to_resume
from memory_gui.ledger import SETTLED
from memory_gui.services.cases.book.book import CaseBook, now
from memory_gui.services.cases.book.deciding import Deciding
from memory_gui.services.cases.book.marks import CaseBooks
from memory_gui.services.cases.finding.opening import Looking
from memory_gui.services.cases.finding.ownqueue import OwnQueue
from memory_gui.services.cases.finding.passages import cut_of, read_passages
from memory_gui.services.cases.running.leftover import NOT_CLEANED
from memory_gui.services.cases.running.outcome import counted, left_of, outcome_of, parts_of
from memory_gui.services.cases.running.plans import (
    CasePlan,
    CaseResult,
    FilePart,
    OwnPart,
    PartResult,
    StorePart,
    state_of,
)
from memory_gui.services.cases.running.unfinished import BEGUN, Begun, Unfinished
from memory_gui.services.editing.editing import Editing
from memory_gui.services.erased.receipts import Receipts
from memory_gui.services.erasing.erasing import Erasing

OWN_PLACE: Final = "memory-gui"
"""Stands for our own file where a store's path would."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How a person wants it to run."""

    tick: Tick = no_tick
    cancel: CancelToken | None = None
    despite_foreign: bool = False
    accept_side_files: bool = False

    @property
    def stopped(self) -> bool:
        """Whether they want it to stop."""
        return self.cancel is not None and self.cancel.cancelled


@dataclass(frozen=True, slots=True)
class _Step:
    """One place that a run comes to. ``finds`` it takes out, ``redacted`` lose the name."""

    path: str
    act: Callable[[], tuple[PartResult, dict[str, Any]]]
    finds: int = 0
    redacted: int = 0
    paths: tuple[str, ...] = ()
    """The files of a store that are written."""
    is_store: bool = False


class Running:
    """Runs plans. Any thread; one at a time for a case."""

    def __init__(
        self,
        books: CaseBooks,
        book: CaseBook,
        looking: Looking,
        own: OwnQueue,
        *,
        erasing: Erasing,
        editing: Editing,
        receipts: Receipts,
        deciding: Deciding,
    ) -> None:
        self._deciding = deciding
        self._books = books
        self._book = book
        self._looking = looking
        self._own = own
        self._erasing = erasing
        self._editing = editing
        self._receipts = receipts
        self._unfinished = Unfinished(books, erasing)

    def run(self, plan: CasePlan, typed: str, asked: Asked) -> CaseResult:
        """Do it. What one store refuses does not keep the others from being done.

        Raises:
            UserError: ``case.not_typed``, ``case.nothing``, ``case.is_final``.
        """
        if typed.strip() != plan.word:
            raise UserError("case.not_typed", word=plan.word)
        if not plan.case.number and any(part.restrict for part in plan.parts):
            raise UserError("case.no_ledger")  # nobody would know why it is in the trash
        begun = self._unfinished.of(plan)
        if not plan.has_some and not begun:
            raise UserError("case.nothing", number=plan.case.number)
        case = self._begin(plan)
        parts: list[PartResult] = []
        documents: list[dict[str, Any]] = []
        for done, document in (self._go_on(one, asked) for one in begun):
            parts.append(done)
            documents.append({**document, "part": done.as_json()})
            self._keep(case, done, documents[-1])
        steps = list(self._steps(plan, asked))
        for place, step in enumerate(steps):
            asked.tick("case-store", place, len(steps))
            if asked.stopped:
                done = _not_done(step.path, UserError("case.stopped", path=step.path))
                document = {}
            else:
                self._note(case, step)
                done, document = step.act()
            parts.append(done)
            documents.append({**document, "part": done.as_json()})
            self._keep(case, done, documents[-1])
        asked.tick("case-store", len(steps), len(steps))
        return self._ended(plan, case, tuple(parts), documents)

    def _steps(self, plan: CasePlan, asked: Asked) -> Iterator[_Step]:
        """Files first: whole passages go, before an erase overwrites what a record said in them."""
        for file in plan.files:
            yield _Step(file.path, partial(self._file, plan, file, asked), file.hits)
        for part in plan.parts:
            act = partial(self._store, plan, part, asked)
            yield _Step(
                *(part.path, act, len(part.refs), len(part.redactions)),
                paths=part.paths,
                is_store=True,
            )
        for one in plan.own:
            yield _Step(OWN_PLACE, partial(self._own_queue, one))

    def corrected(self, case: Case, find: CaseFind, result: EraseResult, plan: ErasePlan) -> None:
        """Keep that a record got another text, and how the erase of the old one ended."""
        path = str(find.store)
        done = PartResult(path, find.agent, result.state, result, corrected=1)
        document = {**self._document(result, plan), "part": done.as_json()}
        self._keep(case, done, document)
        acts = self._books.rows().acts(case.number)
        self._book.put(case, lambda one: counted(one, acts))

    # ---- before and after

    def _begin(self, plan: CasePlan) -> Case:
        case = plan.case
        if case.is_final and case.state is not CaseState.CLOSED:
            raise UserError("case.is_final", number=case.number)
        case = self._book.put(case, lambda one: _now(one, CaseState.RUNNING))
        return self._book.with_checklist(case, plan.checklist)

    def _keep(self, case: Case, done: PartResult, document: dict[str, Any]) -> None:
        """Each is written down when it is done: a kill between two stores loses nothing."""
        if case.number:
            self._books.rows().done(case.number, now(), done.path, str(done.state), document)

    def _note(self, case: Case, step: _Step) -> None:
        """Written down before it begins: who goes on after a kill asks there first."""
        if case.number:
            note: dict[str, Any] = {"paths": list(dict.fromkeys((step.path, *step.paths)))}
            note |= {"file": not step.is_store, "finds": step.finds, "redacted": step.redacted}
            self._books.rows().done(case.number, now(), step.path, BEGUN, note)

    def _go_on(self, begun: Begun, asked: Asked) -> tuple[PartResult, dict[str, Any]]:
        """Finish what an earlier run has left of a store in which nothing is found any more."""
        done = PartResult(begun.path, "", EraseState.PROVED)
        document: dict[str, Any] = {}
        try:
            for entry in begun.entries:
                result = self._erasing.resume(
                    entry, key=begun.key, accept_side_files=asked.accept_side_files
                )
                self._erasing.told(result, at_once=True)
                plan = plan_to_resume(entry)
                rows = sum(count.erased for count in result.counts.values())
                state = worst([done.state, result.state])
                done = replace(done, state=state, result=result, erased=done.erased + rows)
                document = self._document(result, plan)
        except (UserError, Cancelled) as error:
            return replace(done, state=EraseState.NOT_FINISHED, error=_told(error, begun.path)), {}
        if begun.uncounted is not None:  # rows are more than finds: copies, entries of logs
            gone = done.state is not EraseState.NOT_FINISHED
            is_done = gone and bool(begun.entries)
            names = begun.redacted if is_done else 0
            done = replace(done, erased=begun.uncounted if is_done else 0, redacted=names)
        if begun.unseen:
            unseen = UserError("case.not_seen", path=begun.path)
            return replace(done, state=EraseState.NOT_FINISHED, error=unseen), document
        return done, document

    def _ended(
        self,
        plan: CasePlan,
        case: Case,
        parts: tuple[PartResult, ...],
        documents: Sequence[dict[str, Any]],
    ) -> CaseResult:
        state = state_of(parts)
        done = [one.as_json() for one in parts]
        ever = done if not case.number else parts_of(self._books.rows().acts(case.number))
        outcome = outcome_of(plan, case, state, done, ever)
        if not case.number:
            outcome["parts"] = list(documents)
        ended = CaseState.DONE if state is EraseState.PROVED else CaseState.RUNNING
        case = self._book.put(case, lambda one: replace(_now(one, ended), outcome=outcome))
        if plan.finds is not None:
            left = left_of(plan, plan.finds, parts)
            if case.number and plan.whole and state is EraseState.PROVED:
                kept = frozenset(one.number for one in left.finds)
                rest = tuple(one for one in plan.finds.finds if one.number not in kept)
                self._deciding.ran(case, replace(plan.finds, finds=rest), left)
            if not case.is_final:
                case = self._book.looked(case, left, whole=False)
        return CaseResult(case, state, parts, secrets.token_hex(8))

    # ---- a store

    def _store(
        self, plan: CasePlan, part: StorePart, asked: Asked
    ) -> tuple[PartResult, dict[str, Any]]:
        done = PartResult(part.path, part.agent, EraseState.PROVED)
        if part.error is not None:
            return replace(done, state=EraseState.NOT_FINISHED, error=part.error), {}
        try:
            self._finish_begun(part, plan)
            with self._looking.opened(part.path, plan.where, asked.cancel):
                done = self._restrict(plan, part, done)
                return self._erase(part, done, asked)
        except (UserError, Cancelled) as error:
            return replace(done, state=EraseState.NOT_FINISHED, error=_told(error, part.path)), {}

    def _finish_begun(self, part: StorePart, plan: CasePlan) -> None:
        """What a stop has left in these files comes first."""
        for path in part.paths:
            for entry in self._erasing.pending(path):
                if entry.state not in SETTLED:
                    result = self._erasing.resume(entry, key=plan.where.key_of(path))
                    self._erasing.told(result, at_once=True)  # its note makes room for ours
                    if result.state is EraseState.NOT_FINISHED:
                        raise UserError("erase.unfinished", path=path, state=str(result.state))

    def _restrict(self, plan: CasePlan, part: StorePart, done: PartResult) -> PartResult:
        """Into the trash, and marked, so that it neither comes back nor goes by itself."""
        if not part.restrict:
            return done
        hidden = self._editing.trash(part.restrict)
        failed = {ref for ref, _ in hidden.failed}
        refs = [one.ref for one in part.restrict if one.ref not in failed]
        self._deciding.restricted(plan.case, plan.finds, refs)
        done = replace(done, restricted=hidden.done)
        if hidden.failed:
            error = hidden.failed[0][1]
            return replace(done, state=EraseState.NOT_FINISHED, error=error)
        return done

    def _erase(
        self, part: StorePart, done: PartResult, asked: Asked
    ) -> tuple[PartResult, dict[str, Any]]:
        if part.erase is None:
            return done, {}
        done = self._redact(part, done)
        result = self._erasing.run(
            part.erase,
            tick=asked.tick,
            cancel=asked.cancel,
            accept_side_files=asked.accept_side_files,
            despite_foreign=asked.despite_foreign,
        )
        self._erasing.told(result, at_once=True)
        gone = result.state is not EraseState.NOT_FINISHED
        found = replace(
            done,
            state=worst([done.state, result.state]),
            result=result,
            erased=len(part.refs) if gone else 0,
        )
        return found, self._document(result, part.erase)

    def _redact(self, part: StorePart, done: PartResult) -> PartResult:
        """The new texts are written first, behind a note of the erase that follows."""
        if not part.redactions or part.erase is None:
            return done
        entries = self._erasing.announce(self._erasing.plans.guarded(part.erase))
        failed: list[tuple[Ref, UserError]] = []
        for one in part.redactions:
            try:
                self._editing.edit(Edit(one.target, one.fields, _INSIST))
            except UserError as error:
                failed.append((one.target.ref, error))
        written = len(part.redactions) - len(failed)
        if failed and not written:
            self._erasing.withdraw(entries)
            raise failed[0][1]
        done = replace(done, redacted=written)
        if failed:
            return replace(done, state=EraseState.NOT_FINISHED, error=failed[0][1])
        return done

    def _document(self, result: EraseResult, plan: ErasePlan) -> dict[str, Any]:
        marks = self._receipts.marks()
        document = receipt_of(result, plan, marks.of if marks.on else None)
        told: dict[str, Any] = {name: document[name] for name in _KEPT if name in document}
        kept = [one.as_json() for part in result.stores for one in part.cleaned if one.error]
        return {**told, NOT_CLEANED: kept} if kept else told

    # ---- files and our own

    def _file(
        self, plan: CasePlan, part: FilePart, asked: Asked
    ) -> tuple[PartResult, dict[str, Any]]:
        """The passages as they are now: its agent may have written on."""
        done = PartResult(part.path, part.agent, EraseState.PROVED, file=True)
        assert plan.finds is not None  # noqa: S101 - a plan is made of finds
        matcher = Matcher(plan.finds.subject)
        people = plan.finds.people
        mine = tuple(one for one in plan.finds.ticked if one.path == part.path)
        now_said = self._deciding.stays(plan.case, replace(plan.finds, finds=mine))
        try:
            if len(now_said.ticked) < len(mine):  # held since the plan
                raise UserError("erase.file_on_hold", path=part.path, case=plan.case.number)
            read = read_passages(part.file, part.facts, [matcher], lambda: None)
            cut, count = cut_of(read, part.wanted, matcher, people)
            if cut is None:
                return replace(done, erased=part.hits), {}
            store = StorePlan(part.path, part.facts.format, False, (), (), files=(cut,))
            erase = ErasePlan((store,), case=plan.case.number)
            result = self._erasing.run(erase, tick=asked.tick, cancel=asked.cancel)
            self._erasing.told(result, at_once=True)
            state = result.state
            if state is EraseState.PROVED:
                again = read_passages(part.file, part.facts, [matcher], lambda: None)
                left = cut_of(again, part.wanted, matcher, people)[1]
                state = EraseState.NOT_PROVED if left else state
        except (UserError, Cancelled) as error:
            return replace(done, state=EraseState.NOT_FINISHED, error=_told(error, part.path)), {}
        gone = count if state is not EraseState.NOT_FINISHED else 0
        found = replace(done, state=state, result=result, erased=gone)
        return found, self._document(result, erase)

    def _own_queue(self, part: OwnPart) -> tuple[PartResult, dict[str, Any]]:
        gone = self._own.remove(part.refs)
        done = PartResult(OWN_PLACE, OWN_PLACE, EraseState.PROVED, erased=gone)
        return done, {}


def _now(case: Case, state: CaseState) -> Case:
    """An answered case stays that: who came back is taken out once more, and its clock stands."""
    return case if case.is_final else replace(case, state=state)


_INSIST: Final = frozenset({"secret", "hidden", "conflict"})
_KEPT: Final = (
    *(
        "state",
        "counts",
        "steps",
        "proof",
        "side_files",
        "side_files_erased",
        "kept_files",
        "not_covered",
    ),
    *("may_still_hold", "key", "out_of_reach", "accepted", "stores", "started_at", "finished_at"),
    *("id", "recipe"),
)
"""What a case keeps of a store's receipt."""


def _not_done(path: str, error: UserError) -> PartResult:
    return PartResult(path, "", EraseState.NOT_FINISHED, error=error)


def _told(error: Exception, path: str) -> UserError:
    if isinstance(error, UserError):
        return error
    return UserError("case.stopped", path=path)
