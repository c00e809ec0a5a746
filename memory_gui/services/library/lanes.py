# SPDX-License-Identifier: MIT
"""Two threads per open store, each with a Store of its own.

*screen* fetches and changes (short), *work* scans, exports and checks (long). A store is opened,
used and closed in its lane's thread and nowhere else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.domain.work import CancelToken
from memory_gui.stores.contract import Store

T = TypeVar("T")

_CANCEL_STEP = 0.03
"""Seconds between two looks at a cancel token while a job runs."""
_ENDING_STEP = 0.005
"""Seconds between two interrupts of a lane that is to end: one hits only while a statement runs."""
_ENDING_STEPS = 1800
"""How many such steps a lane is given to end: 9 s."""


class _Job(Generic[T]):
    """One piece of work and what came of it."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self.done = threading.Event()
        self.dropped = False
        self._value: T | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """In the lane's thread. Whatever it raises is raised again by ``result``."""
        try:
            if not self.dropped:
                self._value = self._work()
        except BaseException as error:  # noqa: BLE001 - handed to the thread that asked
            self._error = error
        finally:
            self.done.set()

    def result(self) -> T:
        """In the thread that asked, after ``done``."""
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return self._value  # type: ignore[return-value]  # set whenever no error was


class Lane:
    """One thread that owns one Store, opened at the first job. Any thread may call ``run``."""

    def __init__(self, name: str, opener: Callable[[], Store]) -> None:
        self._opener = opener
        self._store: Store | None = None
        self._guard = threading.Lock()
        self._back = threading.Condition(self._guard)
        self._jobs: SimpleQueue[_Job[object] | None] = SimpleQueue()
        self._running: _Job[object] | None = None
        self._closed = False
        self._away: UserError | None = None
        self._patience = 0.0
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Callable[[Store], T], cancel: CancelToken | None = None) -> T:
        """Do some work with the lane's Store and wait for it.

        Raises:
            Cancelled: when the token was used; only this lane's statement is interrupted.
            UserError: ``store.not_open`` after ``close``, ``store.away`` while the file is left to
                another process of ours (or what ``let_go`` was told); whatever opening or the work
                raises.
        """
        job: _Job[T] = _Job(lambda: work(self._opened()))
        return self._do(job, cancel)

    def exchange(self, opener: Callable[[], Store], look: Callable[[Store, Store], T]) -> T:
        """Put another Store in the place of the present one, in the lane's thread.

        ``look`` sees both, the present one first, while both are open. Where the other one cannot
        be opened, all stays as it was.
        """

        def swap() -> T:
            before = self._opened()
            after = opener()
            try:
                seen = look(before, after)
            except BaseException:
                after.close()
                raise
            with self._guard:
                self._store, self._opener = after, opener
            before.close()
            return seen

        return self._do(_Job(swap), None)

    def let_go(self, why: UserError | None = None, *, patience: float = 0.0) -> None:
        """Close the Store and refuse work until ``come_back``.

        ``why`` is what is raised (``store.away``), after work has waited for ``patience`` seconds.
        """
        job: _Job[None] = _Job(self._shut)
        with self._guard:
            if self._closed:
                raise UserError("store.not_open")
            self._away = why or UserError("store.away")
            self._patience = patience
            self._jobs.put(job)  # type: ignore[arg-type]  # the lane never looks at the value
        job.done.wait()
        job.result()

    def come_back(self) -> None:
        """Take work again; the first job opens the Store."""
        with self._guard:
            self._away = None
            self._back.notify_all()

    @property
    def away(self) -> bool:
        """Whether the lane has let go of its file."""
        return self._away is not None

    @property
    def closed(self) -> bool:
        """Whether ``stop`` was called."""
        return self._closed

    def close(self) -> None:
        """``stop``, then wait for the thread's end. May be called twice."""
        self.stop()
        if threading.current_thread() is self._thread:
            return
        for _ in range(_ENDING_STEPS):
            self._thread.join(_ENDING_STEP)
            if not self._thread.is_alive():
                return
            self._interrupt()

    def stop(self) -> None:
        """Interrupt what runs, drop what waits; the thread closes the Store and ends by itself."""
        with self._guard:
            if self._closed:
                return
            self._closed = True
            self._back.notify_all()
            self._jobs.put(None)
        self._interrupt()

    def _interrupt(self) -> None:
        with self._guard:
            if self._running is not None and self._store is not None:
                self._store.interrupt()

    def _do(self, job: _Job[T], cancel: CancelToken | None) -> T:
        with self._guard:
            self._wait_back()
            if self._closed:
                raise UserError("store.not_open")
            if self._away is not None:
                raise UserError(self._away.code, **self._away.params)
            self._jobs.put(job)  # type: ignore[arg-type]  # the lane never looks at the value
        if cancel is None:
            job.done.wait()
            return self._result(job)
        while not job.done.wait(_CANCEL_STEP):
            if cancel.cancelled:
                self._stop(job)
        try:
            return self._result(job)
        except Exception as error:
            if cancel.cancelled:
                raise Cancelled from error
            raise

    def _wait_back(self) -> None:
        """With patience, while the file is left to another process. The guard is held."""
        if self._away is not None and self._patience:
            self._back.wait_for(lambda: self._away is None or self._closed, self._patience)

    def _result(self, job: _Job[T]) -> T:
        if job.dropped:
            raise Cancelled
        return job.result()

    def _stop(self, job: _Job[T]) -> None:
        """Interrupt the connection only while it runs this very job."""
        with self._guard:
            if self._running is job and self._store is not None:
                self._store.interrupt()
            elif self._running is not job:
                job.dropped = True

    def _opened(self) -> Store:
        if self._store is None:
            self._store = self._opener()
        return self._store

    def _shut(self) -> None:
        with self._guard:
            store, self._store = self._store, None
        if store is not None:
            store.close()

    def _serve(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                break
            with self._guard:
                self._running = None if self._closed else job
                if self._closed:
                    job.dropped = True
            job.run()
            with self._guard:
                self._running = None
        self._shut()
