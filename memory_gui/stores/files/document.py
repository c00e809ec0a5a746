# SPDX-License-Identifier: MIT
"""A text file as it was read: its records, where each of them lies, and what may become of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from memory_gui.domain.changes import Told
from memory_gui.domain.filecuts import Span
from memory_gui.domain.records import Record
from memory_gui.engine.plainfile import Content


@dataclass(frozen=True, slots=True)
class Item:
    """One record and where its own bytes lie. ``texts`` are what an erase of it must leave out."""

    record: Record
    path: Path
    span: Span
    texts: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Splice:
    """Bytes of a file that become others."""

    start: int
    end: int
    data: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class Doc:
    """One file as it was read, and its records in the order in which they stand."""

    path: Path
    content: Content
    items: tuple[Item, ...] = ()
    told: tuple[Told, ...] = ()

    @property
    def data(self) -> bytes:
        """Its bytes."""
        return self.content.data


def spliced(data: bytes, splices: Sequence[Splice]) -> bytes:
    """The bytes with some of them replaced. Splices do not overlap."""
    parts: list[bytes] = []
    at = 0
    for one in sorted(splices, key=lambda one: (one.start, one.end)):
        parts += (data[at : one.start], one.data)
        at = one.end
    parts.append(data[at:])
    return b"".join(parts)


def etag_of(raw: bytes) -> str:
    """Of a record's own bytes."""
    return sha256(raw).hexdigest()[:16]
