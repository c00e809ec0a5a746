# SPDX-License-Identifier: MIT
"""How figures are taken, and what both sides are asked: the same for ours and for the baseline."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Sequence

from bigstore import CHINESE, ENGLISH
from rows import records

from memory_gui.engine.database import Connection

RECORDS = records()
LIKES = 12
"""So many of the questions are put to SQLite as well: at a million records each takes seconds."""
PAGE = 200
COLUMNS = ("title", "content", "tags_json", "key_normalized")


def timed(acts: Iterable[Callable[[], object]], clock: Callable[[], float]) -> list[float]:
    """Seconds that each takes by a clock, one after another; the cycle collector ran before."""
    gc.collect()
    took = []
    for act in acts:
        begun = clock()
        act()
        took.append(clock() - begun)
    return took


def processor(acts: Iterable[Callable[[], object]]) -> list[float]:
    """Seconds of the processor, of all threads of this process."""
    return timed(acts, time.process_time)


def waited(acts: Iterable[Callable[[], object]]) -> list[float]:
    """Seconds by the clock on the wall."""
    return timed(acts, time.perf_counter)


def spent(act: Callable[[], object], times: int = 1) -> float:
    """Seconds of the processor, the best of some times."""
    return min(processor([act] * times))


def p95(values: Sequence[float]) -> float:
    """What 95 of 100 stay below."""
    return sorted(values)[max(0, round(len(values) * 0.95) - 1)]


def like(
    connection: Connection, *words: str, tail: str = "", without: str = "", and_: str = ""
) -> list[object]:
    """The ids of live records that hold all words in one of the columns that ours looks through."""
    one = "(" + " OR ".join(f"{column} LIKE ?" for column in COLUMNS) + ")"
    where = ["deleted_at IS NULL", *[one] * len(words), *([f"NOT {one}"] if without else [])]
    parts = (*words, without) if without else words
    params = [f"%{part}%" for part in parts for _ in COLUMNS]
    sql = f"SELECT id FROM memories WHERE {' AND '.join(where)} {and_} {tail}"
    return list(connection.execute(sql, params))


NEWEST = f"ORDER BY updated_at DESC LIMIT {PAGE}"


def typed() -> list[str]:
    """What stands in the search box after each letter of 50 words, "e" and "的" among them."""
    words = ("e", "的", *dict.fromkeys(ENGLISH[:36]), *CHINESE[:20])[:50]
    assert len(words) == 50
    return [word[:n] for word in words for n in range(1, len(word) + 1)]
