# SPDX-License-Identifier: MIT
"""From the plan to the answer: erased and proved store by store, held, redacted, restricted."""

import json
from datetime import date, timedelta
from types import SimpleNamespace

import pytest
from casedesk import by_title, held
from pairs import store_in

from memory_gui.cases.case import CaseState, CheckItem, NewCase
from memory_gui.cases.finds import Decision, Heap, OtherCase
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keptrecords import KeptRecords
from memory_gui.domain.records import State
from memory_gui.domain.work import CancelToken
from memory_gui.erasure.joining import together
from memory_gui.erasure.result import EraseState
from memory_gui.ledger.cases import Decided
from memory_gui.ledger.erased import EraseMarker
from memory_gui.services.cases.answering import closing
from memory_gui.services.cases.book import holds, others
from memory_gui.services.cases.book.lifting import Lifted
from memory_gui.services.cases.book.marks import file_marks
from memory_gui.services.copies.letter import letter
from memory_gui.words import Words

TEXT = "李雷 lives in the street of the seven bridges"


def test_dry_run_and_run_are_one_plan_and_the_rest_stays(desk, tmp_path):
    desk.pair.add("a", TEXT)
    desk.pair.add("own", "李雷 likes tea from the north", scope="user")
    other = desk.pair.add("b", "李雷雷 stays as she is")
    desk.log.write_text(f"x\nhe said: {TEXT}!\n李雷 again\n李雷雷 stays\n")
    case = desk.new()
    before = desk.pair.rows(desk.pair.project.id)
    plan = desk.cases.plan(case, desk.find(case), desk.where())
    assert desk.pair.rows(desk.pair.project.id) == before
    assert plan.word == "3"  # two records, and the passages of the log
    assert [(c.kind, c.erase) for c in plan.counts if c.erase] == [
        ("memory", 1), ("memory", 1), ("log", 2),
    ]  # fmt: skip
    with pytest.raises(UserError, match=r"case\.not_typed"):
        desk.cases.run(plan, typed="2")
    result = desk.cases.run(plan, typed="3", receipt=tmp_path / "r.json")
    assert (result.state, result.exit_code) == (EraseState.PROVED, 0)
    assert result.case.state is CaseState.DONE
    assert desk.pair.read(other.ref) == other
    assert desk.log.read_text() == "x\n李雷雷 stays\n"
    for file in (desk.pair.project_file, desk.pair.user_file):
        assert TEXT.encode() not in file.read_bytes()
    receipt = (tmp_path / "r.json").read_text()
    assert "李雷" not in receipt
    assert r"\u674e" not in receipt
    found = json.loads(receipt)
    assert (found["kind"], found["result"], found["counts"]["erased"]) == ("case", "verified", 4)
    assert found["counts"]["undecided"] == 2
    assert desk.services.receipts.verify(tmp_path / "r.json").code == "ours"


def test_a_name_taken_out_and_the_old_text_gone(desk):
    kept = desk.pair.add("trip of 李雷", f"{TEXT}; Ann Weber drove")
    case = desk.new()
    finds = desk.find(case)
    (one,) = finds.finds
    finds = desk.cases.decide(case, finds, [one.number], Decision.REDACT)
    result = desk.run(case, finds)
    assert (result.state, result.parts[0].redacted) == (EraseState.PROVED, 1)
    record = desk.pair.read(kept.ref)
    assert record.title == "trip of […]"
    assert record.text == "[…] lives in the street of the seven bridges; Ann Weber drove"
    assert "李雷".encode() not in desk.pair.project_file.read_bytes()


def test_a_restricted_record_is_out_of_sight_and_nobody_erases_it(desk):
    one = desk.pair.add("a", TEXT)
    case = desk.new(right=Right.RESTRICT)
    result = desk.run(case)
    assert (result.state, result.parts[0].restricted) == (EraseState.PROVED, 1)
    assert desk.pair.read(one.ref).state is State.TRASH
    with pytest.raises(UserError, match=r"erase\.on_hold"):
        desk.services.erasing.plans.plan([one.ref])


def test_a_restriction_by_hand_keeps_restore_delete_and_erase_off_until_it_is_lifted(desk):
    one = desk.pair.add("a", TEXT)
    case = desk.new()
    finds = desk.find(case)
    number = by_title(finds, "a").number
    finds = desk.cases.decide(case, finds, [number], Decision.RESTRICT)
    desk.run(case, finds)
    services = desk.services
    assert services.editing.restore([one.ref]).failed[0][1].code == "record.restricted"
    assert services.editing.delete([one.ref]).failed[0][1].code == "record.restricted"
    assert services.editing.would("restore", [one.ref]).failed[0][1].code == "record.restricted"
    with pytest.raises(UserError, match=r"record\.restricted"):
        services.editing.undo()
    with pytest.raises(UserError, match=r"erase\.on_hold"):
        services.erasing.plans.plan([one.ref])
    finds = desk.find(case)
    desk.cases.lift(case, finds, [by_title(finds, "a").number], desk.where())
    assert desk.pair.read(one.ref).state is State.LIVE
    assert services.erasing.plans.plan([one.ref]).total


