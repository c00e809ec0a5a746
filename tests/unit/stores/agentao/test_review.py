# SPDX-License-Identifier: MIT
"""The queue: what approving would do, doing it, and what is never lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import (
    Capability,
    Decision,
    Edit,
    NewRecord,
    Outcome,
    Target,
    Verdict,
)
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Record, State
from memory_gui.stores.formats.agentao import tables
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample

Opened = Callable[..., Any]
Outside = Callable[..., list[list[list[Any]]]]

PLAIN = "Constraint: merge without a green build"
OVERWRITES = "Preference: short answers, then the reasoning in one paragraph"
HIDDEN = "Constraint: send the release notes to Marta before noon"
SECRET = "Decision: the test key for the payment sandbox"
CONCISE = "Preference: 简洁的回答"
DARK = "Preference: 深色主题"
SAVED = "Decision: structured logs in JSON for all services"


class Desk:
    """The sample's pair, and deciding as a person who has seen the preview."""

    def __init__(self, tmp_path: Path, opened: Opened) -> None:
        location = make_sample(tmp_path, None)
        home = tmp_path / HOME
        self.path = location.main
        self.user_path = Registry(formats(None)).locate(home).main
        self.project = opened(self.path, home=home)
        self.user = opened(self.user_path, home=home)

    def target(self, record: Record) -> Any:
        return self.user if record.scope == "user" else self.project

    def item(self, title: str) -> Record:
        return next(r for b in self.project.scan(["review"]) for r in b if r.title == title)

    def memory(self, key: str, store: Any = None) -> Record | None:
        stores = [store] if store else [self.project, self.user]
        return next(
            (
                r
                for s in stores
                for b in s.scan(["memory"])
                for r in b
                if r.extra["key_normalized"] == key and r.state is State.LIVE
            ),
            None,
        )

    def preview(self, title: str, fields: Any = None) -> Any:
        item = self.item(title)
        return self.project.preview(item.ref, self.target(item), fields)

    def decide(self, title: str, verdict: Verdict, **more: Any) -> Any:
        item = self.item(title)
        decision = Decision(Target(item.ref, item.etag), verdict, **more)
        return self.project.review(decision, self.target(item))

    def approve(self, title: str, *, despite: tuple[str, ...] = (), fields: Any = None) -> Any:
        existing = self.preview(title, fields).existing
        return self.decide(
            title,
            Verdict.APPROVE,
            replaces=existing.etag if existing else None,
            despite=frozenset(despite),
            fields=fields or {},
        )


@pytest.fixture
def desk(tmp_path: Path, opened: Opened) -> Desk:
    return Desk(tmp_path, opened)


def code(act: Callable[[], object]) -> str:
    with pytest.raises(UserError) as caught:
        act()
    return caught.value.code


def test_a_new_memory(desk: Desk) -> None:
    preview = desk.preview(PLAIN)
    assert (preview.outcome, preview.warnings, preview.existing) == (Outcome.NEW, (), None)
    (ref,) = desk.approve(PLAIN).added
    (memory,) = desk.project.fetch([ref])
    assert (memory.source, memory.extra["confidence"]) == ("crystallized", "auto_summary")
    saved = {**desk.project.fields_of(memory), "source": memory.source}
    assert saved == {n: preview.fields[n] for n in saved}
    assert (memory.title, memory.text) == (
        "constraint_merge_without_green_build",
        "merge without a green build",
    )
    assert desk.item(PLAIN).state is State.APPROVED


def test_what_would_be_replaced_is_shown_and_replaced(desk: Desk) -> None:
    preview = desk.preview(OVERWRITES)
    assert preview.outcome is Outcome.REPLACES
    assert preview.warnings == ("conflict",)
    assert preview.existing.text == "concise answers with the command first"
    assert preview.target_store == desk.user.id
    desk.approve(OVERWRITES)
    (memory,) = desk.user.fetch([preview.existing.ref])
    assert memory.text == "short answers, then the reasoning in one paragraph"
    assert memory.created_at == preview.existing.created_at


def test_nothing_is_replaced_unseen(desk: Desk) -> None:
    """Without the shown etag, and after the memory changed."""
    before = desk.memory("preference_concise_answers")
    assert before is not None
    refused = lambda **more: code(lambda: desk.decide(OVERWRITES, Verdict.APPROVE, **more))  # noqa: E731
    assert refused() == "review.target_changed"
    desk.user.apply(Edit(Target(before.ref), {"text": "changed meanwhile"}))
    assert refused(replaces=before.etag) == "review.target_changed"
    now = desk.memory("preference_concise_answers")
    assert now is not None
    assert now.text == "changed meanwhile"
    assert desk.item(OVERWRITES).state is State.PENDING


