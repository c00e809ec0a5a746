# SPDX-License-Identifier: MIT
"""What an erase takes, what it must not take, and what it says is left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_gui.domain.changes import NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref
from memory_gui.stores.sql.windows import WINDOW, Windows, fold

Opened = Callable[..., Any]
Outside = Callable[..., list[list[list[Any]]]]

SAID = "Mrs. Kowalczyk moved to 14 Birch Lane in spring; call before noon."


def rows(scope: Any) -> dict[str, set[tuple[Any, ...]]]:
    return {r.table: set(r.keys) for r in scope.rows}


def save(store: Any, title: str, text: str, **more: Any) -> Ref:
    (ref,) = store.add(NewRecord("memory", {"title": title, "text": text, **more})).added
    return ref  # type: ignore[no-any-return]


def review(outside: Outside, path: Path, ident: str, **cells: str) -> None:
    base = {
        "id": ident,
        "scope": "project",
        "type": "note",
        "key_normalized": ident,
        "title": "t",
        "content": "c",
        "evidence": "",
        "status": "pending",
        "created_at": "2026-01-01T00:00:00",
        "updated_at": "2026-01-01T00:00:00",
    }
    values = {**base, **cells}
    marks = ",".join("?" * len(values))
    outside(
        path,
        (
            f"INSERT INTO memory_review_queue({','.join(values)}) VALUES ({marks})",
            list(values.values()),
        ),
    )


def test_a_memory_with_its_dead_twins_and_events(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    refs = []
    for number in range(3):
        refs.append(save(store, "address", f"form {number}: {SAID}"))
        if number < 2:
            store.trash(Target(refs[-1]))
    other = save(store, "unrelated", "nothing of it")
    scope = store.erase_scope([refs[2]])
    found = rows(scope)
    assert found["memories"] == {ref.key for ref in refs}
    assert len(found["memory_events"]) == 5
    assert {f"form {n}: {SAID}" for n in range(3)} <= set(scope.texts)
    assert other.key not in found["memories"]
    assert scope.still_in == ()


def test_a_dead_twin_does_not_take_the_living_one(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    old = save(store, "address", "12 Oak Road, the flat on the second floor")
    store.trash(Target(old))
    new = save(store, "address", "now in another town altogether, with a garden")
    assert rows(store.erase_scope([old]))["memories"] == {old.key}
    assert rows(store.erase_scope([new]))["memories"] == {old.key, new.key}


def test_review_items_of_every_status(fresh: Path, opened: Opened, outside: Outside) -> None:
    store = opened(fresh)
    ref = save(store, "address", SAID)
    for status in ("approved", "rejected"):
        review(outside, fresh, f"same_{status}", status=status, key_normalized="address")
    review(outside, fresh, "pending_same", key_normalized="address")
    review(outside, fresh, "equal", content=SAID)
    review(outside, fresh, "longer", content=f"remember: {SAID} Thanks!")
    review(outside, fresh, "shouted", content=SAID.upper())
    review(outside, fresh, "evidence", evidence=f"…soon. {SAID[:40]} He said so")
    review(outside, fresh, "other_scope", scope="user", key_normalized="address")
    review(outside, fresh, "other", content="Birch Lane is a street", evidence="call before noon")
    taken = {key[0] for key in rows(store.erase_scope([ref]))["memory_review_queue"]}
    assert taken == {
        "same_approved",
        "same_rejected",
        "pending_same",
        "equal",
        "longer",
        "shouted",
        "evidence",
    }


def test_a_key_that_lost_its_letters_is_only_the_origin_when_approved(
    fresh: Path, opened: Opened, outside: Outside
) -> None:
    """Both Chinese keys become "preference": the waiting one is somebody else's text."""
    store = opened(fresh)
    ref = save(store, "preference", "简洁的回答，不要重复", scope="project")
    review(outside, fresh, "origin", key_normalized="preference_简洁的回答", status="approved")
    review(outside, fresh, "waiting", key_normalized="preference_深色主题", content="深色主题")
    taken = {key[0] for key in rows(store.erase_scope([ref]))["memory_review_queue"]}
    assert taken == {"origin"}


def test_short_texts_take_only_what_says_just_that(
    fresh: Path, opened: Opened, outside: Outside
) -> None:
    store = opened(fresh)
    ref = save(store, "editor", "vim")
    review(outside, fresh, "just_that", content="Vim")
    review(outside, fresh, "sentence", content="vim is not what the build machine has")
    scope = store.erase_scope([ref])
    assert rows(scope)["memory_review_queue"] == {("just_that",)}
    assert [r.key for r in scope.still_in] == [("sentence",)]


def test_summaries_are_named_and_left(fresh: Path, opened: Opened, outside: Outside) -> None:
    store = opened(fresh)
    ref = save(store, "address", SAID)
    for ident, text in (("with", f"We spoke. {SAID[5:45]} Then lunch."), ("without", "Lunch.")):
        outside(
            fresh,
            (
                "INSERT INTO session_summaries VALUES (?, 's', ?, 0, 0, '2026-01-01T00:00:00')",
                [ident, text],
            ),
        )
    scope = store.erase_scope([ref])
    assert scope.still_in == (Ref(store.id, "summary", ("with",)),)
    assert "session_summaries" not in rows(scope)
    chosen = store.erase_scope([ref, *scope.still_in])
    assert rows(chosen)["session_summaries"] == {("with",)}
    assert chosen.still_in == ()


