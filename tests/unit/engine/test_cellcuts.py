# SPDX-License-Identifier: MIT
"""Bytes go from a cell of a row that stays, in its type; a cell that was changed is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_gui.domain.erasing import CellCut
from memory_gui.domain.errors import UserError
from memory_gui.domain.filecuts import FileCut, KeptSpan, without
from memory_gui.engine.cellcuts import cut_cell
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.engine.database import Connection
from memory_gui.engine.heard import Heard
from memory_gui.erasure.filecuts import cut_from, cut_message, kept_after, merge_files


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Connection]:
    """One row with a text and a BLOB."""
    path = tmp_path / "one.db"
    sql = "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT, b BLOB, n INTEGER);"
    create_database(path, None, f"{sql}INSERT INTO t VALUES ('k', 'a 银杏 z', x'00ff10', 7)")
    with open_database(path, None, write=True) as connection:
        yield connection


def cut(database: Connection, column: str, size: int, *puts: tuple[int, int, str]) -> int:
    """One cut."""
    cell = CellCut("t", ("id",), ("k",), column, size, puts)
    return cut_cell(database, Heard(database), cell)


def test_the_type_stays(database: Connection) -> None:
    assert cut(database, "a", 10, (2, 8, "")) == 1
    assert cut(database, "b", 3, (1, 2, "4142")) == 1
    rows = database.execute("SELECT a, typeof(a), b, typeof(b) FROM t")
    assert rows == [("a  z", "text", b"\x00AB\x10", "blob")]


def test_a_cell_of_another_size_is_refused(database: Connection) -> None:
    with pytest.raises(UserError, match=r"erase\.cell_changed"):
        cut(database, "a", 9, (2, 8, ""))
    assert database.execute("SELECT a FROM t") == [("a 银杏 z",)]


def test_a_row_that_is_gone_is_none(database: Connection) -> None:
    cell = CellCut("t", ("id",), ("other",), "a", 10)
    assert cut_cell(database, Heard(database), cell) == 0


def test_a_cell_becomes_a_value(database: Connection) -> None:
    for column, size, into in (("a", 10, None), ("b", 3, "{}"), ("n", 1, 3)):
        cell = CellCut("t", ("id",), ("k",), column, size, into=into)
        assert cut_cell(database, Heard(database), cell) == 1
    assert database.execute("SELECT a, b, n FROM t") == [(None, "{}", 3)]


class TestFiles:
    """Cuts and what is put in the places of numbers."""

    FILE = FileCut(
        "/x", (1, 2, 10, 4), ((2, 4),), kept=(KeptSpan(6, 8, "a"),), puts=((4, 5, "4142"),)
    )

    def test_both_are_made(self) -> None:
        assert without(b"0123456789", self.FILE.cuts, self.FILE.puts) == b"01AB56789"
        assert self.FILE.size_after == 9

    def test_kept_records_move_with_them(self) -> None:
        assert kept_after(self.FILE) == (KeptSpan(5, 7, "a"),)

    def test_a_note_has_them_again(self) -> None:
        assert cut_from(cut_message(self.FILE)).puts == self.FILE.puts

    def test_two_plans_with_other_numbers_are_not_one(self) -> None:
        other = FileCut("/x", (1, 2, 10, 4), ((7, 8),), puts=((4, 5, "43"),))
        with pytest.raises(UserError, match=r"erase\.unfinished"):
            merge_files([self.FILE], [other])
        more = FileCut("/x", (1, 2, 10, 4), ((2, 4), (7, 8)), puts=((4, 5, "43"),))
        assert merge_files([self.FILE], [more])[0].puts == more.puts
