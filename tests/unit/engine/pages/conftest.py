# SPDX-License-Identifier: MIT
"""Database files made by SQLite in another process, and our reader on them."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.keys import Key
from memory_gui.engine.pages.cipher import find_cipher
from memory_gui.engine.pages.file import PageFile
from memory_gui.engine.pages.survey import Survey


@pytest.fixture
def survey() -> Iterator[Callable[..., Survey]]:
    """Open a file and walk it; closed afterwards."""
    files: list[PageFile] = []

    def run(path: Path, key: Key | None = None) -> Survey:
        descriptor = os.open(path, os.O_RDONLY)
        cipher = None if key is None else find_cipher(key, os.pread(descriptor, 65536, 0))
        files.append(PageFile(descriptor, cipher, str(path)))
        found = Survey(files[-1])
        for _ in found.walk():
            pass
        return found

    yield run
    for file in files:
        file.close()


@pytest.fixture
def tree_of() -> Callable[[Survey, str], int]:
    def find(survey: Survey, name: str) -> int:
        return next(n for n, tree in enumerate(survey.trees) if tree.name == name)

    return find


@pytest.fixture
def mixed(peer: Any) -> Callable[..., list[tuple[int, str]]]:
    """Make a table with an index, long and short values and holes; its rows by SQLite."""

    def run(path: Path, secret: str | None = None, sets: str = "") -> list[tuple[int, str]]:
        other = peer(path, secret, sets=sets)
        other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, size INTEGER)")
        other.do("CREATE INDEX by_body ON notes (body)")
        rows = [(n, f"{n}记忆" + "x" * (n * n * 7 % 9000), n % 5) for n in range(1, 200)]
        other.do("BEGIN")
        other.many("INSERT INTO notes VALUES (?, ?, ?)", rows)
        other.do("COMMIT")
        other.do("DELETE FROM notes WHERE id % 3 = 0")
        found = [(int(n), str(body)) for n, body in other.do("SELECT id, body FROM notes")]
        other.close()
        return found

    return run
