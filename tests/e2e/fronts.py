# SPDX-License-Identifier: MIT
"""Window and terminal as a person meets them who opens a store: what each says of the key."""

from __future__ import annotations

import contextlib
import dataclasses
import fcntl
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PATIENCE = 60.0


def own_the_terminal() -> None:
    """In a process that has just been forked: its standard input is the terminal that it owns."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@dataclasses.dataclass
class Told:
    """How a front ended: the reason of ``key.needed`` (empty: it opened), and the words."""

    reason: str
    words: str
    seconds: float
    gap_ms: int = 0


class Terminal:
    """``memory-cli list STORE`` at a terminal of its own; a question for a key is left empty."""

    name = "terminal"

    def __init__(self, environment: Any, tmp_path: Path, store: Path) -> None:
        self._mine, theirs = pty.openpty()
        self.began = time.monotonic()
        command = [sys.executable, "-I", "-m", "memory_gui.cli", "list", str(store), "--json"]
        more = {"XDG_DATA_HOME": str(tmp_path / "data"), "LANG": "en_US.UTF-8"}
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environment, **more},
            preexec_fn=own_the_terminal,  # noqa: PLW1509 - a terminal is owned only like this
        )
        os.close(theirs)
        self.shown = b""

    def end(self) -> Told:
        until = time.monotonic() + PATIENCE
        answered = False
        while self.process.poll() is None:
            assert time.monotonic() < until, self.shown
            if select.select([self._mine], [], [], 0.05)[0]:
                with contextlib.suppress(OSError):
                    self.shown += os.read(self._mine, 4096)
            if b"passphrase for" in self.shown and not answered:
                answered = True
                time.sleep(0.2)
                os.write(self._mine, b"\n")
        out, err = (stream.read().decode() for stream in (self.process.stdout, self.process.stderr))
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        os.close(self._mine)
        spent = time.monotonic() - self.began
        document = json.loads(out)
        if self.process.returncode == 0:
            return Told("", "", spent)
        error = document["error"]
        if error["code"] == "usage.stopped":
            assert self.process.returncode == 4
            return Told("stopped", error["text"], spent)
        assert self.process.returncode == 3, out + err
        assert error["code"] == "key.needed"
        said = error["text"].splitlines()[2:]  # behind what every key that is needed says
        assert said[0] in err  # before anything is asked
        return Told(error["params"]["reason"], "\n".join(said), spent)

    def cancel(self) -> float:
        """Ctrl+C; how long it took to be gone."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)
        return time.monotonic() - began


REASONS = {
    "never opened here": "absent",
    "has no key for this store": "absent",
    "is locked": "locked",
    "refused this program": "denied",
    "No keychain answered": "unavailable",
    "Today": "unavailable",
    "does not open this store": "mismatch",
}


class Window:
    """The window itself, without a screen (the keychain's own prompt has one)."""

    name = "window"

    def __init__(self, environment: Any, tmp_path: Path, store: Path, *more: str) -> None:
        self.began = time.monotonic()
        command = [sys.executable, str(HERE / "key_page.py"), str(tmp_path / "data/memory-gui")]
        self.process = subprocess.Popen(
            [*command, str(store), *more],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**environment, "LANG": "en_US.UTF-8"},
        )

    def cancel(self) -> float:
        """Press Cancel; how long it took is told at the end."""
        assert self.process.stdin is not None
        self.process.stdin.write("now\n")
        self.process.stdin.flush()
        return 0.0

    def end(self) -> Told:
        out, err = self.process.communicate(timeout=PATIENCE * 2)
        assert self.process.returncode == 0, err
        assert "Traceback" not in err, err
        told = json.loads(out.splitlines()[-1])
        spent = time.monotonic() - self.began
        if "cancelled_s" in told:
            return Told("stopped", "", told["cancelled_s"], told["gap_ms"])
        if told["page"] == "memories":
            return Told("", "", spent, told["gap_ms"])
        assert told["page"] == "key", told
        assert told["entry"]  # the recovery key can be entered on each page
        reason = next(why for text, why in REASONS.items() if text in told["heading"])
        said = "\n".join([told["heading"], told["cause"], told["next"], *told["details"]])
        return Told(reason, said, spent, told["gap_ms"])


def at_a_terminal(environment: Any, *arguments: str) -> None:
    """Run ``memory-cli`` at a terminal of its own, to a good end."""
    mine, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, "-I", "-m", "memory_gui.cli", *arguments],
        stdin=theirs,
        capture_output=True,
        env=dict(environment),
        preexec_fn=own_the_terminal,
        timeout=PATIENCE,
        check=True,
    )
    os.close(mine)
    os.close(theirs)
