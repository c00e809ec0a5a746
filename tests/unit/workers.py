# SPDX-License-Identifier: MIT
"""Workers that are ready at once: forks of a process that has loaded what they need.

A worker is a process of its own as it is in the app (its pipes, its descriptors, its session, the
same ``main``); only reading its modules anew is left out, which costs more than most of what a test
has it do. Run as a program (``workers.py NUMBER`` of a socket) it is that process: one line
``start MODULE`` with two descriptors, or ``end PID``; it answers with a number.
``tests/unit/process`` starts workers as the app does.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import IO, Any

MODULES = (
    "memory_gui.erasure.eraser",
    "memory_gui.erasure.prover",
    "memory_gui.rotation.rotator",
)
MOST = 4096


class Workers:
    """The process that is forked, in the life of a test run. ``popen`` is what starts a child."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line, self._lock = ours, threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-I", __file__, str(theirs.fileno())],
            pass_fds=(theirs.fileno(),),
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1"},
        )
        theirs.close()

    def subprocess(self) -> SimpleNamespace:
        """In the place of that module, where a child process is started."""
        return SimpleNamespace(
            **{name: getattr(subprocess, name) for name in ("PIPE", "DEVNULL", "TimeoutExpired")},
            Popen=self.popen,
        )

    def popen(self, argv: list[str], **more: Any) -> Any:
        """A worker by a fork, any other program as it is started anyway."""
        plain = more.get("stderr") == subprocess.DEVNULL and len(more["env"]) == 2
        if argv[:3] != [sys.executable, "-I", "-m"] or argv[3] not in MODULES or not plain:
            return subprocess.Popen(argv, **more)
        (source, stdin), (stdout, sink) = os.pipe(), os.pipe()
        pid = self.ask(f"start {argv[3]}", source, sink)
        os.close(source)
        os.close(sink)
        return Forked(self, argv, pid, os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"))

    def ask(self, line: str, *numbers: int) -> int:
        """Say a line, and return the number that comes back."""
        with self._lock:
            socket.send_fds(self._line, [line.encode()], numbers)
            return int(self._line.recv(MOST))

    def close(self) -> None:
        self._line.close()
        self._process.wait(60)


class Forked:
    """What ``Child`` needs of a ``Popen``."""

    def __init__(
        self, workers: Workers, argv: list[str], pid: int, stdin: IO[bytes], stdout: IO[bytes]
    ) -> None:
        self.args, self.pid, self.stdin, self.stdout = argv, pid, stdin, stdout
        self.returncode: int | None = None
        self._workers, self._handle = workers, os.pidfd_open(pid)
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            ended, _, _ = select.select([self._handle], [], [], timeout)
            if not ended:
                raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
            with self._lock:
                if self.returncode is None:
                    self.returncode = self._workers.ask(f"end {self.pid}")
                    os.close(self._handle)
        return self.returncode

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def terminate(self) -> None:
        self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        with self._lock:
            if self.returncode is None:
                signal.pidfd_send_signal(self._handle, number)


def begin(module: str, numbers: list[int], line: socket.socket) -> int:
    pid = os.fork()
    if pid:
        for number in numbers:
            os.close(number)
        return pid
    status = 1
    try:
        line.close()
        os.setsid()
        for place, number in enumerate((*numbers, os.open(os.devnull, os.O_RDWR))):
            os.dup2(number, place)
            os.close(number)
        importlib.import_module(module).main()
        status = 0
    finally:
        os._exit(status)


def main() -> None:
    line = socket.socket(fileno=int(sys.argv[1]))
    for name in (*MODULES, "memory_gui.engine.pages.bulk"):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    while True:
        said, numbers, _, _ = socket.recv_fds(line, MOST, 2)
        if not said:
            return
        act, what = said.decode().split()
        if act == "start":
            answer = begin(what, list(numbers), line)
        else:
            answer = os.waitstatus_to_exitcode(os.waitpid(int(what), 0)[1])
        line.send(str(answer).encode())


if __name__ == "__main__":
    main()
