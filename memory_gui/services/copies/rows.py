# SPDX-License-Identifier: MIT
"""What stands in a copy: each find as plain values, and the head that all of them share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_gui.cases.case import Case
from memory_gui.cases.finds import CaseFind, Finds
from memory_gui.services.cases.finding.contents import Content
from memory_gui.services.shapes import record_data

_OURS = ("etag", "id", "told")
"""Of a record's data what says something to this program only."""


@dataclass(frozen=True, slots=True)
class Home:
    """One store or folder in which something was found, and how much."""

    number: int
    path: str
    agent: str
    count: int


@dataclass(frozen=True, slots=True)
class Head:
    """What a copy says before its records."""

    case: Case
    title: str
    made_at: datetime
    homes: tuple[Home, ...]
    finds: Finds


def head_of(case: Case, finds: Finds, chosen: Sequence[CaseFind], made_at: datetime) -> Head:
    """For the finds that go into it."""
    counts: dict[tuple[str, str], int] = {}
    for find in chosen:
        counts[place_of(find)] = counts.get(place_of(find), 0) + 1
    homes = tuple(
        Home(number, path, agent, count)
        for number, ((path, agent), count) in enumerate(counts.items(), 1)
    )
    title = case.title or finds.subject.title
    return Head(case, title, made_at, homes, finds)


def place_of(find: CaseFind) -> tuple[str, str]:
    """(the store's file or folder, its agent)."""
    return str(find.store) or find.path, find.agent


def rows(head: Head, contents: Iterable[Content]) -> Iterator[dict[str, Any]]:
    """Each find as plain values, by the names of ``words.copies.FIELDS``."""
    numbers = {(home.path, home.agent): home.number for home in head.homes}
    for content in contents:
        find = content.find
        row: dict[str, Any] = {
            "store": numbers[place_of(find)],
            "agent": find.agent,
            "about": str(find.heap),
        }
        if content.record is not None:
            data = record_data(content.record)
            row |= {name: value for name, value in data.items() if name not in _OURS}
        else:
            row |= {"path": find.path, "kind": find.kind, "title": find.title, "text": content.text}
        yield row
