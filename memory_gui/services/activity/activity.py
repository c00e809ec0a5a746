# SPDX-License-Identifier: MIT
"""Who changed what and when: from the stores' own logs, our own acts, and programs in the terminal.

What this app writes into a store the agent's log has as well; there it would look like the
agent's doing. So an event that one of our acts explains (same record, same moment) is told as ours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.domain.work import CancelToken
from memory_gui.ledger.journal import Act
from memory_gui.services.activity.journal import Journal
from memory_gui.services.activity.uses import Uses
from memory_gui.services.library.library import Library

EVENT: Final = "event"
MEMORY: Final = "memory"
PAGE: Final = 200
"""How many are given at once."""
_ABOUT: Final = "memory_id"
_SLACK: Final = timedelta(seconds=1.5)
"""An agent's log has whole seconds; ours are written when the act has ended."""
_BATCH: Final = 500
_NAMED: Final = 40
"""So many records of one act are named where it is shown."""


class Who(StrEnum):
    """Whose doing something was."""

    YOU = "you"
    """A person, with this app."""
    AGENT = "agent"
    """The agent, or any program that writes its log as the agent does."""
    PROGRAM = "program"
    """A program that used the terminal."""


@dataclass(frozen=True, slots=True)
class About:
    """A record that something was done to; ``title`` is empty when it is not there any more."""

    ref: Ref
    title: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that was done.

    ``at`` is in UTC, None where the stored text (``said_at``) is no time. ``code`` is a word of the
    agent's log (create, update, soft_delete), an act of ours (add, edit, …) or a verb of the
    terminal. ``by`` names the agent or program. ``count`` is how many records it was about,
    ``about`` names them as far as they are known. ``store`` is None when it is not open.
    """

    at: datetime | None
    said_at: str
    who: Who
    code: str
    by: str
    store: StoreId | None
    store_path: str
    count: int
    about: tuple[About, ...] = ()
    in_terminal: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which happenings are listed. Empty sets mean no restriction; ``codes`` as in GROUPS."""

    stores: frozenset[StoreId] = frozenset()
    who: frozenset[Who] = frozenset()
    groups: frozenset[str] = frozenset()
    record: Ref | None = None


BY_APPROVAL: Final = "create_by_approval"
"""Of the agent's log, for a memory that came out of its queue: somebody approved it."""
_MADE: Final = "create"
_SAVED: Final = "crystallized"

GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "made": frozenset({"create", "add", BY_APPROVAL}),
    "changed": frozenset({"update", "edit", "tag"}),
    "trash": frozenset({"soft_delete", "trash", "restore", "delete"}),
    "review": frozenset(
        {"approve", "reject", "reopen", "unapprove", "rule_approve", "rule_reject"}
    ),
    "back": frozenset({"undo", "redo"}),
    "erased": frozenset({"erase"}),
    "protect": frozenset({"encrypt", "decrypt", "rotate"}),
}
"""Kinds of acts that can be asked for, and their codes."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The newest first. ``more`` when there are older ones, ``limit`` was reached."""

    happenings: tuple[Happening, ...]
    more: bool = False


