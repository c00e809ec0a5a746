# SPDX-License-Identifier: MIT
"""The lines of ``memory.jsonl``, read as ``@modelcontextprotocol/server-memory`` 2026.8.31 does.

It splits at LF, leaves out what is blank, and gives each line to ``JSON.parse``: one that fails
makes every call fail. Objects of other types, and fields that it does not know, are dropped at its
next write. Duplicates are stored as they come.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memory_gui.domain.filecuts import Span
from memory_gui.stores.files.jsonspans import (
    cut_of,
    decoded,
    elements,
    members,
    offsets,
    whole,
)

BOM: Final = b"\xef\xbb\xbf"
ENTITY, RELATION, UNKNOWN, BROKEN = "entity", "relation", "unknown", "broken"
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    ENTITY: ("name", "entityType", "observations"),
    RELATION: ("from", "to", "relationType"),
}
_BLANK: Final = re.compile(rb"[ \t\r\f\v]*\Z")


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank. ``end`` is without its line end, ``stop`` with it."""

    number: int
    start: int
    end: int
    stop: int
    kind: str
    value: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def span(self) -> Span:
        """Its bytes without the line end."""
        return self.start, self.end


def lines_of(data: bytes) -> tuple[Line, ...]:
    """The lines of a file, in order. A byte order mark is no part of the first one."""
    found = []
    at = len(BOM) if data.startswith(BOM) else 0
    number = 0
    while at < len(data):
        number += 1
        newline = data.find(b"\n", at)
        end, stop = (len(data), len(data)) if newline < 0 else (newline, newline + 1)
        raw = data[at:end]
        if not _BLANK.match(raw):
            found.append(Line(number, at, end, stop, *judged(raw)))
        at = stop
    return tuple(found)


def judged(raw: bytes) -> tuple[str, Mapping[str, Any]]:
    """What the server makes of a line, and the values in it."""
    try:
        value = whole(decoded(raw))
    except ValueError:
        return BROKEN, {}
    if not isinstance(value, dict):
        # Only null makes the server fail; nobody writes either.
        return (BROKEN, {}) if value is None else (UNKNOWN, {})
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        return UNKNOWN, value
    # The server answers with what it read, and its own check of that answer refuses others.
    texts = [value.get(name) for name in FIELDS[kind] if name != "observations"]
    if not all(isinstance(text, str) for text in texts):
        return BROKEN, value
    if kind == ENTITY:
        said = value.get("observations")
        if not isinstance(said, list) or not all(isinstance(one, str) for one in said):
            return BROKEN, value
    return kind, value


def is_one_document(data: bytes) -> bool:
    """Whether the file is one JSON value over several lines, which the server cannot read."""
    text = decoded(data.removeprefix(BOM)).strip()
    if text[:1] not in ("{", "[") or "\n" not in text:
        return False
    try:
        whole(text)
    except ValueError:
        return False
    return True


def written(kind: str, values: Mapping[str, Any]) -> bytes:
    """A line as the server writes it."""
    return dumped({"type": kind, **{name: values[name] for name in FIELDS[kind]}})


def dumped(value: Any) -> bytes:
    """JSON as ``JSON.stringify`` gives it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def value_span(data: bytes, line: Line, name: str) -> Span:
    """Where a member's value lies in the file; of several equal names the last, which counts."""
    text = decoded(data[line.start : line.end])
    found = [one for one in members(text) if one.name == name][-1]
    start, end = offsets(text, [found.value_start, found.end])
    return line.start + start, line.start + end


def observation_spans(data: bytes, line: Line) -> tuple[Span, list[Span]]:
    """Where the array of observations lies in the file, and each of them."""
    text = decoded(data[line.start : line.end])
    array = [one for one in members(text) if one.name == "observations"][-1]
    found = elements(text, array.value_start)
    places = [array.value_start, *(p for one in found for p in (one.start, one.end)), array.end]
    shifted = [line.start + place for place in offsets(text, places)]
    inner = shifted[1:-1]
    return (shifted[0], shifted[-1]), list(zip(inner[::2], inner[1::2], strict=True))


def observation_cuts(data: bytes, line: Line, gone: set[int]) -> list[Span]:
    """The bytes that go with some observations; and members of a name that another one hides."""
    _array, spans = observation_spans(data, line)
    return [*cut_of(spans, gone), *hidden_members(data, line)]


def hidden_members(data: bytes, line: Line) -> list[Span]:
    """Members that a later one of the same name hides: nobody reads them, but they hold text."""
    text = decoded(data[line.start : line.end])
    found = members(text)
    last = {one.name: place for place, one in enumerate(found)}
    gone = {place for place, one in enumerate(found) if last[one.name] != place}
    if not gone:
        return []
    places = [place for one in found for place in (one.start, one.end)]
    moved = [line.start + place for place in offsets(text, places)]
    return cut_of(list(zip(moved[::2], moved[1::2], strict=True)), gone)


def line_cuts(found: Sequence[Line], gone: set[int]) -> Iterator[Span]:
    """The bytes that go with some lines, by their places; the last line never gets a new end."""
    kept = [place for place in range(len(found)) if place not in gone]
    last_kept = kept[-1] if kept else -1
    for place in sorted(gone):
        line = found[place]
        if place > last_kept and line.stop == line.end and place > 0:
            # The file ends without a newline, as the server writes it, and so it shall stay.
            before = found[last_kept].end if last_kept >= 0 else line.start
            yield before, line.stop
        else:
            yield line.start, line.stop
