# SPDX-License-Identifier: MIT
"""The contract, kept by notes in text files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import Bench, ChangingContract

from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.notes.format import NotesFormat

PROJECT = (
    "The office moved to the third floor.\n\nBuild with make.\nNever push on Fridays.\n\n"
    "最后一条笔记。\n\nThe office moved to the third floor.\n"
)
USER = "Likes short answers.\r\n\r\nLives in Bremen.\r\n"


def bench_over(folder: Path, fields: dict[str, str]) -> Iterator[Bench]:
    format_ = NotesFormat()
    opened: list[Store] = []

    def open_one(mode: Mode) -> Store:
        opened.append(format_.open(Location((folder.resolve(),)), None, mode))
        return opened[-1]

    yield Bench(open_one, "note", fields)
    for store in opened:
        store.close()


class TestNotes(ChangingContract):
    """Two files and a session."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        (tmp_path / "project.md").write_bytes(PROJECT.encode())
        (tmp_path / "user.md").write_bytes(USER.encode())
        (tmp_path / "sessions").mkdir()
        (tmp_path / "sessions" / "2026-10-01.json").write_text('{"messages": ["Guten Tag"]}')
        yield from bench_over(tmp_path, {"text": "One more note.", "type": "project"})


class TestOneFile(ChangingContract):
    """A file that was named by itself, with CR LF, a byte order mark and no final newline."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        data = "\ufeffeins\r\nzwei\r\n\r\n\r\ndrei\r\n\r\nvier\r\n\r\nfünf".encode()
        (tmp_path / "user.md").write_bytes(data)
        yield from bench_over(tmp_path / "user.md", {"text": "sechs"})
