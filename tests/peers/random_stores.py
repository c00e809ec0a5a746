# SPDX-License-Identifier: MIT
"""Random stores of Agentao, readable, for comparing what we say of them with what Agentao does."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memory_gui.engine.connection import open_database
from memory_gui.stores.formats.agentao import rules
from memory_gui.stores.formats.agentao.create import create_store

NOW = datetime(2026, 11, 1, 12, 0, 3, tzinfo=UTC)
TYPES = ("preference", "profile", "project_fact", "workflow", "decision", "constraint", "note")
WORDS = (
    "deploy", "release", "staging", "database", "migration", "postgres", "tests", "pytest",
    "python", "v3", "class", "tokens", "editor", "tabs", "dark", "theme", "<b>&amp;", "README.md",
    "src/app.py", "keyword", "keywords", "语言", "简洁", "中文",
)  # fmt: skip


def rows(rng: random.Random, count: int, scope: str) -> list[tuple[Any, ...]]:
    made = []
    for number in range(count):
        title = " ".join(rng.sample(WORDS, rng.randint(1, 4)))
        text = " ".join(rng.choices(WORDS, k=rng.choice([3, 20, 60, 300])))[:4000]
        tags = tuple(rng.sample(WORDS, rng.randint(0, 3)))
        # Many in the same second: then the order of the rows decides.
        created = NOW - timedelta(days=rng.randint(0, 200))
        updated = created + timedelta(days=rng.randint(0, 50), seconds=number)
        source = rng.choice(["explicit", "auto"])
        made.append(
            (
                f"{scope[0]}{rng.getrandbits(28):07x}", scope, rng.choice(TYPES), f"key_{number}",
                title, text, rules.json_list(tags),
                rules.json_list(rules.keywords_for(title, tags, text)), source,
                rules.confidence_for(source), rules.time_text(created.replace(tzinfo=None)),
                rules.time_text(updated.replace(tzinfo=None)),
                "2026-01-01T00:00:00" if rng.random() < 0.1 else None,
            )
        )  # fmt: skip
    return made


def summaries(rng: random.Random, count: int) -> list[tuple[Any, ...]]:
    return [
        (
            f"{rng.getrandbits(48):012x}", f"session{number % 3}",
            "\n".join(rng.choices(WORDS, k=rng.choice([5, 120]))), 10, 2,
            f"2026-10-{rng.randint(1, 9):02}T00:00:00",
        )
        for number in range(count)
    ]  # fmt: skip


def fill(path: Path, memories: list[tuple[Any, ...]], tails: list[tuple[Any, ...]]) -> None:
    create_store(path, None)
    with open_database(path, None, write=True) as connection, connection.writing():
        for row in memories:
            connection.execute(
                "INSERT INTO memories (id, scope, type, key_normalized, title, content, tags_json,"
                " keywords_json, source, confidence, created_at, updated_at, deleted_at)"
                " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                row,
            )
        for row in tails:
            connection.execute("INSERT INTO session_summaries VALUES (?,?,?,?,?,?)", row)
