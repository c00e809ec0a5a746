# SPDX-License-Identifier: MIT
"""Points of an erase at which something happens to it: each statement, raw write, name, message.

``install`` wraps what the package calls, in this process; ``Stops.arm`` begins to count. At the
chosen point the process is killed, or what lies on the disk is changed under it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlcipher3

from memory_gui.domain.errors import Cancelled, UserError
from memory_gui.engine import holders, rawfile
from memory_gui.erasure import asking, eraser, prover, work
from memory_gui.process.child import MARK, Child, ChildFailed, ChildGone, encode
from memory_gui.services.erasing.erasing import Erasing

NO_CHANGE = (
    "SELECT",
    "EXPLAIN",
    "PRAGMA trusted_schema",
    "PRAGMA cell_size_check",
    "PRAGMA mmap_size",
    "PRAGMA temp_store",
    "PRAGMA cipher_",
    "PRAGMA schema_version",
    "PRAGMA query_only",
    "PRAGMA index_list",
    "PRAGMA table_",
    "PRAGMA data_version",
    "PRAGMA page_size",
    "PRAGMA page_count",
    "PRAGMA encoding",
    "PRAGMA application_id",
)
"""Statements before which the disk is as before the next one."""
SHUTDOWN = 0x8004587D  # EXT4_IOC_SHUTDOWN
NO_FLUSH = 2


class Stops:
    """Counts the points. ``at`` is the number (from 1) at which ``act`` is done."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Nothing has happened yet."""
        self.names: list[str] = []
        self._armed = False
        self._at, self._act = 0, lambda: None
        self._first: Callable[[], None] = lambda: None

    def prepare(self, at: int, act: Callable[[], None], first: Callable[[], None]) -> None:
        self._at, self._act, self._first = at, act, first

    def arm(self) -> None:
        """From here on; once."""
        if not self._armed:
            self._first()
            self._armed = True

    def point(self, name: str) -> None:
        if not self._armed:
            return
        self.names.append(name)
        if len(self.names) == self._at:
            self._act()


STOPS = Stops()


class Watched(sqlcipher3.Connection):
    """A connection each of whose statements is a point."""

    def execute(self, sql: str, *more: Any) -> Any:
        if not sql.startswith(NO_CHANGE):
            STOPS.point(f"sql {sql[:50]}")
        return super().execute(sql, *more)


class Inline:
    """A worker in this very process, so that a kill ends everything at once."""

    def __init__(self, worker: str) -> None:
        self.name, self.pid = worker, os.getpid()
        self._eraser = eraser.Eraser() if worker == "eraser" else None

    @classmethod
    def start(cls, worker: str, **_more: Any) -> Inline:
        return cls(worker)

    def ask(self, message: dict[str, Any], *, tick: Any = None, **_more: Any) -> dict[str, Any]:
        STOPS.point(f"ask {self.name} {message['do']}")
        handle = prover.handle if self._eraser is None else self._eraser.handle

        def reply(said: dict[str, Any]) -> None:
            if tick is not None and "tick" in said:
                tick(*said["tick"])

        try:
            answer = handle(json.loads(json.dumps(message)), reply)
        except (UserError, Cancelled):
            raise
        except Exception as error:  # as a worker tells of a bug
            raise ChildFailed(self.name, type(error).__name__, ()) from error
        told: dict[str, Any] = json.loads(json.dumps(answer))
        return told

    def close(self) -> None:
        if self._eraser is not None:
            with contextlib.suppress(Exception):  # nobody hears a worker's last words
                self._eraser.close()


