# SPDX-License-Identifier: MIT
"""The screens of a case: the list, what was found, what would go, and the answer."""

from __future__ import annotations

from fakes.cases import one_case, some_cases, some_finds
from PySide6.QtWidgets import QLineEdit

from drawn.stage import Stage

NAMES = ("cases", "case-finds", "case-plan", "case-answer")


def cases(on: Stage) -> None:
    """One request on its way, with what was found in each heap."""
    window, fake = on.window, on.fake
    fake.cases.known, fake.cases.found = some_cases(), some_finds()
    window.go("cases")
    on.take("cases")
    window.go("case", one_case().number)
    on.settle()
    on.press("case.look")
    on.take("case-finds")
    on.press("case.to_plan")
    on.take("case-plan")
    window.findChild(QLineEdit, "case.plan.word").setText("4")
    on.press("case.run.button")
    on.press("case.result.answer")
    on.take("case-answer")
    on.view("memories")
