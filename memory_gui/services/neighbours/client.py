# SPDX-License-Identifier: MIT
"""Asking the other running copies. Synchronous; any thread but the window's own."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.engine.holders import seen
from memory_gui.services.neighbours.folder import connect, listeners, runtime_folders
from memory_gui.services.neighbours.server import Answers, Listener
from memory_gui.services.neighbours.wire import VERSION, Garbled, Message, Wire

ANSWER_S: Final = 5.0
"""Seconds in which a neighbour must have answered."""
_GLANCE_S: Final = 0.3
"""Seconds that opening a store waits for neighbours' answers."""
LEASE_S: Final = 60.0
"""Seconds for which a store is asked for; asked again at a third of it, as long as we live."""
_BUSY: Final = frozenset({"changing", "claimed"})
_NOBODY: Final = (ConnectionRefusedError, FileNotFoundError)
"""How a call ends where no living process listens; one that is too busy to take it is another."""
_PROGRAMS: Final = {"window": "memory-gui", "terminal": "memory-cli"}


class Held(UserError):  # noqa: N818 - says what is
    """Another copy of the app has a store and does not give it. ``busy``: it may later."""

    def __init__(self, path: str, holder: OpenBy, *, busy: bool) -> None:
        super().__init__("neighbours.held", path=path, name=holder.name, pid=str(holder.pid))
        self.holder = holder
        self.busy = busy


@dataclass(slots=True)
class _Asked:
    """One neighbour and what it said: ``answer`` None while it is silent, ``gone`` when it left.

    ``wire`` is None where it does not even take the call.
    """

    wire: Wire | None
    pid: int
    path: Path
    answer: Message | None = None
    gone: bool = False

    @property
    def holder(self) -> OpenBy:
        """By what it says it is; a silent one by what the system says."""
        front = (self.answer or {}).get("front")
        if front in _PROGRAMS:
            return OpenBy(self.pid, _PROGRAMS[front])
        found = seen(self.pid)
        return found if found.name != "?" else OpenBy(self.pid, _PROGRAMS["window"])

    @property
    def agrees(self) -> bool:
        answer = self.answer or {}
        return answer.get("v") == VERSION and answer.get("ok") is True


def lent_to(front: str, pid: int) -> UserError:
    """What is said of a store that a ``window`` or a ``terminal`` works on."""
    code = "store.let_go_window" if front == "window" else "store.let_go"
    return UserError(code, pid=str(pid))


class NoNeighbours:
    """Where copies of the app cannot talk with each other; the same methods."""

    front = "window"
    why = "neighbours.none"

    def listen(self, answers: Answers) -> None:
        """Nothing to listen on."""

    def holding(self, paths: Sequence[str]) -> tuple[OpenBy, ...]:
        """Nobody that is known."""
        del paths
        return ()

    def claimed(self, path: str) -> UserError | None:
        """Nobody that is known."""
        del path
        return None

    @contextmanager
    def away_from(self, paths: Sequence[str], until: float) -> Iterator[None]:
        """Nobody is asked; who has the file open is seen by the erase itself."""
        del paths, until
        yield

    def lock(self) -> int:
        """Raise UserError ``neighbours.none``."""
        raise UserError(self.why)

    def open(self, paths: Sequence[str]) -> bool:
        """Nobody opens them for us."""
        del paths
        return False

    def close(self) -> None:
        """Nothing to close."""


