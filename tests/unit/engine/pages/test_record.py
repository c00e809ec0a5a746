# SPDX-License-Identifier: MIT
"""Which column is which, from CREATE TABLE statements as agents write them."""

import pytest

from memory_gui.engine.pages.record import Columns, columns_of, key_of


@pytest.mark.parametrize(
    ("sql", "names", "alias"),
    [
        ("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)", ("id", "v"), "id"),
        ("CREATE TABLE t (id TEXT PRIMARY KEY, v)", ("id", "v"), None),
        ('CREATE TABLE t ("a b" TEXT, [c,d] INT, `e` )', ("a b", "c,d", "e"), None),
        ("CREATE TABLE t (key TEXT, value DECIMAL(4, 2), UNIQUE(key))", ("key", "value"), None),
        (
            "CREATE TABLE t (a, b -- the , second\n, c /* x, y */, PRIMARY KEY (a, b))",
            ("a", "b", "c"),
            None,
        ),
        ("CREATE TABLE t (a TEXT DEFAULT ',)', b CHECK(b IN (1, 2)))", ("a", "b"), None),
        ("CREATE TABLE t(id integer primary key autoincrement,x)", ("id", "x"), "id"),
        ("CREATE TABLE t (id INTEGER PRIMARY KEY DESC, x)", ("id", "x"), None),
        ('CREATE TABLE t ("primary" TEXT, CONSTRAINT u UNIQUE (x), y)', ("primary", "y"), None),
        ("not sql", (), None),
    ],
)
def test_columns(sql, names, alias):
    assert columns_of(sql) == Columns(names, alias)


def test_without_rowid():
    assert columns_of("CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID").without_rowid


def test_key():
    columns = columns_of("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
    assert key_of(columns, [None, "x", "y"], 7, ("id",)) == ("7",)
    assert key_of(columns, [None, "x", "y"], 7, ("a", "b")) == ("x", "y")
    assert key_of(columns, [None, "x"], 7, ("b",)) is None
    assert key_of(columns, [None, "x", "y"], 7, ("c",)) is None
