# SPDX-License-Identifier: MIT
"""What a store takes to be read into memory, in a process of its own: ``index_alone.py DATABASE``.

Prints as JSON: ``bare``, ``load``, ``usable``, ``ready`` (all orders made) in seconds of the
processor (the best of five rounds, of small stores of four), ``grown``, ``peak``,
``text`` in bytes.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bigstore import KEY
from measuring import spent
from rows import LARGE

from memory_gui.domain.queries import SORTS, Query
from memory_gui.domain.records import State
from memory_gui.engine.connection import open_database
from memory_gui.engine.database import Connection
from memory_gui.index.content import Content
from memory_gui.index.memory import give_back
from memory_gui.index.whole import Shelved, Whole
from memory_gui.services.library.reading import read_all
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats

TEXT = (
    "SELECT count(*), sum(length(CAST(id || scope || type || key_normalized || title || content"
    " || tags_json || keywords_json || source || confidence || sensitivity || created_at"
    " || updated_at AS BLOB))) FROM memories"
)
LIVE = Query(states=frozenset({State.LIVE}))


def resident() -> int:
    """Bytes of this process in memory; of files, which is code, none."""
    return _status("RssAnon")


def peak() -> int:
    """The most bytes that this process had in memory since that was last forgotten, as above."""
    return _status("VmHWM") - _status("RssFile")


def _status(name: str) -> int:
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))


def made_ready(whole: Whole, stores: Sequence[Shelved]) -> None:
    """As the app does in the background once a store was read."""
    for make in (lambda: whole.ready.order(stores, "updated", 0), whole.ready_maker(stores, SORTS)):
        if make is not None:
            make()


def read(content: Content, store: Store, records: int) -> tuple[float, float]:
    """Seconds to read a store, and until a search found something in it.

    The app knows how many records there are, which it says while it opens a store.
    """
    found: list[float] = []

    def look(_done: int) -> None:
        if not found and Whole().search([Shelved(0, content)], LIVE, LIVE.parsed(), "-updated"):
            found.append(time.process_time())

    gc.collect()
    begun = time.process_time()
    read_all(content, store, look, records)
    return time.process_time() - begun, found[0] - begun


def fetch(connection: Connection) -> None:
    """The bare loop."""
    for _ in connection.rows("SELECT rowid, * FROM memories"):
        pass


def main(path: Path) -> None:
    gc.disable()  # for both: where there is a window Python's collector does not run by itself
    with open_database(path, KEY, write=False) as connection:
        records, text = map(int, connection.execute(TEXT)[0])
        rounds = 5 if records > LARGE else 4
        bare = spent(lambda: fetch(connection))
    store = Registry(formats(None)).open(Location((path,)), KEY, Mode.LOOK)
    for _ in store.batches():
        pass  # the connection's own pages, 2 MB at most, are not the index
    content, whole = Content(store.id), Whole()
    gc.collect()
    give_back()
    before = resident()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on
    load, usable = read(content, store, records)
    give_back()  # as a reading does
    ready = spent(lambda: made_ready(whole, [Shelved(0, content)]))
    highest = peak()
    give_back()
    grown = resident() - before
    for _ in range(rounds - 1):  # one after the other, as a machine has quicker and slower minutes
        with open_database(path, KEY, write=False) as connection:
            bare = min(bare, spent(lambda: fetch(connection)))
        load = min(load, spent(lambda: read_all(Content(store.id), store, expected=records)))
        usable = min(usable, read(Content(store.id), store, records)[1])
    store.close()
    print(json.dumps({"bare": bare, "load": load, "usable": usable, "ready": ready,
                      "text": text, "grown": grown, "peak": highest - before}))  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]))
