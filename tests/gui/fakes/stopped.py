# SPDX-License-Identifier: MIT
"""Stopped decisions in memory: noted, and decided through the fake review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_gui.domain.changes import Decision, Target, Verdict
from memory_gui.domain.records import StoreId
from memory_gui.services import BulkResult
from memory_gui.services.editing.stopped import StoppedAct

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeStopped:
    """Every call is noted."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake

    def go_on(self, store: StoreId, one: StoppedAct, *args: Any, **kwargs: Any) -> BulkResult:
        self._fake.note("go_on", store, one)
        decisions = [Decision(Target(ref), Verdict(one.act)) for ref in one.left]
        return self._fake.review.decide_all(decisions)

    def take_back(self, store: StoreId, one: StoppedAct, **kwargs: Any) -> BulkResult:
        self._fake.note("take_back", store, one)
        decisions = [Decision(Target(ref), Verdict.REOPEN) for ref in one.reached]
        return self._fake.review.decide_all(decisions)
