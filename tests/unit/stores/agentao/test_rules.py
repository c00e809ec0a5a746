# SPDX-License-Identifier: MIT
"""Agentao's rules by known answers of its own package (made by tests/peers/known_answers.py)."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.stores import guard
from memory_gui.stores.formats.agentao import rules

ANSWERS = json.loads(
    (Path(__file__).parents[3] / "data" / "agentao-answers.json").read_text("utf-8")
)


@pytest.mark.parametrize("known", ANSWERS["rules"], ids=range(len(ANSWERS["rules"])))
def test_the_rules_give_agentaos_answers(known: dict[str, Any]) -> None:
    case, answer = known["case"], known["answer"]
    if "key" in answer:
        assert rules.normalize_key(case["title"]) == answer["key"]
    else:
        with pytest.raises(UserError) as caught:
            rules.normalize_key(case["title"])
        assert caught.value.code == "record.key_empty"
    tags = tuple(case["tags"])
    assert rules.scope_for(answer.get("key", ""), tags, case["scope"]) == answer["scope"]
    assert rules.type_for(tags, case["type"]) == answer["type"]
    words = rules.keywords_for(answer.get("title", ""), tags, answer.get("text", ""))
    assert words == answer["keywords"]


def test_the_guard_gives_agentaos_verdicts() -> None:
    assert [t for t in ANSWERS["refused"] if guard.secret_kind(t) is None] == []
    assert [t for t in ANSWERS["accepted"] if guard.secret_kind(t) is not None] == []
    assert len(ANSWERS["refused"]) > 100


def refusal(make: Any, value: str) -> str:
    with pytest.raises(UserError) as caught:
        make(value)
    return caught.value.code


@pytest.mark.parametrize(
    ("make", "value", "code"),
    [
        (rules.clean_title, "a" * 121, "record.title_long"),
        (rules.clean_title, "a\nb", "record.title_lines"),
        (rules.clean_title, "  ", "record.title_empty"),
        (rules.clean_title, "half \ud83d", "record.not_unicode"),
        (rules.chosen_key, "a" * 81, "record.key_long"),
        (rules.chosen_key, "中文", "record.key_empty"),
        (rules.clean_text, " \n ", "record.text_empty"),
        (rules.clean_text, "a" * 4001, "record.text_long"),
        (rules.clean_text, "half \udc00", "record.not_unicode"),
    ],
)
def test_what_is_refused(make: Any, value: str, code: str) -> None:
    assert refusal(make, value) == code


def test_the_limits_themselves_are_allowed() -> None:
    assert rules.clean_title("a" * 120) == "a" * 120
    assert rules.chosen_key("a" * 80) == "a" * 80
    assert rules.clean_text(" " + "a" * 4000 + " ") == "a" * 4000
    assert rules.normalize_key("a" * 120) == "a" * 80


def test_how_agentao_writes_lists_and_times() -> None:
    assert rules.json_list(["语言", 'a"b']) == '["\\u8bed\\u8a00", "a\\"b"]'
    assert rules.time_text(datetime(2026, 10, 3, 8, 30, 0, 999)) == "2026-10-03T08:30:00"
