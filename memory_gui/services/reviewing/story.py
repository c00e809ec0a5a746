# SPDX-License-Identifier: MIT
"""What became of a proposal: which memory it was saved as, and when its agent saw it last.

Agentao writes one time beside an item, at each sighting and at each decision: once somebody has
decided, the time of the decision stands where the last sighting stood.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from memory_gui.domain.changes import ReviewPreview
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref, State, StoreId
from memory_gui.ledger.journal import Act
from memory_gui.services.activity.journal import Journal
from memory_gui.services.library.library import Library

_SLACK: Final = timedelta(seconds=2)
_APPROVING: Final = frozenset({"approve", "rule_approve", "redo"})
_DECIDING: Final = _APPROVING | {"reject", "rule_reject", "reopen", "unapprove", "undo"}
_QUEUES: Final = frozenset({"review", "proposal"})
_FRESH_S: Final = 30.0
"""Another copy of the app may have done something."""
_SUMMARY: Final = "summary"
_SESSION: Final = "session_id"
_MOST_SUMMARIES: Final = 500
"""So many are looked through for the session that an item comes from."""


@dataclass(frozen=True, slots=True)
class Story:
    """``last_seen`` and ``decided`` are ISO 8601; None where nobody knows.

    ``in_session``: ``last_seen`` is of the session in which it was seen last. ``memory`` is what
    it was saved as, as that is now; ``gone``: it was saved, and that memory is there no more.
    """

    last_seen: str | None = None
    in_session: bool = False
    decided: str | None = None
    memory: Record | None = field(default=None, repr=False)
    gone: bool = False


class Stories:
    """Any thread."""

    def __init__(self, library: Library, journal: Journal) -> None:
        self._library = library
        self._journal = journal
        self._guard = threading.Lock()
        self._read: tuple[int, float, tuple[Act, ...]] = (-1, 0.0, ())

    def of(self, seen: ReviewPreview) -> Story:
        """That of an item of either queue."""
        item = seen.item
        kept = self._kept()
        acts = [act for act in kept if _names(act, item.ref)]
        pending = item.state is State.PENDING
        if pending and not any(_wrote(act, item) for act in acts):
            return Story(_updated(item))
        last, in_session = self._sighted(item)
        decided = None if pending else _updated(item)
        if item.state is not State.APPROVED:
            return Story(last, in_session, decided)
        memory, known = self._memory(seen, acts, kept)
        return Story(last, in_session, decided, memory, gone=known and memory is None)

    # ---- inside

    def _kept(self) -> tuple[Act, ...]:
        """Our acts on items of a queue; read anew when one was done, and now and then."""
        version, now = self._journal.version, time.monotonic()
        with self._guard:
            if self._read[0] != version or now - self._read[1] > _FRESH_S:
                acts = (act for act in self._journal.list() if act.code in _DECIDING)
                self._read = (version, now, tuple(acts))
            return self._read[2]

    def _sighted(self, item: Record) -> tuple[str | None, bool]:
        """When an agent saw it last, where its own time was written over."""
        if (item.extra.get("occurrences") or "1") == "1":
            return item.created_at_utc or item.created_at, False
        session = item.extra.get("source_session")
        query = Query(stores=frozenset({item.ref.store}), kinds=frozenset({_SUMMARY}))
        ids = self._library.search(query, "-created").ids[:_MOST_SUMMARIES] if session else ()
        for one in self._library.window(ids) if session else ():
            if one is not None and one.extra.get(_SESSION) == session:
                return one.created_at_utc or one.created_at, True
        return None, False

    def _memory(
        self, seen: ReviewPreview, acts: Sequence[Act], kept: Sequence[Act]
    ) -> tuple[Record | None, bool]:
        """What it was saved as, and whether that is known: by our own act, else by its key."""
        act = next((one for one in acts if one.code in _APPROVING), None)
        refs = [] if act is None else _written_by(act, kept)
        saved = [ref for ref in refs if ref.kind not in _QUEUES]
        opened = {shelf.id for shelf in self._library.shelves()}
        if len(saved) == 1 and len(refs) == 2 and saved[0].store in opened:
            return self._library.record(saved[0]), True
        return seen.existing, seen.existing is not None


def _written_by(act: Act, kept: Sequence[Act]) -> list[Ref]:
    """All that one act of ours has written, over all its stores; of many only the first."""
    together = [one for one in kept if (one.code, one.at) == (act.code, act.at)]
    return [
        Ref(StoreId(one.store_path), kind, key) for one in together for kind, key in one.records
    ]


def _names(act: Act, ref: Ref) -> bool:
    return act.store_path == ref.store and (ref.kind, ref.key) in act.records


def _wrote(act: Act, item: Record) -> bool:
    """Whether the time beside the item is that of our act."""
    when, end = _moment(_updated(item)), _moment(act.at)
    if when is None or end is None:
        return False
    return end - timedelta(milliseconds=act.ms) - _SLACK <= when <= end + _SLACK


def _updated(item: Record) -> str | None:
    return item.updated_at_utc or item.updated_at


def _moment(text: str | None) -> datetime | None:
    try:
        found = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found and found.tzinfo is None else found
