# SPDX-License-Identifier: MIT
"""The sample is what the README promises, and the same for the same moment."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Outcome
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import Record, State
from memory_gui.stores.format import Mode
from memory_gui.stores.guard import first_secret
from memory_gui.stores.pair import pair_of
from memory_gui.stores.sample import HOME, make_sample

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)
Opened = Callable[..., Any]


@pytest.fixture
def pair(tmp_path: Path, opened: Opened) -> tuple[Any, Any]:
    location = make_sample(tmp_path, None, NOW)
    home = tmp_path / HOME
    other = pair_of(location, home)
    assert other is not None
    return opened(location.main, home=home), opened(other.main, home=home)


def records(*stores: Any) -> list[Record]:
    return [r for store in stores for batch in store.scan() for r in batch]


def test_its_size_and_states(pair: tuple[Any, Any]) -> None:
    project, user = (store.info() for store in pair)
    assert (project.role, user.role) == ("project", "user")
    shown = [r for r in records(*pair) if r.kind in {"memory", "review", "summary"}]
    assert 180 <= len(shown) <= 220
    states = Counter(r.state for r in shown)
    assert states[State.TRASH] >= 8
    assert states[State.PENDING] == 9
    assert Counter(r.kind for r in shown)["summary"] >= 5


def test_both_languages(pair: tuple[Any, Any]) -> None:
    memories = [r for r in records(*pair) if r.kind == "memory"]
    chinese = [r for r in memories if any("\u4e00" <= c <= "\u9fff" for c in r.text)]
    assert 30 <= len(chinese) <= len(memories) - 80


def test_nothing_is_said_twice(pair: tuple[Any, Any]) -> None:
    texts = Counter(r.text for r in records(*pair) if r.kind == "memory")
    assert max(texts.values()) == 1


def test_the_queue_shows_each_outcome(pair: tuple[Any, Any]) -> None:
    project, user = pair
    previews = [
        project.preview(r.ref, user if r.scope == "user" else project)
        for r in records(project)
        if r.kind == "review"
    ]
    outcomes = Counter(p.outcome for p in previews)
    assert set(outcomes) == set(Outcome)
    assert {w for p in previews for w in p.warnings} == {"hidden", "secret", "conflict"}
    keys = Counter((p.fields["scope"], p.fields["key"]) for p in previews)
    assert keys["user", "preference"] == 2


def test_memories_hold_no_secret(pair: tuple[Any, Any]) -> None:
    assert [
        r.title for r in records(*pair) if r.kind == "memory" and first_secret(r.searchable())
    ] == []


def test_times_lie_before_now_and_in_order(pair: tuple[Any, Any]) -> None:
    for record in records(*pair):
        if record.created_at is not None:
            assert "2025-11-0" < record.created_at <= "2026-03-14T15:09:26"
            assert record.updated_at is None or record.updated_at >= record.created_at
    events = [r.created_at for r in records(pair[0]) if r.kind == "event"]
    assert events == sorted(events)  # type: ignore[type-var]


def test_the_same_moment_gives_the_same_rows(tmp_path: Path, opened: Opened) -> None:
    made = [make_sample(tmp_path / name, None, NOW) for name in "ab"]
    first, second = (
        [(r.ref.key, r.etag) for r in records(opened(location.main, Mode.LOOK))]
        for location in made
    )
    assert first == second


def test_private_files(tmp_path: Path) -> None:
    location = make_sample(tmp_path, RawKey(bytes(range(32))), NOW)
    assert stat.S_IMODE(location.main.stat().st_mode) == 0o600
    assert stat.S_IMODE(location.main.parent.stat().st_mode) == 0o700
    assert b"Ferryman" not in location.main.read_bytes()
    assert not list(location.main.parent.glob("memory.db-*"))


def test_never_on_top_of_anything(tmp_path: Path) -> None:
    make_sample(tmp_path, None, NOW)
    with pytest.raises(UserError) as caught:
        make_sample(tmp_path, None, NOW)
    assert caught.value.code == "store.exists"
