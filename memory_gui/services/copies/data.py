# SPDX-License-Identifier: MIT
"""A copy for machines: one JSON document with the meaning of each field in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from memory_gui import __version__
from memory_gui.services.copies.rows import Head
from memory_gui.words import Words, formats
from memory_gui.words.copies import FIELDS

FORMAT = "memory-gui copy 1"


def document(
    head: Head, found: Iterable[dict[str, Any]], spoken: Sequence[Words]
) -> Iterator[bytes]:
    """The document in pieces, UTF-8; what is no text in it stands as a JSON escape."""
    yield b"{\n" + _member("format", FORMAT) + b",\n"
    yield _member("about", _about(head)) + b",\n"
    yield _member("stores", [_home(home) for home in head.homes]) + b",\n"
    yield _member("not_looked_into", _not_looked(head)) + b',\n"records": ['
    names: dict[str, None] = {}
    between = b"\n"
    for row in found:
        names |= dict.fromkeys(row.get("extra", {}))
        yield between + _json(row)
        between = b",\n"
    yield b"\n],\n" + _member("fields", _fields(spoken)) + b",\n"
    yield _member("other_fields", _others(names, spoken)) + b"\n}\n"


def _about(head: Head) -> dict[str, Any]:
    return {
        "case": head.case.number or None,
        "person": head.title,
        "right": str(head.case.right),
        "received": head.case.clock.received.isoformat(),
        "made_at": head.made_at.isoformat(timespec="seconds"),
        "program": f"memory-gui {__version__}",
        "records": sum(home.count for home in head.homes),
        "complete": not head.finds.stopped and not head.finds.not_looked,
    }


def _home(home: Any) -> dict[str, Any]:
    return {"store": home.number, "path": home.path, "agent": home.agent, "records": home.count}


def _not_looked(head: Head) -> list[dict[str, Any]]:
    return [
        {"path": one.path, "agent": one.agent, "code": one.code} for one in head.finds.not_looked
    ]


def _fields(spoken: Sequence[Words]) -> dict[str, Any]:
    return {
        name: {words.language: words.say(one.meaning) for words in spoken}
        for name, one in FIELDS.items()
    }


def _others(names: Iterable[str], spoken: Sequence[Words]) -> dict[str, Any]:
    return {
        name: {words.language: formats.field(words, name) for words in spoken} for name in names
    }


def _member(name: str, value: Any) -> bytes:
    return _json(name) + b": " + _json(value)


def _json(value: Any) -> bytes:
    # Half a pair of surrogates is no UTF-8; Python's own escape of it is that of JSON.
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
