# SPDX-License-Identifier: MIT
"""MessagePack, read generically: values in, values out, and no name in it is ever looked up.

Source: the MessagePack specification (github.com/msgpack/msgpack, spec.md). An extension stays what
it is, a number and bytes; whoever knows what is inside reads them with the same ``Reader``. Nothing
nests in the interpreter, nothing is made longer than the bytes that are there, and what can be read
of a damaged or cut value is given.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

DEEPEST: Final = 128
"""Levels of lists, maps and extensions inside one another that are read."""
MOST: Final = 2_000_000
"""Values that are read of one piece of data, those inside extensions included."""

Value = Any
"""None, bool, int, float, str, bytes, Ext, list of these, dict of str to these."""


@dataclass(frozen=True, slots=True)
class Ext:
    """An extension: its number, its bytes, and how many levels it lies under."""

    code: int
    data: bytes
    depth: int = 0


class Reader:
    """Reads one piece of data and the extensions in it. ``fault`` says what could not be read.

    ``short`` (it ends too early), ``more`` (bytes behind it), ``deep``, ``many``, ``unknown``.
    """

    def __init__(self, most: int = MOST) -> None:
        self.fault = ""
        self._left = most

    def read(self, data: bytes, depth: int = 0) -> Value:
        """The value; of a faulty one what stands before the fault. Raises nothing."""
        root: list[Value] = []
        end = self._fill(data, [_Frame(root, 1, is_map=False)], depth)
        if not self.fault and end < len(data):
            self.fault = "more"
        return root[0] if root else None

    def inside(self, ext: Ext) -> Value:
        """The value that an extension's bytes are."""
        return self.read(ext.data, ext.depth + 1)

    def _fill(self, data: bytes, frames: list[_Frame], depth: int) -> int:
        """Read until the frames are full; where it ended."""
        at = 0
        size = len(data)
        while frames:
            frame = frames[-1]
            if not frame.left:
                frames.pop()
                continue
            if at >= size or not self._left:
                return self._stop("short" if at >= size else "many", at)
            self._left -= 1
            if data[at] in _WHOLES:
                inside, at = self._opened(data, at, depth + len(frames))
                if inside is None:
                    return at
                frame.take(inside.into)
                frames.append(inside)
                continue
            found = _single(data, at, size, depth + len(frames))
            if isinstance(found, str):
                return self._stop(found, at)
            value, at = found
            frame.take(value)
        return at

    def _opened(self, data: bytes, at: int, depth: int) -> tuple[_Frame | None, int]:
        """A list or map that begins here, to be filled; None where it cannot be read."""
        first = data[at]
        count, begin = _count(data, at, len(data))
        if count < 0 or depth > DEEPEST:
            return None, self._stop("short" if count < 0 else "deep", at)
        if first < _FIRST_LIST or first in _MAPS:
            return _Frame({}, count * 2, is_map=True), begin
        return _Frame([], count, is_map=False), begin

    def _stop(self, fault: str, at: int) -> int:
        self.fault = self.fault or fault
        return at


_NONE: Final = object()
_ODD: Final = "backslashreplace"


class _Frame:
    """A list or a map that is being filled; ``left`` counts what is still to come."""

    __slots__ = ("_is_map", "_key", "into", "left")

    def __init__(self, into: Value, left: int, *, is_map: bool) -> None:
        self.into = into
        self._is_map = is_map
        self._key: object = _NONE
        self.left = left

    def take(self, value: Value) -> None:
        self.left -= 1
        if not self._is_map:
            self.into.append(value)
        elif self._key is _NONE:
            self._key = value
        else:
            key, self._key = self._key, _NONE
            name = key if isinstance(key, str) else _name(key)
            while name in self.into:  # a second of the same name is not lost
                name += "'"
            self.into[name] = value


def _name(key: object) -> str:
    if isinstance(key, bytes):
        return key.decode("utf-8", _ODD)
    return str(key) if isinstance(key, (int, float, bool, type(None))) else "?"


_FIRST_LIST, _FIRST_TEXT = 0x90, 0xA0
_WHOLES: Final = frozenset({*range(0x80, _FIRST_TEXT), 0xDC, 0xDD, 0xDE, 0xDF})
"""With which lists and maps begin."""
_MAPS: Final = frozenset({0xDE, 0xDF})
_CONSTANTS: Final = {0xC0: None, 0xC2: False, 0xC3: True}
_NUMBERS: Final = {
    0xCA: struct.Struct(">f"), 0xCB: struct.Struct(">d"), 0xCC: struct.Struct(">B"),
    0xCD: struct.Struct(">H"), 0xCE: struct.Struct(">I"), 0xCF: struct.Struct(">Q"),
    0xD0: struct.Struct(">b"), 0xD1: struct.Struct(">h"), 0xD2: struct.Struct(">i"),
    0xD3: struct.Struct(">q"),
}  # fmt: skip
_LENGTH_BYTES: Final = {
    0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xC7: 1, 0xC8: 2, 0xC9: 4,
}  # fmt: skip
"""Of bytes, texts and extensions: how many bytes say how long they are."""
_FIXED_EXT: Final = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}
_TEXTS: Final = frozenset({0xD9, 0xDA, 0xDB})
_BYTES: Final = frozenset({0xC4, 0xC5, 0xC6})


def _count(data: bytes, at: int, size: int) -> tuple[int, int]:
    """How many parts a list or map has, and where they begin; -1 where that is cut off."""
    first = data[at]
    if first < _FIRST_TEXT:
        return first & 0x0F, at + 1
    stop = at + (3 if first in (0xDC, 0xDE) else 5)
    return (int.from_bytes(data[at + 1 : stop], "big"), stop) if stop <= size else (-1, at)


def _single(data: bytes, at: int, size: int, depth: int) -> tuple[Value, int] | str:
    """A value without parts and where it ends, or the fault."""
    first = data[at]
    if first < 0x80 or first >= 0xE0:
        return (first if first < 0x80 else first - 0x100), at + 1
    if _FIRST_TEXT <= first < 0xC0:
        stop = at + 1 + (first & 0x1F)
        short = stop > size
        return "short" if short else (data[at + 1 : stop].decode("utf-8", _ODD), stop)
    if first in _CONSTANTS:
        return _CONSTANTS[first], at + 1
    number = _NUMBERS.get(first)
    if number is not None:
        stop = at + 1 + number.size
        return (number.unpack_from(data, at + 1)[0], stop) if stop <= size else "short"
    return _measured(data, at, size, depth)


def _measured(data: bytes, at: int, size: int, depth: int) -> tuple[Value, int] | str:
    """A text, bytes or an extension, which say how long they are."""
    first = data[at]
    if first in _FIXED_EXT:
        begin, length, is_ext = at + 2, _FIXED_EXT[first], True
    elif first in _LENGTH_BYTES:
        begin = at + 1 + _LENGTH_BYTES[first]
        length = int.from_bytes(data[at + 1 : begin], "big")
        is_ext = first not in _TEXTS and first not in _BYTES
        begin += is_ext
    else:
        return "unknown"
    stop = begin + length
    if stop > size or begin > size:
        return "short"
    raw = data[begin:stop]
    if is_ext:
        code = data[begin - 1]
        return Ext(code - 0x100 if code > 0x7F else code, raw, depth), stop
    return (raw.decode("utf-8", _ODD) if first in _TEXTS else raw), stop
