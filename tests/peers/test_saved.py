# SPDX-License-Identifier: MIT
"""What approving saves is what Agentao's ``approve_review_item`` saves, but for what is listed.

The same random proposals, over the same memories, approved in the same order by Agentao 0.5.17
and by us; then all rows of both databases but ids and times must be the same. Where we mean to
differ:

======================  ===================================  ====================================
our answer              Agentao                              why
======================  ===================================  ====================================
``review.key_clash``    overwrites another memory whose      two proposals, 简洁的回答 and 深色主题,
                        key has the same Latin letters left  would become one memory: data is lost
``review.hidden``       saves what does not show             a person has to see what they approve;
                                                             insisting saves Agentao's very rows
identical: item closed  writes the same row again with a     the memory was not changed, so its
                        new time and an event                time must not say that it was
``record.secret``       refuses by its own patterns          we refuse more shapes; insisting saves
                                                             what Agentao would refuse
``record.text_long``    refuses (ValueError), the item       the same, said before it is tried
and other refusals      waits
======================  ===================================  ====================================

Beside these, at the level of the services: ``pair.needed`` (without the person's database Agentao
files what is the person's under the project; we leave it waiting, ``tests/unit/services``), and
``review.personal``, ``review.conflict``, ``review.opposite`` ask for a second key.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from random_stores import TYPES, WORDS, fill

from memory_gui.domain.changes import Decision, Outcome, Target, Verdict
from memory_gui.domain.records import Record
from memory_gui.engine.connection import open_database
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.registry import Registry, formats

ITEM = """INSERT INTO memory_review_queue (id, scope, type, key_normalized, title, content,
 tags_json, evidence, source_session, occurrences, confidence, status, created_at, updated_at)
 VALUES (?, ?, ?, ?, ?, ?, ?, ?, 's', ?, ?, 'pending', ?, ?)"""
KEYS = (
    "preference_简洁的回答", "preference_深色主题", "key_0", "key_1", "Key 2", "key-3", "a" * 90,
    "fresh", "Fresh", "project_fact_unknown", "user_name", "ünïcode key", "x",
)  # fmt: skip
TEXTS = (
    "likes green tea", "  blanks around  ", "line\nbreak", "pay\u200bpal", "喜欢简洁的回答",
    "see src/app.py and models.py, v3", "the of and to", "<b>&amp;", "y" * 4000, "y" * 4001,
    "the key is sk_test_EXAMPLEONLYNOTAREALKEY00", "text of key_0",
)  # fmt: skip
REFUSED = {"review.key_clash", "review.hidden", "record.secret", "record.text_long",
           "record.key_empty", "record.text_empty", "record.title_lines"}  # fmt: skip
DIFFERENT = {"review.key_clash", "record.secret", "review.hidden"}
VOLATILE = {"id", "memory_id", "created_at", "updated_at", "deleted_at", "timestamp"}


def prepare(folder: Path, rng: random.Random) -> tuple[Path, Path]:
    """A pair with some memories and forty proposals, no two with one key in one scope."""
    paths = folder / "atlas/.agentao/memory.db", folder / "home/.agentao/memory.db"
    when = "2026-10-01T00:00:00"
    kinds: dict[tuple[str, int], str] = {}
    for path, scope in zip(paths, ("project", "user"), strict=True):
        path.parent.mkdir(parents=True)
        kinds |= {(scope, n): rng.choice(TYPES) for n in range(5)}
        memories = [
            (
                f"{scope[0]}{n:07x}", scope, kinds[scope, n], f"key_{n}", f"key_{n}",
                f"text of key_{n}", rules.json_list(("old",)), "[]", "explicit", "explicit_user",
                when, when, None,
            )
            for n in range(5)
        ]  # fmt: skip
        fill(path, memories, [])
    wanted = [(scope, key) for scope in ("user", "project") for key in KEYS]
    rng.shuffle(wanted)
    with open_database(paths[0], None, write=True) as connection, connection.writing():
        for number, (scope, key) in enumerate(wanted):
            tags = tuple(rng.sample([*WORDS, "user", "preference", "DUP"], rng.randint(0, 3)))
            at = f"2026-10-02T00:00:{number:02}"
            text, kind = rng.choice(TEXTS), rng.choice(TYPES)
            if key == "key_1":  # the very memory that is saved
                text, kind, tags = "text of key_1", kinds[scope, 1], ("old",)
            connection.execute(
                ITEM,
                (
                    f"{number:012x}", scope, kind, key, f"Note: {text[:20]}", text,
                    rules.json_list(tags), f"and {text} he said", rng.randint(1, 5),
                    rng.choice(["auto_summary", "inferred"]), at, at,
                ),
            )  # fmt: skip
    return paths


def rows(judge: Any, path: Path) -> dict[str, list[str]]:
    """All rows but ids and times, in an order that does not depend on them."""
    found = judge("dump", path=str(path))
    return {
        table: sorted(repr({n: v for n, v in row.items() if n not in VOLATILE}) for row in some)
        for table, some in found.items()
    }


def items(store: Store) -> list[Record]:
    found = (record for batch in store.scan(["review"]) for record in batch)
    return sorted(found, key=lambda record: record.created_at or "")


def compare(judge: Any, folder: Path, seed: int) -> Counter[str]:
    """How often we said what."""
    ours = prepare(folder / "ours", random.Random(seed))
    theirs = prepare(folder / "theirs", random.Random(seed))
    registry = Registry(formats(folder / "ours/home"))
    project, user = (registry.open(registry.locate(path), None, Mode.CHANGE) for path in ours)
    judge("open", project=str(theirs[0]), user=str(theirs[1]))
    said: Counter[str] = Counter()
    for item in items(project):
        target = user if item.scope == "user" else project
        seen = project.preview(item.ref, target, None)
        said[seen.refusal or seen.outcome.value] += 1
        if seen.refusal is None and seen.outcome is not Outcome.IDENTICAL:
            replaces = seen.existing.etag if seen.existing else None
            decision = Decision(Target(item.ref, item.etag), Verdict.APPROVE, replaces=replaces)
            project.review(decision, target)
            assert judge("approve", ident=item.ref.key[0])["key_normalized"] == seen.fields["key"]
        elif seen.refusal == "review.hidden":
            insist = frozenset({"hidden", "conflict"})
            replaces = seen.existing.etag if seen.existing else None
            project.review(
                Decision(Target(item.ref), Verdict.APPROVE, {}, insist, replaces), target
            )
            assert judge("approve", ident=item.ref.key[0])
        elif seen.refusal not in DIFFERENT and seen.refusal is not None:
            with pytest.raises(Exception, match=r"ValueError|SensitiveMemoryError"):
                judge("approve", ident=item.ref.key[0])
    judge("close")
    for store in (project, user):
        store.close()
    for mine, their in zip(ours, theirs, strict=True):
        assert rows(judge, mine) == rows(judge, their)
    return said


def test_random_proposals_are_saved_as_agentao_saves_them(judge: Any, tmp_path: Path) -> None:
    said: Counter[str] = Counter()
    for seed in range(6):
        said += compare(judge, tmp_path / str(seed), seed)
    assert {"new", "replaces", "identical"} <= set(said)
    assert {"review.key_clash", "review.hidden", "record.secret"} <= set(said)
    assert set(said) <= REFUSED | {"new", "replaces", "identical"}, said


@pytest.mark.soak
@pytest.mark.timeout(1_800)
def test_five_thousand_random_proposals(judge: Any, tmp_path: Path) -> None:
    for seed in range(1_000, 1_200):
        compare(judge, tmp_path / str(seed), seed)
