# SPDX-License-Identifier: MIT
"""What the agent will be given, against answers that Agentao 0.5.17 gave
(tests/peers/known_views.py)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.records import Record, State
from memory_gui.engine.connection import open_database
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.formats.agentao.prompt import STABLE_CHARS, all_entries, stable_block
from memory_gui.stores.formats.agentao.recall import RECALL_CHARS, recall, tokens
from memory_gui.stores.registry import Registry, formats

KNOWN = json.loads(
    (Path(__file__).parents[3] / "data" / "agentao-views.json").read_text(encoding="utf-8")
)
COLUMNS = (
    "id, scope, type, key_normalized, title, content, tags_json, keywords_json, source,"
    " confidence, created_at, updated_at, deleted_at"
)


def records(path: Path, table: str, columns: str, rows: list[list[Any]], kind: str) -> list[Record]:
    if not path.exists():
        create_store(path, None)
    marks = ",".join("?" * len(columns.split(",")))
    with open_database(path, None, write=True) as connection, connection.writing():
        for row in rows:
            connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", row)
    registry = Registry(formats(path.parent / "nobody"))
    store = registry.open(registry.locate(path), None, Mode.LOOK)
    try:
        found = [record for batch in store.scan([kind]) for record in batch]
    finally:
        store.close()
    return [record for record in found if record.state is State.LIVE]


@pytest.fixture(params=range(len(KNOWN["cases"])))
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Entries, summaries, and what Agentao made of them."""
    known = KNOWN["cases"][request.param]
    project, user = tmp_path / "project.db", tmp_path / "user.db"
    entries = all_entries(
        records(project, "memories", COLUMNS, known["project"], "memory"),
        records(user, "memories", COLUMNS, known["user"], "memory"),
    )
    columns = "id, session_id, summary_text, tokens_before, messages_summarized, created_at"
    tails = records(project, "session_summaries", columns, known["summaries"], "summary")
    return entries, tails, known["answer"]


def test_the_stable_block(case):
    entries, tails, answer = case
    stable = stable_block(entries, tails)
    assert stable.text == answer["stable"]
    assert [ref.key[0] for ref in stable.shown] == answer["shown"]
    assert {ref.key[0] for ref in (*stable.shown, *stable.no_room)} == set(answer["wanted"])
    assert len(stable.text) <= STABLE_CHARS


def test_what_a_message_recalls(case):
    entries, tails, answer = case
    shown = stable_block(entries, tails).shown
    now = datetime.fromisoformat(KNOWN["now"])
    for said, their in zip(KNOWN["said"], answer["recalls"], strict=True):
        ours = recall(entries, said, excluded=shown, now=now)
        scores = [score for _, score, _ in their["found"]]
        assert [one.score for one in ours.recalled] == pytest.approx(scores[: len(ours.recalled)])
        assert len(ours.text) <= RECALL_CHARS
        if len({f"{score:.9f}" for score in scores}) == len(scores):
            assert ours.text == their["text"]


def test_the_answers_reach_every_rule():
    """An empty answer would prove nothing."""
    answers = [case["answer"] for case in KNOWN["cases"]]
    assert answers[0]["stable"] == ""
    assert "<session>" in answers[-1]["stable"]
    assert len(answers[-1]["shown"]) < len(answers[-1]["wanted"])
    assert max(len(recalled["found"]) for recalled in answers[-1]["recalls"]) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tests of v3 and class", {"tests", "test", "v3", "3", "class"}),
        ("a I x", set()),
        ("src/app.py", {"src", "app", "py"}),
        ("Python版本管理", {"python", "版本管理"}),
        ("", set()),
    ],
)
def test_words(text, expected):
    assert tokens(text, lambda _: ()) == expected


def test_a_cutter_of_chinese_words_finds_them():
    found = tokens("数据库 migration 的版本", lambda run: [run[:2], run[2:]])
    assert found == {"数据库", "数据", "migration", "的版本", "的版"}


def test_a_message_in_chinese_says_that_more_may_be_recalled(case):
    entries, _, _ = case
    assert recall(entries, "我们怎么部署").without_cjk
    assert not recall(entries, "how do we deploy").without_cjk
    assert not recall(entries, "我们怎么部署", cut=lambda run: [run]).without_cjk


def test_what_was_not_touched_for_long_is_recalled_last(tmp_path):
    old = (datetime.now(UTC) - timedelta(days=100)).strftime("%Y-%m-%dT%H:%M:%S")
    new = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    rows = [
        [ident, "project", "note", ident, "ferry", "x", "[]", "[]", "auto", "auto_summary",
         when, when, None]
        for ident, when in (("a", old), ("b", new))
    ]  # fmt: skip
    entries = records(tmp_path / "p.db", "memories", COLUMNS, rows, "memory")
    found = recall(entries, "ferry").recalled
    assert [one.ref.key[0] for one in found] == ["b", "a"]
    assert "stale_penalty" in found[1].reasons
    assert found[0].score - found[1].score > 2