def test_a_target_that_vanished_is_noticed(desk: Desk) -> None:
    before = desk.memory("preference_concise_answers")
    assert before is not None
    desk.user.trash(Target(before.ref))
    act = lambda: desk.decide(OVERWRITES, Verdict.APPROVE, replaces=before.etag)  # noqa: E731
    assert code(act) == "review.target_changed"


def test_two_keys_that_become_one_are_two_memories(desk: Desk) -> None:
    """Agentao keeps one of them (measured); we refuse the second and propose a key."""
    assert desk.preview(DARK).outcome is Outcome.NEW
    desk.approve(CONCISE)
    preview = desk.preview(DARK)
    assert (preview.outcome, preview.refusal) == (Outcome.REFUSED, "review.key_clash")
    assert preview.fields["proposed_key"] == "preference_2"
    with pytest.raises(UserError) as caught:
        desk.approve(DARK)
    assert (caught.value.code, caught.value.params) == (
        "review.key_clash",
        {"proposed": "preference_2"},
    )
    assert desk.item(DARK).state is State.PENDING
    desk.approve(DARK, fields={"key": preview.fields["proposed_key"]})
    one, two = desk.memory("preference"), desk.memory("preference_2")
    assert one is not None
    assert two is not None
    assert {one.text, two.text} == {"简洁的回答，不要重复问题", "深色主题，晚上八点以后自动切换"}


def test_a_person_may_insist_on_the_clash(desk: Desk) -> None:
    desk.approve(CONCISE)
    desk.approve(DARK, despite=("conflict",))
    memory = desk.memory("preference")
    assert memory is not None
    assert memory.text == "深色主题，晚上八点以后自动切换"


@pytest.mark.parametrize(
    ("title", "warning", "refusal"),
    [(HIDDEN, "hidden", "review.hidden"), (SECRET, "secret", "record.secret")],
)
def test_hidden_characters_and_secrets_need_a_second_yes(
    desk: Desk, title: str, warning: str, refusal: str
) -> None:
    preview = desk.preview(title)
    assert warning in preview.warnings
    assert (preview.outcome, preview.refusal) == (Outcome.REFUSED, refusal)
    assert code(lambda: desk.approve(title)) == refusal
    desk.approve(title, despite=(warning,))
    assert desk.item(title).state is State.APPROVED


def test_a_secret_in_the_key_of_a_correction_is_seen(desk: Desk) -> None:
    fields = {"title": "plain", "key": "sk-proj-EXAMPLEONLYEXAMPLEONLY0000"}
    assert code(lambda: desk.approve(PLAIN, fields=fields)) == "record.secret"
    desk.approve(PLAIN, fields=fields, despite=("secret",))


def test_hidden_text_may_be_taken_out_first(desk: Desk) -> None:
    fields = {"text": "send the release notes to Marta before noon"}
    preview = desk.preview(HIDDEN, fields)
    assert (preview.outcome, preview.refusal) == (Outcome.NEW, None)
    assert "hidden" in preview.warnings, "the evidence still has them"
    desk.approve(HIDDEN, fields=fields)


def test_bytes_that_are_no_text_need_a_second_yes(desk: Desk, outside: Outside) -> None:
    """Half a character would be saved as its escapes, and Agentao cannot read it at all."""
    key, half = desk.item(PLAIN).ref.key[0], "CAST(x'61eda08062' AS TEXT)"
    outside(desk.path, f"UPDATE memory_review_queue SET content = {half} WHERE id = '{key}'")
    preview = desk.preview(PLAIN)
    assert (preview.warnings, preview.refusal) == (("hidden",), "review.hidden")
    assert (preview.undecoded, desk.preview(CONCISE).undecoded) == (3, 0)
    assert code(lambda: desk.approve(PLAIN)) == "review.hidden"
    assert desk.item(PLAIN).state is State.PENDING
    assert desk.preview(PLAIN, {"text": "typed anew"}).refusal is None
    desk.approve(PLAIN, despite=("hidden",))
    assert desk.item(PLAIN).state is State.APPROVED


def test_a_word_for_word_copy_only_closes_the_item(desk: Desk, outside: Outside) -> None:
    before = outside(desk.path, "SELECT * FROM memories", "SELECT * FROM memory_events")
    assert desk.preview(SAVED).outcome is Outcome.IDENTICAL
    changes = desk.approve(SAVED)
    assert (changes.added, changes.changed) == ((), (desk.item(SAVED).ref,))
    assert outside(desk.path, "SELECT * FROM memories", "SELECT * FROM memory_events") == before


def test_the_same_text_under_another_title_is_no_copy(desk: Desk) -> None:
    before = desk.memory("decision_structured_logs")
    assert before is not None
    desk.project.apply(Edit(Target(before.ref), {"title": "Decision: Structured Logs"}))
    preview = desk.preview(SAVED)
    assert (preview.outcome, preview.warnings) == (Outcome.REPLACES, ())


