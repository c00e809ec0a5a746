# SPDX-License-Identifier: MIT
"""Listening: a thread that accepts, and one for each connection."""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from memory_gui.services.library.lending import Refused
from memory_gui.services.neighbours.folder import bind
from memory_gui.services.neighbours.wire import (
    VERSION,
    Garbled,
    Message,
    Wire,
    paths_of,
    seconds_of,
)

_FIRST_S: Final = 5.0
"""Seconds in which a connection must have asked."""
_LONGEST_S: Final = 600.0
"""Seconds for which a store is let go of, unless it is asked for again."""
_MOST_AT_ONCE: Final = 16


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: ``front`` is ``window`` or ``terminal``; ``pid`` by the kernel where it tells."""

    front: str
    pid: int


class Answers(Protocol):
    """What a running copy answers. Called from the listener's threads."""

    def holds(self, paths: Sequence[str]) -> list[str]:
        """Those that are open here."""
        ...

    def claims(self, paths: Sequence[str]) -> list[str]:
        """Those that it has for itself just now."""
        ...

    def let_go(self, paths: Sequence[str], asker: Asker) -> object:
        """Close and keep closed; what to give to ``take_back``. Raises ``Refused``."""
        ...

    def take_back(self, given: object) -> None:
        """Open again."""
        ...

    def lock(self) -> bool:
        """Lock the window."""
        ...

    def open(self, paths: Sequence[str]) -> bool:
        """Open in the window."""
        ...


class Listener:
    """One running copy's ear. ``close`` it."""

    def __init__(self, folder: Path, answers: Answers, *, front: str, home: str = "") -> None:
        """``home`` tells copies with other data apart: only those with ours open paths for us.

        Raises:
            OSError: the folder cannot be written.
        """
        self._answers = answers
        self._front = front
        self._home = home
        self._guard = threading.Lock()
        self._wires: dict[Wire, threading.Thread] = {}
        self._closed = False
        self._socket, self.path = bind(folder)
        self._wake, self._waker = socket.socketpair()
        self._thread = threading.Thread(target=self._accept, name="neighbours", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hear no more; what was let go of comes back. Waits for the threads."""
        with self._guard:
            self._closed = True
            wires = dict(self._wires)
        with contextlib.suppress(OSError):  # of a disk that is gone nobody listens any more
            self.path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._waker.send(b"x")
        self._thread.join()
        for wire in wires:
            wire.close()
        for thread in wires.values():
            thread.join(_FIRST_S)
        for one in (self._socket, self._wake, self._waker):
            one.close()

    def _accept(self) -> None:
        with selectors.DefaultSelector() as selector:
            for one in (self._socket, self._wake):
                selector.register(one, selectors.EVENT_READ)
            while not self._closed:
                ready = [key.fileobj for key, _events in selector.select()]
                if self._socket not in ready:
                    continue
                try:
                    connection, _address = self._socket.accept()
                except OSError:
                    time.sleep(0.1)  # too many files are open: not in a busy loop
                    continue
                self._begin(Wire(connection))

    def _begin(self, wire: Wire) -> None:
        with self._guard:
            if self._closed or len(self._wires) >= _MOST_AT_ONCE or not wire.is_ours():
                wire.close()
                return
            thread = threading.Thread(
                target=self._serve, args=(wire,), name="neighbour", daemon=True
            )
            self._wires[wire] = thread
            thread.start()

    def _serve(self, wire: Wire) -> None:
        """One request; after ``let_go`` until it is given back, or the other end is gone."""
        try:
            message = wire.receive(time.monotonic() + _FIRST_S)
            if message is not None:
                self._answer(wire, message)
        except (OSError, Garbled):
            pass  # gone, silent or no neighbour: nothing to say
        finally:
            wire.close()
            with self._guard:
                self._wires.pop(wire, None)

    def _answer(self, wire: Wire, message: Message) -> None:
        paths = paths_of(message)
        asked = message.get("ask")
        if message.get("v") != VERSION:
            wire.send({"ok": False, "why": "version"})
        elif asked == "lock":
            wire.send({"ok": self._answers.lock(), "front": self._front})
        elif paths is None:
            wire.send({"ok": False, "why": "paths"})
        elif asked == "hold":
            held = {"holds": self._answers.holds(paths), "claims": self._answers.claims(paths)}
            wire.send({"ok": True, "front": self._front, "pid": os.getpid(), **held})
        elif asked == "open":
            same = message.get("home") == self._home
            wire.send({"ok": same and self._answers.open(paths), "front": self._front})
        elif asked == "let_go":
            self._lend(wire, message, paths)
        else:
            wire.send({"ok": False, "why": "unknown"})

    def _lend(self, wire: Wire, message: Message, paths: list[str]) -> None:
        seconds = seconds_of(message, _LONGEST_S)
        if seconds is None:
            wire.send({"ok": False, "why": "seconds"})
            return
        peer = wire.peer()
        told = message.get("pid")
        pid = peer[0] if peer is not None else told if isinstance(told, int) else 0
        front = "window" if message.get("front") == "window" else "terminal"
        until = time.monotonic() + seconds
        try:
            given = self._answers.let_go(paths, Asker(front, pid))
        except Refused as refusal:
            wire.send({"ok": False, "why": refusal.why, "front": self._front})
            return
        try:
            wire.send({"ok": True, "front": self._front})
            while (more := self._more(wire, until)) is not None:
                until = more
                wire.send({"ok": True})
        finally:
            self._answers.take_back(given)

    def _more(self, wire: Wire, until: float) -> float | None:
        """Until when, when it was asked for longer; None when it is over."""
        message = wire.receive(until)
        if message is None or message.get("ask") != "more":
            return None
        seconds = seconds_of(message, _LONGEST_S)
        return None if seconds is None else time.monotonic() + seconds
