# SPDX-License-Identifier: MIT
"""Which records of one store a query shows, and how many there are of each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from memory_gui.domain.folding import fold
from memory_gui.domain.kinds import places
from memory_gui.domain.language import Has, Nothing, Parsed, Part, Term, When
from memory_gui.domain.queries import FACETS, Query
from memory_gui.domain.records import State
from memory_gui.domain.times import month_text
from memory_gui.domain.work import nobody_asks
from memory_gui.index.columns import NO_TIME
from memory_gui.index.content import Content
from memory_gui.index.laid import STATES

FACET_LIMIT: Final = 500
"""So many values of a facet are told, the most frequent ones and those that are chosen."""

_FEW: Final = 64
"""Of fewer than one record in so many the texts are looked at one by one."""
_STEP: Final = 4_096

Bools = npt.NDArray[np.bool_]
Ordinals = npt.NDArray[np.int64]
Check = Callable[[], object]


class Filter:
    """One query over one store. For one thread, while it holds the content's guard."""

    def __init__(
        self, content: Content, query: Query, parsed: Parsed, check: Check = nobody_asks
    ) -> None:
        """``check`` is called between pieces of work, and may raise to end it."""
        self._content = content
        self._query = query
        self._parsed = parsed
        self._check = check

    # ---- the records

    def mask(self) -> Bools:
        """Which ordinals the query shows. Not to be changed."""
        found = self._plain()
        for facet, chosen in self._query.facets.items():
            found = found & self._chosen(facet, chosen)
        return found

    def _plain(self) -> Bools:
        """Which ordinals it shows, the chosen values of facets aside. Not to be changed."""
        content, terms = self._content, self._parsed.terms
        key = self._query.kinds, self._query.states, terms
        known = content.masks.get(key)
        if known is None:
            known = self._kinds_and_states()
            for term in sorted(terms, key=self._cost):
                self._check()
                if not known.any():
                    break
                self._narrow(known, term)
            content.masks.put(key, known)
        return known

    def _cost(self, term: Term) -> tuple[bool, bool, int, int]:
        """What looks at no text comes first, then what may be in few blocks, then long parts."""
        if not isinstance(term, Part):
            return False, False, 0, 0
        wanted = [one for one in self._parsed.terms if isinstance(one, Part) and not one.negated]
        known = term.negated or len(wanted) == 1
        left = 0 if known else self._content.arena.left(needle_bytes(term.needle))
        return True, term.negated, left, -len(term.needle)

    def cheap(self) -> Bools:
        """Which ordinals it shows as far as no text is looked at."""
        found = self._kinds_and_states()
        for term in self._parsed.terms:
            if not isinstance(term, Part):
                self._narrow(found, term)
        for facet, chosen in self._query.facets.items():
            found &= self._chosen(facet, chosen)
        return found

    def holding_all(self, ordinals: npt.NDArray[Any]) -> Bools:
        """Which of some ordinals have the parts of text, and have not those that are not wanted."""
        found = np.ones(len(ordinals), np.bool_)
        for term in self._parsed.terms:
            if isinstance(term, Part):
                at = found.nonzero()[0]
                found[at] = self._among(term.needle, ordinals[at]) ^ term.negated
        return found

    def _narrow(self, found: Bools, term: Term) -> None:
        match term:
            case Part(needle, _, negated):
                if np.count_nonzero(found) * _FEW < len(found):
                    at = found.nonzero()[0]
                    found[at] = self._among(needle, at) ^ negated
                else:
                    _take(found, self._holding(needle), negated)
            case Has(name, value, _, negated):
                _take(found, self._having(name, _is(value)), negated)
            case When():
                found &= self._when(term)
            case Nothing():
                found[:] = False

    def _kinds_and_states(self) -> Bools:
        kinds, known = self._content.refs.kinds, self._content.kinds.known
        query = self._query
        numbers = [number for kind in query.kinds if (number := known(kind))]
        found = _among(kinds, numbers) if query.kinds else kinds != 0
        if query.states:
            wanted = [STATES[state] for state in query.states]
            found &= _among(self._content.columns["state"], wanted)
        return found

    def _holding(self, needle: str) -> Bools:
        found = np.zeros(self._content.columns.count, np.bool_)
        for ordinals in self._content.arena.holding(needle_bytes(needle)):
            found[ordinals] = True
            self._check()
        return found

    def _among(self, needle: str, ordinals: npt.NDArray[Any]) -> Bools:
        found = np.zeros(len(ordinals), np.bool_)
        columns = self._content.columns
        for at in range(0, len(ordinals), _STEP):
            some = ordinals[at : at + _STEP]
            places, lengths = columns["place"][some], columns["length"][some]
            found[at : at + _STEP] = self._content.arena.among(
                needle_bytes(needle), places, lengths
            )
            self._check()
        return found

    def _when(self, term: When) -> Bools:
        times = self._content.columns[term.field]
        inside = times != NO_TIME
        known = inside.copy()
        if term.since is not None:
            inside &= times >= term.since
        if term.until is not None:
            inside &= times < term.until
        if term.negated:
            inside = known & ~inside
        met: Bools = inside
        return met

    def _having(self, name: str, wanted: Callable[[str], bool]) -> Bools:
        """Which records have a value of a facet, or of a field of the language, that is wanted."""
        content = self._content
        everything = np.zeros(content.columns.count, np.bool_)
        match name:
            case "agent":
                everything[:] = wanted(content.agent)
                return everything
            case "kind":
                kinds = np.array([wanted(kind) for kind in content.kinds.names], np.bool_)
                of_kind: Bools = kinds[content.refs.kinds]
                return of_kind
            case "state":
                states = np.array([wanted(state.value) for state in State], np.bool_)
                found: Bools = states[content.columns["state"]]
                return found
            case "month":
                return self._months(wanted)
            case "tag":
                tags = np.array([wanted(text) for text in content.tags.names.texts()], np.bool_)
                sets = content.tags.holding(tags)
                sets[0] = wanted("")
                tagged: Bools = sets[content.columns["tags"]]
                return tagged
            case _:
                texts = content.names[name].texts()
                if divider := content.paths.get(name):
                    met = [any(map(wanted, places(text, divider))) for text in texts]
                else:
                    met = [wanted(text) for text in texts]
                names = np.array(met, np.bool_)
                having: Bools = names[content.columns[name]]
                return having

    def _months(self, wanted: Callable[[str], bool]) -> Bools:
        months = self._content.columns["month"]
        numbers = [one for one in np.unique(months).tolist() if wanted(_month(one))]
        return np.isin(months, numbers)

    def _chosen(self, facet: str, chosen: Collection[str]) -> Bools:
        return self._having(facet, lambda text: text in chosen)

    # ---- counting

    def facets(self) -> dict[str, dict[str, int]]:
        """By each name of FACETS, values and how many records have them.

        A facet counts what the query shows without its own restriction.
        """
        plain = self._plain()
        chosen = {
            facet: self._chosen(facet, values) for facet, values in self._query.facets.items()
        }
        whole = np.flatnonzero(_all_of([plain, *chosen.values()]))
        counted = {}
        for facet in FACETS:
            self._check()
            others = [mask for name, mask in chosen.items() if name != facet]
            shown = np.flatnonzero(_all_of([plain, *others])) if facet in chosen else whole
            counted[facet] = self._counted(facet, shown, self._query.facets.get(facet, ()))
        return counted

    def _counted(self, facet: str, shown: Ordinals, keep: Collection[str]) -> dict[str, int]:
        content, asked = self._content, self._query.kinds
        if facet == "agent" or (facet == "kind" and len(asked) == 1):
            return _told([content.agent] if facet == "agent" else [*asked], [len(shown)], keep)
        match facet:
            case "kind":
                kinds = list(content.kinds.names)
                return _most(kinds, _counts(content.refs.kinds, shown, len(kinds)), keep)
            case "month":
                return self._months_counted(shown, keep)
            case "tag":
                by_set = _counts(content.columns["tags"], shown, len(content.tags))
                numbers = content.tags.counts(by_set)
                numbers[0] += by_set[0]
                return _most(content.tags.names.texts(), numbers, keep)
            case _:
                names = content.names[facet].texts()
                numbers = _counts(content.columns[facet], shown, len(names))
                if divider := content.paths.get(facet):
                    return _rising(zip(names, numbers.tolist(), strict=True), divider, keep)
                return _most(names, numbers, keep)

    def _months_counted(self, shown: Ordinals, keep: Collection[str]) -> dict[str, int]:
        months = self._content.columns["month"].take(shown)
        first = int(months.min()) if len(shown) else 0
        numbers = np.bincount(months - first)
        present = np.flatnonzero(numbers)
        named = [_month(first + one) for one in present.tolist()]
        return _told(named, numbers[present].tolist(), keep)


