# SPDX-License-Identifier: MIT
"""Finds in full, store by store: to be looked at, and for the person's copy."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from memory_gui.cases.finds import CaseFind, Finds, Place
from memory_gui.cases.matching import Matcher
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record
from memory_gui.domain.work import CancelToken, Tick
from memory_gui.services.cases.finding.candidates import StoreFacts
from memory_gui.services.cases.finding.finding import Finding
from memory_gui.services.cases.finding.opening import Looking
from memory_gui.services.cases.finding.passages import read_passages
from memory_gui.services.cases.finding.places import Where
from memory_gui.stores.contract import Store


@dataclass(frozen=True, slots=True)
class Content:
    """One find in full: the record, or the passages of a file."""

    find: CaseFind
    record: Record | None = field(default=None, repr=False)
    text: str = field(default="", repr=False)


class Contents:
    """Reads them. Any thread."""

    def __init__(self, looking: Looking, finding: Finding) -> None:
        self._looking = looking
        self._finding = finding

    def of(
        self,
        finds: Finds,
        where: Where,
        numbers: Collection[int],
        *,
        tick: Tick,
        cancel: CancelToken | None,
    ) -> Iterator[Content]:
        """As ``Cases.contents``."""
        wanted = [one for one in finds.finds if not numbers or one.number in numbers]
        stores = list(dict.fromkeys(str(one.store) for one in wanted))
        matcher = Matcher(finds.subject)
        for place, path in enumerate(stores):
            tick("case-contents", place, len(stores))
            mine = [one for one in wanted if str(one.store) == path]
            yield from self._records(path, mine, where, cancel)
            yield from (_passages(one, matcher, finds) for one in mine if one.place is Place.FILE)

    def _records(
        self,
        path: str,
        mine: Sequence[CaseFind],
        where: Where,
        cancel: CancelToken | None,
    ) -> Iterator[Content]:
        finds = [one for one in mine if one.place is Place.RECORD]
        refs = [one.ref for one in finds if one.ref is not None]

        def fetch(store: Store, _salt: bytes) -> tuple[Record | None, ...]:
            return store.fetch(refs)

        if refs:
            records = self._looking.look(path, where, fetch, cancel)
            yield from (Content(f, r) for f, r in zip(finds, records, strict=True))
        ours = [one for one in mine if one.place is Place.OWN and one.ref]
        if ours:
            kinds: tuple[Kind, ...] = ()
            with suppress(UserError):  # they lie in our own file, and are told as they are
                kinds = self._looking.look(path, where, lambda store, _: store.declared, cancel)
            own = self._finding.own_records(path, ours, kinds)
            yield from (Content(one, own.get(one.ref)) for one in ours if one.ref)


def _passages(find: CaseFind, matcher: Matcher, finds: Finds) -> Content:
    facts = StoreFacts.bare(str(find.store), find.format, find.agent)
    read = read_passages(finds.beside[find.path], facts, [matcher], lambda: None)
    mine = read.by_heap(0, matcher, finds.people).get(find.heap, [])
    return Content(find, None, "\n".join(one.text.rstrip("\n") for one, _, _ in mine))
