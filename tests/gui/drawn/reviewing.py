# SPDX-License-Identifier: MIT
"""Review in its states: what waits, what it touches, what is odd, several at once, rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import scene
from fake_services import PROJECT, USER

from drawn.stage import Stage
from memory_gui.domain.changes import Alike, Decision, Outcome, Target, Verdict, Why
from memory_gui.domain.records import Ref, State
from memory_gui.ledger.reviewrules import ByRule, Rule
from memory_gui.services.reviewing.rules import Decided, Planned, RulePlan
from memory_gui.services.reviewing.story import Story
from memory_gui.ui.review.page import ReviewPage
from memory_gui.ui.review.rulespage import RulesPage

SAVED = replace(
    scene.OLD_PORT,
    title="answer_style",
    text="prefers long answers with every step explained",
    scope="user",
    type="preference",
)
NEAR = replace(
    SAVED, title="answers_short", text="prefers short answers with the result first, then why"
)
NAMES = (
    *("review-touches", "review-hidden", "review-covered", "review-again", "review-own"),
    *("review-decided", "review-several", "review-rules", "review-empty"),
)


def review_states(on: Stage) -> None:
    """One after the other, on the page that is there."""
    host, fake = on.window._panes.host, on.fake
    previews = dict(fake.review.previews)
    for name, ref in _items(on):
        host.show_page("review", ref)
        on.take(name)
    fake.review.previews = previews
    page = on.window.findChild(ReviewPage)
    page.many.setChecked(True)
    on.settle()
    on.take("review-several")
    page.many.setChecked(False)
    page.several.clear()
    _rules(on)
    kept = dict(fake.library.records)
    for ref in [ref for ref in kept if ref.kind == "review"]:
        del fake.library.records[ref]
    host.show_page("review")
    on.take("review-empty")
    fake.library.records.update(kept)


def _items(on: Stage) -> Iterator[tuple[str, Ref]]:
    previews, library = on.fake.review.previews, on.fake.library
    alike = (
        Alike(SAVED, Why.OPPOSITE, 0.55, "answer_style"),
        Alike(NEAR, Why.NEAR, 0.82, "answers_short"),
    )
    previews[scene.NEW.ref] = replace(scene.preview(scene.NEW, alike=alike), warnings=("opposite",))
    yield "review-touches", scene.NEW.ref
    yield "review-hidden", scene.HIDDEN.ref
    yield "review-covered", scene.WITH_SECRET.ref
    again = replace(scene.preview(scene.CHINESE), rejected_at="2026-11-20T08:00:00+00:00")
    previews[scene.CHINESE.ref] = again
    yield "review-again", scene.CHINESE.ref
    ours = replace(
        scene.NEW,
        ref=Ref(USER, "proposal", ("0b5a6f1c2d3e",)),
        text="keeps a paper diary beside the calendar",
        title="Paper diary",
        subject="paper_diary",
        extra={
            "evidence": "I keep a paper diary beside the calendar, always did",
            "occurrences": "1",
        },
    )
    library.put(ours)
    on.fake.review.own = (ours,)
    previews[ours.ref] = scene.preview(ours)
    yield "review-own", ours.ref
    del library.records[ours.ref]
    on.fake.review.own = ()
    decided = replace(scene.REPLACES, state=State.APPROVED)
    library.put(decided)
    previews[decided.ref] = scene.preview(decided, Outcome.REFUSED, refusal="review.not_pending")
    saved = replace(scene.OLD_PORT, text="The service listens on 9191 behind the third proxy.")
    on.fake.stories.told[decided.ref] = Story(
        "2026-11-24T08:10:00+00:00", decided="2026-11-28T09:30:00+00:00", memory=saved
    )
    page = on.window.findChild(ReviewPage)
    page.which.setCurrentIndex(1)
    yield "review-decided", decided.ref
    page.which.setCurrentIndex(0)
    library.put(scene.REPLACES)


def _rules(on: Stage) -> None:
    rules, project = on.fake.rules, str(PROJECT)
    often = Rule("1a2b3c4d", project, "approve", 3)
    never = Rule("5e6f7a8b", project, "reject", 0, "weather * today", running=False)
    rules.kept = [often, never]
    at = "2026-11-28T09:30:00+00:00"
    item = scene.NEW.ref.plain
    rules.listed = [
        Decided(
            ByRule(2, at, project, often.id, "approve", "review", item, "0badcafe", "done"),
            scene.NEW.ref,
            scene.NEW.title,
            often,
        ),
        Decided(
            ByRule(1, at, project, never.id, "reject", "review", item, "", "taken back"),
            scene.REPLACES.ref,
            scene.REPLACES.title,
            never,
        ),
    ]
    decision = Decision(Target(scene.NEW.ref), Verdict.APPROVE)
    rules.plan_next = RulePlan((Planned(often, decision, "x"),), {"alike": 2, "hidden": 1}, 5)
    on.window.go("rules", PROJECT)
    on.settle()
    on.window.findChild(RulesPage).look.click()
    on.settle()
    on.take("review-rules")
    rules.kept, rules.listed = [], []
