# SPDX-License-Identifier: MIT
"""Another program with a database open: a process of its own, with its own SQLite library.

Readable databases are served by Python's ``sqlite3`` (another SQLite than ours), encrypted ones by
sqlcipher3. It shares no code with the package, so its answers are known answers.
"""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any


class PeerError(Exception):
    """What the other library said."""


class Peer:
    """The other program. ``do`` runs one statement there; ``kill`` ends it without closing."""

    def __init__(
        self, path: Path, key: str | None = None, *, command: Any = None, sets: str = ""
    ) -> None:
        """Open (or make) a database there; ``sets`` are PRAGMAs to run after the key.

        ``key`` is 64 hex digits, or a passphrase. ``command`` wraps the argv (another user).
        """
        library = "sqlite3" if key is None else "sqlcipher3"
        argv = [sys.executable, "-I", str(Path(__file__).resolve()), library]
        self.process = subprocess.Popen(
            command(argv) if command else argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
        )
        try:
            self.library = self._ask({"path": str(path), "key": key, "sets": sets})
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        return self.process.pid

    def do(self, sql: str, *params: Any) -> list[list[Any]]:
        """Run a statement and return its rows."""
        return self._ask({"sql": sql, "params": params})  # type: ignore[no-any-return]  # rows

    def many(self, sql: str, rows: list[tuple[Any, ...]]) -> None:
        """Run a statement once for each row of values."""
        self._ask({"sql": sql, "many": rows})

    def kill(self) -> None:
        """Die as by a power cut of the process: nothing is closed, logs stay."""
        self.process.send_signal(signal.SIGKILL)
        self._end()

    def close(self) -> None:
        """Close the connection and end."""
        if self.process.poll() is None:
            assert self.process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
        self._end()

    def _end(self) -> None:
        self.process.wait(30)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def _ask(self, message: dict[str, Any]) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "gone"}')
        if "error" in answer:
            raise PeerError(answer["error"])
        return answer["rows"]


def _open(library: Any, message: dict[str, Any]) -> Any:
    connection = library.connect(message["path"], isolation_level=None, timeout=0.2)
    key = message["key"]
    if key is not None:
        connection.execute("PRAGMA cipher_log_level = NONE").fetchall()
        raw = len(key) == 64 and all(c in "0123456789abcdef" for c in key)
        connection.set_key(f"x'{key}'" if raw else key)
    for statement in filter(None, message["sets"].split(";")):
        connection.execute(statement).fetchall()
    return connection


def _main() -> None:
    if sys.argv[1] == "sqlite3":
        import sqlite3 as library  # noqa: PLC0415 - one library per process
    else:
        import sqlcipher3 as library  # type: ignore[no-redef]  # noqa: PLC0415 - one of the two
    connection: Any = None
    for line in sys.stdin:
        message = json.loads(line)
        try:
            if connection is None:
                connection = _open(library, message)
                rows: Any = library.sqlite_version
            elif "many" in message:
                connection.executemany(message["sql"], message["many"])
                rows = []
            else:
                rows = connection.execute(message["sql"], message["params"]).fetchall()
            answer = {"rows": rows}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    if connection is not None:
        connection.close()


if __name__ == "__main__":
    _main()
