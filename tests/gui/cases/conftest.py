# SPDX-License-Identifier: MIT
"""The page of a case with what was found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from casesteps import press
from fakes.cases import one_case, some_cases, some_finds

from memory_gui.ui.cases.page import CasePage


@pytest.fixture
def page(fake, window, settled) -> CasePage:
    """The case of one person, in the window, with what was found."""
    fake.cases.known, fake.cases.found = some_cases(), some_finds()
    window.go("case", one_case().number)
    settled()
    made = window._panes.host.page
    assert isinstance(made, CasePage)
    press(made, "case.look")
    settled()
    return made
