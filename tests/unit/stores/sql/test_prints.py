# SPDX-License-Identifier: MIT
"""Prints of rows: the same while a row is, another when any cell has another value or type."""

import pytest

from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.stores.sql.cells import numbers_and_prints, print_of, select_list

CELLS = ("1", "1.0", "'1'", "x'31'", "NULL", "''", "x''", "0", "0.0", "1.5", "'é'", "x'c3a9'")


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "some.db"
    script = "".join(f"INSERT INTO t VALUES ({cell}, 'same');" for cell in CELLS)
    create_database(path, None, f"CREATE TABLE t (a, b); {script}")
    with open_database(path, None, write=False) as connection:
        return connection.execute(f"SELECT {select_list(('a', 'b'))} FROM t")


def test_values_and_types_are_told_apart(rows):
    assert len({print_of((1, *row[1:])) for row in rows}) == len(CELLS)


def test_many_at_once_have_the_prints_that_each_has(rows):
    plain = [row for row in rows if not isinstance(row[2], float)]
    for some in (rows, plain):
        numbers, prints = numbers_and_prints(some)
        assert list(numbers) == [row[0] for row in some]
        assert list(prints) == [print_of(row) for row in some]
