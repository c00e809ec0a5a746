# SPDX-License-Identifier: MIT
"""The vectors of a flat FAISS index. Source: faiss 1.15, ``impl/index_write.cpp``."""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut, merged
from memory_gui.engine.plainfile import Content

_HEAD: Final = struct.Struct("<4siqqqBi")
"""Which index, numbers in a vector, vectors, two fillers, trained, metric."""
_COUNT: Final = struct.Struct("<Q")
_FLAT: Final = (b"IxF2", b"IxFI")
_AT_TOTAL: Final = 8
_FLOAT: Final = 4


@dataclass(frozen=True, slots=True)
class _Head:
    """Vectors and bytes of each; where the first begins."""

    total: int
    size: int
    start: int


def size_of_vector(index: bytes) -> int:
    """In bytes; 0 where the index is laid out in another way."""
    head = _head_of(index)
    return 0 if head is None else head.size


def _head_of(data: bytes) -> _Head | None:
    """Of a flat index whose size is as its head says; None for any other."""
    start = _HEAD.size + _COUNT.size
    if len(data) < start:
        return None
    name, numbers, total, *_ = _HEAD.unpack_from(data)
    (count,) = _COUNT.unpack_from(data, _HEAD.size)
    is_whole = numbers > 0 and total >= 0 and count == numbers * total
    if name not in _FLAT or not is_whole or len(data) != start + _FLOAT * count:
        return None
    return _Head(total, _FLOAT * numbers, start)


def index_cut(
    path: Path, vectors: Content, ids: Mapping[int, Any], gone: Collection[str], *, some: bool
) -> FileCut:
    """What goes of the index with some ids; ``ids`` says whose each vector is.

    ``some``: there may be vectors that are nobody's, as old releases of Mem0 leave them.

    Raises:
        UserError: ``mem0.faiss_index``: it is laid out in another way.
    """
    where = place(vectors)
    if not gone:
        return FileCut(str(path), where)
    head = _head_of(vectors.data)
    every = set() if head is None else set(range(head.total))
    if head is None or not (set(ids) <= every if some else set(ids) == every):
        raise UserError("mem0.faiss_index", path=str(path))
    going = sorted(number for number, name in ids.items() if name in gone)
    spans = [(head.start + n * head.size, head.start + (n + 1) * head.size) for n in going]
    left = head.total - len(going)
    count = _COUNT.pack(left * head.size // _FLOAT).hex()
    puts = (
        (_AT_TOTAL, _AT_TOTAL + 8, struct.pack("<q", left).hex()),
        (_HEAD.size, _HEAD.size + _COUNT.size, count),
    )
    return FileCut(str(path), where, merged(spans), puts=puts if going else ())


def place(content: Content) -> tuple[int, int, int, int]:
    """As a cut names a file: device, inode, size, time of change."""
    seen = content.seen
    return (0, 0, 0, 0) if seen is None else (seen.device, seen.inode, seen.size, seen.changed)
