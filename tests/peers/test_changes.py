# SPDX-License-Identifier: MIT
"""After each kind of change Agentao opens the databases and agrees, record by record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Decision, Edit, NewRecord, Target, Verdict
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import Record, State
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Mode
from memory_gui.stores.pair import pair_of
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample

KEY = RawKey(bytes(range(100, 132)))


@dataclass
class Pair:
    """The sample's two stores, open for writing, and how to show them to the judge."""

    project: Store
    user: Store
    show: Callable[[], tuple[Path, Path]]

    def of(self, scope: str | None) -> Store:
        """The store of a scope."""
        return self.user if scope == "user" else self.project

    def named(self, title: str) -> tuple[Store, Record]:
        """A record by its title, in either store."""
        return next(
            (store, record)
            for store in (self.project, self.user)
            for batch in store.scan(["memory", "review"])
            for record in batch
            if record.title == title
        )


@pytest.fixture(params=["readable", "encrypted"])
def pair(request: pytest.FixtureRequest, tmp_path: Path, copies: Any) -> Iterator[Pair]:
    """Fresh for each test."""
    key = KEY if request.param == "encrypted" else None
    home = (tmp_path / HOME).absolute()
    location = make_sample(tmp_path, key)
    other = pair_of(location, home)
    assert other is not None
    registry = Registry(formats(home))
    stores = [registry.open(where, key, Mode.CHANGE) for where in (location, other)]
    shown = iter(range(100))

    def show() -> tuple[Path, Path]:
        # Other connections keep the log from being folded in: a checkpoint first.
        for store in stores:
            store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # type: ignore[attr-defined]
        place = tmp_path / f"shown-{next(shown)}"
        hexed = None if key is None else key.hex()
        return (
            copies(location.main, place / "project.db", hexed),
            copies(other.main, place / "user.db", hexed),
        )

    yield Pair(stores[0], stores[1], show)
    for store in stores:
        store.close()


def ask(pair: Pair, judge: Any) -> dict[str, Any]:
    """What Agentao reads now."""
    project, user = pair.show()
    judge("open", project=str(project), user=str(user))
    state: dict[str, Any] = judge("state")
    assert state["problems"] == []
    return state


def seen_by_agentao(record: Record) -> dict[str, Any]:
    """A live memory of ours in Agentao's words."""
    return {
        "id": record.ref.key[0],
        "scope": record.scope,
        "type": record.type,
        "key_normalized": record.extra["key_normalized"],
        "title": record.title,
        "content": record.text,
        "tags": list(record.tags),
        "keywords": json.loads(record.extra["keywords_json"] or ""),
        "source": record.source,
        "confidence": record.extra["confidence"],
        "sensitivity": record.extra["sensitivity"],
        "created_at": record.created_at,
        "updated_at": record.updated_at,
        "deleted_at": None,
    }


def item_seen_by_agentao(record: Record) -> dict[str, Any]:
    """A review item of ours in Agentao's words."""
    return {
        "id": record.ref.key[0],
        "scope": record.scope,
        "type": record.type,
        "key_normalized": record.extra["key_normalized"],
        "title": record.title,
        "content": record.text,
        "tags": list(record.tags),
        "evidence": record.extra["evidence"],
        "source_session": record.extra["source_session"],
        "occurrences": int(record.extra["occurrences"] or ""),
        "confidence": record.extra["confidence"],
        "status": str(record.state),
        "created_at": record.created_at,
        "updated_at": record.updated_at,
    }


