# SPDX-License-Identifier: MIT
"""The page of review's rules, and what runs them in the window."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from fake_services import PROJECT
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton
from scene import NEW, REPLACES

from memory_gui.domain.changes import ChangeSet, Decision, Target, Verdict
from memory_gui.domain.errors import UserError
from memory_gui.ledger.reviewrules import ByRule, Rule
from memory_gui.services.reviewing.rules import Decided, Planned, RulePlan, RuleRun
from memory_gui.ui.review.rulespage import RulesPage
from memory_gui.ui.review.runner import RulesRunner
from memory_gui.ui.widgets import CheckBox

RULE = Rule("0a0b0c0d", str(PROJECT), "approve", 3)
DONE = ByRule(7, "2026-11-20T08:00:00+00:00", str(PROJECT), RULE.id, "approve", "review",
              NEW.ref.plain, "abc", "done")  # fmt: skip


@pytest.fixture
def rules(shown, settled):
    page = shown(RulesPage, PROJECT)
    settled()
    return page


def test_there_are_none_until_one_is_made(rules, fake, settled):
    assert rules.list._none.isVisible()
    assert rules.list._none.text() == "None: you decide everything."
    assert not rules.add_rejecting.isEnabled()
    rules.seen.setCurrentIndex(rules.seen.findData(5))
    rules.add_approving.click()
    rules.pattern.setText("weather * today")
    rules.add_rejecting.click()
    settled()
    assert fake.called("add_approving") == [[PROJECT, 5]]
    assert fake.called("add_rejecting") == [[PROJECT, "weather * today"]]
    assert rules.pattern.text() == ""
    boxes = rules.list.findChildren(CheckBox)
    assert [box.text() for box in boxes] == [
        "Approves what was seen at least 5 times, is not odd and is like nothing saved",
        "Rejects what has “weather * today” in it",
    ]
    boxes[0].click()
    settled()
    assert fake.called("set_running") == [["00000000", False]]
    rules.list.findChild(QPushButton, "rules.remove0").click()
    settled()
    assert len(rules.list.findChildren(CheckBox)) == 1
    rules.clear()
    assert rules.list.findChildren(CheckBox) == []


def test_looking_tells_what_they_would_do_and_running_does_it(rules, fake, settled):
    planned = (
        Planned(RULE, Decision(Target(NEW.ref), Verdict.APPROVE), NEW.title),
        Planned(RULE, Decision(Target(REPLACES.ref), Verdict.REJECT), REPLACES.title),
    )
    fake.rules.plan_next = RulePlan(planned, {"hidden": 2}, 9)
    rules.look.click()
    settled()
    for told in ("9 proposals wait.", "1 would be approved.", "2 are left: something in them"):
        assert told in rules.would.text()
    assert fake.called("rule_run") == []
    fake.rules.run_next = RuleRun(ChangeSet(changed=(NEW.ref,)), 1, 1, {})
    seen = []
    rules.changed.connect(seen.append)
    rules.run.click()
    settled()
    assert rules.frame.banner.text == "A rule approved 1 proposal. A rule rejected 1 proposal."
    assert len(seen) == 1
    assert rules.would.text() == ""


def test_each_decision_is_listed_and_can_be_taken_back(rules, fake, settled):
    gone = replace(DONE, number=8, state="taken back")
    fake.rules.listed = [Decided(gone, REPLACES.ref, "Deploy port"), Decided(DONE, NEW.ref, "Tea")]
    rules.refresh()
    settled()
    backs = [b for b in rules.decided.findChildren(QPushButton) if not b.isHidden()]
    assert [b.accessibleName() for b in backs] == ["Take back: Tea"]
    backs[0].click()
    settled()
    assert fake.called("take_back") == [[(7,)]]
    assert "no rule decides on it any more" in rules.frame.banner.text


def test_without_a_keychain_it_says_so(rules, fake, settled):
    fake.rules.can_be_kept = False
    rules.refresh()
    settled()
    assert "Rules cannot be kept here" in rules.frame.banner.text
    assert not rules.add_approving.isEnabled()
    assert not rules.run.isEnabled()


def test_they_run_when_a_store_is_opened_and_when_it_changed(context, fake, settled):
    keeper = QObject()
    runner = RulesRunner(context, keeper)
    told = []
    runner.changed.connect(lambda changes, text: told.append((changes, text)))
    opened = tuple(fake.library.stores())
    runner.follow(opened)
    settled()
    every = tuple(sorted(one.id for one in opened))
    assert fake.called("rule_run") == [[every, True]]
    runner.follow(opened)
    settled()
    assert len(fake.called("rule_run")) == 1, "a store that is open already is not new"
    assert told == []
    fake.rules.run_next = RuleRun(ChangeSet(changed=(NEW.ref,)), 2, 0, {})
    runner.look({PROJECT})
    settled()
    assert [text for _, text in told] == ["Rules approved 2 proposals."]
    fake.fail_next["rule_run"] = UserError("store.locked", path="/x")
    runner.look({PROJECT})
    settled()
    runner.look({PROJECT})
    settled()
    assert len(fake.called("rule_run")) == 4
    runner.clear()
    runner.look({PROJECT})
    settled()
    assert len(fake.called("rule_run")) == 4


def test_a_run_that_a_lock_came_before_is_named(rules, context, settled):
    said, go = [], threading.Event()
    context.bridge.never_begun.connect(lambda asked: said.append(asked()))
    context.bridge.call(go.wait, 60, in_turn=True)
    rules._on_run()
    context.bridge.drop()
    go.set()
    settled()
    assert said == ["let your rules decide"]
