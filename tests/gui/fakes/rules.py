# SPDX-License-Identifier: MIT
"""Rules of review in memory: they decide nothing by themselves, a test says what came of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memory_gui.domain.changes import ChangeSet
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.ledger.reviewrules import Rule
from memory_gui.services import BulkResult
from memory_gui.services.reviewing.rules import Decided, RulePlan, RuleRun

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeRules:
    """``plan_next`` and ``run_next`` are what looking and running come to."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.kept: list[Rule] = []
        self.listed: list[Decided] = []
        self.plan_next = RulePlan((), {}, 0)
        self.run_next = RuleRun(ChangeSet(), 0, 0, {})
        self.can_be_kept = True
        self.book = self
        self.decisions = self

    def of(self, store: StoreId) -> tuple[Rule, ...]:
        return tuple(self.kept)

    def list(self, store: StoreId) -> tuple[Decided, ...]:
        return tuple(self.listed)

    def add_approving(self, store: StoreId, seen: int) -> Rule:
        self._fake.note("add_approving", store, seen)
        self.kept.append(Rule(f"{len(self.kept):08x}", str(store), "approve", seen))
        return self.kept[-1]

    def add_rejecting(self, store: StoreId, pattern: str) -> Rule:
        self._fake.note("add_rejecting", store, pattern)
        if len(pattern) < 2:
            raise UserError("rules.pattern", least=2, most=200, stars=10)
        self.kept.append(Rule(f"{len(self.kept):08x}", str(store), "reject", 0, pattern))
        return self.kept[-1]

    def set_running(self, store: StoreId, ident: str, *, running: bool) -> None:
        self._fake.note("set_running", ident, running)
        self.kept = [replace(one, running=running) if one.id == ident else one for one in self.kept]

    def remove(self, store: StoreId, ident: str) -> None:
        self.kept = [one for one in self.kept if one.id != ident]

    def plan(self, stores: Any = (), **_: Any) -> RulePlan:
        self._fake.note("rule_plan", tuple(stores))
        return self.plan_next

    def run(self, stores: Any = (), *, only_new: bool = False, **_: Any) -> RuleRun:
        self._fake.note("rule_run", tuple(stores), only_new)
        return self.run_next

    def take_back(self, store: StoreId, numbers: Any, **_: Any) -> BulkResult:
        self._fake.note("take_back", tuple(numbers))
        return BulkResult(ChangeSet(changed=tuple(one.ref for one in self.listed)), len(numbers))
