# SPDX-License-Identifier: MIT
"""Databases made by other programs, and the bytes of all their files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.keys import RawKey

KEY = "5eed" * 16
SIDES = ("", "-wal", "-shm", "-journal")


@pytest.fixture
def key() -> RawKey:
    return RawKey.from_hex(KEY)


@pytest.fixture
def make(peer: Any) -> Callable[..., Path]:
    """Make a database of 60 rows in another process; it is closed unless it shall be left open."""

    def run(
        path: Path, secret: str | None = None, journal: str = "delete", *, sets: str = ""
    ) -> Path:
        other = peer(path, secret, sets=sets)
        other.do(f"PRAGMA journal_mode = {journal}")
        other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE)")
        other.many(
            "INSERT INTO notes (body) VALUES (?)",
            [(f"note {n} 记忆 " + "x" * (n * 37 % 900),) for n in range(60)],
        )
        other.close()
        return path

    return run


@pytest.fixture
def left(peer: Any, make: Callable[..., Path]) -> Callable[..., Path]:
    """Make a WAL database whose writer died: committed rows are in the log only.

    60 rows in the file; then row 1 changed, row 2 deleted, 30 added, and 40 more not committed.
    """

    def run(path: Path, secret: str | None = None, *, sets: str = "") -> Path:
        make(path, secret, "wal", sets=sets)
        other = peer(path, secret, sets=sets)
        other.do("PRAGMA wal_autocheckpoint = 0")
        other.do("UPDATE notes SET body = 'changed' WHERE id = 1")
        other.do("DELETE FROM notes WHERE id = 2")
        other.many("INSERT INTO notes (body) VALUES (?)", [(f"late {n}",) for n in range(30)])
        other.do("PRAGMA cache_size = 1")
        other.do("BEGIN IMMEDIATE")
        other.many(
            "INSERT INTO notes (body) VALUES (?)", [(f"never {n}" * 500,) for n in range(40)]
        )
        other.kill()
        return path

    return run


@pytest.fixture
def files() -> Callable[[Path], dict[str, bytes]]:
    """The bytes of a database and its sidecars; read only while nothing has them open here."""

    def read(path: Path) -> dict[str, bytes]:
        found = {}
        for suffix in SIDES:
            side = Path(f"{path}{suffix}")
            if side.exists():
                found[suffix] = side.read_bytes()
        return found

    return read


@pytest.fixture
def flip() -> Callable[[Path, int], None]:
    """Change one bit of a file."""

    def run(path: Path, offset: int) -> None:
        with path.open("r+b") as stream:
            stream.seek(offset)
            byte = stream.read(1)
            stream.seek(offset)
            stream.write(bytes([byte[0] ^ 1]))

    return run
