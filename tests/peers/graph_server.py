# SPDX-License-Identifier: MIT
"""The MCP reference server-memory itself, started over stdio: what it reads is what counts."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

PEER = Path(__file__).parent.parent.parent / "packaging" / "peer-node"


class ServerError(Exception):
    """The server refused a call."""


def start_file() -> Path:
    """What Node is to run; made when it is not there, or a named skip."""
    result = subprocess.run(
        [PEER, "server-memory"], capture_output=True, text=True, check=False, timeout=240
    )
    if result.returncode == 3:
        pytest.skip(f"server-memory 2026.8.31: {result.stderr.strip().splitlines()[-1]}")
    assert result.returncode == 0, result.stderr
    return Path(result.stdout.strip())


class GraphServer:
    """A running server over one file. It reads the file anew at each call."""

    def __init__(self, script: Path, path: Path) -> None:
        self.path = path
        environment = {"PATH": os.environ["PATH"], "MEMORY_FILE_PATH": str(path)}
        self._process = subprocess.Popen(
            ["node", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            cwd=path.parent,
            env={**environment, "HOME": str(path.parent)},
        )
        self._number = 0
        client = {"name": "judge", "version": "1"}
        self._ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
        )
        self._send({"method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool; its structured answer."""
        answer = self._ask("tools/call", {"name": tool, "arguments": arguments})
        if answer.get("isError"):
            raise ServerError(answer["content"][0]["text"])
        return answer["structuredContent"]

    def graph(self) -> dict[str, Any]:
        """Everything that it reads."""
        return dict(self.call("read_graph"))

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(60)
        self._process.stdout.close()

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        while True:
            line = self._process.stdout.readline()
            assert line, "the server has ended"
            message = json.loads(line)
            if message.get("id") == self._number:
                break
        if "error" in message:
            raise ServerError(message["error"]["message"])
        return dict(message["result"])

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()
