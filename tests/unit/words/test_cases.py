# SPDX-License-Identifier: MIT
"""Every code of a case has its words, in both languages."""

from datetime import date

import pytest

from memory_gui.cases.case import CaseState
from memory_gui.cases.clock import Term
from memory_gui.cases.finds import ONLY_KEPT, SHARED_WHYS, Decision, Heap
from memory_gui.cases.matching import WHYS
from memory_gui.cases.names import Form
from memory_gui.cases.rights import (
    GROUNDS,
    HOLD_REASONS,
    KEEP_REASONS,
    METHODS,
    REFUSALS,
    Right,
)
from memory_gui.services.cases.finding.passages import BY_HAND
from memory_gui.services.cases.finding.places import NO_ADAPTER
from memory_gui.services.cases.running.planning import ALWAYS
from memory_gui.words import Words, reasons
from memory_gui.words import cases as say

CODES = [
    (say.RIGHTS, Right),
    (say.GROUNDS, [one.code for one in GROUNDS]),
    (reasons.HOLD_REASONS, HOLD_REASONS),
    (reasons.KEEP_REASONS, KEEP_REASONS),
    (say.REFUSALS, REFUSALS),
    (say.METHODS, METHODS),
    (say.STATES, CaseState),
    (say.HEAPS, Heap),
    (say.DECISIONS, Decision),
    (say.TERMS, Term),
    (say.WHYS, [*WHYS, *ONLY_KEPT, *SHARED_WHYS, BY_HAND]),
]


@pytest.mark.parametrize(("table", "codes"), CODES)
def test_each_code_has_words_and_each_word_a_code(table, codes):
    assert set(table) == {str(code) for code in codes}


def test_what_is_said_with_values():
    assert set(ALWAYS) <= set(say.CHECKS)
    assert NO_ADAPTER in say.NOT_LOOKED
    assert {str(form) for form in Form} <= set(say.FORMS)
    english, chinese = Words("en"), Words("zh_CN")
    assert say.due(english, date(2026, 12, 1), 3) == "Dec 1, 2026, 3 days left"
    assert say.due(english, date(2026, 12, 1), 0) == "Dec 1, 2026, today"
    assert say.due(english, date(2026, 12, 1), -1) == "Dec 1, 2026, 1 day over"
    assert say.due(chinese, date(2026, 12, 1), -2) == "2026年12月1日，已超期 2 天"
    assert say.not_looked(english, "file.link", {"path": "/x"})
    assert say.said(english, say.HEAPS, "unheard of") == "unheard of"
