# SPDX-License-Identifier: MIT
"""JSON values as a person reads and writes them: the same names, numbers and order, other blanks.

A value is read, checked and laid out without being made anew: equal names, long numbers and their
spelling stay. Depth is bounded by Python's own decoder, which is asked first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.stores.files.jsonspans import whole

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_STEP: Final = "  "
_PLACE: Final = re.compile(r"line (\d+) column (\d+)")


def is_json(text: str) -> bool:
    """Whether it is one JSON value in whole Unicode, no deeper than can be read."""
    try:
        value(text)
    except ValueError:
        return False
    return True


def value(text: str) -> Any:
    """What a text says. Raises ValueError; also for half a character, which cannot be stored."""
    found = whole(text)
    text.encode()
    if "\\ud" in text.lower():
        for part in texts(text):
            part.encode()
    return found


def check(text: str) -> Any:
    """What a text that a person wrote says.

    Raises:
        UserError: ``json.broken`` with the line and column from 1; ``json.refused`` for what is
            written well and still no value: NaN, half a character, more than one value, too deep.
    """
    try:
        return value(text)
    except ValueError as error:
        found = _PLACE.search(str(error))
        if found is None:
            raise UserError("json.refused") from error
        raise UserError("json.broken", line=int(found[1]), column=int(found[2])) from error


def laid_out(text: str) -> str:
    """A JSON value over several lines, escapes in texts written out. The text must be JSON."""
    out: list[str] = []
    depth = 0
    before = ""
    for part in _tokens(text):
        if part in ("]", "}"):
            depth -= 1
            if before not in ("[", "{"):
                out.append(f"\n{_STEP * depth}")
        elif before in ("[", "{", ","):
            out.append(f"\n{_STEP * depth}")
        out.append(f"{part} " if part == ":" else part)
        depth += part in ("[", "{")
        before = part
    return "".join(out)


def packed(text: str) -> str:
    """The same value without blanks, as fast encoders write it. The text must be JSON."""
    return "".join(_tokens(text))


def texts(text: str) -> Iterator[str]:
    """Every text and every name in a JSON value, decoded, in order. The text must be JSON."""
    for part in _TOKEN.findall(text):
        if part.startswith('"'):
            yield json.loads(part, strict=False)


def leaves(text: str) -> tuple[list[str], list[str]]:
    """What a JSON value says: its texts and long numbers; and the names in it."""
    said: list[str] = []
    names: list[str] = []
    found = _TOKEN.findall(text)
    for part, after in zip(found, [*found[1:], ""], strict=True):
        if part.startswith('"'):
            (names if after == ":" else said).append(json.loads(part, strict=False))
        elif len(part) >= _LONG_NUMBER:
            said.append(part)
    return said, names


_LONG_NUMBER: Final = 6
"""Digits of a number that may be somebody's."""


def _tokens(text: str) -> Iterator[str]:
    for part in _TOKEN.findall(text):
        if part.startswith('"'):
            yield json.dumps(json.loads(part, strict=False), ensure_ascii=False)
        else:
            yield part
