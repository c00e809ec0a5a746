# SPDX-License-Identifier: MIT
"""What an erase takes out of a store that is made of text files: places, never texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Span = tuple[int, int]
"""Bytes ``[start, end)`` of a file."""


@dataclass(frozen=True, slots=True)
class KeptSpan:
    """Where the bytes of a record lie that stays, and its ref as a text."""

    start: int
    end: int
    ref: str


@dataclass(frozen=True, slots=True)
class FileCut:
    """One file of a store, as it was when the erase was planned, and the bytes that go.

    ``seen`` is its device, inode, size and time of change (nanoseconds). ``whole``: the file goes.
    ``kept`` are the records that stay, by their places in the file as it was.
    """

    path: str
    seen: tuple[int, int, int, int]
    cuts: tuple[Span, ...] = ()
    whole: bool = False
    kept: tuple[KeptSpan, ...] = field(default=(), repr=False)

    @property
    def is_written(self) -> bool:
        """Whether anything of it goes."""
        return self.whole or bool(self.cuts)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In order, none overlapping or touching."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, end))
    return tuple(found)


def without(data: bytes, cuts: Sequence[Span]) -> bytes:
    """The bytes that are left; ``cuts`` are merged."""
    parts = []
    at = 0
    for start, end in cuts:
        parts.append(data[at:start])
        at = end
    parts.append(data[at:])
    return b"".join(parts)


def moved(span: Span, cuts: Sequence[Span]) -> Span | None:
    """Where a span lies after the cuts; None where nothing of it is left."""
    start, end = span
    before = sum(
        min(cut_end, start) - cut_start for cut_start, cut_end in cuts if cut_start < start
    )
    inside = sum(max(0, min(cut_end, end) - max(cut_start, start)) for cut_start, cut_end in cuts)
    left = end - start - inside
    return (start - before, start - before + left) if left else None
