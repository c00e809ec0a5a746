# SPDX-License-Identifier: MIT
"""What the lines of a memory graph are as records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memory_gui.domain.changes import Told
from memory_gui.domain.kinds import Kind, Shelf
from memory_gui.domain.queries import SORTS
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.engine.plainfile import Content
from memory_gui.stores.files.document import Doc, Item, etag_of
from memory_gui.stores.files.jsonspans import shown
from memory_gui.stores.files.labels import Labels
from memory_gui.stores.formats.server_memory.layout import (
    BOM,
    BROKEN,
    ENTITY,
    FIELDS,
    RELATION,
    UNKNOWN,
    Line,
    is_one_document,
    lines_of,
)

OBSERVATION, LINE = "observation", "line"
_ALL: Final = frozenset({"add", "edit", "delete", "erase"})
_NONE: Final = frozenset(SORTS) - {"kind"}
"""A graph has no times and no states."""
KINDS: Final = (
    Kind(
        ENTITY,
        Shelf.MEMORY,
        _ALL | {"graph"},
        ("title", "type"),
        ("observations",),
        labels={"title": "name"},
        lacks=_NONE - {"title", "type"},
    ),
    Kind(
        OBSERVATION,
        Shelf.MEMORY,
        _ALL,
        ("subject", "text"),
        labels={"subject": "entity_name"},
        lacks=_NONE - {"subject"},
    ),
    Kind(
        RELATION,
        Shelf.MEMORY,
        _ALL - {"edit"},
        ("from", "type", "to"),
        ("from", "to"),
        lacks=_NONE - {"type"},
    ),
    Kind(
        LINE,
        Shelf.MEMORY,
        frozenset({"edit", "delete", "erase"}),
        ("text",),
        ("line",),
        lacks=_NONE,
    ),
)
MARK, WHOLE = "bom", "file"
"""Keys of what is no line: a byte order mark, and a file that is one JSON document."""
_MOST_TOLD: Final = 8
_UNPLEASANT: Final = 10 * 2**20
"""The server reads and rewrites the whole file at each call."""


@dataclass(frozen=True)
class GraphDoc(Doc):
    """The file with its lines, and by record the place of its line among them."""

    lines: tuple[Line, ...] = ()
    places: Mapping[Ref, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The file that is read now: which entities it has, and which keys were given already."""

    path: Path
    data: bytes
    names: set[str]
    taken: Counter[tuple[str, ...]] = field(default_factory=Counter)


