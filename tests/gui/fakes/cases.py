# SPDX-License-Identifier: MIT
"""Cases that a test makes up: what was found is given, decisions are kept, a run ends as told."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from memory_gui.cases.case import Case, CaseState, CheckItem, DueLine, Identity, NewCase
from memory_gui.cases.clock import Clock
from memory_gui.cases.finds import CaseFind, Decision, Finds, Heap, NotLooked, Piece, Place
from memory_gui.cases.matching import Matcher
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.keys import Locked
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.erasure.result import EraseState
from memory_gui.ledger import LedgerState
from memory_gui.services.cases.answering.reporting import CaseReport, RunLine
from memory_gui.services.cases.answering.returning import Back
from memory_gui.services.cases.book.book import Waiting
from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.services.cases.book.lifting import Lifted
from memory_gui.services.cases.finding.contents import Content
from memory_gui.services.cases.finding.places import Where
from memory_gui.services.cases.running.plans import CasePlan, CaseResult, PartResult, PlanCount
from memory_gui.services.erasing.forgetting import Corrected
from memory_gui.services.values import BulkResult

TODAY = date(2026, 11, 29)
SUBJECT = Subject.of(
    "Zofia Quillfeather",
    ["zofia.q@example.org", "+48 601 234 567", "仇夏莲"],
    ["Zofia Quill"],
)
PROJECT = "/home/ann/atlas/.agentao/memory.db"
GRAPH = "/home/ann/graph/memory.jsonl"
NOTES = "/home/ann/.agent-harness/memory"
CAN = frozenset(Decision)


def one_case(number: int = 7, **more: Any) -> Case:
    """A request to be forgotten, of the tenth of November."""
    given: dict[str, Any] = {
        "ident": "c0ffee00c0ffee00",
        "subject": SUBJECT,
        "right": Right.ERASE,
        "clock": Clock.started(date(2026, 11, 10)),
        "mark": "5a" * 16,
        "ground": "gdpr.consent",
        "identity": Identity("identity.reply", "confirmed", "Ann", "2026-11-11"),
        "checklist": (
            CheckItem("check.vendor"),
            CheckItem("check.backups", done_on=date(2026, 11, 20), note="tape 12"),
        ),
    }
    return Case(number=number, **(given | more))


def some_cases() -> list[Case]:
    """One that is overdue, one that waits, one that is answered and holds no name."""
    late = Subject.of("Mateo Álvarez")
    done = Clock.started(date(2026, 9, 2)).stopped(date(2026, 9, 20))
    return [
        one_case(),
        one_case(
            8,
            ident="c8",
            subject=late,
            right=Right.ACCESS,
            clock=Clock.started(date(2026, 10, 20)),
            state=CaseState.RUNNING,
        ),
        one_case(3, ident="c3", subject=None, clock=done, state=CaseState.CLOSED),
    ]


def find(number: int, heap: Heap, title: str, text: str, **more: Any) -> CaseFind:
    hits = Matcher(SUBJECT).find(text)
    marks = tuple((hit.start, hit.end, hit.sure) for hit in hits)
    store = StoreId(more.pop("store", PROJECT))
    given: dict[str, Any] = {
        "format": "agentao",
        "agent": "Agentao",
        "place": Place.RECORD,
        "kind": "memory",
        "path": str(store),
        "ref": Ref(store, "memory", (f"{number:08x}",)),
        "state": State.LIVE,
        "title": title,
        "pieces": (Piece("text", text, marks),),
        "hits": len(marks),
        "can": CAN,
        "decision": Decision.ERASE if heap is Heap.SURE else Decision.NONE,
    }
    return CaseFind(number, store, heap=heap, **(given | more))


def some_finds() -> Finds:
    """In every heap, of several agents, one of them a file."""
    log = "/home/ann/atlas/agentao.log"
    finds = (
        find(1, Heap.SURE, "zofia_contact", "Zofia Quillfeather, zofia.q@example.org, is on call."),
        find(2, Heap.SURE, "预算", "仇夏莲负责第三季度的预算，联系 +48 601 234 567。"),
        find(
            3, Heap.SURE, "", "Prefers letters on paper; signs as Zofia Quillfeather.",
            store=GRAPH, agent="MCP memory server", format="mcp-server-memory", kind="observation",
        ),
        find(
            4, Heap.SURE, "", "12:01 prompt: … Zofia Quillfeather asked for the keys …",
            path=log, place=Place.FILE, kind="log", ref=None, state=None,
            can=frozenset({Decision.ERASE, Decision.KEEP}),
        ),
        find(
            5, Heap.SHARED, "release_team", "Zofia Quillfeather and Mateo Álvarez cut the release.",
            why=("other_named",), others=("Mateo Álvarez",),
        ),
        find(6, Heap.MENTIONS, "names", "Ask Zofia about the fonts.", why=("one_word",)),
        find(
            7, Heap.MENTIONS, "", "Zofia Quillfeather-Brandt runs the bakery.",
            why=("inside_name",), store=NOTES, agent="Agent harness", format="notes", kind="note",
        ),
    )  # fmt: skip
    unseen = NotLooked("/home/ann/.mem0/history.db", "Mem0", "case.no_adapter")
    return Finds(SUBJECT, finds, (PROJECT, GRAPH, NOTES), (unseen,), records=12_408)


def some_record(find: CaseFind) -> Record:
    """A find in full."""
    text, title = find.pieces[0].text, find.title
    return Record(find.ref, "e", State.LIVE, title, text)


def some_plan(case: Case, finds: Finds) -> CasePlan:
    return CasePlan(
        case=case,
        id="p1",
        parts=(),
        files=(),
        own=(),
        counts=(
            PlanCount(PROJECT, "Agentao", "memory", erase=2, along=3),
            PlanCount(GRAPH, "MCP memory server", "observation", erase=1),
            PlanCount(PROJECT, "Agentao", "log", file="/home/ann/atlas/agentao.log", erase=1),
        ),
        total=len(finds.ticked),
        held=sum(one.decision is Decision.HOLD for one in finds.finds),
        kept=sum(one.decision is Decision.KEEP for one in finds.finds),
        undecided=len(finds.undecided),
        not_looked=finds.not_looked,
        checklist=(CheckItem("check.vendor"), CheckItem("check.backups")),
        sample=("zofia_contact", "预算"),
        finds=finds,
    )


def some_result(case: Case, state: EraseState = EraseState.PROVED) -> CaseResult:
    parts = (
        PartResult(PROJECT, "Agentao", EraseState.PROVED, erased=3),
        PartResult(GRAPH, "MCP memory server", state, erased=1),
    )
    left = CaseState.DONE if state is EraseState.PROVED else CaseState.RUNNING
    return CaseResult(replace(case, state=left, outcome={"at": "x"}), state, parts, "r1")


FOUND_AGAIN = (
    {"path": "/home/ann/atlas/AGENTAO.md", "what": "instructions", "count": 2},
    {"path": "/home/ann/graph/old.jsonl", "what": "log", "count": 1, "error": "raw.not_ours"},
)


def found_again(accepted: str = "") -> dict[str, Any]:
    """What is kept of a run whose text was found again in other files."""
    proof = {"by": "content", "hits": 0}
    said = {"accepted": True, "accepted_why": accepted} if accepted else {}
    return {"part": {"state": "not-proved"}, "proof": proof, "side_files": FOUND_AGAIN, **said}


def some_report(
    case: Case, state: EraseState = EraseState.PROVED, accepted: str = ""
) -> CaseReport:
    again = state is EraseState.NOT_PROVED or bool(accepted)

    def line(path: str, agent: str, erased: int, state: EraseState) -> RunLine:
        document = found_again(accepted) if again and path == GRAPH else {}
        at = "2026-11-29T12:00:00+00:00"
        return RunLine(at, path, agent, state, erased, 0, 0, "", False, document)

    runs = (
        line(PROJECT, "Agentao", 3, EraseState.PROVED),
        line(GRAPH, "MCP memory server", 1, state),
    )
    hold = HoldLine(7, "hold", "hold.claims", date(2027, 1, 31), "2026-11-29", 1)
    return CaseReport(
        case, state, runs, (hold,), 3, 0, (), (), (), case.checklist
    )  # fmt: skip


class FakeCases:
    """``found`` is what a search gives; decisions stay in it."""

    def __init__(self, services: Any) -> None:
        self._services = services
        self.is_kept = True
        self.known: list[Case] = []
        self.found = Finds(SUBJECT)
        self.state = EraseState.PROVED
        self.returned: list[Back] = []
        self.accepted = ""
        self.kept: tuple[HoldLine, ...] = ()
        self.kept_refs: dict[Ref, HoldLine] = {}

    @property
    def any_yet(self) -> bool:
        return bool(self.known)

    def all(self, *, final: bool = True) -> tuple[Case, ...]:
        self._services.note("cases")
        if not self.is_kept:
            return ()
        return tuple(one for one in self.known if final or not one.is_final)

    def due(self, on: date | None = None) -> tuple[DueLine, ...]:
        today = on or TODAY
        return tuple(
            DueLine(one.number, one.title, one.right, one.state, one.clock.ends, left)
            for one in sorted(self.known, key=lambda one: one.clock.ends)
            if (left := one.clock.days_left(today)) is not None
        )

    def waiting(self, on: date | None = None) -> Waiting:
        if self.any_yet and not self.is_kept:
            return Waiting(unread=LedgerState("key", Locked("Secret Service")))
        return Waiting(self.due(on))

    def case(self, number: int) -> Case:
        return next(one for one in self.known if one.number == number)

    def new(self, wanted: NewCase) -> Case:
        self._services.note("case_new", wanted)
        made = replace(self.draft(wanted), number=len(self.known) + 1)
        self.known.append(made)
        return made

    def draft(self, wanted: NewCase) -> Case:
        clock = Clock.started(wanted.received or TODAY, wanted.term, wanted.due)
        return Case(
            0, "d0", wanted.subject, wanted.right, clock, ground=wanted.ground,
            identity=wanted.identity, notes=wanted.notes,
        )  # fmt: skip

    def same_as(self, subject: Subject) -> tuple[Case, ...]:
        return ()

    def ongoing(self, subject: Subject) -> Case | None:
        return next((one for one in self.known if one.title == subject.title), None)

    def edit(self, case: Case, **fields: Any) -> Case:
        self._services.note("case_edit", fields)
        if "received" in fields:
            clock = Clock.started(fields.pop("received"), fields.pop("term"), fields.pop("due"))
            fields["clock"] = clock
        return self._keep(replace(case, **fields))

    def extend(self, case: Case, reason: str, until: date | None = None) -> Case:
        self._services.note("case_extend", reason, until)
        end = until or case.clock.due + timedelta(days=60)
        clock = replace(case.clock, extended_until=end, extension_reason=reason)
        return self._keep(replace(case, clock=clock))

    def check_off(self, case: Case, index: int, done_on: date | None, note: str = "") -> Case:
        self._services.note("case_check", index, done_on, note)
        items = list(case.checklist)
        items[index] = replace(items[index], done_on=done_on, note=note)
        return self._keep(replace(case, checklist=tuple(items)))

    def where(self, names: Any = (), **_more: Any) -> Where:
        return Where()

    def where_of(self, _case: Case, **_more: Any) -> Where:
        return Where()

    def find(self, case: Case, where: Where, **_more: Any) -> Finds:
        self._services.note("case_find", case.number)
        return self.found

    def decide(
        self, case: Case, finds: Finds, numbers: Collection[int], decision: Decision, **more: Any
    ) -> Finds:
        self._services.note("case_decide", tuple(numbers), decision, more)
        reason, until = more.get("reason", ""), more.get("until")
        return finds.decided(
            numbers, lambda one: replace(one, decision=decision, reason=reason, until=until)
        )

    def lift(self, case: Case, finds: Finds, numbers: Collection[int], where: Where) -> Finds:
        self._services.note("case_lift", tuple(numbers))
        return finds.decided(
            numbers, lambda one: replace(one, decision=Decision.NONE, reason="", until=None)
        )

    def correct(
        self, case: Case, find: CaseFind, fields: Any, where: Where, **_more: Any
    ) -> Corrected:
        self._services.note("case_correct", find.number, dict(fields))
        done = BulkResult(ChangeSet(changed=(find.ref,)), 1, ())
        return Corrected(done, SimpleNamespace(state=self.state))

    def holds(self, number: int | None = None) -> tuple[HoldLine, ...]:
        return self.kept

    def kept_by(self, refs: Collection[Ref]) -> dict[Ref, HoldLine]:
        return {ref: self.kept_refs[ref] for ref in refs if ref in self.kept_refs}

    def lift_closed(self, case: Case, where: Where) -> Lifted:
        self._services.note("case_lift_closed", case.number)
        count, self.kept = sum(one.count for one in self.kept), ()
        return Lifted(lifted=count, restored=1)

    def back(self, store: StoreId, cancel: Any = None) -> tuple[Back, ...]:
        return tuple(one for one in self.returned if one.ref.store == store)

    def contents(
        self, finds: Finds, where: Where, numbers: Any = (), **_m: Any
    ) -> Iterator[Content]:
        for one in finds.finds:
            if not numbers or one.number in numbers:
                record = some_record(one) if one.ref else None
                yield Content(one, record, one.pieces[0].text)

    def plan(self, case: Case, finds: Finds, where: Where, **_more: Any) -> CasePlan:
        self._services.note("case_plan", len(finds.ticked))
        return some_plan(case, finds)

    def run(self, plan: CasePlan, *, typed: str, **more: Any) -> CaseResult:
        self._services.note("case_run", typed, more["despite_foreign"])
        more["tick"]("case-store", 0, 2)
        result = some_result(plan.case, self.state)
        self._keep(result.case)
        return result

    def accept(self, case: Case, *, reason: str, text: str = "") -> Case:
        self._services.note("case_accept", reason, text)
        self.state, self.accepted = EraseState.PROVED, reason
        return self._keep(replace(case, state=CaseState.DONE, outcome={"at": "x"}))

    def again(self, subject: Subject) -> Case | None:
        self._services.note("case_again", subject)
        closed = (one for one in self.known if one.state is CaseState.CLOSED)
        mine = subject.named[0] in SUBJECT.named
        return next((replace(one, subject=subject) for one in closed if mine), None)

    def report(self, case: Case) -> CaseReport:
        return some_report(case, self.state, self.accepted)

    def save_receipt(self, case: Case, path: Path) -> Path:
        self._services.note("case_receipt", path)
        path.write_text(RECEIPT)
        return path

    def close(self, case: Case, outcome: CaseState, **more: Any) -> Case:
        self._services.note("case_close", outcome, more)
        clock = case.clock.stopped(TODAY)
        return self._keep(replace(case, state=outcome, clock=clock, subject=None, notes=""))

    def _keep(self, case: Case) -> Case:
        self.known = [case if one.number == case.number else one for one in self.known]
        return case


RECEIPT = """{"receipt": 2, "kind": "case", "id": "c0ffee00c0ffee00",
 "program": {"name": "memory-gui", "version": "0"}, "made_at": "2026-11-29T12:00:00+00:00",
 "case": {"number": 7, "subject": "5a5a", "right": "erase", "article": "17",
  "ground": "gdpr.consent", "received": "2026-11-10", "term": "month", "due": "2026-12-10",
  "extended_until": null, "state": "done", "refusal": null,
  "identity": {"method": "identity.reply", "result": "confirmed", "at": "2026-11-11"}},
 "state": "proved", "result": "verified",
 "counts": {"erased": 4, "redacted": 0, "restricted": 0, "kept": 0, "held": 1, "undecided": 3},
 "parts": [{"path": "/home/ann/<b>atlas</b>", "at": "x", "state": "proved", "erased": 4,
  "redacted": 0, "restricted": 0, "error": null}],
 "held": [{"what": "hold", "reason": "hold.claims", "until": "2027-01-31", "count": 1}],
 "not_looked": [{"path": "/home/ann/x.db", "agent": "", "code": "case.no_adapter"}],
 "not_covered": [], "may_still_hold": [],
 "checklist": [{"code": "check.backups", "params": {}, "done_on": "2026-11-20"}],
 "signed": false}"""
