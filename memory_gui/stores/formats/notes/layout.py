# SPDX-License-Identifier: MIT
"""How notes lie in their file: blocks of lines with an empty line between them.

Source: the harness's own append rule. Where a file is not empty it writes one newline, then the
stripped note, then one newline. So a note with an empty line inside cannot be told from two notes,
and a note that is appended to a file without a final newline grows onto the one before.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.filecuts import Span

BOM: Final = b"\xef\xbb\xbf"
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BLANK: Final = b" \t\f\v\r\n"


@dataclass(frozen=True, slots=True)
class Block:
    """A note: its text from the first to the last line, and where its last line's end ends."""

    start: int
    end: int
    line_end: int


def blocks(data: bytes) -> tuple[Block, ...]:
    """The notes of a file, in order."""
    found: list[Block] = []
    start = end = line_end = -1
    at = len(BOM) if data.startswith(BOM) else 0
    while at < len(data):
        match = _LINE.match(data, at)
        stop = len(data) if match is None else match.end()
        line = data[at:stop]
        if line.strip(_BLANK):
            start = at if start < 0 else start
            end, line_end = at + len(line.rstrip(b"\r\n")), stop
        elif start >= 0:
            found.append(Block(start, end, line_end))
            start = -1
        at = stop
    if start >= 0:
        found.append(Block(start, end, line_end))
    return tuple(found)


def newline_of(data: bytes) -> bytes:
    """The line end that most lines of a file have."""
    crlf = data.count(b"\r\n")
    return b"\r\n" if crlf > data.count(b"\n") - crlf else b"\n"


def has_both_ends(data: bytes) -> bool:
    """Whether some lines end in CR LF and others in LF alone."""
    crlf = data.count(b"\r\n")
    return 0 < crlf < data.count(b"\n")


def cuts(data: bytes, found: Sequence[Block], gone: Collection[int]) -> tuple[Span, ...]:
    """The bytes that go with some notes, by their places in ``found``; the others stay as they are.

    With a note goes what separates it from the next one; with each of the last ones the one empty
    line that its agent wrote before it.
    """
    spans: list[Span] = []
    last_kept = max((n for n in range(len(found)) if n not in gone), default=-1)
    for place in sorted(gone):
        block = found[place]
        if place < last_kept:
            spans.append((block.start, found[place + 1].start))
        else:
            spans.append((block.start - _blank_before(data, found, place), block.line_end))
    if last_kept < 0 and found:
        spans.append((found[0].start, len(data)))
    return tuple(spans)


def _blank_before(data: bytes, found: Sequence[Block], place: int) -> int:
    """Bytes of the one empty line that was written before a note."""
    if not place:
        return 0
    between = data[found[place - 1].line_end : found[place].start]
    lines = [line for line in _LINE.findall(between) if line]
    return len(lines[-1]) if lines else 0


def shown(raw: bytes) -> str:
    """A note's text: line ends as newlines, what is no UTF-8 as escapes."""
    text = raw.decode("utf-8", "backslashreplace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def stored(text: str, newline: bytes) -> bytes:
    """A note as it is written."""
    lines = text.strip().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return newline.join(line.rstrip().encode() for line in lines)