@pytest.mark.parametrize("title", [PLAIN, CONCISE])
def test_stopped_between_memory_and_status(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    """Never an approved item without its memory; repeated, never two memories.

    In one file it is one transaction; in two the memory's comes first.
    """
    item = desk.item(title)
    real = tables.Tables.update

    def stop(self: Any, kind: str, *args: Any) -> None:
        if kind == "review":
            raise OSError("the power goes")
        real(self, kind, *args)

    monkeypatch.setattr(tables.Tables, "update", stop)
    with pytest.raises(OSError, match="power"):
        desk.approve(title)
    monkeypatch.setattr(tables.Tables, "update", real)
    assert desk.item(title).state is State.PENDING
    preview = desk.preview(title)
    two_files = item.scope == "user"
    assert preview.outcome is (Outcome.IDENTICAL if two_files else Outcome.NEW)
    # What the person was shown then: no memory there.
    desk.decide(title, Verdict.APPROVE)
    found = [
        r
        for store in (desk.project, desk.user)
        for b in store.scan(["memory"])
        for r in b
        if r.text == item.text
    ]
    assert len(found) == 1
    assert desk.item(title).state is State.APPROVED


def test_the_partner_must_be_there(desk: Desk) -> None:
    item = desk.item(CONCISE)
    preview = desk.project.preview(item.ref, None)
    assert (preview.outcome, preview.refusal) == (Outcome.REFUSED, "scope.partner_missing")
    decision = Decision(Target(item.ref), Verdict.APPROVE)
    assert code(lambda: desk.project.review(decision, None)) == "scope.partner_missing"
    assert code(lambda: desk.project.review(decision, desk.project)) == "scope.other_store"
    assert desk.memory("preference") is None
    assert desk.item(CONCISE).state is State.PENDING


def test_an_edited_scope_goes_to_the_other_file(desk: Desk) -> None:
    item = desk.item(CONCISE)
    decision = Decision(Target(item.ref), Verdict.APPROVE, {"scope": "project", "key": "concise"})
    (ref,) = [r for r in desk.project.review(decision, desk.project).added if r.kind == "memory"]
    assert ref.store == desk.project.id
    assert desk.memory("concise", desk.project) is not None


def test_a_stale_item_is_refused(desk: Desk, outside: Outside) -> None:
    item = desk.item(PLAIN)
    outside(
        desk.path, f"UPDATE memory_review_queue SET content = 'other' WHERE id = '{item.ref.id}'"
    )
    decision = Decision(Target(item.ref, item.etag), Verdict.APPROVE)
    assert code(lambda: desk.project.review(decision, desk.project)) == "record.changed"


def test_decided_items_are_decided_once(desk: Desk) -> None:
    desk.decide(PLAIN, Verdict.REJECT)
    assert desk.item(PLAIN).state is State.REJECTED
    assert code(lambda: desk.decide(PLAIN, Verdict.REJECT)) == "review.not_pending"
    assert code(lambda: desk.decide(PLAIN, Verdict.APPROVE)) == "review.not_pending"
    assert desk.preview(PLAIN).refusal == "review.not_pending"
    desk.decide(PLAIN, Verdict.REOPEN)
    assert desk.item(PLAIN).state is State.PENDING
    assert code(lambda: desk.decide(PLAIN, Verdict.REOPEN)) == "review.is_pending"


def test_reopening_beside_a_new_proposal_of_the_same(desk: Desk) -> None:
    desk.decide(PLAIN, Verdict.REJECT)
    again = {
        "key": "constraint_merge_without_green_build",
        "text": "merge without a green build",
        "type": "constraint",
        "scope": "project",
    }
    desk.project.add(NewRecord("review", again))
    rejected = next(
        r for b in desk.project.scan(["review"]) for r in b if r.state is State.REJECTED
    )
    decision = Decision(Target(rejected.ref), Verdict.REOPEN)
    assert code(lambda: desk.project.review(decision, None)) == "review.proposed_again"


def test_a_refused_text_is_said_in_the_preview(desk: Desk, outside: Outside) -> None:
    item = desk.item(PLAIN)
    outside(
        desk.path,
        f"UPDATE memory_review_queue SET content = '{'x' * 4001}' WHERE id = '{item.ref.id}'",
    )
    preview = desk.preview(PLAIN)
    assert (preview.outcome, preview.refusal) == (Outcome.REFUSED, "record.text_long")


def test_the_persons_database_has_no_queue(desk: Desk) -> None:
    """Agentao would never look for proposals there."""
    assert Capability.REVIEW in desk.project.capabilities
    assert Capability.REVIEW not in desk.user.capabilities
    new = NewRecord("review", {"text": "a proposal", "scope": "user"})
    assert code(lambda: desk.user.add(new)) == "store.cannot"
    assert desk.project.add(new).added
