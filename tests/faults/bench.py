# SPDX-License-Identifier: MIT
"""Erases by ``memory-cli``'s own code, many a minute: a process that has everything loaded, and has
erased a store of its own once, and is forked for each trial. Run as a program; ``trials.py`` talks
with it. (SQLite and OpenSSL draw new random numbers in each fork; no connection is open then.)

One JSON object a line in, one out. ``{"do": "erase", …}`` runs the verb with the workers in the
same process, so that a kill ends everything at once (``apart``: each in a fork of its own;
``unseen``: other programs are seen by their locks alone). ``at`` and
``act`` name what happens to it and at which point (``stops.py``). With ``hold`` it waits at the
first point for a line ``go``.
"""

from __future__ import annotations

import gc
import importlib.util
import io
import json
import os
import resource
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import agentstore  # noqa: E402 - beside this file
import stops  # noqa: E402 - beside this file

from memory_gui import lazy  # noqa: E402
from memory_gui.terminal import session  # noqa: E402
from memory_gui.terminal.run import run  # noqa: E402

LIMIT_S = 120
FOLDERS = (
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR",
)


def file_keychain() -> Any:
    file = HERE.parent / "rig/keyfile.py"
    spec = importlib.util.spec_from_file_location("keyfile", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.FileKeychain


KEYCHAIN = file_keychain()


class Wait:
    """The child's end of a trial that waits at its first point."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line

    def __call__(self) -> None:
        self._line.sendall(b"armed\n")
        self._line.recv(1)


def erase(message: dict[str, Any], wait: Callable[[], None]) -> dict[str, Any]:
    """``memory-cli erase`` with a home, a runtime folder and, where ``chain`` is, a keychain."""
    place, path = Path(message["place"]), Path(message["path"])
    home = Path(message.get("home") or place / "home")
    os.environ["HOME"] = str(home)
    for name in FOLDERS:
        os.environ[name] = str((place if "RUNTIME" in name else home) / name.lower())
        if not Path(os.environ[name]).is_dir():
            Path(os.environ[name]).mkdir(mode=0o700, parents=True)
    words = ["erase", str(path), *message["words"], "--json", "--yes"]
    for option in ("--key-fd", "--new-key-fd"):
        if option in message:
            words += [option, str(_given(message[option]))]
    if "chain" in message:
        session.Keychain = lambda **_: KEYCHAIN(Path(message["chain"]))  # type: ignore[assignment,misc]
        session.Session._scripts_may = lambda _: True  # type: ignore[method-assign]
    else:
        words.append("--no-keychain")
    stops.fork_workers() if message.get("apart") else stops.join_workers()
    if message.get("unseen"):
        stops.hide_others()
    act = stops.ACTS[message.get("act", "kill")]
    stops.STOPS.prepare(int(message.get("at", 0)), lambda: act(path), wait)
    out, err = io.StringIO(), io.StringIO()
    status = run(words, session.Streams(io.StringIO(), _Said(out), _Said(err)), os.environ)
    try:
        said = json.loads(out.getvalue() or "{}")
    except ValueError as error:
        raise AssertionError(out.getvalue()[-3000:] + err.getvalue()[-1000:]) from error
    return {"exit": status, "said": said, "err": err.getvalue()[-800:], "points": stops.STOPS.names}


class _Said:
    """A stream into a string that no person reads."""

    encoding = "utf-8"

    def __init__(self, inner: io.StringIO) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return 2


def _given(key: str) -> int:
    source, sink = os.pipe()
    os.write(sink, key.encode())
    os.close(sink)
    return source


def trial(message: dict[str, Any]) -> None:
    """Fork, do it there, and print how it ended."""
    ours, theirs = socket.socketpair()  # a write to it is no write to a file
    pid = os.fork()
    if pid == 0:
        ours.close()
        _child(message, theirs)
    theirs.close()
    with ours:
        print(json.dumps(_answer(message, pid, ours)), flush=True)


def _child(message: dict[str, Any], line: socket.socket) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    status = 1
    try:
        wait = Wait(line) if message.get("hold") else (lambda: None)
        line.sendall(json.dumps(erase(message, wait)).encode() + b"\n")
        status = 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        sys.stderr.flush()
        os._exit(status)


def _answer(message: dict[str, Any], pid: int, line: socket.socket) -> dict[str, Any]:
    line.settimeout(LIMIT_S)
    data = b""
    while True:
        try:
            piece = line.recv(65536)
        except TimeoutError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return {"status": "silent"}
        if piece == b"armed\n" and message.get("hold"):
            print(json.dumps({"armed": pid}), flush=True)
            sys.stdin.readline()
            line.sendall(b"g")
        elif piece:
            data += piece
        else:
            break
    _, status = os.waitpid(pid, 0)
    answer: dict[str, Any] = json.loads(data) if data else {}
    return {"status": os.waitstatus_to_exitcode(status), **answer}


def warm_up() -> None:
    """Erase once, so that what is read, compiled and looked up once is not so in every trial."""
    for load in (lazy.psutil, lazy.index, lazy.index_prints, lazy.cryptography_ciphers):
        load()
    stops.install()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        agentstore.made(path, None, "wal")
        words = list(agentstore.TARGET_IDS)
        answer = erase({"place": folder, "path": path, "words": words}, lambda: None)
    assert answer["exit"] == 0, answer
    assert threading.active_count() == 1, threading.enumerate()
    stops.STOPS.forget()
    gc.collect()
    gc.freeze()  # so that counting references copies no pages


def main() -> None:
    warm_up()
    for line in sys.stdin:
        trial(json.loads(line))


if __name__ == "__main__":
    main()
