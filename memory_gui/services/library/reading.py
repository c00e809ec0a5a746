# SPDX-License-Identifier: MIT
"""Reading a whole store into memory, in the background, and keeping that up to date."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from memory_gui import lazy
from memory_gui.domain.changes import StoreInfo
from memory_gui.domain.errors import Cancelled
from memory_gui.domain.kinds import paths_of
from memory_gui.domain.records import Record, Ref, State
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.index.memory import give_back
from memory_gui.services.library.state import Pace
from memory_gui.stores.contract import Batch, Store, at_places

if TYPE_CHECKING:
    from memory_gui.domain.recordbatch import RecordBatch
    from memory_gui.index.content import Content

T = TypeVar("T")

_TOGETHER = 1_000
"""So many records are made and taken in at once; then searches have their turn."""
_FEW = 8
"""So many records are fetched at once where long ones are cut to their beginnings."""
_MANY = 5_000
"""From so many records on the newest are read first: fewer are there as soon as those."""
_HEAD = 256
"""So many of the newest: what a list shows first, in its usual order."""
_SHOWN = 0.4
"""Seconds for which the reading lets go of the interpreter while those are put on screen, at most:
no longer than it took to find them, so that it is nothing to a small store."""
_LONGER = 1.0
"""Seconds for which an answer is waited for longer while the newest are being looked for."""
_STEP = 0.03
"""Seconds between two looks whether the reading is done."""

Work = Callable[[Callable[[Store], object]], object]


class Reading:
    """What one open store holds, as far as it was read. Any thread may call.

    Nothing is read before it is first wanted. A reading is a thread of its own that takes the
    store's batches; answers come from what was read so far.
    """

    def __init__(self, name: str, info: Callable[[], StoreInfo], work: Work) -> None:
        """``work`` runs a piece of work with the store and waits for it."""
        self._name = name
        self._info = info
        self._work = work
        self.pace = Pace()
        self._worked = 0.0
        self._guard = threading.Lock()
        self._reading = threading.Lock()
        self._ended = threading.Event()
        self._head = threading.Event()
        """The newest records are there, long before all are."""
        self._looking = False
        """They are being looked for."""
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._error: BaseException | None = None
        self._content: Content | None = None
        self._done = 0
        self._total = 0

    # ---- what there is

    @property
    def content(self) -> Content:
        """What was read so far."""
        with self._guard:
            if self._content is None:
                info = self._info()
                self._content = lazy.index().Content(info.id)
                self._content.agent = info.agent
                self._content.paths = paths_of(info.declared)
            return self._content

    @property
    def loaded(self) -> bool:
        """Whether everything was read once."""
        return self._content is not None and self._content.loaded

    @property
    def begun(self) -> bool:
        """Whether anything was read."""
        return self._content is not None

    @property
    def progress(self) -> tuple[int, int]:
        """How many records were read and are to be read; equal when all were."""
        return (self._total, self._total) if self.loaded else (self._done, self._total)

    def counts(self) -> dict[str, dict[State, int]] | None:
        """Kind -> state -> number; None until everything was read. Waits for nothing."""
        content = self._content
        return content.counts() if content is not None and content.loaded else None

    # ---- reading for the first time

    def begin(self) -> None:
        """Read everything, once, in the background."""
        content = self.content
        with self._guard:
            if content.loaded or self._thread is not None or self._stopping.is_set():
                return
            self._ended.clear()
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            self.compare()
        except BaseException as raised:  # noqa: BLE001 - raised again where it is waited for
            error = raised
        with self._guard:
            self._error, self._thread = error, None
            self._ended.set()

    def wait(
        self,
        patience: float | None = None,
        cancel: CancelToken | None = None,
        tick: Tick = no_tick,
    ) -> bool:
        """Until everything was read, or for some seconds; True when it was.

        Raises:
            Cancelled: the token was used; the reading goes on.
            UserError: why it cannot be read. The next call tries again.
        """
        until = None if patience is None else time.monotonic() + patience
        headless = patience is not None and not self._head.is_set()
        if self._looking and until is not None:
            until += _LONGER  # whoever asks again has said that it is being read: look less often
        while not self.loaded:
            self.begin()
            if self._stopping.is_set() and self._thread is None:
                raise Cancelled
            ended = self._ended.wait(_STEP if until is None else min(_STEP, patience or 0))
            if cancel is not None:
                cancel.check()
            tick("scan", *self.progress)
            if ended:
                self._raise()
            if until is not None and time.monotonic() >= until:
                break
            if headless and self._head.is_set():
                break  # something new to show
        return self.loaded

    def _raise(self) -> None:
        """What the reading ended with, told once."""
        with self._guard:
            error, self._error = self._error, None
        if error is not None and not isinstance(error, Cancelled):
            raise error

    # ---- reading all of it

    def compare(self) -> bool:
        """Read everything and fold the differences in; True when there were any."""
        with self._reading:
            started = time.monotonic()
            first = not self.loaded
            self.pace.wanted = False
            try:
                differed = bool(self._work(self._scan))
            except BaseException:
                self.pace.wanted = True
                raise
            self.pace.last = time.monotonic()
            if first:
                give_back()  # of what is read on the way little is kept
            # Reading for the first time says nothing about how long comparing takes.
            self.pace.took = 0.0 if first else self.pace.last - started
            self.pace.worked = 0.0 if first else self._worked
            return differed

    def _scan(self, store: Store) -> bool:
        began = time.thread_time()
        try:
            return self._fold(store)
        finally:
            self._worked = time.thread_time() - began

    def _fold(self, store: Store) -> bool:
        content = self.content
        info = self._info()
        records = sum(n for states in info.counts.values() for n in states.values())
        self._done, self._total = 0, records if info.work is None else info.work
        if records >= _MANY and not content.loaded:
            started = time.monotonic()
            self._looking = True
            content.put(store.newest(_HEAD, partial(self._go_on, 0)))
            self._head.set()
            self._looking = False
            self._stopping.wait(min(_SHOWN, time.monotonic() - started))
        return read_all(content, store, self._go_on, records)

    def _go_on(self, done: int) -> None:
        if self._stopping.is_set():
            raise Cancelled
        self._done += done
        self._total = max(self._total, self._done)

    def absorb(self, found: dict[Ref, Record | None], beside: Sequence[Record] = ()) -> None:
        """Bring memory up to date after a change of our own: the records as they are now."""
        content = self.content
        content.put(beside)
        content.put(record for record in found.values() if record is not None)
        content.drop(ref for ref, record in found.items() if record is None)

    # ---- ending

    def stop(self) -> None:
        """End a reading that runs, at its next batch; none begins until ``resume``."""
        self._stopping.set()

    def resume(self) -> None:
        """Read again when it is wanted."""
        self._stopping.clear()

    def clear(self) -> None:
        """Wait for the reading's end and forget everything. May be called twice."""
        self._stopping.set()
        with self._guard:
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(10)
        self._head.clear()
        with self._guard:
            content, self._content = self._content, None
        if content is not None:
            content.clear()


