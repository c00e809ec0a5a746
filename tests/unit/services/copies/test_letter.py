# SPDX-License-Identifier: MIT
"""The letter says what was done, what stays and why, and leaves to a person what only they know."""

from __future__ import annotations

import stat
from dataclasses import replace
from datetime import date

import pytest

from memory_gui.cases.case import LOOKED_ONLY, Case, CaseState, CheckItem, LookedIn
from memory_gui.cases.clock import Clock
from memory_gui.cases.finds import NotLooked
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.errors import UserError
from memory_gui.domain.keptfiles import KeptFile
from memory_gui.erasure.result import EraseState
from memory_gui.services.cases.answering.reporting import CaseReport, RunLine
from memory_gui.services.cases.book.holds import HoldLine
from memory_gui.services.cases.running.plans import StayingFile
from memory_gui.services.copies.letter import letter, write_letter
from memory_gui.words import Words

CASE = Case(
    7, "c7", Subject.of("Zofia Quillfeather"), Right.ERASE, Clock.started(date(2026, 11, 10))
)
CHECKS = (CheckItem("check.vendor", done_on=date(2026, 11, 20)), CheckItem("check.backups"))


def run(agent: str, erased: int, *, redacted: int = 0) -> RunLine:
    path = f"/home/ann/{agent}.db"
    return RunLine("x", path, agent, EraseState.PROVED, erased, redacted, 0, "", False)


def report(case: Case = CASE, state: EraseState = EraseState.PROVED, **more) -> CaseReport:
    hold = HoldLine(7, "hold", "hold.claims", date(2027, 1, 31), "2026-11-29", 2, who="Ann")
    given = {
        "runs": (run("Agentao", 3), run("Agentao", 1), run("Mem0", 1, redacted=2)),
        "kept": (hold,), "undecided": 0, "left": 0, "not_looked": (), "not_covered": (),
        "may_hold": (), "checklist": CHECKS,
    }  # fmt: skip
    return CaseReport(case, state, **(given | more))


def said(language: str = "en", **more) -> str:
    return letter(Words(language), report(**more), today=date(2026, 11, 30))


def test_what_was_done_and_what_was_kept_and_why():
    text = said()
    assert text.startswith("November 30, 2026\n\nDear Zofia Quillfeather,\n\nOn November 10, 2026")
    assert "– Agentao: 4 records about you were erased" in text
    assert "– Mem0: your name was taken out of 2 records" in text
    assert "That they are gone was proved" in text
    assert "2 records, until January 31, 2027: legal claims (GDPR 17(3)(e))" in text
    before, _, after = text.partition("These places still have to be seen to")
    assert "Makers of models" in before
    assert "Backups and snapshots" in after


def test_no_path_of_this_computer_stands_in_it():
    assert "/home/" not in said()


def test_it_claims_no_proof_that_there_is_not():
    text = said(state=EraseState.NOT_FINISHED)
    assert "was proved" not in text
    assert "This is not finished yet: [" in text


def test_what_is_still_there_is_not_hidden():
    place = NotLooked("/home/ann/.hermes/memories", "Hermes", "case.no_adapter", {})
    left = (("", 1), ("keep.not_theirs", 3))
    text = said(undecided=26, left_why=left, left_undecided=2, not_looked=(place, place))
    assert "24 records that may be about you are still there: [" in text
    assert "2 records about you are still there: [" in text
    assert "1 record was looked at, and stays: [why]" in text
    assert "3 records were looked at, and stay: it is about somebody else after all" in text
    assert "2 places could not be looked into: [" in text
    assert "/home/" not in text
    assert "still there" not in said()


def test_it_does_not_say_that_all_was_searched_where_it_was_not():
    some = replace(CASE, looked_in=LookedIn(stores=("/home/ann/a.db",)))
    closed = replace(CASE, outcome={LOOKED_ONLY: True})
    for case in (some, closed):
        told = said(case=case)
        assert "We searched [which places, and why only there]" in told
        assert "all AI agents" not in told
    everywhere = replace(CASE, looked_in=LookedIn(only=False))
    assert "We searched the memories of all AI agents" in said(case=everywhere)


def test_where_nothing_was_done_a_person_says_what_was_found():
    found = "We found: [nothing about you"
    assert found in said(runs=(), kept=())
    assert found not in said(runs=())
    assert found not in said(kept=())
    assert found not in said(runs=(), kept=(), case=replace(CASE, right=Right.ACCESS))


def test_what_a_person_accepted_is_not_called_gone():
    found = [{"path": "/home/ann/letta.log", "what": "log", "count": 2}]
    accepted = replace(run("Letta", 2), document={"accepted": True, "side_files": found})
    text = said(runs=(run("Agentao", 3), accepted))
    assert "stays:\n– Letta, log (2 places): [why]" in text
    assert "none of these texts" not in text


def test_a_file_that_stays_is_said_to_stay_and_its_path_is_not():
    def staying(what, reason, case, *, finds=1):
        file = KeptFile("/home/ann/agentao.log", what, reason, case)
        return StayingFile(file, "/home/ann/m.db", "Agentao", "log", hits=4, finds=finds)

    hold = HoldLine(7, "hold", "hold.claims", None, "2026-11-29", 3)
    files = (
        staying("keep", "keep.not_theirs", 7, finds=2),
        staying("hold", "hold.claims", 7),
        staying("hold", "hold.health", 3),
    )
    text = said(kept_files=files, left_why=(("keep.not_theirs", 3),), kept=(hold,))
    assert "except in the files that stay, which are named below" in text
    assert "1 record was looked at, and stays: it is about somebody else after all" in text
    assert "1 file (Agentao, log), as it is: it is about somebody else after all" in text
    assert "2 records, 1 file (Agentao, log), as it is: legal claims" in text
    assert "1 file (Agentao, log), as it is: [why]" in text
    assert "/home/" not in text


def test_a_refusal_says_why_and_whom_to_ask():
    case = replace(CASE, state=CaseState.REFUSED, refusal="refuse.identity")
    text = said(case=case)
    assert "it could not be shown who asks" in text
    assert "supervisory authority" in text
    assert "erased" not in text


def test_a_copy_says_what_the_law_wants_said_with_it():
    text = said(case=replace(CASE, right=Right.ACCESS), runs=(), kept=())
    for begin in ("We use these data for", "They were given to", "They are kept until"):
        assert f"{begin}: [" in text
    assert "was done" not in text


@pytest.mark.parametrize("right", Right)
def test_in_chinese_nothing_is_left_in_english(right):
    text = said("zh_CN", case=replace(CASE, right=right))
    words = {"Agentao", "Mem", "Zofia", "Quillfeather", "AI", "GDPR", "e"}
    found = set("".join(c if c.isascii() and c.isalpha() else " " for c in text).split())
    assert found <= words
    assert "您好" in text


def test_it_is_written_once_and_for_its_owner_only(tmp_path):
    path = write_letter(tmp_path / "letter.txt", "Dear …")
    assert path.read_text("utf-8") == "Dear …"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(UserError, match=r"copy\.exists"):
        write_letter(path, "again")