def test_what_a_closed_case_keeps_is_lifted_without_its_name(desk, monkeypatch):
    monkeypatch.setattr(closing.Closing, "clean", lambda *_: True)
    one, other = desk.pair.add("a", TEXT), desk.pair.add("b", "李雷 in a lane", scope="user")
    case = desk.new(right=Right.RESTRICT)
    case = desk.cases.close(desk.run(case).case)
    assert case.subject is None
    with pytest.raises(UserError, match=r"ref\.unknown"):
        desk.cases.lift_closed(case, desk.where(), ["memory:nothing"])
    assert desk.cases.lift_closed(case, desk.where(), [one.ref.text]) == Lifted(1, 1, 0)
    assert desk.pair.read(one.ref).state is State.LIVE
    assert desk.pair.read(other.ref).state is State.TRASH
    assert desk.cases.lift_closed(case, desk.where()) == Lifted(1, 1, 0)
    assert desk.pair.read(other.ref).state is State.LIVE
    assert desk.cases.holds(case.number) == ()


class TestHold:
    def test_it_counts_for_everybody_until_its_day_is_over(self, desk, monkeypatch):
        one, other = desk.pair.add("a", TEXT), desk.pair.add("b", "somebody else at all")
        case = desk.new()
        finds = desk.find(case)
        number = by_title(finds, "a").number
        with pytest.raises(UserError, match=r"case\.hold_reason"):
            desk.cases.decide(case, finds, [number], Decision.HOLD)
        until = date.today() + timedelta(days=9)
        desk.cases.decide(
            case, finds, [number], Decision.HOLD, reason="hold.claims", who="Ann", until=until
        )
        (line,) = desk.cases.holds()
        assert (line.reason, line.who, line.until, line.count) == ("hold.claims", "Ann", until, 1)
        plans = desk.services.erasing.plans
        with pytest.raises(UserError, match=r"erase\.on_hold"):
            plans.plan([one.ref])
        with pytest.raises(UserError, match=r"erase\.on_hold"):
            desk.services.destroying.plan(desk.pair.project.id)
        assert plans.plan([other.ref]).total
        editing = desk.services.editing
        for result in (editing.trash([one.ref]), editing.tag([one.ref], add=["x"])):
            assert [error.code for _, error in result.failed] == ["record.on_hold"]
        with pytest.raises(UserError, match=r"record\.on_hold"):
            editing.edit(Edit(Target(one.ref), {"text": "other words"}))
        assert desk.pair.read(one.ref) == one
        assert by_title(desk.find(case), "a").decision is Decision.HOLD  # found anew

        monkeypatch.setattr(holds, "today", lambda: until)
        with pytest.raises(UserError, match=r"erase\.on_hold"):
            plans.plan([one.ref])
        monkeypatch.setattr(holds, "today", lambda: until + timedelta(days=1))
        assert plans.plan([one.ref]).total

    def test_a_run_leaves_it_and_so_does_another_case_of_the_same_person(self, desk):
        one = desk.pair.add("a", TEXT)
        desk.pair.add("b", "李雷 likes tea from the north")
        case = desk.new()
        finds = desk.find(case)
        number = by_title(finds, "a").number
        finds = desk.cases.decide(case, finds, [number], Decision.HOLD, reason="hold.period")
        result = desk.run(case, finds)
        assert result.state is EraseState.PROVED
        assert desk.pair.read(one.ref) == one
        report = desk.cases.report(result.case)
        assert (report.erased, report.kept[0].reason) == (1, "hold.period")

        other = desk.new()
        found = desk.find(other)
        told = by_title(found, "a")
        assert told.other == OtherCase(case.number, Decision.HOLD, "hold.period")
        assert (told.decision, told.bound) == (Decision.ERASE, True)
        plan = desk.cases.plan(other, found, desk.where())
        assert (plan.held, plan.parts[0].refs, plan.parts[0].erase) == (1, (), None)
        assert (plan.bound, plan.total, plan.has_some) == ({told.other: 1}, 0, True)
        assert plan.held_here == 0  # told with the case that holds it, and not once more
        assert desk.cases.run(plan, typed=plan.word).state is EraseState.PROVED
        assert desk.pair.read(one.ref) == one
        other = desk.cases.case(other.number)  # its own answer has to say why, too
        assert (other.state, other.asking) == (CaseState.ASKING, 1)

    def test_what_is_to_lose_only_the_name_stays_too_and_keeps_nothing_from_going(self, desk):
        desk.pair.add("a", TEXT)
        gone = desk.pair.add("b", "李雷 likes tea from the north")
        shown = desk.find(case := desk.new())  # a page that was looked at before the hold
        finds = desk.cases.decide(case, shown, [by_title(shown, "a").number], Decision.REDACT)
        other = desk.new()
        held = [by_title(desk.find(other), "a").number]
        desk.cases.decide(other, desk.find(other), held, Decision.HOLD, reason="hold.claims")
        plan = desk.cases.plan(case, finds, desk.where())
        assert [one.bound for one in plan.finds.finds] == [True, False]
        assert (plan.held, plan.parts[0].error, plan.parts[0].refs) == (1, None, (gone.ref,))
        assert (plan.word, plan.sample) == ("1", ("b",))  # of what is changed
        assert plan.parts[0].redactions == ()
        assert not any(one.bound for one in desk.find(other).finds)  # its own hold

    def test_without_a_ledger_it_cannot_be_kept(self, desk):
        desk.pair.add("a", TEXT)
        draft = desk.cases.draft(NewCase(Subject.of("李雷")))
        finds = desk.find(draft)
        with pytest.raises(UserError, match=r"case\.no_ledger"):
            desk.cases.decide(draft, finds, [1], Decision.HOLD, reason="hold.claims")


