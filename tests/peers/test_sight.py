# SPDX-License-Identifier: MIT
"""What we say of each record, and of a proposal once it is approved, is what Agentao then shows.

Random pairs of stores with proposals in the queue. Of each memory we say "always", "when it fits"
or "only on recall"; Agentao's own classes say what is shown and what belongs there. Then Agentao
itself approves a proposal, and shows of the new memory what we had said it would.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from random_stores import NOW, TYPES, WORDS, fill, rows, summaries

from memory_gui.domain.changes import Outcome
from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.engine.connection import open_database
from memory_gui.services import Services, build_services
from memory_gui.services.agent.outlook import Sight
from memory_gui.stores.formats.agentao import rules
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

ITEM = """INSERT INTO memory_review_queue (id, scope, type, key_normalized, title, content,
 tags_json, evidence, source_session, occurrences, confidence, status, created_at, updated_at)
 VALUES (?, ?, ?, ?, ?, ?, ?, 'e', 's', 2, 'inferred', 'pending', ?, ?)"""
WHEN = "2026-10-01T00:00:00"


def put(path: Path, rng: random.Random, count: int) -> None:
    """Proposals, some of which would replace a memory."""
    with open_database(path, None, write=True) as connection, connection.writing():
        for number in range(count):
            text = " ".join(rng.choices(WORDS, k=rng.choice([3, 20, 60])))[:4000]
            connection.execute(
                ITEM,
                (
                    f"{number:012x}", rng.choice(["user", "project"]), rng.choice(TYPES),
                    rng.choice([f"key_{number}", f"fresh_{number}"]), text[:30], text,
                    rules.json_list(tuple(rng.sample(WORDS, 2))), WHEN, WHEN,
                ),
            )  # fmt: skip


def opened(folder: Path) -> Services:
    """Our services over the pair."""
    services = build_services(
        words=Words(), home=folder / "home", data_dir=folder / "data", keychain=NoKeychain()
    )
    services.library.open(folder / "atlas")
    return services


def look(inside: Any, project: Path, user: Path) -> dict[str, Any]:
    """What Agentao shows of both stores."""
    seen: dict[str, Any] = inside(
        "view", project=str(project), user=str(user), said=[], now=NOW.isoformat()
    )
    return seen


def theirs(seen: dict[str, Any], ident: str) -> Sight:
    """How often Agentao shows one memory."""
    if ident in seen["shown"]:
        return Sight.ALWAYS
    return Sight.FITS if ident in seen["wanted"] else Sight.RECALL


def compare(inside: Any, judge: Any, folder: Path, seed: int) -> set[Sight]:
    """One random pair; the sights that were compared."""
    rng = random.Random(seed)
    project, user = folder / "atlas/.agentao/memory.db", folder / "home/.agentao/memory.db"
    for path in (project, user):
        path.parent.mkdir(parents=True)
    fill(project, rows(rng, rng.choice([0, 5, 40]), "project"), summaries(rng, rng.choice([0, 6])))
    fill(user, rows(rng, rng.choice([0, 3, 20]), "user"), [])
    put(project, rng, 2)
    services = opened(folder)
    seen = look(inside, project, user)
    query = Query(kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))
    found = services.library.window(services.library.search(query, "created").ids)
    compared = set()
    for record in found:
        ours = services.review.sight(record)
        assert ours.sight is theirs(seen, record.ref.key[0]), record
        compared.add(ours.sight)
    item = rng.choice(services.review.items())
    preview = services.review.preview(item.ref)
    said = services.review.outlook(preview)
    services.close()
    if preview.outcome is not Outcome.REFUSED:
        judge("open", project=str(project), user=str(user))
        saved = judge("approve", ident=item.ref.key[0])
        judge("close")
        assert said.sight is theirs(look(inside, project, user), saved["id"]), item
        compared.add(said.sight)
    shutil.rmtree(folder)
    return compared


def test_each_record_and_each_decision(inside: Any, judge: Any, tmp_path: Path):
    compared = set()
    for seed in range(12):
        compared |= compare(inside, judge, tmp_path / str(seed), seed)
    assert compared == {Sight.ALWAYS, Sight.FITS, Sight.RECALL}


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_a_thousand_random_stores(inside: Any, judge: Any, tmp_path: Path):
    for seed in range(5_000, 6_000):
        compare(inside, judge, tmp_path / str(seed), seed)


def test_a_large_store_is_looked_at_no_less_closely(inside: Any, tmp_path: Path):
    """More memories that belong there than are looked at first, none of the newest with room.

    Each is of a second of its own: among many of one second SQLite's sorter, once it has more than
    fits its memory, decides by itself which comes first, and so Agentao does.
    """
    rng = random.Random(7)
    project, user = tmp_path / "atlas/.agentao/memory.db", tmp_path / "home/.agentao/memory.db"
    for path in (project, user):
        path.parent.mkdir(parents=True)
    made = [list(row) for row in rows(rng, 700, "project")]
    for number, row in enumerate(made):
        row[2], row[5] = "decision", "x" * 4000 if number % 7 else "short"
        row[4] = "t" * 100 if number < 690 else row[4][:20]
        row[10], row[12] = f"2026-05-01T{number // 60:02}:{number % 60:02}:00", None
    fill(project, [tuple(row) for row in made], [])
    fill(user, rows(rng, 3, "user"), [])
    services = opened(tmp_path)
    seen = look(inside, project, user)
    assert 0 < len(seen["shown"]) < len(seen["wanted"])
    query = Query(kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))
    found = services.library.window(services.library.search(query, "created").ids)
    shown = [one for one in found if one.ref.key[0] in seen["shown"]]
    for record in [*shown, *found[:10], *found[-10:]]:
        assert services.review.sight(record).sight is theirs(seen, record.ref.key[0])
    services.close()
