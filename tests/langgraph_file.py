# SPDX-License-Identifier: MIT
"""A file that LangGraph's store and its checkpoints share, made of the samples of each."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data" / "langgraph"
MAKE = """
import sqlite3, sys
whole, store = sys.argv[1:]
file, other = sqlite3.connect(whole), sqlite3.connect(store)
made = "SELECT type, name, sql FROM sqlite_master WHERE sql NOT NULL"
for kind, name, sql in other.execute(made).fetchall():
    file.execute(sql)
    for row in other.execute(f"SELECT * FROM {name}").fetchall() if kind == "table" else ():
        file.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
file.commit()
file.close()
"""


@cache
def _made() -> bytes:
    """By the standard library in another process; once."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "app.db"
        whole.write_bytes((DATA / "checkpoints.sqlite").read_bytes())
        store = Path(folder) / "store.sqlite"
        store.write_bytes((DATA / "store-with-vectors.sqlite").read_bytes())
        subprocess.run([sys.executable, "-I", "-c", MAKE, str(whole), str(store)], check=True)
        return whole.read_bytes()


def one_file(folder: Path) -> Path:
    """In a folder: 31 items, 3 threads, 3 vectors left over."""
    path = folder / "app.db"
    path.write_bytes(_made())
    return path
