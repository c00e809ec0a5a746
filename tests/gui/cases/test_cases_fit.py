# SPDX-License-Identifier: MIT
"""Each step of a case fits into the smallest window, with letters of twice the size too."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLineEdit

sys.path[:0] = [str(Path(__file__).parents[1] / "fit"), str(Path(__file__).parents[1])]

from fakes.cases import one_case, some_cases, some_finds  # noqa: E402 - found by the above
from looking import child, press  # noqa: E402 - as above
from test_fit import letters, spoken, wrong_in  # noqa: E402, F401 - as above; fixtures

from memory_gui.erasure.result import EraseState  # noqa: E402 - as above

pytestmark = pytest.mark.soak
STEPS = {
    "request": (),
    "change": ("case.change",),
    "extend": ("case.extend",),
    "finds": ("case.look",),
    "hold": ("case.look", "case.hold"),
    "keep": ("case.look", "case.keep"),
    "correct": ("case.look", "case.correct"),
    "copy": ("case.look", "case.to_copy"),
    "plan": ("case.look", "case.to_plan"),
    "result": ("case.look", "case.to_plan", "4", "case.run.button"),
    "remains": (
        *("case.look", "case.to_plan", "4", "case.run.button"),
        "case.result.remains.accept",
    ),
    "again": ("case.rerun",),
    "answer": ("case.look", "case.to_plan", "4", "case.run.button", "case.result.answer"),
}


@pytest.mark.parametrize("name", ["cases", "list", "case_new", *STEPS])
def test_it_fits(window, fake, settled, spoken, letters, name):  # noqa: F811 - fixtures
    fake.cases.known, fake.cases.found = some_cases(), some_finds()
    if name == "remains":
        fake.cases.state = EraseState.NOT_PROVED
    window.go(
        "cases" if name == "list" else "case" if name in STEPS else name,
        3 if name == "again" else one_case().number if name in STEPS else None,
    )
    settled()
    if name == "list":
        press(window, "cases.list_wanted")
    for step in STEPS.get(name, ()):
        if step.isdigit():
            child(window, QLineEdit, "case.plan.word").setText(step)
        else:
            press(window, step)
        settled()
    assert wrong_in(window, settled) == []
