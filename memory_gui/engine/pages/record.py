# SPDX-License-Identifier: MIT
"""Rows as bytes: SQLite's record format, and which column is which.

Source: sqlite.org/fileformat2.html, section 2.1.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memory_gui.engine.pages.btree import PageError, varint

Value = int | float | str | bytes | None
_INT_BYTES: Final = (0, 1, 2, 3, 4, 6, 8)
_ENCODINGS: Final = {1: "utf-8", 2: "utf-16-le", 3: "utf-16-be"}
_COMMENTS: Final = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_QUOTES: Final = '"`['
_CONSTRAINTS: Final = frozenset({"CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"})


def encoding_name(number: int) -> str:
    """The text encoding that the file's header names (offset 56)."""
    return _ENCODINGS.get(number, "utf-8")


def decode_record(payload: bytes, encoding: str = "utf-8") -> list[Value]:
    """The values of a row. Text that is no text is replaced, never refused.

    Raises:
        PageError: the payload ends too early.
    """
    try:
        end, at = varint(payload, 0)
        kinds = []
        while at < end:
            kind, at = varint(payload, at)
            kinds.append(kind)
        values = []
        at = end
        for kind in kinds:
            value, at = _value(payload, at, kind, encoding)
            values.append(value)
    except (IndexError, struct.error) as error:
        raise PageError("a record ends too early") from error
    return values


def _value(payload: bytes, at: int, kind: int, encoding: str) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind <= 6:
        end = at + _INT_BYTES[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack_from(">d", payload, at)[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind < 12:
        raise PageError("a record has a reserved type")
    end = at + (kind - 12) // 2
    if end > len(payload):
        raise PageError("a record ends too early")
    data = payload[at:end]
    return (data.decode(encoding, "replace") if kind % 2 else data), end


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table in stored order; ``rowid_alias`` is its INTEGER PRIMARY KEY."""

    names: tuple[str, ...]
    rowid_alias: str | None = None
    without_rowid: bool = False


@lru_cache(maxsize=64)
def columns_of(sql: str) -> Columns:
    """Read a CREATE TABLE statement, enough to name the columns. Unknown shapes give no names."""
    sql = _COMMENTS.sub(" ", sql)
    start, end = sql.find("("), sql.rfind(")")
    if start < 0 or end < start:
        return Columns(())
    names = []
    alias = None
    for part in _split(sql[start + 1 : end]):
        name, rest = _first_word(part)
        if not name or (part[0] not in _QUOTES and name.upper() in _CONSTRAINTS):
            continue
        names.append(name)
        words = rest.upper().split()
        if words[:3] == ["INTEGER", "PRIMARY", "KEY"] and words[3:4] != ["DESC"]:
            alias = name
    return Columns(tuple(names), alias, "WITHOUT" in sql[end:].upper())


def _split(body: str) -> list[str]:
    parts = []
    depth = 0
    quote = ""
    start = 0
    for at, letter in enumerate(body):
        if quote:
            if letter == quote:
                quote = ""
        elif letter in "'\"`[":
            quote = "]" if letter == "[" else letter
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(body[start:at].strip())
            start = at + 1
    parts.append(body[start:].strip())
    return parts


def _first_word(part: str) -> tuple[str, str]:
    if part[:1] and part[0] in _QUOTES:
        end = part.find("]" if part[0] == "[" else part[0], 1)
        return (part[1:end], part[end + 1 :]) if end > 0 else ("", "")
    found = re.match(r"[^\s(]*", part)
    end = found.end() if found else 0
    return part[:end], part[end:]


def key_of(
    names: Columns, values: Sequence[Value], rowid: int, wanted: Sequence[str]
) -> tuple[str, ...] | None:
    """The key columns of a row as text; None when the row does not have them."""
    key = []
    for column in wanted:
        if column == names.rowid_alias or column.lower() == "rowid":
            key.append(str(rowid))
            continue
        if column not in names.names:
            return None
        index = names.names.index(column)
        if index >= len(values):
            return None
        key.append(str(values[index]))
    return tuple(key)
