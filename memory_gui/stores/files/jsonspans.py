# SPDX-License-Identifier: MIT
"""JSON with the places of its parts, so that one of them can be changed and no other byte moves.

Read as JavaScript reads it: no NaN, no comments, the last of several equal names counts. Depth and
time are bounded: Python's own decoder does the inner parts, and gives up where they nest too deep.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from memory_gui.domain.filecuts import Span

_BLANK: Final = re.compile(r"[ \t\r\n]*")


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse)


@dataclass(frozen=True, slots=True)
class Member:
    """One ``"name": value`` of an object, by characters: of both, and of the value alone."""

    name: str
    value: Any
    start: int
    value_start: int
    end: int


@dataclass(frozen=True, slots=True)
class Element:
    """One value of an array, by characters."""

    value: Any
    start: int
    end: int


def value_at(text: str, at: int) -> tuple[Any, int]:
    """One JSON value and where it ends. Raises ValueError."""
    try:
        return _DECODER.raw_decode(text, at)
    except RecursionError as error:
        raise ValueError("too deep") from error


def whole(text: str) -> Any:
    """A text that is one JSON value. Raises ValueError."""
    value, end = value_at(text, _skip(text, 0))
    if _skip(text, end) != len(text):
        raise ValueError("more behind it")
    return value


def members(text: str, at: int = 0) -> tuple[Member, ...]:
    """The members of the object that begins at a place. Raises ValueError."""
    found = []
    for start in _parts(text, at, "{", "}"):
        name, end = value_at(text, start)
        if not isinstance(name, str):
            raise ValueError("a name that is no string")
        colon = _skip(text, end)
        if text[colon : colon + 1] != ":":
            raise ValueError("no colon")
        value_start = _skip(text, colon + 1)
        value, stop = value_at(text, value_start)
        found.append(Member(name, value, start, value_start, stop))
    return tuple(found)


def elements(text: str, at: int) -> tuple[Element, ...]:
    """The values of the array that begins at a place. Raises ValueError."""
    found = []
    for start in _parts(text, at, "[", "]"):
        value, end = value_at(text, start)
        found.append(Element(value, start, end))
    return tuple(found)


def cut_of(parts: list[Span], gone: set[int]) -> list[Span]:
    """What goes with some of an object's or array's parts: each with one comma.

    ``parts`` are all of them in order, as spans of any unit.
    """
    kept_before = -1
    spans: list[Span] = []
    for place, (start, end) in enumerate(parts):
        if place not in gone:
            kept_before = place
        elif kept_before < 0:
            stop = parts[place + 1][0] if place + 1 < len(parts) else end
            spans.append((start, stop))
        else:
            spans.append((parts[place - 1][1], end))
    return spans


def offsets(text: str, places: list[int]) -> list[int]:
    """Places in characters as places in the bytes; ascending. For texts of ``decoded``."""
    if text.isascii():
        return places
    found = []
    at = total = 0
    for place in places:
        total += len(text[at:place].encode("utf-8", "surrogateescape"))
        at = place
        found.append(total)
    return found


def decoded(raw: bytes) -> str:
    """Text of which each byte can be found again, also those that are no UTF-8."""
    return raw.decode("utf-8", "surrogateescape")


def shown(text: str) -> str:
    """The same as a person may see it and as it may be stored anywhere: halves as escapes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return text


def _parts(text: str, at: int, opening: str, closing: str) -> Iterator[int]:
    """Where each part of an object or array begins; checks what stands between them.

    The caller reads a part; here it is read once more, which keeps this simple and still linear.
    """
    at = _skip(text, at)
    if text[at : at + 1] != opening:
        raise ValueError("something else")
    at = _skip(text, at + 1)
    if text[at : at + 1] == closing:
        return
    while True:
        yield at
        _value, at = value_at(text, at)
        if opening == "{":
            at = _skip(text, at) + 1
            _value, at = value_at(text, _skip(text, at))
        at = _skip(text, at)
        if text[at : at + 1] == closing:
            return
        if text[at : at + 1] != ",":
            raise ValueError("no comma")
        at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return at if found is None else found.end()