class Activity:
    """Reads; changes nothing. Any thread may call."""

    def __init__(self, library: Library, journal: Journal, uses: Uses | None = None) -> None:
        self._library = library
        self._journal = journal
        self._uses = uses

    def list(
        self, wanted: Wanted | None = None, limit: int = PAGE, cancel: CancelToken | None = None
    ) -> Timeline:
        """The last happenings that are wanted."""
        wanted = wanted or Wanted()
        acts = self._journal.list()
        # The logs first: they are read into memory, where the names of records are found.
        events = self._events(wanted, _Explained(acts), cancel)
        found = [one for one, _ in zip(events, range(limit + 1), strict=False)]
        mine = [act for act in acts if self._is_wanted_act(act, wanted)]
        found += [*self._told_acts(mine, wanted), *self._told_uses(wanted)]
        found.sort(key=_moment, reverse=True)
        return Timeline(tuple(found[:limit]), more=len(found) > limit)

    def of_record(self, ref: Ref, limit: int = 5) -> Timeline:
        """What happened to one record, the newest first."""
        return self.list(Wanted(record=ref), limit)

    def forget_acts(self) -> None:
        """Keep none of our own acts. The stores' logs are the agents' own."""
        self._journal.clear()

    # ---- our own acts

    def _is_wanted_act(self, act: Act, wanted: Wanted) -> bool:
        if wanted.record is not None:
            ref = wanted.record
            return act.store_path == ref.store and (ref.kind, ref.key) in act.records
        return (
            (not wanted.stores or act.store_path in wanted.stores)
            and (not wanted.who or Who.YOU in wanted.who)
            and _in_groups(act.code, wanted.groups)
        )

    def _told_acts(self, acts: Iterable[Act], wanted: Wanted) -> Iterator[Happening]:
        open_ones = {shelf.id for shelf in self._library.shelves()}
        for act in acts:
            store = StoreId(act.store_path) if act.store_path in open_ones else None
            about: tuple[About, ...] = ()
            if store is not None and wanted.record is None:
                refs = [Ref(store, kind, key) for kind, key in act.records[:_NAMED]]
                about = self._about(refs)
            yield Happening(
                _when(act.at),
                act.at,
                Who.YOU,
                act.code,
                "",
                store,
                act.store_path,
                act.count,
                about,
                in_terminal=act.front == "terminal",
            )

    def _told_uses(self, wanted: Wanted) -> Iterator[Happening]:
        if self._uses is None or wanted.record or wanted.stores or wanted.groups:
            return
        if wanted.who and Who.PROGRAM not in wanted.who:
            return
        for use in self._uses.list():
            yield Happening(
                _when(use.at),
                use.at,
                Who.PROGRAM,
                use.verb,
                use.by,
                None,
                "",
                use.records,
                in_terminal=True,
            )

    # ---- the agents' logs

    def _events(
        self, wanted: Wanted, explained: _Explained, cancel: CancelToken | None
    ) -> Iterator[Happening]:
        """Those that no act of ours explains, the newest first."""
        if wanted.who and Who.AGENT not in wanted.who:
            return
        stores, text = wanted.stores, ""
        if wanted.record is not None:
            if wanted.record.kind != MEMORY:
                return
            stores, text = frozenset({wanted.record.store}), wanted.record.plain
        query = Query(text=text, stores=stores, kinds=frozenset({EVENT}))
        ids = self._library.search(query, "-created", cancel).ids
        agents = {shelf.id: shelf.info.agent for shelf in self._library.shelves()}
        for start in range(0, len(ids), _BATCH):
            if cancel is not None:
                cancel.check()
            for record in self._library.window(ids[start : start + _BATCH]):
                if record is None or not _in_groups(record.title, wanted.groups):
                    continue
                memory = record.extra.get(_ABOUT)
                if wanted.record is not None and memory != wanted.record.plain:
                    continue
                if not explained.has(record):
                    yield self._told_event(record, memory, agents)

    def _told_event(
        self, record: Record, memory: str | None, agents: Mapping[StoreId, str]
    ) -> Happening:
        store = record.ref.store
        refs = [Ref(store, MEMORY, (memory,))] if memory else []
        code, about = record.title, self._records(refs)
        if code == _MADE and any(one is not None and one.source == _SAVED for one in about):
            code = BY_APPROVAL
        return Happening(
            _when(record.created_at_utc),
            record.created_at or "",
            Who.AGENT,
            code,
            agents.get(store, ""),
            store,
            str(store),
            1,
            _named(refs, about),
        )

    def _about(self, refs: Sequence[Ref]) -> tuple[About, ...]:
        return _named(refs, self._records(refs))

    def _records(self, refs: Sequence[Ref]) -> Sequence[Record | None]:
        """Those that are there, in the same order."""
        numbers = [self._library.id_of(ref) for ref in refs]
        known = [number for number in numbers if number is not None]
        records = iter(self._library.window(known))
        return [next(records) if number is not None else None for number in numbers]


def _named(refs: Sequence[Ref], records: Sequence[Record | None]) -> tuple[About, ...]:
    return tuple(
        About(ref, "" if record is None else record.title)
        for ref, record in zip(refs, records, strict=True)
    )


_Span = tuple[datetime, datetime]


class _Explained:
    """Which events of an agent's log our own acts have written."""

    def __init__(self, acts: Iterable[Act]) -> None:
        self._by_record: dict[tuple[str, str], list[_Span]] = {}
        self._unnamed: dict[str, list[_Span]] = {}
        for act in acts:
            end = _when(act.at)
            if end is None:
                continue
            span = (end - timedelta(milliseconds=act.ms) - _SLACK, end + _SLACK)
            if act.count > len(act.records):
                self._unnamed.setdefault(act.store_path, []).append(span)
            for kind, key in act.records:
                if kind == MEMORY and len(key) == 1:
                    self._by_record.setdefault((act.store_path, key[0]), []).append(span)

    def has(self, event: Record) -> bool:
        """Whether an act of ours was at this record at that moment."""
        when = _when(event.created_at_utc)
        memory = event.extra.get(_ABOUT)
        if when is None or memory is None:
            return False
        store = str(event.ref.store)
        spans = (*self._by_record.get((store, memory), ()), *self._unnamed.get(store, ()))
        return any(begin <= when <= end for begin, end in spans)


def _in_groups(code: str, groups: Collection[str]) -> bool:
    return not groups or any(code in GROUPS.get(name, ()) for name in groups)


def _when(text: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def _moment(one: Happening) -> datetime:
    return one.at or datetime.min.replace(tzinfo=UTC)