class Neighbours:
    """The others, by their sockets in the ``folders``. ``close`` it."""

    why: str | None = None

    def __init__(self, folders: Sequence[Path], *, front: str, home: str = "") -> None:
        """``front`` is ``window`` or ``terminal``, ``home`` the folder of this copy's own data."""
        self.front = front
        self._folders = tuple(folders)
        self._home = home
        self._mine: Listener | None = None

    def listen(self, answers: Answers) -> None:
        """Let the others find this copy. Where that fails it still asks them."""
        for folder in self._folders:
            try:
                self._mine = Listener(folder, answers, front=self.front, home=self._home)
            except OSError:
                continue
            return

    def close(self) -> None:
        """Listen no more."""
        mine, self._mine = self._mine, None
        if mine is not None:
            mine.close()

    # ---- asking

    def holding(self, paths: Sequence[str]) -> tuple[OpenBy, ...]:
        """Those that say they have one of the stores open; they would be asked to let go."""
        asking = {"ask": "hold", "paths": list(paths)}
        with self._ask(asking, time.monotonic() + 1.0) as asked:
            return tuple(one.holder for one in asked if one.agrees and one.answer["holds"])  # type: ignore[index]  # it agrees, so it answered

    def claimed(self, path: str) -> UserError | None:
        """Whether one works on a store just now, and which; a silent one is not waited for."""
        real = os.path.realpath(path)
        with self._ask({"ask": "hold", "paths": [real]}, time.monotonic() + _GLANCE_S) as asked:
            for one in asked:
                answer = one.answer or {}
                if one.agrees and answer.get("claims"):
                    return lent_to(str(answer.get("front")), one.pid)
        return None

    @contextmanager
    def away_from(self, paths: Sequence[str], until: float) -> Iterator[None]:
        """Inside, every other copy has let go of these stores. ``until``: of ``time.monotonic``.

        Raises:
            Held: one refuses, or is silent until then. Nothing is kept from anybody.
        """
        asking = {"ask": "let_go", "paths": list(paths), "seconds": LEASE_S, "front": self.front}
        with self._ask(asking, until) as asked:
            for one in asked:
                if not one.agrees:
                    busy = (one.answer or {}).get("why") in _BUSY
                    raise Held(paths[0], one.holder, busy=busy)
            wires = [one.wire for one in asked if one.wire is not None]
            with _renewed(wires):
                yield
            for wire in wires:
                with contextlib.suppress(OSError):
                    wire.send({"ask": "done"})

    def lock(self) -> int:
        """Lock every window; how many there were.

        Raises:
            UserError: ``neighbours.silent`` (params ``name``, ``pid``): one did not answer.
        """
        with self._ask({"ask": "lock"}, time.monotonic() + ANSWER_S) as asked:
            silent = [one for one in asked if one.answer is None]
            if silent:
                pid = str(silent[0].pid)
                raise UserError("neighbours.silent", name=silent[0].holder.name, pid=pid)
            return sum(one.agrees for one in asked)

    def open(self, paths: Sequence[str]) -> bool:
        """Have a window that runs already open absolute paths; whether one does."""
        message = {"ask": "open", "paths": list(paths), "home": self._home}
        for folder in self._folders:
            for path, pid in listeners(folder):
                with ExitStack() as stack:
                    one = self._called(path, pid, message, stack)
                    _hear([] if one is None else [one], time.monotonic() + 1.0)
                    if one is not None and one.agrees:
                        return True
        return False

    @contextmanager
    def _ask(self, message: Message, until: float) -> Iterator[list[_Asked]]:
        """Ask all at once, then hear all; those that left meanwhile are left out."""
        with ExitStack() as stack:
            asked = []
            for folder in self._folders:
                for path, pid in listeners(folder):
                    one = self._called(path, pid, message, stack)
                    if one is not None:
                        asked.append(one)
            _hear(asked, until)
            yield [one for one in asked if not one.gone]

    def _called(self, path: Path, pid: int, message: Message, stack: ExitStack) -> _Asked | None:
        if self._mine is not None and path == self._mine.path:
            return None
        try:
            wire = Wire(connect(path, 1.0))
        except _NOBODY:
            return None  # it is about to begin, or has just ended
        except OSError:
            return _Asked(None, pid, path)
        stack.callback(wire.close)
        if not wire.is_ours():
            return None
        peer = wire.peer()
        one = _Asked(wire, pid if peer is None else peer[0], path)
        try:
            wire.send(message)
        except OSError:
            one.gone = not _listens(path)
        return one


def _hear(asked: Sequence[_Asked], until: float) -> None:
    for one in asked:
        try:
            if one.wire is not None and not one.gone:
                one.answer = one.wire.receive(max(until, time.monotonic() + 0.01))
                one.gone = one.answer is None and not _listens(one.path)
        except TimeoutError:
            continue
        except (OSError, Garbled):
            one.gone = not _listens(one.path)


def _listens(path: Path) -> bool:
    """Whether what hung up without a word is there still, and only does not talk with us."""
    try:
        connect(path, 1.0).close()
    except _NOBODY:
        return False
    except OSError:
        return True
    return True


@contextmanager
def _renewed(wires: Sequence[Wire]) -> Iterator[None]:
    """Inside, what was let go of is asked for again and again."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(LEASE_S / 3):
            for wire in wires:
                with contextlib.suppress(OSError, Garbled):
                    wire.send({"ask": "more", "seconds": LEASE_S})
                    wire.receive(time.monotonic() + ANSWER_S)

    thread = threading.Thread(target=renew, name="neighbours-renew", daemon=True)
    if wires:
        thread.start()
    try:
        yield
    finally:
        over.set()
        if wires:
            thread.join()


AnyNeighbours = Neighbours | NoNeighbours


def neighbours_for(front: str, home: Path) -> AnyNeighbours:
    """The neighbours of a front door; none where there are no sockets or no folder of ours."""
    found = runtime_folders()
    return Neighbours(found, front=front, home=str(home)) if found else NoNeighbours()
