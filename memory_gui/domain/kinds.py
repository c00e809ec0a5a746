# SPDX-License-Identifier: MIT
"""What a format says of its kinds of records, so that nothing above the formats need know one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from memory_gui.domain.records import Record


class Shelf(StrEnum):
    """Where window and terminal keep a kind: which view shows it."""

    MEMORY = "memory"
    """What the agent remembers."""
    REVIEW = "review"
    """What waits for a decision."""
    SUMMARY = "summary"
    """Whole sessions, or what was made of them."""
    EVENT = "event"
    """The agent's own log of what it did."""
    ROW = "row"
    """Rows of a database whose meaning nobody declared."""
    OTHER = "other"
    """The agent's bookkeeping: in no view, reachable by its kind."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of record of a format; its words are in ``words.formats`` under its name.

    ``acts`` of ``add``, ``edit``, ``trash``, ``restore``, ``delete``, ``tag``, ``review``,
    ``erase`` are possible for such a record, in a store that has the capability. ``fields`` are
    what a person may give when one is added or edited, in the order of the form; ``text`` is the
    long one. ``columns`` are further fields (names in ``extra``) that matter in a table.
    Of the fields, ``limits`` are how many characters one takes, ``choices`` what one is chosen
    from, ``optional`` those that may stay empty; ``labels`` are names (``words.formats`` has the
    words) under which this format knows one. ``paths`` are those that are places in a tree, with
    what divides their parts: who asks for a place finds what lies below it as well. ``checked``
    are those whose faults are told while they are typed (``Store.check_field``), ``json`` those
    that take JSON, of which the value counts and not its spelling. ``repeats`` are
    those that say again what other records of the store are for: who is named there alone is found
    in those, each of which can go by itself. ``lacks`` are what records of this kind never have of
    that by which a list can be ordered (``queries.SORTS``): no list of them offers it.
    """

    name: str
    shelf: Shelf = Shelf.MEMORY
    acts: frozenset[str] = frozenset()
    fields: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict, hash=False)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    optional: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    paths: Mapping[str, str] = field(default_factory=dict, hash=False)
    checked: frozenset[str] = frozenset()
    json: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()
    repeats: frozenset[str] = frozenset()


def on_shelf(kinds: Iterable[Kind], *shelves: Shelf) -> frozenset[str]:
    """The names of the kinds that stand on these shelves."""
    return frozenset(kind.name for kind in kinds if kind.shelf in shelves)


def main_kinds(names: Sequence[str], declared: Iterable[Kind]) -> frozenset[str]:
    """What a store is there for: its memories, or its rows; where it declares none, the first."""
    return on_shelf(declared, Shelf.MEMORY, Shelf.ROW) or frozenset(names[:1])


def kind_for(declared: Iterable[Kind], given: Collection[str]) -> str:
    """The kind of a new record with these fields: the first that has most of them; empty: none."""
    adding = [one for one in declared if "add" in one.acts and one.shelf is not Shelf.REVIEW]
    if not adding:
        return ""
    return max(adding, key=lambda one: len(set(given) & set(one.fields))).name


def usual_sort(kinds: Iterable[Kind]) -> str:
    """How a list of such records is ordered where nobody says it: what is newest first.

    Where none of them has a time, as they are stored, kind by kind.
    """
    known = tuple(kinds)
    for name in ("updated", "created"):
        if not known or any(name not in one.lacks for one in known):
            return f"-{name}"
    return "kind"


def paths_of(declared: Iterable[Kind]) -> dict[str, str]:
    """The fields of a store that are places in a tree, with what divides their parts."""
    return {name: divider for kind in declared for name, divider in kind.paths.items()}


def places(path: str, divider: str) -> tuple[str, ...]:
    """A place in a tree and those that it lies in, the outermost first."""
    parts = path.split(divider)
    return tuple(divider.join(parts[: end + 1]) for end in range(len(parts)))


def allows(kinds: Collection[Kind], name: str, act: str) -> bool:
    """Whether a format lets such a record be acted on; a kind it did not declare allows nothing."""
    return any(kind.name == name and act in kind.acts for kind in kinds)


def without_repeats(record: Record, declared: Iterable[Kind]) -> Record:
    """The record without what it only repeats of others (``Kind.repeats``)."""
    none: frozenset[str] = frozenset()
    repeats = next((kind.repeats for kind in declared if kind.name == record.kind), none)
    if repeats.isdisjoint(record.extra):
        return record
    extra = {name: value for name, value in record.extra.items() if name not in repeats}
    return replace(record, extra=extra)
