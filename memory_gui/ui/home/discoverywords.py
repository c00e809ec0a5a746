# SPDX-License-Identifier: MIT
"""What Home says of stores that were found. Knows no Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Final

from memory_gui.services.home.discovery import Discovered, Found
from memory_gui.ui.home.phrases import short_path
from memory_gui.ui.icons import Icon
from memory_gui.ui.visible import one_line
from memory_gui.words import N_, Words
from memory_gui.words import discovery as say

_TEXT_ICON: Final = Icon.SUMMARY
_WHOLE_SENTENCES: Final[Mapping[bool, str]] = MappingProxyType(
    {
        True: N_("Nothing was found in the agents’ usual places."),
        False: N_("Nothing was found there."),
    }
)


@dataclass(frozen=True, slots=True)
class RowWords:
    """One store that was found. ``act`` is its button's text; empty: nothing can be done yet."""

    path: str
    where: str
    icon: Icon
    tone: str
    state: str
    act: str
    spoken: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class GroupWords:
    """What was found of one agent."""

    agent: str
    count: str
    rows: tuple[RowWords, ...]


def groups(words: Words, found: Collection[Found], but: Collection[str]) -> tuple[GroupWords, ...]:
    """By agent; those of the paths ``but`` are left out: they stand above as cards."""
    shown = [one for one in found if str(one.path) not in but]
    return tuple(_groups(words, shown))


def _groups(words: Words, found: list[Found]) -> Iterator[GroupWords]:
    for agent, several in groupby(found, key=lambda one: one.agent):
        rows = tuple(row_words(words, one) for one in several)
        count = words.many("{n} store", "{n} stores", len(rows))
        yield GroupWords(one_line(agent, 60), count, rows)


def row_words(words: Words, one: Found) -> RowWords:
    """Say one."""
    path = str(one.path)
    where = short_path(one_line(path, 4096))
    state = say.state(
        words,
        opens=one.opens,
        encrypted=one.encrypted,
        problem=one.problem,
        is_database=one.is_database,
    )
    if one.problem:
        icon, tone = Icon.WARN, "warn"
    elif one.encrypted:
        icon, tone = Icon.LOCK, "ok"
    elif one.opens:
        icon, tone = Icon.DATABASE, "text"
    else:
        icon, tone = (Icon.SHOWN if one.is_database else _TEXT_ICON), "muted"
    act = ""
    if one.opens:
        act = words.say("Open")
    elif one.is_database:
        act = words.say("Look at its tables")
    why = say.why_not(words, one.problem, where) if one.problem else ""
    spoken = words.say(
        "{agent}: {where}, {state}", agent=one.agent, where=where, state=why or state
    )
    return RowWords(path, where, icon, tone, state, act, spoken, why)


def remarks(words: Words, seen: Discovered) -> tuple[str, ...]:
    """What a person should know of how the search ended."""
    told = []
    if seen.stopped:
        told.append(words.say("You stopped the search: this is what was found until then."))
    told += [say.limit(words, code) for code in seen.limits]
    if seen.unreadable:
        told.append(say.unreadable(words, seen.unreadable))
    return tuple(told)


def nothing(words: Words, seen: Discovered, *, elsewhere: bool) -> str:
    """Where nothing (``elsewhere``: nothing else) was found; empty where nothing was looked for."""
    if not seen.done:
        return ""
    if elsewhere:
        return words.say("No other store was found.")
    return words.say(_WHOLE_SENTENCES[seen.looks and not seen.roots])


def root_name(root: str) -> str:
    """A folder as it is shown."""
    return short_path(one_line(str(Path(root)), 4096))
