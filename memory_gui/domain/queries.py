# SPDX-License-Identifier: MIT
"""What a list shows: which stores, kinds and states, which words, which chosen values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from memory_gui.domain.folding import fold
from memory_gui.domain.language import Has, Nothing, Parsed, Part, Term, When, parse
from memory_gui.domain.records import Record, State, StoreId
from memory_gui.domain.times import instant, month_of, month_text

FACETS: Final = (
    "kind",
    "subject",
    "scope",
    "type",
    "tag",
    "source",
    "confidence",
    "agent",
    "month",
)
"""By what a list can be narrowed.

``subject`` is whom a record is about; ``month`` is the one in which it was last changed.
"""

SORTS: Final = (
    "updated",
    "created",
    "title",
    "kind",
    "state",
    "type",
    "scope",
    "source",
    "subject",
)
"""The fields that a listing can be sorted by; ``-`` before one makes it descending."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A value of a facet and how many records have it; the value is empty for those without one.

    Of a place in a tree ``level`` says how deep it lies, and ``label`` what it is called there.
    """

    value: str
    count: int
    level: int = 0
    label: str = ""


class Choices(Mapping[str, frozenset[str]]):
    """Chosen values by facet; cannot be changed, and can be compared and hashed."""

    __slots__ = ("_chosen",)

    def __init__(self, chosen: Mapping[str, Iterable[str]] | None = None) -> None:
        """Facets of which nothing is chosen are left out: they restrict nothing."""
        sets = {name: frozenset(values) for name, values in (chosen or {}).items()}
        self._chosen = {name: values for name, values in sorted(sets.items()) if values}

    def __getitem__(self, name: str) -> frozenset[str]:
        return self._chosen[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._chosen)

    def __len__(self) -> int:
        return len(self._chosen)

    def __hash__(self) -> int:
        return hash(tuple(self._chosen.items()))

    def __repr__(self) -> str:
        return f"Choices({self._chosen!r})"


@dataclass(frozen=True, slots=True)
class Query:
    """A filter over records. Empty sets mean no restriction.

    ``text`` is in the language of ``domain.language``; ``literal`` makes a text of it that stands
    for itself. ``facets`` has chosen values by the names of FACETS: a record has one of them in
    each facet. The empty value stands for "none".
    """

    text: str = ""
    stores: frozenset[StoreId] = frozenset()
    kinds: frozenset[str] = frozenset()
    states: frozenset[State] = frozenset()
    facets: Mapping[str, frozenset[str]] = field(default_factory=Choices)
    """Of a field that is a path (``Kind.paths``) a value stands for all below it as well."""

    def __post_init__(self) -> None:
        """Any mapping will do; it is kept as one that cannot be changed."""
        if not isinstance(self.facets, Choices):
            object.__setattr__(self, "facets", Choices(self.facets))

    def parsed(self, now: datetime | None = None) -> Parsed:
        """What the text asks for."""
        return parse(self.text, now)

    def matches(self, record: Record, *, agent: str = "", now: datetime | None = None) -> bool:
        """Whether a record is in the list that this query describes.

        ``agent`` is the name of the agent whose store it is in.
        """
        return self.admits(record, agent) and holds(self.parsed(now), record, agent)

    def admits(self, record: Record, agent: str = "") -> bool:
        """Whether a record is in the list, its texts aside."""
        return (
            (not self.stores or record.ref.store in self.stores)
            and (not self.kinds or record.kind in self.kinds)
            and (not self.states or record.state in self.states)
            and all(
                not chosen.isdisjoint(values_of(record, facet, agent))
                for facet, chosen in self.facets.items()
            )
        )


def select(query: Query, records: Iterable[Record]) -> list[Record]:
    """The records that match, in the order given."""
    return [record for record in records if query.matches(record)]


def values_of(record: Record, facet: str, agent: str = "") -> tuple[str, ...]:
    """What a record has in a facet; an empty value where it has none."""
    match facet:
        case "tag":
            return tuple(dict.fromkeys(record.tags)) or ("",)
        case "agent":
            return (agent,)
        case "month":
            month = None if (when := changed_at(record)) is None else month_of(when)
            return ("" if month is None else month_text(month),)
        case "confidence":
            return (record.extra.get("confidence") or "",)
        case _:
            return (getattr(record, facet, None) or "",)


def created_at(record: Record) -> int | None:
    """When it was made: microseconds since 1970 in UTC."""
    return instant(record.created_at, record.created_at_utc)


def changed_at(record: Record) -> int | None:
    """When it was last changed, else made."""
    changed = instant(record.updated_at, record.updated_at_utc)
    return created_at(record) if changed is None else changed


# ---- terms


def holds(parsed: Parsed, record: Record, agent: str = "") -> bool:
    """Whether a record is what a text asks for."""
    if not parsed.terms:
        return True
    folded = [fold(text) for text in record.searchable()]
    return all(_holds(term, record, folded, agent) for term in parsed.terms)


def _holds(term: Term, record: Record, folded: list[str], agent: str) -> bool:
    match term:
        case Part(needle, _, negated):
            return any(needle in text for text in folded) is not negated
        case Has(name, value, _, negated):
            return (value in _named(record, name, agent)) is not negated
        case When(name, since, until, negated):
            at = created_at(record) if name == "created" else changed_at(record)
            if at is None:
                return False
            inside = (since is None or since <= at) and (until is None or at < until)
            return inside is not negated
        case Nothing():
            return False


def _named(record: Record, name: str, agent: str) -> list[str]:
    """The folded values of a field of the language."""
    if name in {"kind", "state"}:
        return [str(getattr(record, name))]
    if name == "subject":
        return [fold(record.subject or "")]
    return [fold(value) for value in values_of(record, name, agent)]
