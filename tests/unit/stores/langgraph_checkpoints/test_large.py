# SPDX-License-Identifier: MIT
"""Files that grow with the square of a conversation are read in memory that does not, in steps."""

from __future__ import annotations

import json
import struct
import time
import tracemalloc
from pathlib import Path
from uuid import UUID

import pytest

from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.services import Services
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.langgraph_checkpoints import store as module
from memory_gui.stores.formats.langgraph_checkpoints.format import CheckpointsFormat

TABLES = """
CREATE TABLE checkpoints (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '',
    checkpoint_id TEXT NOT NULL, parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB,
    metadata BLOB, PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
CREATE TABLE writes (thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '',
    checkpoint_id TEXT NOT NULL, task_id TEXT NOT NULL, idx INTEGER NOT NULL,
    channel TEXT NOT NULL, type TEXT, value BLOB,
    PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));
"""


def text(said: str) -> bytes:
    """A text in MessagePack."""
    raw = said.encode()
    return b"\xda" + struct.pack(">H", len(raw)) + raw


def message(role: str, said: str, number: int) -> bytes:
    """A message as LangGraph writes one."""
    fields = {"content": said, "type": role, "id": str(UUID(int=number))}
    inner = b"\x94" + text("langchain_core.messages") + text("Message")
    inner += bytes([0x80 + len(fields)]) + b"".join(text(n) + text(v) for n, v in fields.items())
    inner += text("model_validate_json")
    return b"\xc9" + struct.pack(">I", len(inner)) + b"\x05" + inner


def make(path: Path, threads: int, turns: int, letters: int = 600) -> None:
    """A file of so many threads."""
    create_database(path, None, TABLES, journal_mode="wal")
    with open_database(path, None, write=True) as connection, connection.writing():
        for thread in range(threads):
            said: list[bytes] = []
            for turn in range(turns):
                for role in ("human", "ai"):
                    words = f"{role} in turn {turn} of {thread}: " + "ab cd ef " * (letters // 9)
                    said.append(message(role, words, thread << 32 | len(said)))
                name = f"{turn:08}"
                data = b"\x82" + text("ts") + text(f"2026-01-01T00:{turn // 60:02}:{turn % 60:02}")
                data += text("channel_values") + b"\x81" + text("messages")
                data += b"\xdd" + struct.pack(">I", len(said)) + b"".join(said)
                connection.execute(
                    "INSERT INTO checkpoints (thread_id, checkpoint_id, type, checkpoint, metadata)"
                    " VALUES (?, ?, 'msgpack', ?, ?)",
                    (f"t{thread}", name, data, json.dumps({"step": turn}).encode()),
                )


@pytest.mark.parametrize(
    ("threads", "turns", "least"),
    [(2, 80, 7), pytest.param(6, 400, 500, marks=pytest.mark.soak)],
)
def test_memory_is_that_of_the_conversation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int, turns: int, least: int
) -> None:
    path = tmp_path / "checkpoints.db"
    make(path, threads, turns)
    assert path.stat().st_size > least << 20
    monkeypatch.setattr(module, "COUNTED_BYTES", 1 << 20)
    store = CheckpointsFormat().open(Location((path,)), None, Mode.LOOK)
    info = store.info()
    assert info.counts["message"] == {}
    assert "langgraph.uncounted" in {one.code for one in info.told}
    assert info.work == threads * turns
    conversation = 2 * turns * 600
    tracemalloc.start()
    steps = [(batch.work, batch.size) for batch in store.batches()]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 25 * conversation
    assert sum(work or 0 for work, _ in steps) == info.work
    assert max(work or 0 for work, _ in steps) == 1
    assert sum(size for _, size in steps) == threads * (1 + 2 * turns)
    store.close()


def test_the_reading_says_how_far_it_is(
    tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "checkpoints.db"
    make(path, 2, 20)
    monkeypatch.setattr(module, "COUNTED_BYTES", 0)
    (store, *_) = services.library.open(path, pair=False)
    assert store.info.counts["message"] == {}
    told: list[tuple[int, int]] = []
    query = Query("turn", frozenset({store.id}))
    found = services.library.search(query, tick=lambda _step, done, all_: told.append((done, all_)))
    assert found.total == 2 * (1 + 40)
    assert told[-1] == (40, 40)
    assert {total for _, total in told} <= {0, 40}  # 0 as long as it has not begun
    counts = next(one.info.counts for one in services.library.stores())
    assert sum(counts["message"].values()) == 80


@pytest.mark.soak
def test_an_erase_does_not_take_longer_because_all_others_say_the_same(
    tmp_path: Path, services: Services
) -> None:
    """Each search for a phrase that kept threads repeat once cost ten minutes for 500 MB."""
    path = tmp_path / "checkpoints.db"
    make(path, 6, 220)
    assert path.stat().st_size > 200 << 20
    (store, *_) = services.library.open(path, pair=False)
    begun = time.process_time()
    plan = services.erasing.plans.plan([Ref(store.id, "thread", ("t0",))])
    assert {ref.key[0] for ref in plan.stores[0].still_in} == {f"t{n}" for n in range(1, 6)}
    result = services.erasing.run(plan)
    assert str(result.state) == "proved"
    assert result.proof is not None
    assert {hit.ref for hit in result.proof.kept_hits} == {f"thread:t{n}" for n in range(1, 6)}
    assert result.proof.ms < 120_000
    assert time.process_time() - begun < 60
