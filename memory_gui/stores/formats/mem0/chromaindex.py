# SPDX-License-Identifier: MIT
"""Chroma's binary index of a collection: where a row's vector lies, and its name in the map.

Sources: chroma's fork of hnswlib (persisted head, ``markDelete``: a bit behind the number of links)
and ``index_metadata.pickle`` as chromadb 1.5 writes it (protocol 3, nothing remembered). Of few
rows there is no such map: their vectors are in the log of the database, and none in these files.
"""

from __future__ import annotations

import pickletools
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.erasing import ErasePart, EraseRows
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut, Put, Span, merged, without
from memory_gui.engine.plainfile import MOST_BYTES, Content, read_file
from memory_gui.stores.pickles import Made, PickleError, read_pickle

MAP: Final = "index_metadata.pickle"
_HEAD: Final = struct.Struct("<iQQQQQQ")
"""Version, where elements begin, how many there may be and are, bytes of each, label, vector."""
_VERSION: Final = 1
_LABEL: Final = struct.Struct("<Q")
_DELETED: Final = 2
"""The byte of an element in which its first bit says that it was deleted."""
_MAPS: Final = ("id_to_label", "label_to_id", "id_to_seq_id")


def index_parts(folder: Path, segments: Sequence[str], gone: frozenset[str]) -> Iterator[ErasePart]:
    """What goes of each index that has a vector of what goes.

    Raises:
        UserError: ``mem0.chroma_index``: it is laid out in another way.
    """
    for segment in segments:
        path = folder / segment / MAP
        if not path.is_file():
            continue
        map_ = read_file(path)
        labels = labels_of(map_.data)
        if labels is None:
            raise UserError("mem0.chroma_index", path=str(path))
        mine = {name: label for name, label in labels.items() if name in gone}
        if mine:
            elements = path.with_name("data_level0.bin")
            head = read_file(path.with_name("header.bin")).data
            puts = _emptied(head, read_file(elements), set(mine.values()), str(elements))
            cuts = _taken_out(map_.data, set(mine), set(mine.values()))
            files = (
                FileCut(str(elements), _place(read_file(elements)), puts=puts),
                FileCut(str(path), _place(map_), cuts),
            )
            keys = tuple((name,) for name in mine)
            rows = (EraseRows(elements.name, ("id",), keys, "embedding"),)
            yield ErasePart(str(elements), rows, files=files)


def labels_of(data: bytes) -> dict[str, int] | None:
    """Id -> number of its element; None where the map cannot be read."""
    try:
        value = read_pickle(data, MOST_BYTES)
    except PickleError:
        return None
    labels = _fields(value).get("id_to_label")
    if not isinstance(labels, dict):
        return None
    return {str(name): label for name, label in labels.items() if isinstance(label, int)}


def _fields(value: Any) -> dict[Any, Any]:
    found = value.state if isinstance(value, Made) else value
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class _Layout:
    start: int
    total: int
    size: int
    label: int
    vector: int


def _layout(head: bytes, size: int) -> _Layout | None:
    if len(head) < _HEAD.size:
        return None
    version, start, most, total, each, label, vector = _HEAD.unpack_from(head)
    fits = version == _VERSION and 0 < total <= most and start + most * each <= size
    ordered = _DELETED < vector < label <= each - _LABEL.size
    return _Layout(start, total, each, label, vector) if fits and ordered else None


def _emptied(head: bytes, elements: Content, labels: set[int], path: str) -> tuple[Put, ...]:
    """Zeroes in the place of vectors, and the bit of a deleted element."""
    layout = _layout(head, len(elements.data))
    if layout is None:
        raise UserError("mem0.chroma_index", path=path)
    puts: list[Put] = []
    for number in range(layout.total):
        at = layout.start + number * layout.size
        (label,) = _LABEL.unpack_from(elements.data, at + layout.label)
        if label in labels:
            mark = elements.data[at + _DELETED] | 1
            puts.append((at + _DELETED, at + _DELETED + 1, f"{mark:02x}"))
            room = layout.label - layout.vector
            puts.append((at + layout.vector, at + layout.label, "00" * room))
    return tuple(puts)


def _taken_out(data: bytes, names: set[str], labels: set[int]) -> tuple[Span, ...]:
    """The places of their names in the map; none where the map would not be the same but for them.

    Then the names stay, which are ids and say nothing.
    """
    try:
        before = _fields(read_pickle(data, MOST_BYTES))
        cuts = tuple(merged(_pairs(data, names, labels)))
        after = _fields(read_pickle(without(data, cuts), MOST_BYTES))
    except (PickleError, ValueError):
        return ()
    wanted = dict(before)
    for one in _MAPS:
        if isinstance(before.get(one), dict):
            gone = labels if one == "label_to_id" else names
            wanted[one] = {name: v for name, v in before[one].items() if name not in gone}
    return cuts if after == wanted else ()


def _pairs(data: bytes, names: set[str], labels: set[int]) -> Iterator[Span]:
    """Each name or label and the value behind it, where both are plain opcodes."""
    said = list(pickletools.genops(data))
    inside = ""
    for (_, value, at), (_, other, _after), (_, _third, end) in zip(
        said, said[1:], said[2:], strict=False
    ):
        if isinstance(value, str) and value in _MAPS:
            inside = value
        is_name = inside != "label_to_id" and isinstance(value, str) and value in names
        is_label = inside == "label_to_id" and isinstance(value, int) and value in labels
        is_pair = (is_name and isinstance(other, int)) or (is_label and isinstance(other, str))
        if is_pair and at is not None and end is not None:
            yield at, end


def _place(content: Content) -> tuple[int, int, int, int]:
    seen = content.seen
    return (0, 0, 0, 0) if seen is None else (seen.device, seen.inode, seen.size, seen.changed)
