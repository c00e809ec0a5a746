# SPDX-License-Identifier: MIT
"""Our rules and guard against Agentao's own functions, case by case."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_gui.domain.errors import UserError
from memory_gui.stores import guard
from memory_gui.stores.formats.agentao import rules

sys.path.insert(0, str(Path(__file__).parent))

from corpus import RULE_CASES, SECRET_TEXTS


def ours(case: dict[str, Any]) -> dict[str, Any]:
    """As the judge's ``rules``: what is refused is left out."""
    out: dict[str, Any] = {}
    for name, make, value in (
        ("key", rules.normalize_key, case["title"]),
        ("title", rules.clean_title, case["title"]),
        ("text", rules.clean_text, case["text"]),
    ):
        try:
            out[name] = make(value)
        except UserError:
            continue
    tags = tuple(case["tags"])
    out["scope"] = rules.scope_for(out.get("key", ""), tags, case["scope"])
    out["type"] = rules.type_for(tags, case["type"])
    title, text = out.get("title", ""), out.get("text", "")
    out["keywords"] = rules.keywords_for(title, tags, text)
    return out


def compare(case: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Equal, but for what we refuse and Agentao cuts or lets pass."""
    mine = ours(case)
    stripped = case["title"].strip()
    if not stripped:
        assert theirs.pop("title") == ""  # an empty title: Agentao fails at the key instead
    assert mine == theirs, case


def test_the_rules_are_agentaos(judge: Any) -> None:
    for case, theirs in zip(RULE_CASES, judge("many_rules", cases=RULE_CASES), strict=True):
        compare(case, theirs)


def test_we_refuse_a_title_that_agentao_would_cut(judge: Any) -> None:
    long = "z" * 121
    assert judge("rules", title=long, tags=[], text="x")["title"] == "z" * 120
    with pytest.raises(UserError) as caught:
        rules.clean_title(long)
    assert (caught.value.code, caught.value.params["length"]) == ("record.title_long", 121)


def test_the_guard_gives_agentaos_verdicts(judge: Any) -> None:
    verdicts = judge("secrets", texts=SECRET_TEXTS)
    assert 100 < sum(verdicts) < len(verdicts) - 100, "a corpus that tells both apart"
    mine = [guard.secret_kind(text) is not None for text in SECRET_TEXTS]
    wrong = [t for t, a, b in zip(SECRET_TEXTS, mine, verdicts, strict=True) if a != b]
    assert wrong == []


WORDS = st.text(
    st.sampled_from("abcXYZ019_-./ \t简单的ßİé🙂\u00a0=:'\"") | st.characters(codec="utf-8"),
    max_size=60,
)


@pytest.mark.soak
@settings(max_examples=3000, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=WORDS.filter(lambda t: "\n" not in t), tags=st.lists(WORDS, max_size=4), text=WORDS)
def test_the_rules_are_agentaos_for_any_text(
    judge: Any, title: str, tags: list[str], text: str
) -> None:
    case = {"title": title, "tags": tags, "text": text, "scope": None, "type": None}
    compare(case, judge("rules", **case))
    assert judge("secrets", texts=[text]) == [guard.secret_kind(text) is not None]