class Forked(Child):
    """A worker in a fork of this process, over a socket: as a worker is, and started at once."""

    def __init__(self, worker: str) -> None:
        self.name, self._gone = worker, False
        ours, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            ours.close()
            self._serve(worker, theirs)
        theirs.close()
        self._line, self._heard = ours, ours.makefile("rb")

    @classmethod
    def start(cls, worker: str, **_more: Any) -> Forked:
        return cls(worker)

    @staticmethod
    def _serve(worker: str, line: socket.socket) -> None:
        for number in (0, 1):
            os.dup2(line.fileno(), number)
        try:
            (eraser if worker == "eraser" else prover).main()
        finally:
            os._exit(0)

    @property
    def pid(self) -> int:
        return self._pid

    def send(self, message: Any) -> None:
        try:
            self._line.sendall(encode(message))
        except OSError as error:
            raise ChildGone(self.name) from error

    def receive(self, timeout: float | None = None) -> dict[str, Any]:
        line = self._heard.readline()
        if not line:
            raise ChildGone(self.name)
        return self._understand(line.lstrip(MARK))

    def close(self, grace: float = 5.0) -> None:
        self._line.shutdown(socket.SHUT_WR)
        os.waitpid(self._pid, 0)
        self._heard.close()
        self._line.close()


def install() -> None:
    """Wrap statements, raw writes, names in folders, messages to workers, and the act itself.

    Logs are overwritten in several writes, as long ones are: a stop may leave one half done.
    """
    rawfile._CHUNK = 1 << 16
    connect = sqlcipher3.connect
    sqlcipher3.connect = lambda *args, **more: connect(*args, factory=Watched, **more)
    for module, name in [
        (rawfile, "zero"),
        *((os, name) for name in ("rename", "replace", "link", "unlink", "fsync")),
    ]:
        _wrap(module, name)
    for name in ("run", "resume"):
        _arm_at(name)


def join_workers() -> None:
    """Their work is done in this process from here on."""
    work.Child = asking.Child = Inline  # type: ignore[misc,assignment]  # for this process


def fork_workers() -> None:
    """They are processes of their own from here on."""
    work.Child = asking.Child = Forked  # type: ignore[misc,assignment]  # for this process


def hide_others() -> None:
    """Other programs are of another user: nobody tells what they have open."""
    holders._by_proc = lambda *_: {}


def _wrap(module: Any, name: str) -> None:
    inner = getattr(module, name)

    def outer(*args: Any, **more: Any) -> Any:
        STOPS.point(f"{name} {Path(args[0]).name if isinstance(args[0], (str, Path)) else ''}")
        return inner(*args, **more)

    setattr(module, name, outer)


def _arm_at(name: str) -> None:
    inner = getattr(Erasing, name)

    def outer(*args: Any, **more: Any) -> Any:
        STOPS.arm()
        return inner(*args, **more)

    setattr(Erasing, name, outer)


# ---- what happens at a point


def kill(_path: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def move(path: Path) -> None:
    """The database alone: its log stays behind, as when a person drags one file away."""
    os.rename(path, path.with_name("moved.db"))


def replace(path: Path) -> None:
    """Another database takes its name."""
    os.rename(path, path.with_name("moved.db"))
    shutil.copyfile(path.with_name("other.db"), path)


def hard_link(path: Path) -> None:
    os.link(path, path.with_name("second-name.db"))


def link_log(path: Path) -> None:
    """A link takes the log's name, and aims at a file that is dear to somebody."""
    log = Path(f"{path}-wal")
    with contextlib.suppress(FileNotFoundError):
        os.rename(log, path.with_name("moved-wal"))
    os.symlink(path.with_name("thesis.tex"), log)


def link_folder(path: Path) -> None:
    """Its folder's name becomes a link to another folder, which has a database of that name."""
    folder = path.parent
    os.rename(folder, folder.with_name("moved-folder"))
    os.symlink(folder.with_name("trap"), folder)


def shut_down(path: Path) -> None:
    """The disk is gone, with all that it had not been told to keep: as a power cut."""
    folder = os.open(path.parent, os.O_RDONLY)
    fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", NO_FLUSH))
    os.close(folder)


ACTS = {
    act.__name__: act for act in (kill, move, replace, hard_link, link_log, link_folder, shut_down)
}