@pytest.mark.parametrize("hold", [0, 1])
def test_of_a_file_that_two_cases_keep_the_hold_is_told(tmp_path, hold):
    marker, path = EraseMarker(b"s" * 32), str(tmp_path / "agentao.log")
    said = ["restrict", "restrict"]
    said[hold] = "hold"
    marks = sorted(file_marks(marker, path))[:2]
    rows = [Decided(4 + n, marks[n], b"", said[n], since=f"2026-0{n + 1}") for n in (0, 1)]
    find = SimpleNamespace(ref=None, path=path)
    told = others._Others(marker, rows, SimpleNamespace(salts={}))._of(find)
    assert (told.case, told.decision) == (4 + hold, "hold")
    (kept,) = holds._files(marker, rows, [path]).values()
    assert (kept.case, kept.what) == (4 + hold, "hold")


def test_a_decision_to_keep_binds_its_own_case_and_is_told_to_everybody_else(desk, monkeypatch):
    monkeypatch.setattr(closing.Closing, "clean", lambda *_: True)
    one = desk.pair.add("a", TEXT)
    desk.pair.add("b", "李雷 likes tea from the north")
    case = desk.new()
    finds = desk.find(case)
    kept = [by_title(finds, "a").number]
    finds = desk.cases.decide(case, finds, kept, Decision.KEEP, reason="keep.not_asked")
    told = (KeptRecords(case.number, "keep.not_asked", 1),)
    plans = desk.services.erasing.plans
    assert plans.plan([one.ref]).kept_in_cases == told
    assert plans.guarded(plans.plan([one.ref])).kept_in_cases == told  # and not once more
    own = desk.cases.plan(case, finds, desk.where())
    assert (own.kept, own.kept_in_cases) == (1, ())
    other = desk.new()
    found = desk.find(other)
    assert by_title(found, "a").other == OtherCase(case.number, Decision.KEEP, "keep.not_asked")
    plan = desk.cases.plan(other, found, desk.where())
    assert (plan.total, plan.held, plan.bound, plan.kept_in_cases) == (2, 0, {}, told)
    assert plan.as_json()["kept_in_cases"] == [
        {"case": case.number, "reason": "keep.not_asked", "count": 1}
    ]
    again = together(plans.plan([one.ref]), plans.plan([one.ref]))
    assert again.kept_in_cases == told  # whatever else is taken with it
    also = [by_title(found, "a").number]
    desk.cases.decide(other, found, also, Decision.KEEP, reason="keep.not_asked")
    both = (*told, KeptRecords(other.number, "keep.not_asked", 1))
    assert plans.plan([one.ref]).kept_in_cases == both
    desk.cases.close(other, CaseState.WITHDRAWN)
    desk.cases.close(case, CaseState.WITHDRAWN)
    assert plans.plan([one.ref]).kept_in_cases == ()  # of a closed case no reason is kept


