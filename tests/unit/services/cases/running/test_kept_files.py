# SPDX-License-Identifier: MIT
"""A file that a person keeps or holds stays byte for byte, whatever else is erased."""

import json
from dataclasses import replace

from casedesk import by_title

from memory_gui.cases.case import CaseState
from memory_gui.cases.finds import Decision, Heap, Place
from memory_gui.domain.keptfiles import KeptFile
from memory_gui.erasure.joining import taking_whole
from memory_gui.erasure.result import EraseState
from memory_gui.words import Words
from memory_gui.words.erasure import limit
from memory_gui.words.reasons import kept_line as told_of

TEXT = "李雷 lives in the street of the seven bridges"


def of_log(finds, heap=Heap.SURE):
    (one,) = [one for one in finds.finds if one.title == "agentao.log" and one.heap is heap]
    return one.number


def session(desk, text):
    """A transcript in which every letter beyond ASCII is an escape."""
    path = desk.log.parent / ".agentao/sessions/s1.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"messages": [{"content": f"he said: {text}"}]}))
    return path


def number_of(finds):
    return by_title(finds, "s1.json").number


def test_what_is_kept_stays_as_it_is_and_is_named_with_its_reason(desk, tmp_path):
    desk.pair.add("a", TEXT)
    kept_line = f"李雷雷: {TEXT[3:]}\n"  # the record's words, beside somebody else's name
    desk.log.write_text(f"x\n李雷 was here\n{kept_line}")
    path = session(desk, TEXT)
    before = path.read_bytes()
    case = desk.new()
    finds = desk.find(case)
    finds = desk.cases.decide(
        case, finds, [number_of(finds)], Decision.KEEP, reason="keep.not_asked"
    )
    mentions = of_log(finds, Heap.MENTIONS)
    finds = desk.cases.decide(case, finds, [mentions], Decision.HOLD, reason="hold.claims")
    plan = desk.cases.plan(case, finds, desk.where())
    kept = {one.file.path: one.file.reason for one in plan.kept_files}
    assert kept == {str(path): "keep.not_asked", str(desk.log): "hold.claims"}
    assert {one.file.path: one.file.part for one in plan.kept_files} == {
        str(path): False,
        str(desk.log): True,  # one passage of it goes, another one is on hold
    }
    assert "the other passages go" in told_of(Words(), plan.kept_files[-1].file)
    assert not [one for one in plan.parts[0].erase.side_files if one.path in kept and one.cleanable]
    result = desk.cases.run(plan, typed=plan.word, receipt=tmp_path / "r.json")
    assert path.read_bytes() == before
    assert desk.log.read_text() == f"x\n{kept_line}"
    assert (result.state, result.accepted, result.exit_code) == (EraseState.PROVED, True, 0)
    assert result.case.state is CaseState.DONE
    assert TEXT.encode() not in desk.pair.project_file.read_bytes()
    receipt = json.loads((tmp_path / "r.json").read_text())
    told = {
        one["params"]["path"]: (one["code"], one["params"]["reason"])
        for one in receipt["not_covered"]
        if "path" in one["params"]
    }
    assert told == {
        str(path): ("limit.kept_file", "keep.not_asked"),
        str(desk.log): ("limit.held_file", "hold.claims"),
    }
    assert {one["path"]: one["part"] for one in receipt["kept_files"]} == {
        str(path): False,
        str(desk.log): True,
    }
    again = desk.cases.plan(case, desk.find(case), desk.where())
    assert (again.total, {one.file.path for one in again.kept_files}) == (0, set(kept))

    desk.pair.add("b", f"{TEXT} as before")  # found without the files: they stay all the same
    finds = desk.find(case)
    records = tuple(one for one in finds.finds if one.place is Place.RECORD)
    plan = desk.cases.plan(case, replace(finds, finds=records), desk.where())
    assert {one.path for one in plan.parts[0].erase.kept} == set(kept)