def _take(found: Bools, met: Bools, negated: bool) -> None:
    """Leave those that meet a term, or those that do not."""
    found &= ~met if negated else met


def _among(column: npt.NDArray[Any], numbers: Sequence[int]) -> Bools:
    """Which have one of a few numbers; comparing is faster than looking up in a table."""
    found: Bools = column == numbers[0] if numbers else np.zeros(len(column), np.bool_)
    for number in numbers[1:]:
        found |= column == number
    return found


def _is(value: str) -> Callable[[str], bool]:
    return lambda text: fold(text) == value


def _all_of(masks: list[Bools]) -> Bools:
    every: Bools = np.logical_and.reduce(masks)
    return every


def _counts(column: npt.NDArray[Any], shown: Ordinals, size: int) -> npt.NDArray[np.int64]:
    """How many of those that are shown have each of so many numbers."""
    if size == 1:  # a property that no record has
        return np.array([len(shown)], np.int64)
    return np.bincount(column.take(shown), minlength=size).astype(np.int64)


def _most(
    names: Mapping[int, str] | Any, numbers: npt.NDArray[np.int64], keep: Collection[str]
) -> dict[str, int]:
    """The most frequent ones with their counts."""
    present = np.flatnonzero(numbers)
    if len(present) > FACET_LIMIT:
        kept = [number for number in present.tolist() if names[number] in keep] if keep else []
        top = present[np.argpartition(-numbers[present], FACET_LIMIT)[:FACET_LIMIT]]
        present = np.union1d(top, np.array(kept, np.int64)).astype(np.int64)
    chosen = present.tolist()
    return _told([names[number] for number in chosen], numbers[chosen].tolist(), keep)


def _rising(
    counted: Iterable[tuple[str, int]], divider: str, keep: Collection[str]
) -> dict[str, int]:
    """Places in a tree, each with what lies in it and below it."""
    numbers: Counter[str] = Counter()
    for path, number in counted:
        for place in places(path, divider) if number else ():
            numbers[place] += number
    most = dict(numbers.most_common(FACET_LIMIT))
    return {**dict.fromkeys(keep, 0), **{n: c for n, c in numbers.items() if n in keep}, **most}


def _told(names: list[str], numbers: list[int], keep: Collection[str]) -> dict[str, int]:
    """Names with counts; those that are chosen are told even when no record has them now."""
    counted = dict.fromkeys(keep, 0)
    for name, number in zip(names, numbers, strict=True):
        if number or name in keep:
            counted[name] = counted.get(name, 0) + number
    return counted


def needle_bytes(needle: str) -> bytes:
    """A needle as texts lie in an arena."""
    return needle.encode("utf-8", "surrogatepass")


def _month(number: int) -> str:
    return month_text(number) if number else ""
