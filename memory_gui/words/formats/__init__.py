# SPDX-License-Identifier: MIT
"""What the formats call their kinds, fields and limits. One module of words per format.

A name that is in no table stands for itself, as it is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeVar

from memory_gui.domain.erasing import EraseRows
from memory_gui.words.catalogue import Words
from memory_gui.words.formats import (
    agentao,
    agentao_json,
    facts,
    generic,
    langgraph,
    letta,
    mem0,
    notes,
    persistent_memory,
    server_memory,
)
from memory_gui.words.formats.shape import FormatWords, KindWords

__all__ = [
    "FormatWords",
    "KindWords",
    "called",
    "field",
    "going",
    "is_alarm",
    "is_kind",
    "kind",
    "kind_counted",
    "one",
    "reason",
    "told",
]

T = TypeVar("T")

_ALL: Final[tuple[FormatWords, ...]] = (
    agentao.WORDS,
    agentao_json.WORDS,
    facts.WORDS,
    notes.WORDS,
    persistent_memory.WORDS,
    server_memory.WORDS,
    langgraph.STORE,
    langgraph.CHECKPOINTS,
    langgraph.SHARED,
    mem0.WORDS,
    letta.WORDS,
    generic.WORDS,
)


def kind(words: Words, name: str) -> str:
    """Several of a kind: ``entities``."""
    found = _find((one.kinds for one in _ALL), name)
    return name if found is None else words.say(found.several)


def is_kind(name: str) -> bool:
    """Whether a format has a kind of that name."""
    return any(name in format_.kinds for format_ in _ALL)


def going(rows: EraseRows) -> tuple[tuple[str, int], ...]:
    """As what rows are counted, for ``words.erasure``, and how many they are.

    A record that is many rows (a thread) by itself, and as rows of its table where those have a
    word; what only belongs to one has its table's name for a kind.
    """
    records = (rows.kind, len(rows.keys))
    if rows.number is None or not is_kind(rows.table):
        return (records,)
    many = (rows.table, rows.number)
    return (many,) if rows.kind == rows.table else (records, many)


def called(rows: EraseRows) -> str:
    """As what the rows of a table are counted."""
    return going(rows)[-1][0]


def one(words: Words, name: str) -> str:
    """One of a kind: ``entity``."""
    found = _find((one.kinds for one in _ALL), name)
    return name if found is None else words.say(found.one)


def kind_counted(words: Words, name: str, n: int) -> str:
    """``12 entities``."""
    found = _find((one.kinds for one in _ALL), name)
    if found is None:
        return words.say("{n} rows of {kind}", n=n, kind=name)
    return words.many(*found.counted, n)


def format_name(words: Words, name: str) -> str:
    """What a format is called: ``Agentao``, ``SQLite database``."""
    found = next((one.title for one in _ALL if one.name == name), "")
    return words.say(found) if found else name


def field(words: Words, name: str) -> str:
    """What a stored column is called."""
    found = _find((one.fields for one in _ALL), name)
    return name if found is None else words.say(found)


def value(words: Words, stored: str) -> str:
    """What a value of a column is called; one that has no words stands for itself."""
    found = _find((one.values for one in _ALL), stored)
    return stored if found is None else words.say(found)


def reason(words: Words, code: str) -> str:
    """Why a store does not do something; an unknown code says nothing."""
    found = _find((one.reasons for one in _ALL), code)
    return "" if found is None else words.say(found)


def told(words: Words, code: str, values: Mapping[str, str | int]) -> str:
    """A sentence about a store; an unknown code stands for itself."""
    found = _find((one.told for one in _ALL), code)
    return code if found is None else words.say(found, **values)


def is_alarm(code: str) -> bool:
    """Whether a list says it beside a record: its agent fails on that record."""
    return any(code in one.alarms for one in _ALL)


def _find(tables: Iterable[Mapping[str, T]], name: str) -> T | None:
    return next((table[name] for table in tables if name in table), None)
