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

    # The numbers are those of the whole case, and each run is told.
    desk.pair.add("c", "李雷 came back", scope="user")
    outcome = desk.run(again.case).case.outcome
    assert (outcome["erased"], outcome["unproved"], outcome["state"]) == (2, 0, "proved")
    assert [one["erased"] for one in outcome["runs"]] == [1, 0, 1]
