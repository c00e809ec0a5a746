# SPDX-License-Identifier: MIT
"""Looking for people in every store: each is read once, whoever is looked for."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Final

from memory_gui.cases.finds import (
    IN_GIT,
    CaseFind,
    Decision,
    Finds,
    Heap,
    NotLooked,
    Place,
)
from memory_gui.cases.matching import Matcher, bare, bare_texts
from memory_gui.cases.names import Subject
from memory_gui.cases.rights import Right
from memory_gui.domain.erasing import SideFile
from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.folding import fold
from memory_gui.domain.kinds import Kind
from memory_gui.domain.records import Record, Ref
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.engine.plainfile import Content
from memory_gui.services.cases.finding.candidates import (
    Candidate,
    StoreFacts,
    candidate_of,
    finished,
)
from memory_gui.services.cases.finding.opening import Looking
from memory_gui.services.cases.finding.ownqueue import OwnQueue
from memory_gui.services.cases.finding.passages import FileRead, read_passages
from memory_gui.services.cases.finding.places import Places, Spots, Where
from memory_gui.services.cases.finding.textfiles import texts_at
from memory_gui.stores.contract import Batch, Store

STOPPED: Final = "case.stopped"
"""``NotLooked.code`` of a store that was not reached before a person ended the search."""
_TELL_S: Final = 0.1
_BETWEEN: Final = b"\n\x1e"
"""Between texts that are looked through as one."""
_AT_ONCE: Final = 1 << 17
"""Letters that are looked through in one step, which nothing else can interrupt."""


@dataclass(slots=True)
class _Search:
    """What one pass has gathered so far."""

    matchers: tuple[Matcher, ...]
    cancel: CancelToken | None
    tick: Tick
    found: list[list[Candidate]] = field(default_factory=list)
    people: set[str] = field(default_factory=set)
    looked: list[str] = field(default_factory=list)
    not_looked: list[NotLooked] = field(default_factory=list)
    side_files: dict[str, tuple[SideFile, StoreFacts]] = field(default_factory=dict)
    """By the real path: a file that two names lead to is one."""
    salts: dict[str, str] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    """Places of plain texts that are no stores."""
    in_git: set[str] = field(default_factory=set)
    """Files whose older versions are kept."""
    parts: dict[str, frozenset[str]] = field(default_factory=dict)
    """By store that was looked into, its other files: one of them may be found as a store too."""
    records: int = 0
    told: float = 0.0

    def check(self) -> None:
        if self.cancel is not None:
            self.cancel.check()

    def tell(self) -> None:
        now = time.monotonic()
        if now - self.told > _TELL_S:
            self.told = now
            self.tick("case-read", self.records, 0)


class Finding:
    """Finds. Any thread; it may take as long as reading all stores takes."""

    def __init__(self, places: Places, looking: Looking, own: OwnQueue) -> None:
        self._places = places
        self._looking = looking
        self._own = own

    def find_many(
        self,
        wanted: Sequence[tuple[Subject, Right]],
        where: Where,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> list[Finds]:
        """What is there about each of them. Cancelled, it gives what was found until then."""
        search = _Search(tuple(Matcher(subject) for subject, _ in wanted), cancel, tick)
        search.found = [[] for _ in wanted]
        spots = self._places.look(where, tick, cancel)
        search.not_looked += spots.not_looked
        stopped = spots.stopped
        read: list[FileRead] = []
        try:
            for place, path in enumerate(spots.paths):
                tick("case-find", place, len(spots.paths))
                search.check()
                self._look(search, path, spots, where)
            tick("case-find", len(spots.paths), len(spots.paths))
            self._gather_texts(search, spots)
            read = self._look_beside(search)
        except Cancelled:
            stopped = True
            self._name_rest(search, spots)
        return [
            self._finds(search, spots, number, right, read, stopped=stopped)
            for number, (_, right) in enumerate(wanted)
        ]

    def own_records(
        self, path: str, finds: Sequence[CaseFind], kinds: Sequence[Kind]
    ) -> dict[Ref, Record]:
        """Those finds of a store of these ``kinds`` that are proposals in our own file, in full."""
        wanted = {one.ref for one in finds if one.place is Place.OWN}
        return {one.ref: one for one in self._own.records(path, kinds) if one.ref in wanted}

    # ---- stores

    def _look(self, search: _Search, path: str, spots: Spots, where: Where) -> None:
        def read(store: Store, salt: bytes) -> tuple[StoreFacts, list[list[Candidate]]]:
            facts = StoreFacts.of(store, salt).of_agent(spots.agents.get(path, ""))
            search.parts[path] = frozenset(store.info().parts)
            found: list[list[Candidate]] = [[] for _ in search.matchers]
            for batch in store.batches():
                search.check()
                search.records += batch.size
                search.tell()
                _take_batch(search, batch, facts, found)
            for file in store.side_files():
                search.side_files.setdefault(os.path.realpath(file.path), (file, facts))
            return facts, found

        try:
            facts, found = self._looking.look(path, where, read, search.cancel)
        except UserError as error:
            agent = spots.agents.get(path, "")
            search.not_looked.append(NotLooked(path, agent, error.code, error.params))
            return
        for number, matcher in enumerate(search.matchers):
            search.found[number] += _not_twice(search, number, path, found[number])
            search.found[number] += self._own.candidates(matcher, facts)
        search.looked.append(path)
        search.salts[facts.path] = facts.salt

    @staticmethod
    def _name_rest(search: _Search, spots: Spots) -> None:
        """What was not reached is told as such."""
        done = {*search.looked, *(one.path for one in search.not_looked)}
        for path in spots.paths:
            if path not in done:
                agent = spots.agents.get(path, "")
                search.not_looked.append(NotLooked(path, agent, STOPPED, {"path": path}))

    # ---- the agents' other files

    @staticmethod
    def _gather_texts(search: _Search, spots: Spots) -> None:
        """The plain texts of agents that no format of ours opens."""
        places = [*((one, False) for one in spots.texts), *((one, True) for one in spots.beside)]
        for place, beside in places:
            search.check()
            texts = texts_at(place, beside=beside)
            path = str(place.path)
            facts = StoreFacts.bare(path, place.format, place.agent)
            for file in texts.files:
                search.side_files.setdefault(file.path, (file, facts))
            if texts.in_git:
                search.in_git.update(file.path for file in texts.files)
            search.not_looked += texts.not_looked
            if texts.files or not texts.not_looked:
                search.texts.append(path)

    def _look_beside(self, search: _Search) -> list[FileRead]:
        """Each file once; one that is a store by itself was looked into as such."""
        stores = set(search.looked)
        files = [one for path, one in search.side_files.items() if path not in stores]
        read = []
        for place, (file, facts) in enumerate(files):
            search.tick("case-files", place, len(files))
            search.check()
            try:
                one = read_passages(file, facts, search.matchers, search.check)
                read.append(replace(one, content=Content()))  # a run reads it anew
            except UserError as error:
                told = NotLooked(file.path, facts.agent, error.code, error.params)
                search.not_looked.append(told)
        return read

    # ---- putting together

    def _finds(
        self,
        search: _Search,
        spots: Spots,
        number: int,
        right: Right,
        read: Sequence[FileRead],
        *,
        stopped: bool,
    ) -> Finds:
        matcher = search.matchers[number]
        people = frozenset(one for one in search.people if not matcher.names(one))
        finds: list[CaseFind] = []
        for candidate in search.found[number]:
            finds.append(finished(candidate, matcher, people, len(finds) + 1))
        for file in read:
            for one in file.finds(number, matcher, people):
                find = replace(one, number=len(finds) + 1)
                finds.append(_kept_by_git(find) if find.path in search.in_git else find)
        return Finds(
            matcher.subject,
            tuple(ticked(one, right) for one in finds),
            (*search.looked, *search.texts),
            tuple(search.not_looked),
            spots.limits,
            stopped=stopped,
            records=search.records,
            side_files=len(read),
            people=people,
            salts=search.salts,
            beside={one.file.path: one.file for one in read if one.passages.get(number)},
        )


def _kept_by_git(find: CaseFind) -> CaseFind:
    """A new version would leave the old one: only its agent can take both away."""
    can = find.can & {Decision.KEEP, Decision.HOLD}
    return replace(find, can=can, why=(*find.why, IN_GIT))


def _not_twice(
    search: _Search, number: int, path: str, found: list[Candidate]
) -> Iterator[Candidate]:
    """Without those of a store that was looked into from another of its files."""
    same = {one for one in search.looked if path in search.parts.get(one, ())}
    known = {_identity(one) for one in search.found[number] if one.facts.path in same}
    return (one for one in found if _identity(one) not in known)


def _identity(one: Candidate) -> tuple[object, ...]:
    return one.facts.format, one.ref.kind, one.ref.key, one.etag, one.place


def ticked(find: CaseFind, right: Right) -> CaseFind:
    """What is proposed: only of the first heap, and only what the right asks for."""
    wanted = {Right.ERASE: Decision.ERASE, Right.RESTRICT: Decision.RESTRICT}.get(right)
    if wanted is None or find.heap is not Heap.SURE or wanted not in find.can:
        return replace(find, decision=Decision.NONE)
    return replace(find, decision=wanted)


def _take_batch(
    search: _Search, batch: Batch, facts: StoreFacts, found: list[list[Candidate]]
) -> None:
    """Those of a batch that name somebody; of rows that name nobody no record is made."""
    every = range(batch.size)
    laid = batch.columns(every)
    if laid is None:
        _take(search, batch.records(every), facts, found)
        return
    columns, places = laid
    if facts.people:
        search.people.update(fold(one) for one in set(columns.subjects) if one)
    wanted = [places[number] for number in _holding(search.matchers, columns.texts)]
    wanted += sorted(frozenset(every).difference(places))  # they are read as records only
    if wanted:
        _take(search, batch.records(wanted), facts, found)


def _holding(matchers: Sequence[Matcher], texts: Sequence[bytes]) -> Iterator[int]:
    """The numbers of the texts that may name somebody."""
    for start, end in _runs(texts):
        if len(texts[start]) > _AT_ONCE:  # by itself, and piece by piece
            yield start
            continue
        whole = bare(_BETWEEN.join(texts[start:end]).decode())
        here = [matcher for matcher in matchers if matcher.has(whole)]
        for number in range(start, end) if here else ():
            text = bare(texts[number].decode())
            if any(matcher.has(text) for matcher in here):
                yield number


def _take(
    search: _Search,
    records: Sequence[Record],
    facts: StoreFacts,
    found: list[list[Candidate]],
) -> None:
    """Those of a batch that name somebody; most batches name nobody, and are looked at once."""
    texts = ["\n".join(record.searchable()) for record in records]
    if facts.people:
        search.people.update(fold(one.subject) for one in records if one.subject)
    for start, end in _runs(texts):
        _take_some(search.matchers, records[start:end], texts[start:end], facts, found)


def _take_some(
    matchers: Sequence[Matcher],
    records: Sequence[Record],
    texts: Sequence[str],
    facts: StoreFacts,
    found: list[list[Candidate]],
) -> None:
    if len(texts) == 1 and len(texts[0]) > _AT_ONCE:  # piece by piece
        mine = [place for place, one in enumerate(matchers) if one.may_hold(texts[0])]
        holding = [(place, list(records)) for place in mine]
    else:
        whole, bare = bare_texts(texts)
        holding = [
            (place, [r for r, text in zip(records, bare, strict=True) if matcher.has(text)])
            for place, matcher in enumerate(matchers)
            if matcher.has(whole)
        ]
    for place, some in holding:
        named = (candidate_of(matchers[place], one, facts) for one in some)
        found[place] += filter(None, named)


def _runs(texts: Sequence[Sized]) -> Iterator[tuple[int, int]]:
    """Runs of texts that are looked through at once: not so much that others have to wait."""
    start = size = 0
    for place, text in enumerate(texts):
        if size and size + len(text) > _AT_ONCE:
            yield start, place
            start, size = place, 0
        size += len(text)
    if start < len(texts):
        yield start, len(texts)
