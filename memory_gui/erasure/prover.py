# SPDX-License-Identifier: MIT
"""The prover: another process that looks at the files as they lie on the disk.

It opens no SQLite connection. It gets the path, the key and the texts through the pipe and
answers with a proof, which holds numbers and names of kept records only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from memory_gui.domain.erasing import SideFile
from memory_gui.domain.keys import Key
from memory_gui.domain.work import Tick, no_tick
from memory_gui.erasure.fileprover import prove_plain
from memory_gui.erasure.look import Look, open_file, search_side_files
from memory_gui.erasure.messages import Message, key_from, side_file_from
from memory_gui.erasure.places import Wanted
from memory_gui.erasure.plan import TableKind, rows_of, table_of
from memory_gui.erasure.proof import Proof
from memory_gui.process.worker import serve

Reply = Callable[[Message], None]


def prove_files(
    path: Path,
    key: Key | None,
    texts: Sequence[str],
    *,
    side_files: Sequence[SideFile] = (),
    tables: Sequence[TableKind] = (),
    rows: Sequence[Mapping[str, Any]] = (),
    words: bool = True,
    tick: Tick = no_tick,
) -> Proof:
    """Prove in this process, which must have no connection to the file. See ``run.prove``."""
    begun = time.perf_counter()
    path = path.resolve()
    erased: dict[str, tuple[tuple[str, ...], frozenset[tuple[str, ...]]]] = {}
    for entry in map(rows_of, rows):
        told = [(*key, entry.owners[key]) if entry.owner else key for key in entry.keys]
        keys = frozenset(tuple(str(part) for part in key) for key in told)
        own = (*entry.key_columns, entry.owner) if entry.owner else entry.key_columns
        columns, before = erased.get(entry.table, (own, frozenset()))
        erased[entry.table] = (columns, before | keys)
    wanted = Wanted({table.table: table for table in tables}, erased, words)
    file = open_file(path, key)
    try:
        proof = Look(file, path, wanted, tick).prove(texts, side_files)
    finally:
        file.close()
    return replace(proof, ms=(time.perf_counter() - begun) * 1000)


def handle(message: Message, reply: Reply) -> Message:
    """Answer one message.

    ``prove``, ``prove-files`` for a store of text files, or ``search`` for side files alone.
    """

    def tick(step: str, done: int, total: int) -> None:
        reply({"tick": [step, done, total]})

    if message["do"] == "search":
        files = tuple(side_file_from(entry) for entry in message["side_files"])
        return {"finds": [asdict(f) for f in search_side_files(message["texts"], files, tick)]}

    if message["do"] == "prove-files":
        files = tuple(side_file_from(entry) for entry in message["side_files"])
        words = bool(message["words"])
        found = prove_plain(message["files"], message["texts"], files, tick, words=words)
        return {"proof": asdict(found)}

    proof = prove_files(
        Path(message["path"]),
        key_from(message["key"]),
        tuple(message["texts"]),
        side_files=tuple(side_file_from(entry) for entry in message["side_files"]),
        tables=tuple(table_of(entry) for entry in message["tables"]),
        rows=message["rows"],
        words=bool(message["words"]),
        tick=tick,
    )
    return {"proof": asdict(proof)}


def main() -> None:
    """Be the prover."""
    serve(handle)


if __name__ == "__main__":
    main()