def read_all(
    content: Content,
    store: Store,
    go_on: Callable[[int], object] = lambda _done: None,
    expected: int = 0,
) -> bool:
    """Fold a whole store into its content; True when anything differed.

    ``expected`` is how many records it told that it has. ``go_on`` is told often how many more rows
    were read, and may raise to end it.
    """
    content.begin(expected)
    differed = False
    for batch in store.batches():
        places = _places(content, batch)
        for start in range(0, len(places), _TOGETHER):
            go_on(0)
            differed |= _taken(content, batch, places[start : start + _TOGETHER])
        work = batch.size if batch.work is None else batch.work
        del batch, places  # so that the next one comes into the same, near memory
        go_on(work)
    go_on(0)
    return content.end() or differed


def _places(content: Content, batch: Batch) -> Sequence[int]:
    """Which of a batch are to be read."""
    if not batch.numbers:
        return range(batch.size)
    return content.met(batch.kind, batch.numbers, batch.prints)


def _taken(content: Content, batch: Batch, places: Sequence[int]) -> bool:
    """Have some of a batch in memory, as columns where that goes; True when any differed."""
    found = batch.columns(places) if batch.numbers else None
    differed = False
    if found is not None:
        left = _taken_as_columns(content, batch, *found, places)
        if not left:
            return True
        differed = len(left) < len(places)
        places = left
    rows = [(batch.numbers[p], batch.prints[p]) for p in places] if batch.numbers else []
    return content.take(batch.records(places), rows) or differed


def _taken_as_columns(
    content: Content,
    batch: Batch,
    columns: RecordBatch,
    plain: Sequence[int],
    places: Sequence[int],
) -> Sequence[int]:
    """Have what is new of a batch in memory; the places that are left.

    ``plain`` are those among the places that the columns stand for.
    """

    def take() -> bool:
        whole = len(plain) == len(places)
        there = places if whole else [places[place] for place in plain]
        return content.take_batch(
            columns, at_places(batch.numbers, there), at_places(batch.prints, there)
        )

    if not take():
        new = content.new_in(columns)
        columns, plain = columns.at(new), [plain[place] for place in new]
        if not plain or not take():
            return places
    left = set(range(len(places))).difference(plain)
    return [places[place] for place in sorted(left)]


def fetched(store: Store, refs: Iterable[Ref]) -> dict[Ref, Record | None]:
    """Records as they are now, by their names."""
    wanted = tuple(dict.fromkeys(refs))
    return dict(zip(wanted, store.fetch(wanted), strict=True))


def looked_up(
    store: Store, refs: Iterable[Ref], most: int | None = None
) -> dict[Ref, tuple[Record, int | None] | None]:
    """Records as they are now with the prints of their rows.

    With ``most`` the beginnings of long ones, fetched a few at a time: no more are in memory whole.
    """
    wanted = tuple(dict.fromkeys(refs))
    if most is None:
        return dict(zip(wanted, store.fetch_printed(wanted), strict=True))
    found = [
        one and (one[0].begun(most), one[1])
        for at in range(0, len(wanted), _FEW)
        for one in store.fetch_printed(wanted[at : at + _FEW])
    ]
    return dict(zip(wanted, found, strict=True))
