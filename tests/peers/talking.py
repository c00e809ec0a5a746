# SPDX-License-Identifier: MIT
"""A person at Agentao's own prompt in a terminal, and a model that answers as it is told."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import pty
import re
import select
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[a-zA-Z]|\][^\x07]*\x07|[=>()][0-9A-B]?)")


class Model:
    """Speaks the protocol that Agentao calls its models by. ``turns``: answers, in order."""

    def __init__(self, turns: Sequence[dict[str, Any]]) -> None:
        self.turns = list(turns)
        self.asked: list[dict[str, Any]] = []
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                model.asked.append(json.loads(self.rfile.read(length)))
                turn = model.turns.pop(0) if model.turns else {"content": "Nothing more."}
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                end = "tool_calls" if "tool_calls" in turn else "stop"
                for delta, why in ((turn, None), ({}, end)):
                    choice = {"index": 0, "delta": delta, "finish_reason": why}
                    chunk = {
                        "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
                        "choices": [choice],
                    }  # fmt: skip
                    self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def calls(name: str, **arguments: Any) -> dict[str, Any]:
    """A turn in which the model calls a tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": "t1", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


class Talk:
    """A program in a terminal of its own (a new session with a controlling terminal)."""

    def __init__(
        self, argv: Sequence[str], folder: Path, environment: dict[str, str], inherit: Sequence[int]
    ) -> None:
        self.said = ""
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            with contextlib.suppress(BaseException):
                os.chdir(folder)
                for number in inherit:
                    os.set_inheritable(number, True)
                os.execve(argv[0], list(argv), environment)
            os._exit(127)
        self.status: int | None = None

    def wait_for(self, text: str, seconds: float = 120.0) -> str:
        """Read until the text is seen from here on; what was read. Fails with all of it."""
        limit, start = time.monotonic() + seconds, len(self.said)
        while text not in self.said[start:]:
            if time.monotonic() > limit or not self._read():
                raise AssertionError(f"never seen: {text!r} in\n{self.said[-4000:]}")
        return self.said[start:]

    def type(self, line: str) -> None:
        """A line, and the key that sends it."""
        os.write(self._terminal, line.encode())
        time.sleep(0.2)
        self._read(0.1)
        os.write(self._terminal, b"\r")

    def end(self, seconds: float = 60.0) -> int:
        """Wait for its end; its exit status."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit and self._read():
            pass
        if self.status is None:
            self.close()
            raise AssertionError(f"did not end:\n{self.said[-4000:]}")
        return self.status

    def close(self) -> None:
        if self.status is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            _, status = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(status)
        with contextlib.suppress(OSError):
            os.close(self._terminal)

    def _read(self, seconds: float = 0.2) -> bool:
        """Read what is there; False when the program has ended."""
        if select.select([self._terminal], [], [], seconds)[0]:
            try:
                data = os.read(self._terminal, 65_536)
            except OSError:
                data = b""
            if b"\x1b[6n" in data:  # where is the cursor?
                os.write(self._terminal, b"\x1b[1;1R")
            self.said += ESCAPES.sub("", data.decode("utf-8", "replace"))
            if data:
                return True
        pid, status = os.waitpid(self.pid, os.WNOHANG) if self.status is None else (0, 0)
        if pid:
            self.status = os.waitstatus_to_exitcode(status)
        return self.status is None
