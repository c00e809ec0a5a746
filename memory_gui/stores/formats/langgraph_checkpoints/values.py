# SPDX-License-Identifier: MIT
"""What a stored value of LangGraph says: read generically, nothing in it imported or made.

Source: langgraph-checkpoint 4.3.2, ``serde/jsonplus.py`` (FORMATS 6): objects are MessagePack
extensions (0 to 5: module, class, arguments; 6: numpy; 7: a snapshot); older files hold JSON in
which an object is ``{"lc": .., "type": "constructor", "id": [..], "kwargs": {..}}``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from memory_gui.stores.files.jsonspans import whole
from memory_gui.stores.msgpack import DEEPEST, Ext, Reader, Value

SNAPSHOT: Final = 7
_NUMPY: Final = 6
_OBJECTS: Final = range(6)
LONG: Final = 20_000
"""Characters of a text without a blank (a picture in letters) that are shown in part."""
_SHOWN: Final = 200
_ROLES: Final = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
}


@dataclass(frozen=True, slots=True)
class Named:
    """An object that was stored: its class by name, and what it was made of."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``more`` are its other fields that are not empty, as texts."""

    role: str
    text: str
    id: str
    more: Mapping[str, str] = field(default_factory=dict)


class Opened:
    """One stored value, and how to see into the objects in it.

    ``fault`` is empty, ``sealed`` (encrypted by its agent), ``opaque`` (a pickle, or a codec that
    is not known) or ``broken``.
    """

    def __init__(self, codec: str | None, data: bytes) -> None:
        self._reader = Reader()
        self.fault = ""
        self.value: Value = None
        match codec:
            case "null":
                return
            case "msgpack":
                self.value = self._reader.read(data)
            case "json" | None | "":
                self._read_json(data)
            case "bytes" | "bytearray":
                self.value = data
            case _:
                self.fault = "sealed" if "+" in codec else "opaque"
        self._look()

    def _read_json(self, data: bytes) -> None:
        try:
            self.value = whole(data.decode()) if data else None
        except ValueError:
            self.fault = "broken"
        if self.fault or _is_deep(self.value):
            self.fault, self.value = "broken", data.decode(errors="backslashreplace")

    def _look(self) -> None:
        if self._reader.fault:
            self.fault = self.fault or "broken"

    def seen(self, value: Value) -> Value:
        """What an object is: a Named, the list of a snapshot; other values as they are."""
        if isinstance(value, Ext):
            return self._seen_into(value)
        if isinstance(value, dict) and value.get("type") == "constructor" and "lc" in value:
            path = value.get("id")
            name = str(path[-1]) if isinstance(path, list) and path else ""
            return Named(name, value.get("kwargs", value.get("args")))
        return value

    def _seen_into(self, ext: Ext) -> Value:
        if ext.code == SNAPSHOT:
            found = self._reader.inside(ext)
        elif ext.code in _OBJECTS:
            parts = self._reader.inside(ext)
            known = isinstance(parts, list) and len(parts) > 2 and isinstance(parts[1], str)
            found = Named(parts[1], parts[2]) if known else parts
        elif ext.code == _NUMPY:
            return _size_of(f"numpy, {len(ext.data)}")
        else:
            found = _of_bytes(ext.data)
        self._look()
        return found

    def message(self, value: Value) -> Message | None:
        """The message that a value is; None where it is something else."""
        seen = self.seen(value)
        inner, name = (seen.value, seen.name) if isinstance(seen, Named) else (seen, "")
        if not isinstance(inner, dict) or "content" not in inner:
            return None
        role = inner.get("type") if name else inner.get("role", inner.get("type"))
        if not isinstance(role, str):
            role = _ROLES.get(name, name)
        if not role or (not name and "role" not in inner):
            return None
        own = {"type", "role", "content", "id"} if not name else {"type", "content", "id"}
        more = {n: self.shown(v) for n, v in inner.items() if n not in own and _says(v)}
        id_ = inner.get("id")
        content = self._content(inner["content"])
        return Message(role, content, id_ if isinstance(id_, str) else "", more)

    def _content(self, value: Value) -> str:
        if isinstance(value, str):
            return _in_part(value)
        if not isinstance(value, list):
            return self.shown(value)
        parts = []
        for part in value:
            text = part.get("text") if isinstance(part, dict) else part
            parts.append(_in_part(text) if isinstance(text, str) else self.shown(part))
        return "\n\n".join(parts)

    def shown(self, value: Value) -> str:
        """A value as a person reads it: a text as it is, else laid out."""
        plain = self.plain(value)
        if isinstance(plain, str):
            return plain
        return json.dumps(plain, ensure_ascii=False, indent=2)

    def plain(self, value: Value) -> Any:
        """The same as JSON can say it, objects by the names of their classes."""
        value = self.seen(value)
        if isinstance(value, Named):
            inner = self.plain(value.value)
            return inner if isinstance(inner, str) else {value.name: inner}
        if isinstance(value, dict):
            return {str(name): self.plain(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self.plain(part) for part in value]
        if isinstance(value, bytes):
            return _of_bytes(value)
        return _in_part(value) if isinstance(value, str) else value

    def texts(self, value: Value) -> Iterator[str]:
        """Every text in a value, those in objects too; names of fields and classes are left out."""
        waiting = [value]
        while waiting:
            one = self.seen(waiting.pop())
            if isinstance(one, str):
                yield one
            elif isinstance(one, Named):
                waiting.append(one.value)
            elif isinstance(one, dict):
                waiting.extend(reversed(one.values()))
            elif isinstance(one, list):
                waiting.extend(reversed(one))
            elif isinstance(one, bytes) and (text := _as_text(one)) is not None:
                yield text


def digest(value: Value) -> bytes:
    """Tells values apart: 16 bytes of BLAKE2b."""
    if isinstance(value, Ext):
        return blake2b(value.data, digest_size=16, salt=bytes([value.code & 0xFF])).digest()
    raw = value.encode(errors="replace") if isinstance(value, str) else repr(value).encode()
    return blake2b(raw, digest_size=16).digest()


def _is_deep(value: Value) -> bool:
    """Whether JSON nests deeper than anything else that is read here."""
    level = [value]
    for _ in range(DEEPEST):
        inner = (part for part in level if isinstance(part, (dict, list)))
        level = [
            one for part in inner for one in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return False
    return True


def _says(value: Value) -> bool:
    return value is not None and value not in ("", [], {}, b"")


def _in_part(text: str) -> str:
    if len(text) <= LONG or any(letter.isspace() for letter in text[:_SHOWN]):
        return text
    return f"{text[:_SHOWN]}… [{len(text)}]"


def _as_text(raw: bytes) -> str | None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    return text if text and "\0" not in text else None


def _of_bytes(raw: bytes) -> str:
    text = _as_text(raw)
    return _size_of(str(len(raw))) if text is None else _in_part(text)


def _size_of(size: str) -> str:
    return f"[{size} B]"


def joined(texts: Iterable[str], most: int) -> tuple[str, bool]:
    """Texts as one, a blank line between; and whether some had to be left out."""
    kept: list[str] = []
    size = 0
    for text in texts:
        size += len(text) + 2
        if size > most:
            return "\n\n".join([*kept, text[: max(0, most - size)]]).strip(), True
        kept.append(text)
    return "\n\n".join(kept), False
