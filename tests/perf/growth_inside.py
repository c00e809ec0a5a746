# SPDX-License-Identifier: MIT
"""What one process finds in one store: reading, searching, memory; and SQLite's own.

``growth_inside.py DATABASE`` prints it as JSON. Seconds are those of the processor.
"""

from __future__ import annotations

import json
import os
import random
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import KEY, newest
from index_alone import TEXT
from measuring import p95, spent

from memory_gui.domain.queries import Query
from memory_gui.domain.records import State
from memory_gui.engine.connection import open_database
from memory_gui.index.content import Content
from memory_gui.index.memory import give_back
from memory_gui.index.whole import Shelved, Whole
from memory_gui.services.library.reading import read_all
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats

LIKE = "SELECT id FROM memories WHERE deleted_at IS NULL AND (title LIKE ? OR content LIKE ?)"


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(path: Path) -> None:
    told: dict[str, object] = {}
    with open_database(path, KEY, write=False) as connection:

        def fetch():
            for _ in connection.rows("SELECT rowid, * FROM memories"):
                pass

        told["load_sql"] = spent(fetch)
        records, told["text"] = map(int, connection.execute(TEXT)[0])
        told["newest"] = newest(connection)
        dice = random.Random(1)
        words = [f"memory {dice.randrange(records):07d}" for _ in range(40)]
        told["search_sql"] = p95(
            [spent(partial(connection.execute, LIKE, (f"%{w}%",) * 2)) for w in words[:4]]
        )
    store = Registry(formats(None)).open(Location((path,)), KEY, Mode.LOOK)
    content, whole = Content(store.id), Whole()
    before = resident()
    told["load"] = spent(lambda: read_all(content, store))
    give_back()
    told["memory"] = resident() - before
    shelves = [Shelved(0, content)]

    def search(text):
        content.masks.follow(-1)
        query = Query(text, kinds=frozenset({"memory"}), states=frozenset({State.LIVE}))
        whole.search(shelves, query, query.parsed(), "-updated")

    search("")
    told["search"] = p95([spent(partial(search, f'"{word}"')) for word in words])
    print(json.dumps(told))


main(Path(sys.argv[1]))
