# SPDX-License-Identifier: MIT
"""What a row says of a find about which another case has decided."""

from datetime import date

import pytest

from memory_gui.cases.finds import CaseFind, Decision, Finds, Heap, OtherCase, Place
from memory_gui.cases.names import Subject
from memory_gui.domain.records import Ref, StoreId
from memory_gui.terminal.cases.finds import decided_line, finds_json
from memory_gui.ui.cases.finds_model import decided, facts
from memory_gui.words import Words

EN, ZH = Words("en"), Words("zh_CN")
STORE = StoreId("/s")


def find(other, decision=Decision.ERASE):
    return CaseFind(
        *(1, STORE, "agentao", "Agentao", Place.RECORD, "memory", Heap.SURE, "/s"),
        ref=Ref(STORE, "memory", ("a",)),
        decision=decision,
        other=other,
    )


@pytest.mark.parametrize(
    ("other", "chip", "row", "terminal"),
    [
        (
            OtherCase(4, Decision.HOLD, "hold.claims", date(2027, 1, 5)),
            "held by case 4",
            "held by case 4 until Jan 5, 2027: legal claims (GDPR 17(3)(e)) · Agentao · memory",
            "held by case 4 until Jan 5, 2027: legal claims (GDPR 17(3)(e))",
        ),
        (
            OtherCase(4, Decision.RESTRICT),
            "restricted by case 4",
            "restricted by case 4 · Agentao · memory",
            "restricted by case 4",
        ),
        (
            OtherCase(4, Decision.KEEP, "keep.not_asked"),
            "erase",
            "kept in case 4: the request is not about it · Agentao · memory",
            "erase (kept in case 4: the request is not about it)",
        ),
        (None, "erase", "Agentao · memory", "erase"),
    ],
)
def test_the_row_says_what_another_case_decided(other, chip, row, terminal):
    one = find(other)
    assert (decided(EN, one), facts(EN, one), decided_line(EN, one)) == (chip, row, terminal)


def test_what_was_not_chosen_to_go_is_not_called_held():
    held = OtherCase(4, Decision.HOLD)
    assert decided(ZH, find(held, Decision.KEEP)) == "保留"
    assert decided(ZH, find(held)) == "由请求 4 封存保留"


def test_documents_name_the_other_case_beside_the_decision():
    held = find(OtherCase(4, Decision.HOLD, "hold.claims", date(2027, 1, 5)))
    told = finds_json(Finds(Subject.of("李雷"), (held, find(None))))["finds"]
    assert [(one["decision"], one["other_case"]) for one in told] == [
        ("erase", {"case": 4, "decision": "hold", "reason": "hold.claims", "until": "2027-01-05"}),
        ("erase", None),
    ]
