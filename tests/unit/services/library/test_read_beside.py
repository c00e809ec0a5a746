# SPDX-License-Identifier: MIT
"""A store that is being read keeps nobody from writing to it."""

from __future__ import annotations

import pytest

from memory_gui.index.content import Content
from memory_gui.services.library.reading import read_all
from memory_gui.stores.contract import SCAN_ROWS
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats

MORE = """WITH n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
 INSERT INTO memories (id, scope, type, key_normalized, title, content, tags_json, keywords_json,
 source, confidence, sensitivity, created_at, updated_at)
 SELECT printf('%08x', i), 'project', 'note', i, i, 'text', '[]', '[]', 'auto', 'inferred',
 'normal', '2026-01-01T00:00:00', '2026-01-01T00:00:00' FROM n"""
RECORDS = 3_000


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_an_agent_writes_and_checkpoints_between_any_two_steps(
    tmp_path, empty_store, peer, journal
):
    """It waits for nothing: a transaction that is open over a step would refuse it."""
    path = empty_store(tmp_path / "atlas/.agentao")
    other = peer(path, sets=f"PRAGMA journal_mode = {journal}; PRAGMA busy_timeout = 0")
    other.do(MORE, 0, RECORDS)
    store = Registry(formats(None)).open(Location((path,)), None, Mode.LOOK)
    content, steps = Content(store.id), []

    def beside(_done: int) -> None:
        other.do(MORE, RECORDS + len(steps), RECORDS + len(steps) + 1)
        if journal == "wal":
            assert other.do("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] == 0
        steps.append(1)

    assert max(batch.size for batch in store.batches()) <= SCAN_ROWS
    read_all(content, store, beside)
    assert len(steps) > 4
    read_all(content, store)
    assert sum(content.counts()["memory"].values()) == RECORDS + len(steps)
    store.close()