def test_another_memory_with_the_same_text_is_named(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    ref, other = save(store, "address", SAID), save(store, "copy", f"again: {SAID}")
    assert store.erase_scope([ref]).still_in == (other,)


def test_a_review_item_goes_alone_and_says_who_else_has_it(
    fresh: Path, opened: Opened, outside: Outside
) -> None:
    store = opened(fresh)
    memory = save(store, "address", SAID)
    review(outside, fresh, "item", content=SAID, key_normalized="address")
    scope = store.erase_scope([Ref(store.id, "review", ("item",))])
    assert rows(scope) == {"memory_review_queue": {("item",)}}
    assert scope.still_in == (memory,)


def test_the_other_file_is_searched_by_the_texts(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    base = samples / "agentao"
    project_path = base / "project-ginkgo" / ".agentao" / "memory.db"
    project = opened(project_path)
    user = opened(base / "home" / ".agentao" / "memory.db")
    ref = save(user, "home address", SAID, scope="user")
    review(outside, project_path, "by_text", content=SAID, scope="user")
    review(outside, project_path, "by_key", key_normalized="home_address", scope="user")
    review(outside, project_path, "neither", key_normalized="home_address", scope="project")
    scope = project.erase_scope([ref], [SAID, "home address"])
    assert rows(scope) == {"memory_review_queue": {("by_text",), ("by_key",)}}
    assert scope.missing == ()


def test_meta_rows_are_the_agents_own(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    with pytest.raises(UserError) as caught:
        store.erase_scope([Ref(store.id, "meta", ("version",))])
    assert caught.value.code == "store.cannot"


def test_titles_of_the_trade_prove_nothing(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    ref = save(store, "language", "Speaks Polish at home, English at work, some Dutch")
    save(store, "other", "the language of the shop is Dutch")
    texts = store.erase_scope([ref]).texts
    assert "language" not in texts
    telling = save(store, "Kowalczyk family move", SAID)
    assert "Kowalczyk family move" in store.erase_scope([telling]).texts


WORDS = st.text("ab", max_size=80)


@given(WORDS, st.integers(0, 80), st.integers(0, 80), WORDS, WORDS)
def test_windows_are_found_as_by_trying_all(
    text: str, start: int, length: int, before: str, after: str
) -> None:
    other = before + text[start : start + length] + after
    raw, hay = text.strip().encode(), other.encode()
    if len(raw) < WINDOW:
        expected = bool(raw) and raw in hay
    else:
        expected = any(raw[i : i + WINDOW] in hay for i in range(len(raw) - WINDOW + 1))
    assert Windows([text]).in_text(other) is expected


def shares(text: str, other: str) -> bool:
    """By trying all."""
    raw, hay = text.strip().casefold().encode(), other.casefold().encode()
    if len(raw) < WINDOW:
        return bool(raw) and raw in hay
    return any(raw[i : i + WINDOW] in hay for i in range(len(raw) - WINDOW + 1))


ALIKE = st.builds(
    lambda name, number, tail: f"{name} number {number} listens on port 80{tail}",
    st.sampled_from(["the", "The service", "one of the many services of the team"]),
    st.integers(0, 12),
    st.text("ab ", max_size=40),
)


@given(st.lists(ALIKE | WORDS, max_size=8), st.lists(ALIKE | WORDS, max_size=4))
def test_pieces_of_many_texts_are_found_as_by_trying_all(
    texts: list[str], others: list[str]
) -> None:
    windows, draining = Windows(texts), Windows(texts)
    told = set()
    for other in others:
        assert windows.in_text(other) is any(shares(text, other) for text in texts)
        told |= draining.newly_held(fold([other]))
    assert told == {text for text in texts if any(shares(text, other) for other in others)}
    assert Windows(texts).newly_held(fold(others)) == told
    assert windows.in_texts(others) == {
        place for place, other in enumerate(others) if any(shares(t, other) for t in texts)
    }


def test_many_at_once_take_what_each_takes_alone(fresh: Path, opened: Opened) -> None:
    store = opened(fresh)
    refs = []
    for number in range(20):
        old = save(store, f"fact {number}", f"{SAID} as it was told at first, number {number}")
        store.trash(Target(old))
        refs.append(save(store, f"fact {number}", f"{SAID} as it is now, number {number}"))
    alone = [store.erase_scope([ref]) for ref in refs]
    together = store.erase_scope(refs)
    assert rows(together) == {
        table: set.union(*(rows(scope)[table] for scope in alone)) for table in rows(alone[0])
    }
    assert {table: len(keys) for table, keys in rows(together).items()} == {
        "memories": 40,
        "memory_events": 60,
    }
