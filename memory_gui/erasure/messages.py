# SPDX-License-Identifier: MIT
"""What travels through the pipes between the app, the eraser and the prover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from memory_gui.domain import keys as domain_keys
from memory_gui.domain.changes import OpenBy
from memory_gui.domain.erasing import CellCut, EraseRows, SideFile
from memory_gui.domain.keys import Key
from memory_gui.erasure.cells import cell_message
from memory_gui.erasure.plan import TableKind, row_message
from memory_gui.erasure.proof import Find, KeptHit, Proof, Structure
from memory_gui.erasure.result import Count, Step, StoreResult

Message = dict[str, Any]


def key_message(key: Key | None) -> Message | None:
    """A key, for the pipe only."""
    return domain_keys.key_message(key)


def key_from(message: Mapping[str, Any] | None) -> Key | None:
    """The key that a message holds."""
    return domain_keys.key_from_message(message)


def rows_message(rows: Sequence[EraseRows]) -> list[Message]:
    """Rows by table."""
    return [row_message(entry) for entry in rows]


def cells_message(cells: Sequence[CellCut]) -> list[Message]:
    """Places in rows that stay."""
    return [cell_message(cell) for cell in cells]


def tables_message(tables: Sequence[TableKind]) -> list[Message]:
    """Kinds of tables."""
    return [asdict(entry) for entry in tables]


def side_files_message(files: Sequence[SideFile]) -> list[Message]:
    """Files beside the store."""
    return [asdict(entry) for entry in files]


def side_file_from(message: Mapping[str, Any]) -> SideFile:
    """A file beside the store."""
    cleanable = bool(message.get("cleanable", False))
    path, what = str(message["path"]), str(message["what"])
    whole = bool(message.get("whole", False))
    return SideFile(path, what, str(message["encoding"]), cleanable, whole)


def step_from(message: Sequence[Any]) -> Step:
    """A step: [name, result, ms, statements]; an older note has no statements."""
    said = tuple((str(sql), str(answer)) for sql, answer in (*message, ())[3])
    return Step(str(message[0]), str(message[1]), float(message[2]), said)


def counts_from(message: Mapping[str, Sequence[int]]) -> dict[str, Count]:
    """Table -> [found, erased, kept]."""
    return {table: Count(*(int(number) for number in three)) for table, three in message.items()}


def open_by_from(message: Sequence[Sequence[Any]]) -> tuple[OpenBy, ...]:
    """Holders: [pid, name]."""
    return tuple(OpenBy(int(pid), str(name)) for pid, name in message)


def proof_from(message: Mapping[str, Any]) -> Proof:
    """A proof as the prover sent it (``asdict``)."""
    values = dict(message)
    values["structure"] = Structure(**values["structure"])
    values["kept_hits"] = tuple(KeptHit(**hit) for hit in values["kept_hits"])
    values["finds"] = tuple(Find(**find) for find in values["finds"])
    values["kept_in"] = ()  # the prover does not know what a person keeps
    return Proof(**values)


def taken_message(result: StoreResult) -> Message:
    """What a run took out and did, for a pending entry: numbers and codes, no content."""
    return {
        "counts": {t: [c.found, c.erased, c.kept] for t, c in result.counts.items()},
        "steps": [[step.name, step.result, step.ms, step.statements] for step in result.steps],
    }


def taken_from(message: Message) -> tuple[dict[str, Count], tuple[Step, ...]]:
    """The same as values; nothing of an entry that has none."""
    counts = {table: Count(*numbers) for table, numbers in message.get("counts", {}).items()}
    return counts, tuple(step_from(step) for step in message.get("steps", ()))
