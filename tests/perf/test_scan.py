# SPDX-License-Identifier: MIT
"""How long a scan takes, as a multiple of what reading the same cells takes SQLite alone.

A ratio within one run, not seconds: machines differ, and so does what else they are doing.
"""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_gui.domain.changes import NewRecord
from memory_gui.engine.connection import open_database
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.registry import Registry, formats

ROWS = 20_000
ROUNDS = 3
MORE = f"""
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS - 1})
INSERT INTO memories SELECT printf('%08d', i), scope, type, 'key_' || i, title || ' ' || i,
    content || ' ' || i, tags_json, keywords_json, source, confidence, sensitivity, created_at,
    updated_at, deleted_at FROM memories, n
"""


@pytest.fixture
def big(tmp_path: Path) -> Path:
    """A store of 20,000 memories of the usual size."""
    path = tmp_path / ".agentao" / "memory.db"
    path.parent.mkdir()
    create_store(path, None)
    store = Registry(formats(None)).open(Location((path,)), None, Mode.CHANGE)
    text = "The staging database is rebuilt every night at 03:30; 测试数据每晚重建。" * 2
    fields = {"title": "staging database", "text": text, "tags": ("decision", "数据库")}
    store.add(NewRecord("memory", fields))
    store.close()
    with open_database(path, None, write=True) as connection, connection.writing():
        connection.change(MORE)
    return path


def fastest(act: Callable[[], object]) -> float:
    """Seconds that it takes, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        act()
        best = min(best, time.perf_counter() - start)
    return best


def test_a_scan_costs_a_small_multiple_of_reading_the_cells(big: Path) -> None:
    with open_database(big, None, write=False) as connection:
        bare = fastest(lambda: connection.execute("SELECT * FROM memories"))
    store = Registry(formats(None)).open(Location((big,)), None, Mode.LOOK)
    assert sum(map(len, store.scan(["memory"]))) == ROWS
    scan = fastest(lambda: sum(map(len, store.scan(["memory"]))))
    store.close()
    print(f"scan {scan / ROWS * 1e6:.0f} µs a row, {scan / bare:.1f} times the bare cells")
    assert scan < 12 * bare