def test_a_store_that_is_busy_leaves_the_case_open_and_the_others_go_on(desk, tmp_path):
    desk.pair.add("a", TEXT)
    second = store_in(tmp_path / "second/.agentao")
    opened = desk.services.library.open(second)[0]
    new = NewRecord("memory", {"title": "s", "text": "李雷 in the second one", "scope": "project"})
    desk.services.editing.add(opened.id, new)
    case = desk.new()
    with held(second) as pid:
        result = desk.run(case)
    states = {part.path: part.state for part in result.parts}
    assert states == {
        str(desk.pair.project_file): EraseState.PROVED,
        str(second): EraseState.NOT_FINISHED,
    }
    assert (result.exit_code, result.case.state) == (4, CaseState.RUNNING)
    (busy,) = [part for part in result.parts if part.path == str(second)]
    assert [who.pid for who in busy.result.open_by] == [pid]
    with pytest.raises(UserError, match=r"case\.running"):
        desk.cases.close(result.case)
    clock = result.case.clock
    result = desk.run(result.case)
    assert (result.state, result.case.state) == (EraseState.PROVED, CaseState.DONE)
    assert result.case.clock == clock
    assert desk.cases.report(result.case).erased == 2


def test_stopped_between_two_stores(desk, tmp_path):
    one = desk.pair.add("a", TEXT)
    desk.log.write_text("李雷 again\n")
    stop = CancelToken()

    def tick(step, done, total):
        if step == "case-store" and done == 1:
            stop.cancel()

    case = desk.new()
    result = desk.run(case, tick=tick, cancel=stop)
    assert [part.state for part in result.parts] == [EraseState.PROVED, EraseState.NOT_FINISHED]
    assert result.parts[1].error.code == "case.stopped"
    assert desk.log.read_text() == ""
    assert desk.pair.read(one.ref) == one


def test_what_is_corrected_is_gone_in_its_old_form(desk):
    one = desk.pair.add("a", TEXT)
    case = desk.new(right=Right.RECTIFY)
    desk.log.write_text(f"he said: {TEXT}\n")
    finds = desk.find(case)
    log = by_title(finds, "agentao.log").number
    desk.cases.decide(case, finds, [log], Decision.KEEP, reason="keep.cannot")
    find = by_title(finds, "a")
    done = desk.cases.correct(case, find, {"text": "李雷 has moved"}, desk.where())
    assert done.erase.state is EraseState.PROVED
    assert desk.pair.read(one.ref).text == "李雷 has moved"
    assert TEXT.encode() not in desk.pair.project_file.read_bytes()
    report = desk.cases.report(case)
    assert (report.corrected, report.redacted) == (1, 0)
    assert desk.cases.case(case.number).outcome["corrected"] == 1
    assert "1 record about you was corrected" in letter(Words(), report)
    assert desk.log.read_text() == f"he said: {TEXT}\n"
    assert "except in the files that stay" in letter(Words(), report)
    assert done.erase.keeps


def test_proposals_in_our_own_file_go_too(desk, tmp_path):
    notes = tmp_path / "notes.jsonl"
    lines = ({"type": "entity", "name": n, "entityType": "x", "observations": ["o"]} for n in "ab")
    notes.write_text("".join(json.dumps(one) + "\n" for one in lines))
    store = desk.services.library.open(notes)[0]
    desk.services.review.proposals.propose(store.id, {"title": "p", "type": "x", "text": TEXT})
    case = desk.new()
    finds = desk.find(case)
    assert [str(one.place) for one in finds.finds] == ["own"]
    result = desk.run(case, finds)
    assert (result.state, result.parts[0].erased) == (EraseState.PROVED, 1)
    assert desk.find(case).finds == ()


def test_the_checklist_is_ticked_off_with_date_and_note(desk):
    desk.pair.add("a", TEXT)
    case = desk.run(desk.new()).case
    codes = [one.code for one in case.checklist]
    assert {"check.vendor", "check.backups", "check.exports", "check.copies"} <= set(codes)
    done = desk.cases.check_off(case, 0, date.today(), "wrote to them")
    assert done.checklist[0] == CheckItem(codes[0], {}, date.today(), "wrote to them")
    again = desk.cases.case(case.number)
    assert again.checklist == done.checklist
    assert "wrote" not in json.dumps(desk.cases.receipt(again))


def test_heaps_that_were_not_ticked_stay_undecided(desk):
    desk.pair.add("b", "李雷雷 stays as she is")
    case = desk.new()
    finds = desk.find(case)
    assert len(finds.heap(Heap.MENTIONS)) == 1
    plan = desk.cases.plan(case, finds, desk.where())
    assert (plan.total, plan.undecided) == (0, 1)
    with pytest.raises(UserError, match=r"case\.nothing"):
        desk.cases.run(plan, typed="0")
