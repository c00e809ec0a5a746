# SPDX-License-Identifier: MIT
"""Acts over several records that were stopped in their middle, and following one that runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.domain.work import CancelToken, let_go, nobody_asks
from memory_gui.ledger.begun import BegunAct, BegunActs

_EVERY_RECORDS: Final = 200
_EVERY_S: Final = 1.0
"""How often it is written down how far an act is."""

UNAPPROVE: Final = "unapprove"
"""Taking approvals back that a stopped act has made."""
DONE_BEFORE: Final[Mapping[str, frozenset[str]]] = {
    "trash": frozenset({"record.in_trash", "record.gone"}),
    "restore": frozenset({"record.not_in_trash", "record.gone"}),
    "delete": frozenset({"record.gone"}),
    "approve": frozenset({"review.not_pending", "record.gone"}),
    "reject": frozenset({"review.not_pending", "record.gone"}),
    "reopen": frozenset({"review.is_pending", "record.gone"}),
    UNAPPROVE: frozenset({"review.is_pending", "record.gone"}),
}
"""Act -> what is said of a record that it has been done to."""


@dataclass(frozen=True, slots=True)
class StoppedAct:
    """An act that a kill stopped: ``done`` of ``total`` records; ``left`` are the others."""

    act: str
    done: int
    total: int
    left: tuple[Ref, ...]
    started_at: str
    reached: tuple[Ref, ...] = ()
    """Those that it came to."""


class Following:
    """Writes one running act down, for each store that it is about."""

    def __init__(
        self,
        begun: BegunActs | None,
        act: str,
        refs: Sequence[Ref],
        cancel: CancelToken | None = None,
    ) -> None:
        """Raises UserError ``acts.not_written``, or Cancelled: then nothing may be done."""
        self._begun = begun
        self._cancel = cancel
        self._act = act
        self._refs = refs
        self._entries: dict[StoreId, BegunAct] = {}
        self._done: dict[StoreId, int] = {}
        self._written = time.monotonic()
        self._since = 0
        if self._begun is None or len(refs) < 2:
            return
        check = nobody_asks if cancel is None else cancel.check
        try:
            for store in dict.fromkeys(ref.store for ref in refs):
                records = [(ref.kind, ref.key) for ref in refs if ref.store == store]
                self._entries[store] = self._begun.begin(str(store), act, records, check)
        except Cancelled:
            for entry in self._entries.values():
                self._begun.remove(entry)
            raise

    def reached(self, ref: Ref) -> None:
        """A record was tried."""
        if self._begun is None or not self._entries:
            return
        self._done[ref.store] = self._done.get(ref.store, 0) + 1
        self._since += 1
        now = time.monotonic()
        if self._since < _EVERY_RECORDS and now - self._written < _EVERY_S:
            return
        self._written, self._since = now, 0
        for store, done in self._done.items():
            self._entries[store] = self._begun.reached(self._entries[store], done)

    def __enter__(self) -> Following:
        """Around the records; what an error ends here is told later."""
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """See ``__enter__``."""
        if kind is not None:
            self._leave()

    def _leave(self) -> None:
        """It stops here and nobody hears it (a lock, the window's end): it is told later."""
        if self._begun is None:
            return
        for store, entry in self._entries.items():
            self._begun.leave(entry, self._done.get(store, 0))

    def end(self) -> None:
        """It came to its end; stopped ones of the same act that it has finished are forgotten."""
        if self._begun is None:
            return
        if self._cancel is not None and self._cancel.unheard:
            self._leave()
            return
        for store in self._entries:
            self._begun.remove(self._entries[store])
        for store in self._entries or dict.fromkeys(ref.store for ref in self._refs):
            others = self._begun.list(str(store))
            mine = {(ref.kind, ref.key) for ref in self._refs if others and ref.store == store}
            for other in others:
                left = other.records[other.done :]
                if other.act == self._act and not other.is_held() and mine.issuperset(left):
                    self._begun.remove(other)
        names = [name for entry in self._entries.values() for name in entry.records]
        self._entries.clear()
        let_go(names)


def begun_and_left(begun: BegunActs | None) -> tuple[BegunAct, ...]:
    """Those of every store that nobody does any more, as far as they were written down.

    No store is opened: each is at least as far as its ``done`` says. What is written down for
    acts that are finished by themselves when their store opens is left out.
    """
    if begun is None:
        return ()
    return tuple(
        entry
        for entry in begun.every()
        if (entry.act in DONE_BEFORE or entry.act == "tag")
        and entry.done < len(entry.records)
        and not entry.is_held()
    )


def forget_stopped(begun: BegunActs | None, store: StoreId, stopped: StoppedAct) -> None:
    """A person has taken it back, or leaves it as it is: it is told no more."""
    for entry in begun.list(str(store)) if begun is not None else ():
        same = (entry.act, entry.started_at) == (stopped.act, stopped.started_at)
        if begun is not None and same and not entry.is_held():
            begun.remove(entry)


def stopped_acts(
    begun: BegunActs | None,
    store: StoreId,
    look: Callable[[str, Ref], UserError | None],
    acts: Collection[str] = (),
) -> tuple[StoppedAct, ...]:
    """The acts on a store that were stopped; what is finished by now is forgotten.

    ``look`` gives what speaks against an act on a record.
    """
    found = []
    for entry in begun.list(str(store)) if begun is not None else ():
        if entry.is_held() or (acts and entry.act not in acts):
            continue
        said = DONE_BEFORE.get(entry.act, frozenset())
        left = []
        for kind, key in entry.records[entry.done :]:
            error = look(entry.act, Ref(store, kind, key)) if said else None
            if error is None or error.code not in said:
                left.append(Ref(store, kind, key))
        total = len(entry.records)
        if left:
            waiting = set(left)
            every = (Ref(store, kind, key) for kind, key in entry.records)
            reached = tuple(ref for ref in every if ref not in waiting)
            found.append(
                StoppedAct(entry.act, len(reached), total, tuple(left), entry.started_at, reached)
            )
        elif begun is not None:
            begun.remove(entry)
    return tuple(found)
