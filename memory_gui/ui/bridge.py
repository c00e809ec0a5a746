# SPDX-License-Identifier: MIT
"""Runs service calls off the GUI thread and delivers what they return in it.

Nothing on the GUI thread touches a file or a database; this is the one way down.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from shiboken6 import isValid

from memory_gui.domain.errors import Cancelled, IntegrityError, UserError
from memory_gui.domain.work import CancelToken

_THREADS: Final = 3
_TICK_SECONDS: Final = 0.1
"""Progress is told at most ten times a second."""
_JOIN_SECONDS: Final = 3.0

Asked = Callable[[], str]
"""What a person asked for, in words as they are now, such as “move 3 records to the trash”."""


class Handle:
    """One call on its way."""

    def __init__(self, *, outlives: bool = False) -> None:
        self.token = CancelToken()
        self.finished = False
        self.wanted = True
        self.outlives = outlives
        """Whether it goes on when the window is locked."""

    def stop(self) -> None:
        """Ask the work to stop; what it says then is still wanted (done, failed or stopped)."""
        self.token.cancel()

    def cancel(self) -> None:
        """Ask it to stop and drop its answer: nothing is called after this."""
        self.wanted = False
        self.token.cancel(unheard=True)


@dataclass(slots=True)
class _Job:
    work: Callable[[], Any]
    done: Callable[[Any], object] | None
    failed: Callable[[UserError | IntegrityError], object] | None
    tick: Callable[[str, int, int], object] | None
    stopped: Callable[[], object] | None
    broke: Callable[[], object] | None
    asked: Asked | None
    handle: Handle = field(default_factory=Handle)


class Bridge(QObject):
    """A small pool of plain threads, and the way back into the GUI thread by queued signals.

    ``done``, ``failed`` and ``tick`` are bound methods, usually of QObjects: an answer for a
    widget that is gone is dropped. One Bridge per window, made and closed in the GUI thread.
    """

    error = Signal(object)
    """A UserError or IntegrityError that the caller did not take itself."""
    bug = Signal(object)
    """Any other exception: ours to mend."""
    busy_changed = Signal(bool)
    finishing_changed = Signal(int)
    """How many calls that outlive a lock are on their way."""
    never_begun = Signal(object)
    """What was ``asked``, and dropped by a lock before it began: nothing of it was done."""
    _came_back = Signal(object, str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._line: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._running: set[Handle] = set()
        self._closed = False
        self._came_back.connect(self._on_came_back, Qt.ConnectionType.QueuedConnection)
        self._threads = [
            threading.Thread(target=self._serve, args=(jobs,), name=f"bridge-{i}", daemon=True)
            for i, jobs in enumerate([self._pool] * _THREADS + [self._line])
        ]
        for thread in self._threads:
            thread.start()

    def call(
        self,
        fn: Callable[..., Any],
        *args: Any,
        done: Callable[[Any], object] | None = None,
        failed: Callable[[UserError | IntegrityError], object] | None = None,
        tick: Callable[[str, int, int], object] | None = None,
        stopped: Callable[[], object] | None = None,
        broke: Callable[[], object] | None = None,
        cancellable: bool = False,
        in_turn: bool = False,
        asked: Asked | None = None,
        apart: bool = False,
        outlives: bool = False,
        **kwargs: Any,
    ) -> Handle:
        """Run ``fn(*args, **kwargs)`` on a thread of the pool; GUI thread only.

        With ``tick`` the function gets a ``tick=`` that reports to it; with ``cancellable`` a
        ``cancel=`` token. ``in_turn`` keeps the order in which acts were asked for (edit, then
        undo); ``asked`` says such an act in words, for ``never_begun``. ``apart`` takes a thread of
        its own, for what may wait for a person or a dead disk and must hold up nothing else.
        ``outlives`` keeps it through ``drop``.

        Errors go to ``failed``, else to the signal ``error``. Cancelled is silent, but for
        ``stopped``, which is called when the handle was stopped. Any other exception goes to the
        signal ``bug``, which the window tells; then ``broke`` is called, where something looks as
        if it still ran.
        """
        handle = Handle(outlives=outlives)
        job = _Job(lambda: fn(*args, **kwargs), done, failed, tick, stopped, broke, asked, handle)
        if tick is not None:
            kwargs["tick"] = self._ticker(job)
        if cancellable:
            kwargs["cancel"] = job.handle.token
        if self._closed:
            job.handle.cancel()
            return job.handle
        self._running.add(job.handle)
        if len(self._running) == 1:
            self.busy_changed.emit(True)
        if outlives:
            self.finishing_changed.emit(self.finishing)
        if apart:
            self._start_apart(job)
        else:
            (self._line if in_turn else self._pool).put(job)
        return job.handle

    def drop(self) -> None:
        """The window is locked: stop what is on its way and drop its answers.

        What was asked for with ``outlives`` goes on, and tells its end.
        """
        for handle in self._running:
            if not handle.outlives:
                handle.cancel()

    @property
    def finishing(self) -> int:
        """How many calls that outlive a lock are on their way."""
        return sum(handle.outlives for handle in self._running)

    @property
    def busy(self) -> bool:
        """Whether any call is on its way."""
        return bool(self._running)

    def close(self) -> None:
        """Refuse new calls, cancel those on their way, wait at most 3 s. May be called twice."""
        if self._closed:
            return
        self._closed = True
        for handle in self._running:
            handle.cancel()
        for _ in range(_THREADS):
            self._pool.put(None)
        self._line.put(None)
        end = time.monotonic() + _JOIN_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _start_apart(self, job: _Job) -> None:
        jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        jobs.put(job)
        jobs.put(None)
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(
            target=self._serve, args=(jobs,), name="bridge-apart", daemon=True
        )
        self._threads.append(thread)
        thread.start()

    def _serve(self, jobs: queue.SimpleQueue[_Job | None]) -> None:
        while (job := jobs.get()) is not None:
            begun = job.handle.wanted
            try:
                if not begun:
                    raise Cancelled
                result = job.work()
            except Cancelled:
                self._send(job, "cancelled" if begun else "never begun", None)
            except (UserError, IntegrityError) as error:
                self._send(job, "failed", error)
            except Exception as error:  # noqa: BLE001 - shown as a bug, in the GUI thread
                self._send(job, "bug", error)
            else:
                self._send(job, "done", result)
                del result
            finally:
                del job  # a thread that waits holds no record

    def _send(self, job: _Job, what: str, value: object) -> None:
        # The window may be gone while a thread still comes back: then nobody waits for this.
        with contextlib.suppress(RuntimeError):
            self._came_back.emit(job, what, value)

    def _ticker(self, job: _Job) -> Callable[[str, int, int], None]:
        last_step, last_time = "", 0.0

        def report(step: str, done: int, total: int) -> None:
            nonlocal last_step, last_time
            now = time.monotonic()
            if step != last_step or done >= total or now - last_time >= _TICK_SECONDS:
                last_step, last_time = step, now
                self._send(job, "tick", (step, done, total))

        return report

    @Slot(object, str, object)
    def _on_came_back(self, job: _Job, what: str, value: Any) -> None:
        if what == "tick":
            self._tell(job, job.tick, *value)
            return
        self._end(job.handle)
        if what == "done":
            self._tell(job, job.done, value)
        elif what == "cancelled":
            self._tell(job, job.stopped)
        elif what == "bug":
            self.bug.emit(value)
            self._tell(job, job.broke)
        elif what == "failed":
            if job.failed is None and job.handle.wanted:
                self.error.emit(value)
            self._tell(job, job.failed, value)
        elif job.asked is not None:
            self.never_begun.emit(job.asked)

    def _end(self, handle: Handle) -> None:
        handle.finished = True
        self._running.discard(handle)
        if handle.outlives:
            self.finishing_changed.emit(self.finishing)
        if not self._running:
            self.busy_changed.emit(False)

    @staticmethod
    def _tell(job: _Job, slot: Callable[..., object] | None, *values: Any) -> None:
        """Call what waits for it, unless that is not wanted any more or its widget is gone."""
        bound = slot.func if isinstance(slot, partial) else slot
        owner = getattr(bound, "__self__", None)
        gone = isinstance(owner, QObject) and not isValid(owner)
        if slot is not None and job.handle.wanted and not gone:
            slot(*values)