class Reader:
    """Makes the records of one store. Names may occur twice, so keys get a number then."""

    def __init__(self, store: StoreId, labels: Labels) -> None:
        self._store = store
        self._labels = labels

    def doc(self, path: Path, content: Content) -> GraphDoc:
        """Read a file."""
        data = content.data
        if is_one_document(data):
            item = self._line_item(_Seen(path, data, set()), WHOLE, (0, len(data)))
            said = (Told("mcp-server-memory.one_document"),)
            return GraphDoc(path, content, (item,), said, (), {item.record.ref: -1})
        lines = lines_of(data)
        places: dict[Ref, int] = {}
        items: list[Item] = []
        names = {line.value["name"] for line in lines if line.kind == ENTITY}
        seen = _Seen(path, data, names)
        if data.startswith(BOM):
            mark = self._line_item(seen, MARK, (0, len(BOM)))
            items.append(mark)
            places[mark.record.ref] = -1
        odd = [line for line in lines if line.kind not in FIELDS]
        given = self._labels.give(
            self._store, "\0lines", [data[line.start : line.end] for line in odd]
        )
        labels = dict(zip((line.number for line in odd), given, strict=True))
        for place, line in enumerate(lines):
            for item in self._items(seen, line, labels.get(line.number, "")):
                items.append(item)
                places[item.record.ref] = place
        return GraphDoc(path, content, tuple(items), _told(data, lines, names), lines, places)

    def _items(self, seen: _Seen, line: Line, label: str) -> Iterator[Item]:
        if line.kind == ENTITY:
            yield from self._entity(seen, line)
        elif line.kind == RELATION:
            yield self._relation(seen, line)
        else:
            yield self._line_item(seen, label, line.span, line)

    def _entity(self, seen: _Seen, line: Line) -> Iterator[Item]:
        name, said = str(line.value["name"]), line.value["observations"]
        key = _numbered((shown(name),), (ENTITY, name), seen.taken)
        extra = {"observations": str(len(said)), **_unknown(line)}
        record = Record(
            ref=Ref(self._store, ENTITY, key),
            etag=etag_of(seen.data[line.start : line.end]),
            state=State.LIVE,
            title=shown(name),
            text="",
            type=shown(line.value["entityType"]) or None,
            zone="",
            extra=extra,
        )
        hidden = tuple(value for value in extra.values() if value)
        yield Item(record, seen.path, line.span, (record.title, *hidden[1:]))
        group = "\0".join(key)
        found = self._labels.give(self._store, group, [_raw(text) for text in said])
        for text, label in zip(said, found, strict=True):
            yield Item(
                Record(
                    ref=Ref(self._store, OBSERVATION, (*key, label)),
                    etag=etag_of(_raw(name) + b"\0" + _raw(text)),
                    state=State.LIVE,
                    title="",
                    text=shown(text),
                    subject=shown(name),
                    zone="",
                ),
                seen.path,
                line.span,
                (shown(text),),
            )

    def _relation(self, seen: _Seen, line: Line) -> Item:
        ends = [str(line.value[name]) for name in ("from", "relationType", "to")]
        key = _numbered(tuple(map(shown, ends)), (RELATION, *ends), seen.taken)
        loose = [shown(name) for name in (ends[0], ends[2]) if name not in seen.names]
        extra = {"from": shown(ends[0]), "to": shown(ends[2]), **_unknown(line)}
        if loose:
            extra["missing"] = ", ".join(dict.fromkeys(loose))
        record = Record(
            ref=Ref(self._store, RELATION, key),
            etag=etag_of(seen.data[line.start : line.end]),
            state=State.LIVE,
            title=f"{shown(ends[0])} – {shown(ends[1])} → {shown(ends[2])}",
            text="",
            type=shown(ends[1]) or None,
            zone="",
            extra=extra,
        )
        return Item(record, seen.path, line.span, tuple(_unknown(line).values()))

    def _line_item(
        self, seen: _Seen, key: str, span: tuple[int, int], line: Line | None = None
    ) -> Item:
        raw = seen.data[span[0] : span[1]]
        text = raw.decode("utf-8", "backslashreplace")
        kind = None if line is None or line.kind == BROKEN else str(line.value.get("type") or "")
        record = Record(
            ref=Ref(self._store, LINE, (key,)),
            etag=etag_of(raw),
            state=State.LIVE,
            title=seen.path.name if line is None else str(line.number),
            text=text,
            type=shown(kind) if kind else None,
            zone="",
            extra={} if line is None else {"line": str(line.number)},
        )
        said = tuple(_strings(line.value)) if line is not None else ()
        return Item(record, seen.path, span, (text, *map(shown, said)))


def _numbered(
    key: tuple[str, ...], name: tuple[str, ...], taken: Counter[tuple[str, ...]]
) -> tuple[str, ...]:
    """The key; of a second one that is the same with a number behind it."""
    taken[name] += 1
    return key if taken[name] == 1 else (*key, str(taken[name]))


def _unknown(line: Line) -> dict[str, str]:
    """Fields that the server does not know and drops."""
    known = {"type", *FIELDS[line.kind]}
    return {
        shown(name): shown(value if isinstance(value, str) else json.dumps(value))
        for name, value in line.value.items()
        if name not in known
    }


def _strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value, however deep; the decoder has bounded how deep that is."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _told(data: bytes, lines: Sequence[Line], names: set[str]) -> tuple[Told, ...]:
    said = []
    if data.startswith(BOM):
        said.append(Told("mcp-server-memory.bom"))
    broken = [line.number for line in lines if line.kind == BROKEN]
    if broken:
        shown_ = ", ".join(map(str, broken[:_MOST_TOLD])) + (
            "…" if len(broken) > _MOST_TOLD else ""
        )
        said.append(Told("mcp-server-memory.broken", {"n": len(broken), "lines": shown_}))
    if len(data) > _UNPLEASANT:
        said.append(Told("mcp-server-memory.large", {"mb": len(data) // 2**20}))
    dropped = sum(
        1 for one in lines if one.kind == UNKNOWN or (one.kind in FIELDS and _unknown(one))
    )
    if dropped:
        said.append(Told("mcp-server-memory.dropped", {"n": dropped}))
    twice = _twice(lines)
    if twice:
        said.append(Told("mcp-server-memory.twice", {"n": twice}))
    ends = (
        {line.value["from"], line.value["to"]} - names for line in lines if line.kind == RELATION
    )
    loose = sum(1 for one in ends if one)
    if loose:
        said.append(Told("mcp-server-memory.loose", {"n": loose}))
    return tuple(said)


def _twice(lines: Sequence[Line]) -> int:
    """How many names, observations and relations are there more than once."""
    seen: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        if line.kind == ENTITY:
            name = line.value["name"]
            seen[ENTITY, name] += 1
            seen.update((OBSERVATION, name, text) for text in line.value["observations"])
        elif line.kind == RELATION:
            seen[RELATION, *(line.value[name] for name in FIELDS[RELATION])] += 1
    return sum(number - 1 for number in seen.values())
