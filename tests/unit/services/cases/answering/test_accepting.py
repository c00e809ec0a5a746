# SPDX-License-Identifier: MIT
"""What a run finds again in other files: named, accepted with a reason, told in every answer."""

import os

import pytest

from memory_gui.cases.case import CaseState
from memory_gui.domain.errors import UserError
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.answering import closing
from memory_gui.services.copies.letter import letter
from memory_gui.words import Words

TEXT = "李雷 lives in the street of the seven bridges"


def test_it_is_accepted_with_a_reason_and_told(desk, monkeypatch):
    monkeypatch.setattr(closing.Closing, "clean", lambda *_: True)
    cases = desk.cases
    desk.pair.add("a", TEXT)
    paper = desk.folder / "atlas/AGENTAO.md"
    paper.write_text(f"{TEXT}\n")  # written by hand: nothing of it goes by itself
    desk.log.write_text("lives in the street of the seven bridges\n")  # and no name
    os.link(desk.log, desk.folder / "also.log")  # so that it is not overwritten either
    case = desk.run(desk.new()).case
    left, log = sorted(cases.report(case).remains, key=lambda one: one.where)
    assert (log.where, log.what, log.error) == (str(desk.log), "log", "raw.hard_links")
    assert (left.where, left.what, left.count) == (str(paper), "instructions", 1)
    with pytest.raises(UserError, match=r"case\.running"):
        cases.close(case)
    for reason in ("", "x", "hold.other"):
        with pytest.raises(UserError, match=r"case\.keep_reason"):
            cases.accept(case, reason=reason)
    waiting = desk.services.erasing.pending(desk.pair.project_file)
    assert [one.state for one in waiting] == ["still-in"]
    done = cases.accept(case, reason="hold.obligation", text="the paper of the guild")
    assert (done.state, done.unproved) == (CaseState.DONE, 0)
    assert done.notes == "the paper of the guild"
    assert paper.read_text() == f"{TEXT}\n"
    assert desk.services.erasing.pending(desk.pair.project_file) == ()
    report = cases.report(done)
    assert (report.state, report.accepted, report.erased) == (EraseState.PROVED, True, 1)
    assert report.runs[0].document["accepted_why"] == "hold.obligation"
    assert report.remains == ()
    assert {one.where for one in report.let_stay} == {left.where, log.where}
    assert {one.reason for one in report.let_stay} == {"hold.obligation"}
    with pytest.raises(UserError, match=r"case\.nothing_left"):
        cases.accept(done, reason="hold.obligation")
    told = letter(Words(), report)
    assert "except for these places, in which some of it was found again and stays:" in told
    assert "– Agentao, instructions (1 place): a legal obligation or public task" in told
    assert str(paper) not in told
    # A later run of the same store, which proves its own texts, does not make it unsaid.
    (line,) = report.runs
    later = {"accepted": False, "side_files": [], "not_covered": [], "accepted_why": ""}
    rows = desk.services.keeper.ledger().cases
    rows.done(done.number, line.at, line.path, "proved", {**line.document, **later})
    receipt = cases.receipt(cases.close(done))
    assert (receipt["state"], receipt["accepted"]) == ("proved", True)
    assert receipt["result"] == "verified, except for what was accepted"
    (part,) = receipt["parts"]
    assert part["accepted"] is False
    before = {one["path"]: one["why"] for one in part["accepted_before"]}
    assert before == dict.fromkeys((str(paper), str(desk.log)), "hold.obligation")
    codes = [(one["code"], one["params"].get("path")) for one in receipt["not_covered"]]
    assert ("limit.side_file", str(paper)) in codes