class TestHold:
    def test_it_binds_every_erase_and_every_other_case(self, desk):
        one = desk.pair.add("a", TEXT)
        desk.pair.add("b", f"{TEXT} of today")
        path = session(desk, f"{TEXT} of today!")
        before = path.read_bytes()
        erasing = desk.services.erasing
        planned = erasing.plans.plan([one.ref])
        case = desk.new()
        finds = desk.find(case)
        desk.cases.decide(case, finds, [number_of(finds)], Decision.HOLD, reason="hold.claims")
        # The plan was made before the hold, and would take away the whole transcript.
        erased = erasing.run(taking_whole(planned))
        erasing.told(erased, at_once=True)
        assert path.read_bytes() == before
        assert (erased.state, erased.accepted) == (EraseState.PROVED, True)
        (held,) = erased.kept_in
        assert held.file == KeptFile(str(path), "hold", "hold.claims", case.number)
        assert [one.params["path"] for one in erased.not_covered if one.code == "limit.held_file"]

        second = desk.new()
        found = desk.find(second)
        assert by_title(found, path.name).bound
        plan = desk.cases.plan(second, found, desk.where())
        assert (plan.files, plan.held) == ((), 1)
        assert [one.file.case for one in plan.kept_files] == [case.number]
        done = desk.cases.run(plan, typed=plan.word)
        assert path.read_bytes() == before
        assert done.state is EraseState.PROVED
        assert desk.cases.case(second.number).state is CaseState.ASKING
        finds = desk.find(case)
        desk.cases.lift(case, finds, [number_of(finds)], desk.where())
        assert desk.run(second).state is EraseState.PROVED
        assert json.loads(path.read_text()) == {"messages": [{"content": ""}]}

    def test_it_stays_with_a_log_that_its_agent_names_anew(self, desk):
        one = desk.pair.add("a", TEXT)
        desk.log.write_text(f"he said: {TEXT}\n")
        case = desk.new()
        finds = desk.find(case)
        finds = desk.cases.decide(case, finds, [of_log(finds)], Decision.HOLD, reason="hold.claims")
        rotated = desk.log.rename(desk.log.with_name("agentao.log.1"))
        desk.log.write_text("begun anew\n")
        assert [line.count for line in desk.cases.holds()] == [1]
        found = by_title(desk.find(case), rotated.name)
        assert (found.decision, found.reason) == (Decision.HOLD, "hold.claims")
        plan = desk.services.erasing.plans.plan([one.ref])
        assert [one.path for one in plan.kept] == [str(desk.log), str(rotated)]
        assert not [file for file in plan.side_files if file.cleanable]
        desk.cases.lift(case, desk.find(case), [found.number], desk.where())
        assert desk.cases.holds() == ()
        assert desk.services.erasing.plans.plan([one.ref]).kept == ()

    def test_it_binds_a_page_and_a_plan_of_its_own_case_that_are_older(self, desk):
        """As a window does in which the case was looked at before somebody else held the file."""
        path = session(desk, TEXT)
        before = path.read_bytes()
        case = desk.new()
        shown = desk.find(case)
        planned = desk.cases.plan(case, shown, desk.where())
        assert len(planned.files) == 1
        desk.cases.decide(case, shown, [number_of(shown)], Decision.HOLD, reason="hold.claims")
        (part,) = desk.cases.run(planned, typed=planned.word).parts
        assert (part.state, part.error.code) == (EraseState.NOT_FINISHED, "erase.file_on_hold")
        plan = desk.cases.plan(case, shown, desk.where())
        assert (plan.files, plan.held, plan.total) == ((), 1, 0)
        assert path.read_bytes() == before
        shown = desk.cases.decide(case, shown, [number_of(shown)], Decision.ERASE)
        assert len(desk.cases.plan(case, shown, desk.where()).files) == 1


def test_an_erase_that_goes_on_knows_what_stays(desk, make_desk):
    desk.pair.add("a", TEXT)
    desk.log.write_text(f"he said: {TEXT}\n")
    case = desk.new()
    finds = desk.find(case)
    finds = desk.cases.decide(case, finds, [of_log(finds)], Decision.KEEP, reason="keep.cannot")
    plan = desk.cases.plan(case, finds, desk.where())
    (entry,) = desk.services.erasing.announce(plan.parts[0].erase)
    again = make_desk()
    (done,) = again.services.erasing.finish_begun(entry.store_path)
    assert desk.log.read_text() == f"he said: {TEXT}\n"
    assert TEXT.encode() not in again.pair.project_file.read_bytes()
    assert (done.state, done.keeps) == (EraseState.PROVED, True)
    assert done.kept_in[0].file == KeptFile(str(desk.log), "keep", "keep.cannot", case.number)


def test_a_hold_that_comes_after_an_erase_was_begun_is_told_with_its_result(
    desk, make_desk, tmp_path
):
    desk.pair.add("a", TEXT)
    desk.pair.add("b", "李雷 likes tea from the north")
    case = desk.new()
    finds = desk.find(case)
    plan = desk.cases.plan(case, finds, desk.where())
    (entry,) = desk.services.erasing.announce(plan.parts[0].erase)  # and stopped there
    held = [by_title(finds, "a").number]
    desk.cases.decide(case, finds, held, Decision.HOLD, reason="hold.claims")
    again = make_desk()
    receipt = tmp_path / "r.json"
    done = again.services.erasing.resume(entry, receipt=receipt)
    assert done.state is EraseState.PROVED
    assert TEXT.encode() not in again.pair.project_file.read_bytes()
    told = {"code": "limit.held_since", "params": {"case": str(case.number), "count": "1"}}
    assert told in [one.as_json() for one in done.not_covered]
    assert told in json.loads(receipt.read_text())["not_covered"]
    assert "only after this erase was begun (1)" in limit(Words(), told["code"], told["params"])
