# SPDX-License-Identifier: MIT
"""What an erase takes out of a store that is made of text files: places, never texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Span = tuple[int, int]
"""Bytes ``[start, end)`` of a file."""
Put = tuple[int, int, str]
"""Those, and in hex digits what stands there instead."""


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
    ``kept`` are the records that stay, by their places in the file as it was. ``puts`` are (start,
    end, hex digits): what stands there afterwards instead, a number or an id and no text of
    anybody; they overlap no cut.
    """

    path: str
    seen: tuple[int, int, int, int]
    cuts: tuple[Span, ...] = ()
    whole: bool = False
    kept: tuple[KeptSpan, ...] = field(default=(), repr=False)
    puts: tuple[Put, ...] = ()

    @property
    def is_written(self) -> bool:
        """Whether anything of it goes."""
        return self.whole or bool(self.cuts) or bool(self.puts)

    @property
    def size_after(self) -> int:
        """Bytes that are left of it."""
        gone = sum(end - start for start, end in self.cuts)
        more = sum(len(new) // 2 - (end - start) for start, end, new in self.puts)
        return self.seen[2] - gone + more


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In order, none overlapping or touching."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, end))
    return tuple(found)


def without(data: bytes, cuts: Sequence[Span], puts: Sequence[Put] = ()) -> bytes:
    """The bytes that are left; ``cuts`` are merged."""
    parts: list[bytes] = []
    at = 0
    for start, end, new in sorted([*((*cut, "") for cut in cuts), *puts]):
        parts += (data[at:start], bytes.fromhex(new))
        at = end
    parts.append(data[at:])
    return b"".join(parts)


def moved(span: Span, cuts: Sequence[Span], puts: Sequence[Put] = ()) -> Span | None:
    """Where a span lies after the cuts; None where nothing of it is left.

    No put lies inside of it.
    """
    start, end = span
    before = sum(
        min(cut_end, start) - cut_start for cut_start, cut_end in cuts if cut_start < start
    )
    inside = sum(max(0, min(cut_end, end) - max(cut_start, start)) for cut_start, cut_end in cuts)
    left = end - start - inside
    before -= sum(len(new) // 2 - (stop - at) for at, stop, new in puts if stop <= start)
    return (start - before, start - before + left) if left else None
