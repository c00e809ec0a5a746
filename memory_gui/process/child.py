# SPDX-License-Identifier: MIT
"""The parent's side of a child process: start it bare, send it lines, notice when it is gone.

Keys and texts travel through the pipes only, never through argv or the environment.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import IO, Any, Final, Self

from memory_gui.domain.errors import Cancelled, MemoryGuiError, UserError
from memory_gui.domain.work import CancelToken, Tick, no_tick
from memory_gui.process.names import WORKERS

MARK: Final = b"\x1e"
"""Begins each of our lines (as in RFC 7464); whatever else a child prints is passed over."""

_POLL_S: Final = 0.2


class ChildGone(UserError):  # noqa: N818 - says what happened
    """The child ended before it answered: it was killed, crashed, or could not start."""

    def __init__(self, worker: str, exit_code: int | None = None) -> None:
        super().__init__("process.gone", worker=worker)
        self.exit_code = exit_code


class ChildSilent(UserError):  # noqa: N818 - says what happened
    """The child is alive but did not answer in time. It still runs: wait again, or ``kill`` it."""

    def __init__(self, worker: str, seconds: float) -> None:
        super().__init__("process.silent", worker=worker, seconds=seconds)


class ChildFailed(MemoryGuiError):  # noqa: N818 - says what happened
    """A bug in the child: the type of its error and where it was raised, never the error's text."""

    def __init__(self, worker: str, kind: str, where: Sequence[str]) -> None:
        super().__init__(f"{worker}: {kind} at {' < '.join(where)}")
        self.worker = worker
        self.kind = kind
        self.where = tuple(where)


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)


def command(worker: str) -> list[str]:
    """The argv of a worker: ``python -I -m module``, in a bundle ``program --worker NAME``."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--worker", worker]
    return [sys.executable, "-I", "-m", WORKERS[worker]]


def encode(message: Mapping[str, Any]) -> bytes:
    """A message as one line. JSON escapes control characters, so MARK is in it only once.

    Made piece by piece: the texts of an erase of thousands, in one call, would hold up all threads.
    """
    pieces = _ENCODER.iterencode(message)
    return b"".join((MARK, *(one.encode("utf-8", "surrogatepass") for one in pieces), b"\n"))


def bare_environment(more: Mapping[str, str]) -> dict[str, str]:
    """Only what a process needs to run at all, and what the caller names."""
    bare = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    if "SYSTEMROOT" in os.environ:
        bare["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    return {**bare, **more}


class Child:
    """One child process. One thread at a time may use it; ``kill`` may be called from any."""

    def __init__(
        self, name: str, argv: Sequence[str], environment: Mapping[str, str], *, loud: bool = False
    ) -> None:
        """Start ``argv``. ``loud`` lets its stderr through, for tests and developers."""
        self.name = name
        self._process = subprocess.Popen(  # noqa: S603 - our own argv, no shell
            list(argv),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if loud else subprocess.DEVNULL,
            cwd="/",
            env=bare_environment(environment),
            close_fds=True,
            start_new_session=True,  # Ctrl-C in a terminal must not end an erase half-way
        )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._gone = False
        self._reader = threading.Thread(
            target=self._read_lines, name=f"child-{name}-{self.pid}", daemon=True
        )
        self._reader.start()

    @classmethod
    def start(cls, worker: str, *, environment: Mapping[str, str] = MappingProxyType({})) -> Child:
        """Start one of WORKERS with ``environment`` and nothing else of ours.

        Raises:
            ChildGone: when the program cannot be started.
        """
        try:
            return cls(worker, command(worker), environment)
        except OSError as error:
            raise ChildGone(worker) from error

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one message.

        Raises:
            ChildGone: when nobody reads any more.
        """
        line = encode(message)
        stream = self._process.stdin
        assert stream is not None  # noqa: S101 - for the type checker: Popen was given PIPE
        try:
            stream.write(line)
            stream.flush()
        except (OSError, ValueError) as error:
            raise ChildGone(self.name, self._process.poll()) from error

    def receive(self, timeout: float | None = None) -> dict[str, Any]:
        """The next message, waiting at most ``timeout`` seconds (None: for ever).

        Raises:
            ChildGone: it ended. ChildSilent: nothing came in time. ChildFailed: it has a bug.
            UserError, Cancelled: raised in the child.
        """
        if self._gone:
            raise ChildGone(self.name, self._process.poll())
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise ChildSilent(self.name, timeout or 0.0) from None
        if line is None:
            self._gone = True
            raise ChildGone(self.name, self.wait(1.0))
        return self._understand(line)

    def ask(
        self,
        message: Mapping[str, Any],
        timeout: float | None = None,
        *,
        tick: Tick = no_tick,
        cancel: CancelToken | None = None,
    ) -> dict[str, Any]:
        """Send, hand on progress, and return the answer.

        ``timeout`` (seconds) is the longest silence. ``cancel`` kills the child: give it only
        where the work may end anywhere.

        Raises:
            As ``receive``; Cancelled when asked to stop.
        """
        self.send(message)
        heard = time.monotonic()
        while True:
            if cancel is not None and cancel.cancelled:
                self.kill()
                raise Cancelled
            left = None if timeout is None else heard + timeout - time.monotonic()
            if left is not None and left <= 0:
                raise ChildSilent(self.name, timeout or 0.0)
            wait = left if cancel is None else min(_POLL_S, left if left is not None else _POLL_S)
            try:
                answer = self.receive(wait)
            except ChildSilent:
                continue
            if "tick" not in answer:
                return answer
            heard = time.monotonic()
            step, done, total = answer["tick"]
            tick(str(step), int(done), int(total))

    def kill(self) -> None:
        """End it at once, and reap it."""
        self._process.kill()
        self._process.wait()

    def terminate(self) -> None:
        """Ask it to end (SIGTERM; on Windows as ``kill``) and do not wait. Any thread."""
        self._process.terminate()

    def wait(self, timeout: float | None = None) -> int | None:
        """Its exit code, or None when it still runs after ``timeout`` seconds."""
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None

    def close(self, grace: float = 5.0) -> None:
        """Close its input, which ends it when it is idle; after ``grace`` seconds kill it."""
        _close(self._process.stdin)
        if self.wait(grace) is None:
            self.kill()
        # A grandchild may hold the pipe open: then the (daemon) reader is left behind.
        self._reader.join(1.0)
        if not self._reader.is_alive():
            _close(self._process.stdout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._process.kill()
        self.close()

    def _read_lines(self) -> None:
        stream = self._process.stdout
        assert stream is not None  # noqa: S101 - for the type checker: Popen was given PIPE
        try:
            for line in stream:
                _, mark, ours = line.partition(MARK)
                if mark:
                    self._lines.put(ours)
        finally:
            self._lines.put(None)

    def _understand(self, line: bytes) -> dict[str, Any]:
        try:
            message = json.loads(line.decode("utf-8", "surrogatepass"))
        except ValueError:
            message = None
        if not isinstance(message, dict):
            # Half a line: it was killed while it wrote.
            self._gone = True
            raise ChildGone(self.name, self.wait(1.0))
        if "error" in message:
            raise UserError(message["error"]["code"], **message["error"]["params"])
        if "cancelled" in message:
            raise Cancelled
        if "bug" in message:
            raise ChildFailed(self.name, message["bug"]["kind"], message["bug"]["where"])
        return message


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None:
        try:
            stream.close()
        except OSError:
            return  # closing flushes, and nobody reads any more
