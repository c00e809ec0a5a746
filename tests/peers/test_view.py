# SPDX-License-Identifier: MIT
"""What we say that the agent will be given is what Agentao's own classes give."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from random_stores import NOW, fill, rows, summaries

from memory_gui.domain.records import Record, State
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.agentao.prompt import STABLE_CHARS, all_entries, stable_block
from memory_gui.stores.formats.agentao.recall import Recall, recall
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample

SAID = (
    "How do I deploy the release?",
    "keywords",
    "dark theme",
    "src/app.py and README.md, please",
    "python v3 tests in the database class",
    "the of and",
    "",
    "   ",
    "<b>&amp;",
    "语言 editor",
    "Python版本 tabs",
    "deploy " * 50,
)


def read(path: Path, kind: str) -> list[Record]:
    registry = Registry(formats(path.parent / "nobody"))
    store = registry.open(registry.locate(path), None, Mode.LOOK)
    try:
        found = [record for batch in store.scan([kind]) for record in batch]
    finally:
        store.close()
    return [record for record in found if record.state is State.LIVE]


def compare(inside: Any, project: Path, user: Path | None) -> dict[str, Any]:
    entries = all_entries(read(project, "memory"), read(user, "memory") if user else [])
    stable = stable_block(entries, read(project, "summary"))
    theirs = inside(
        "view",
        project=str(project),
        user=str(user) if user else None,
        said=list(SAID),
        now=NOW.isoformat(),
    )
    assert stable.text == theirs["stable"]
    assert [ref.key[0] for ref in stable.shown] == theirs["shown"]
    wanted = {ref.key[0] for ref in (*stable.shown, *stable.no_room)}
    assert wanted == set(theirs["wanted"])
    for said, their in zip(SAID, theirs["recalls"], strict=True):
        compare_recall(recall(entries, said, excluded=stable.shown, now=NOW), their)
    return theirs


def compare_recall(ours: Recall, their: dict[str, Any]) -> None:
    """Of equal scores Agentao takes any first (the order of a set); all else must be the same."""
    scores = [score for _, score, _ in their["found"]]
    found = {ident: reasons for ident, _, reasons in their["found"]}
    for one, score in zip(ours.recalled, scores, strict=False):
        assert one.score == pytest.approx(score)
        assert list(one.reasons) == found.get(one.ref.key[0], list(one.reasons))
    assert bool(ours.recalled) == bool(scores)
    if len({f"{score:.9f}" for score in scores}) == len(scores):
        assert [one.ref.key[0] for one in ours.recalled] == list(found)[: len(ours.recalled)]
        assert ours.text == their["text"]


def compare_random(inside: Any, folder: Path, seed: int) -> None:
    """One random pair, with and without the person's database."""
    rng = random.Random(seed)
    folder.mkdir()
    project, user = folder / "project.db", folder / "user.db"
    many = rng.choice([0, 3, 12, 60])
    fill(project, rows(rng, many, "project"), summaries(rng, rng.choice([0, 1, 12])))
    fill(user, rows(rng, rng.choice([0, 2, 15]), "user"), [])
    compare(inside, project, user)
    compare(inside, project, None)
    shutil.rmtree(folder)


@pytest.mark.parametrize("seed", range(16))
def test_random_stores(inside: Any, tmp_path: Path, seed: int):
    compare_random(inside, tmp_path / "random", seed)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_a_thousand_random_stores(inside: Any, tmp_path: Path):
    for seed in range(1_000, 2_000):
        compare_random(inside, tmp_path / "random", seed)


def test_the_cases_reach_every_rule(inside: Any, tmp_path: Path):
    """Eviction, recall, and both blocks with something in them: else the cases above prove less."""
    rng = random.Random(99)
    project, user = tmp_path / "project.db", tmp_path / "user.db"
    fill(project, rows(rng, 60, "project"), summaries(rng, 12))
    fill(user, rows(rng, 15, "user"), [])
    theirs = compare(inside, project, user)
    assert 0 < len(theirs["shown"]) < len(theirs["wanted"])
    assert "<session>" in theirs["stable"]
    assert max(len(one["found"]) for one in theirs["recalls"]) == 5
    reasons = {
        reason for one in theirs["recalls"] for _, _, given in one["found"] for reason in given
    }
    distinct = [
        len({score for _, score, _ in one["found"]}) == len(one["found"]) > 2
        for one in theirs["recalls"]
    ]
    assert any(distinct)
    assert {"tag_match", "title_overlap", "keyword_match", "content_match", "explicit"} <= reasons


def test_those_of_one_second_come_by_scope_and_key(inside: Any, tmp_path: Path):
    """SQLite reads along the index of live keys: which of them have room depends on it."""
    rng, path, when = random.Random(3), tmp_path / "project.db", "2026-10-01T00:00:00"
    keys = [f"key_{number}" for number in range(12)]
    rng.shuffle(keys)
    fill(
        path,
        [
            (
                f"id{number:06}", "project", "decision", key, "t", "x" * 240, "[]", "[]", "auto",
                "auto_summary", when, when, None,
            )
            for number, key in enumerate(keys)
        ],
        [],
    )  # fmt: skip
    theirs = compare(inside, path, None)
    assert 0 < len(theirs["shown"]) < len(theirs["wanted"])


def test_the_sample(inside: Any, tmp_path: Path):
    location = make_sample(tmp_path, None)
    theirs = compare(inside, location.main, tmp_path / HOME / ".agentao" / "memory.db")
    assert theirs["shown"]


def test_to_the_last_character(inside: Any, tmp_path: Path):
    """One memory grows until the block has no room for it: ours and theirs at the same length."""
    lengths = {}
    for size in range(140, 220):
        path = tmp_path / f"{size}.db"
        texts = ["x" * 240] * 4 + ["y" * size]
        fill(
            path,
            [
                (
                    f"id{number}", "project", "decision", f"key_{number}", "t" * 40, text, "[]",
                    "[]", "auto", "auto_summary", f"2026-10-0{number + 1}T00:00:00",
                    "2026-10-10T00:00:00", None,
                )
                for number, text in enumerate(reversed(texts))
            ],
            [],
        )  # fmt: skip
        theirs = compare(inside, path, None)
        lengths[size] = (len(theirs["shown"]), len(theirs["stable"]))
    counts = [count for count, _ in lengths.values()]
    assert counts[0] == 5
    assert counts[-1] == 4
    assert max(length for _, length in lengths.values()) == STABLE_CHARS - 1
