# SPDX-License-Identifier: MIT
"""What Letta's JSON columns say, and where a text stands in them.

Messages are JSON in a text (0.5: ``{"type": "user_message", "message": …}``) or a list of parts
(0.11: ``[{"type": "text", "text": …}]``); traces are whole requests and answers. Bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from memory_gui.domain.filecuts import Span
from memory_gui.stores.files.jsonspans import cut_of, elements, offsets, shown, whole

MOST_LETTERS: Final = 1 << 20
_DEEP: Final = 64
_MOST: Final = 20_000
_SAID: Final = ("text", "message", "thinking", "reasoning", "content", "arguments", "func_response")


def said(text: str) -> str:
    """What a message says: the texts in its JSON; the text itself where it is none."""
    if len(text) > MOST_LETTERS:
        return text
    stripped = text.strip()
    if not stripped.startswith(("{", "[", '"')):
        return text
    try:
        value = whole(stripped)
    except ValueError:
        return text
    found = list(_of(value, 0))
    return shown("\n".join(found)) if found else text


def _of(value: Any, deep: int) -> Iterator[str]:
    """Texts under the names that hold what somebody said."""
    if deep > _DEEP:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value[:_MOST]:
            yield from _of(one, deep + 1)
    elif isinstance(value, dict):
        for name in _SAID:
            if name in value:
                yield from _of(value[name], deep + 1)


def every_text(text: str) -> str:
    """All texts in a JSON value, whatever they are called: a trace is searched by them."""
    if len(text) > MOST_LETTERS:
        return text
    try:
        value = whole(text)
    except ValueError:
        return text
    found: list[str] = []
    waiting = [value]
    while waiting and len(found) < _MOST:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            waiting.extend(reversed(list(one.values())))
    return shown("\n".join(found))


def said_of(properties: str) -> list[str]:
    """The values of an identity's properties: ``[{"key": …, "value": …, "type": …}]``."""
    try:
        value = whole(properties)
    except ValueError:
        return []
    found = (
        [one.get("value") for one in value[:_MOST] if isinstance(one, dict)]
        if isinstance(value, list)
        else []
    )
    return [shown(str(one)) for one in found if one not in (None, "")]


def forms(text: str) -> tuple[str, ...]:
    """How a text may stand inside of a JSON string: with escapes for all but ASCII, or without."""
    return tuple(
        dict.fromkeys((json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]))
    )


def places_of(cell: str, texts: Sequence[str]) -> list[Span]:
    """Where texts stand in a JSON value, or in a text that is none, in bytes.

    Longest first, none over another.
    """
    spans: list[tuple[int, int]] = []
    in_json: bool | None = None
    for text in sorted(texts, key=len, reverse=True):
        for form in dict.fromkeys((text, *forms(text))):
            at = cell.find(form)
            if at >= 0 and in_json is None:
                in_json = _is_json(cell)
            if in_json and form not in forms(text):
                continue  # what looks like it may be a part of the JSON itself
            while at >= 0:
                end = at + len(form)
                if all(end <= start or at >= stop for start, stop in spans):
                    spans.append((at, end))
                at = cell.find(form, end)
    spans.sort()
    places = offsets(cell, [place for span in spans for place in span])
    return list(zip(places[::2], places[1::2], strict=True))


def _is_json(cell: str) -> bool:
    if not cell.lstrip().startswith(("{", "[", '"')):
        return False
    try:
        whole(cell)
    except ValueError:
        return False
    return True


def without_ids(cell: str, gone: frozenset[str]) -> list[Span]:
    """What goes of a list of ids, in bytes. Raises ValueError where it is no list."""
    parts = elements(cell, 0)
    places = offsets(cell, [place for one in parts for place in (one.start, one.end)])
    spans = list(zip(places[::2], places[1::2], strict=True))
    return cut_of(spans, {i for i, one in enumerate(parts) if one.value in gone})
