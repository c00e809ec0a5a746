# SPDX-License-Identifier: MIT
"""What a case says after its runs: what is still there, what is gone, and what is not proved."""

from casedesk import by_title

from memory_gui.cases.case import CaseState
from memory_gui.cases.finds import Decision
from memory_gui.erasure.result import EraseState

TEXT = "李雷 lives in the street of the seven bridges"


def test_what_is_erased_and_not_proved_is_not_still_there(desk):
    desk.pair.add("a", TEXT)
    both = desk.pair.add("b", "李雷 likes tea from the north")
    paper = desk.folder / "atlas/AGENTAO.md"
    paper.write_text(f"{TEXT}\n")  # written by hand: nothing of it goes by itself
    case = desk.new()
    finds = desk.find(case)
    finds = desk.cases.decide(case, finds, [by_title(finds, "b").number], Decision.NONE)
    result = desk.run(case, finds)
    assert (result.state, result.case.state) == (EraseState.NOT_PROVED, CaseState.RUNNING)
    assert desk.pair.read(both.ref) == both
    assert (result.case.asking, result.case.unproved) == (1, 1)
    assert desk.cases.case(case.number).unproved == 1

    paper.unlink()
    again = desk.run(result.case)
    assert (again.state, again.case.state) == (EraseState.PROVED, CaseState.ASKING)
    assert (again.case.asking, again.case.unproved) == (1, 0)
    assert desk.cases.report(again.case).erased == 1


def test_the_numbers_are_those_of_the_whole_case_and_each_run_is_told(desk):
    desk.pair.add("a", TEXT)
    case = desk.run(desk.new()).case
    desk.pair.add("b", "李雷 likes tea from the north")
    desk.pair.add("c", "李雷 came back", scope="user")
    case = desk.run(case).case
    assert (case.outcome["erased"], case.outcome["state"]) == (3, "proved")
    assert [one["erased"] for one in case.outcome["runs"]] == [1, 2]
    find = by_title(desk.find(case), "d") if desk.pair.add("d", "李雷 is tall") else None
    case = desk.cases.case(case.number)
    desk.cases.correct(case, find, {"text": "李雷 is small"}, desk.where())
    outcome = desk.cases.case(case.number).outcome
    assert (outcome["erased"], outcome["corrected"]) == (3, 1)