def agree(pair: Pair, judge: Any) -> dict[str, Any]:
    """Both list the same memories, items and summaries, and search finds the same."""
    state = ask(pair, judge)
    stores = (pair.project, pair.user)
    live = [
        record
        for store in stores
        for batch in store.scan(["memory"])
        for record in batch
        if record.state is State.LIVE
    ]
    by_id = {entry["id"]: entry for entry in state["entries"]}
    assert by_id == {record.ref.key[0]: seen_by_agentao(record) for record in live}
    items = [r for batch in pair.project.scan(["review"]) for r in batch]
    assert {i["id"]: i for i in state["reviews"]} == {
        r.ref.key[0]: item_seen_by_agentao(r) for r in items
    }
    texts = {s["id"]: s["summary_text"] for s in state["summaries"]}
    assert texts == {r.ref.key[0]: r.text for b in pair.project.scan(["summary"]) for r in b}
    for record in live[:: max(1, len(live) // 5)]:
        assert record.ref.key[0] in judge("found", query=record.title)
    return state


def test_they_agree_before_anything_is_done(pair: Pair, judge: Any) -> None:
    state = agree(pair, judge)
    assert len(state["entries"]) > 160
    assert len(state["reviews"]) == 9


def test_add(pair: Pair, judge: Any) -> None:
    before = agree(pair, judge)
    fields = {
        "title": "Release 发布 checklist",
        "text": "see docs/release.md",
        "tags": ("发布", "x"),
    }
    (ref,) = pair.project.add(NewRecord("memory", fields)).added
    after = agree(pair, judge)
    assert after["versions"] == [before["versions"][0] + 1, before["versions"][1]]
    assert ref.key[0] in judge("found", query="docs/release.md")
    assert ref.key[0] in judge("tagged", tag="发布")


def test_edit(pair: Pair, judge: Any) -> None:
    before = agree(pair, judge)
    store, old = pair.named("tech_stack")
    new = {"title": "Tech stack 2026", "text": "Python, and other_words.py", "tags": ("stack",)}
    store.apply(Edit(Target(old.ref, old.etag), new))
    after = agree(pair, judge)
    assert after["versions"][0] == before["versions"][0] + 1
    entry = next(e for e in after["entries"] if e["id"] == old.ref.key[0])
    assert (entry["key_normalized"], entry["created_at"]) == ("tech_stack_2026", old.created_at)
    assert judge("found", query="other_words.py") == [old.ref.key[0]]
    assert old.ref.key[0] not in judge("found", query="kubernetes"), "no keyword is left behind"
    # Agentao would now update this record, not make a second one.
    saved = judge("save", key="Tech stack 2026", value="again", scope="project")
    assert saved["id"] == old.ref.key[0]


def test_trash_and_restore(pair: Pair, judge: Any) -> None:
    before = agree(pair, judge)
    store, old = pair.named("editor")
    store.trash(Target(old.ref, old.etag))
    trashed = agree(pair, judge)
    assert len(trashed["entries"]) == len(before["entries"]) - 1
    assert trashed["versions"][1] == before["versions"][1] + 1
    store.restore(Target(old.ref))
    restored = agree(pair, judge)
    assert len(restored["entries"]) == len(before["entries"])
    assert restored["versions"][1] == before["versions"][1] + 2


def test_what_agentao_trashed_is_in_our_trash(
    pair: Pair, judge: Any, agentao_python: Path, tmp_path: Path
) -> None:
    ask(pair, judge)
    _store, old = pair.named("editor")
    assert judge("delete", ident=old.ref.key[0])
    judge("close")
    theirs = tmp_path / "shown-0" / "user.db"
    from_agentao = Registry(formats(None)).open(
        Registry(formats(None)).locate(theirs), None, Mode.LOOK
    )
    (record,) = from_agentao.fetch([type(old.ref)(from_agentao.id, "memory", old.ref.key)])
    assert record is not None
    assert (record.state, record.text) == (State.TRASH, old.text)
    from_agentao.close()


def test_delete_and_undo(pair: Pair, judge: Any) -> None:
    before = agree(pair, judge)
    store, old = pair.named("tech_stack")
    saved = store.snapshot([old.ref])
    store.delete(Target(old.ref, old.etag))
    gone = agree(pair, judge)
    assert len(gone["entries"]) == len(before["entries"]) - 1
    assert gone["versions"][0] == before["versions"][0] + 1
    store.reinstate(saved)
    back = agree(pair, judge)
    key = {e["id"]: e for e in before["entries"]}
    assert {e["id"]: e for e in back["entries"]} == key


def test_moving_between_scopes(pair: Pair, judge: Any) -> None:
    before = agree(pair, judge)
    store, old = pair.named("glossary")
    (ref,) = pair.user.take_in(old).added
    store.delete(Target(old.ref, old.etag))
    after = agree(pair, judge)
    entry = next(e for e in after["entries"] if e["id"] == ref.key[0])
    was = next(e for e in before["entries"] if e["id"] == old.ref.key[0])
    assert entry == {**was, "scope": "user", "updated_at": entry["updated_at"]}
    assert entry["id"] == was["id"]
    assert [a > b for a, b in zip(after["versions"], before["versions"], strict=True)] == [
        True,
        True,
    ]


def approve(pair: Pair, item: Record, **more: Any) -> Any:
    """Approve with what a person would have been shown."""
    target = pair.of(more.get("fields", {}).get("scope") or item.scope)
    preview = pair.project.preview(item.ref, target, more.get("fields"))
    replaces = preview.existing.etag if preview.existing else None
    decision = Decision(Target(item.ref, item.etag), Verdict.APPROVE, replaces=replaces, **more)
    return pair.project.review(decision, target)


@pytest.mark.parametrize(
    "title",
    [
        "Constraint: merge without a green build",
        "Preference: short answers, then the reasoning in one paragraph",
        "Preference: 简洁的回答",
        "Decision: structured logs in JSON for all services",
    ],
)
def test_approve(pair: Pair, judge: Any, title: str) -> None:
    before = agree(pair, judge)
    _store, item = pair.named(title)
    changes = approve(pair, item)
    after = agree(pair, judge)
    assert next(i for i in after["reviews"] if i["id"] == item.ref.key[0])["status"] == "approved"
    new = len(after["entries"]) - len(before["entries"])
    assert new == len([r for r in changes.added if r.kind == "memory"])


def test_edit_then_approve(pair: Pair, judge: Any) -> None:
    agree(pair, judge)
    _store, item = pair.named("Preference: 深色主题")
    fields = {"title": "Theme 主题", "key": "theme", "text": "深色主题", "scope": "user"}
    (memory,) = approve(pair, item, fields=fields).added
    state = agree(pair, judge)
    entry = next(e for e in state["entries"] if e["id"] == memory.key[0])
    assert (entry["title"], entry["key_normalized"], entry["content"]) == (
        "Theme 主题",
        "theme",
        "深色主题",
    )
    assert (entry["source"], entry["confidence"]) == ("crystallized", "auto_summary")


def test_reject_and_reopen(pair: Pair, judge: Any) -> None:
    before = agree(pair, judge)
    _store, item = pair.named("Constraint: merge without a green build")
    target = Target(item.ref, item.etag)
    pair.project.review(Decision(target, Verdict.REJECT), None)
    rejected = agree(pair, judge)
    assert rejected["entries"] == before["entries"]
    assert not judge("reject", ident=item.ref.key[0]), "Agentao knows it as decided"
    pair.project.review(Decision(Target(item.ref), Verdict.REOPEN), None)
    agree(pair, judge)
    assert judge("approve", ident=item.ref.key[0]), "Agentao knows it as waiting"


def test_proposing(pair: Pair, judge: Any) -> None:
    agree(pair, judge)
    fields = {"text": "tabs in Makefiles", "type": "preference", "scope": "user"}
    (ref,) = pair.project.add(NewRecord("review", fields)).added
    state = agree(pair, judge)
    item = next(i for i in state["reviews"] if i["id"] == ref.key[0])
    (theirs,) = judge(
        "crystallize", messages=[{"role": "user", "content": "I use tabs in Makefiles."}]
    )
    # Agentao folds its own finding of the same words into ours: same scope and key.
    assert (theirs["id"], theirs["occurrences"]) == (item["id"], 2)
    same = ("scope", "type", "key_normalized", "title", "content", "tags")
    assert {n: theirs[n] for n in same} == {n: item[n] for n in same}
