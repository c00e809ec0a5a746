# SPDX-License-Identifier: MIT
"""Cells that are read many at once are those that are read row by row."""

import pytest

from memory_gui.engine.connection import open_database
from memory_gui.stores.sql.cells import numbers_and_prints, print_of
from memory_gui.stores.sql.table import Table, codec_of


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_texts_are_what_the_rows_show(tmp_path, peer, encoding):
    path = tmp_path / "a.db"
    other = peer(path, sets=f"PRAGMA encoding = '{encoding}'")
    other.do("CREATE TABLE t (a, b)")
    other.do(
        "INSERT INTO t VALUES ('plain', 'Größe 记忆'), (NULL, 7), (2.5, 1e300), ('', x'00ff41'),"
        " (CAST(x'c328' AS TEXT), x'e8aeb0'), ('rowid', char(0) || 'x')"
    )
    other.do("DELETE FROM t WHERE a = 'rowid'")
    other.do("WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
             " INSERT INTO t SELECT 'more ' || i, i FROM n")  # fmt: skip
    other.close()
    with open_database(path, None, write=False) as connection:
        table = Table(connection, "t", codec_of(connection))
        names = ("b", "not there", "a")
        rows = [row for batch in table.batches() for row in batch]
        numbers, cells = [], []
        for some, texts in table.texts(names):
            numbers += some
            cells += [text.decode(errors="backslashreplace") for text in texts]
    assert numbers == [row.rowid for row in rows]
    assert cells == [row.text(name) for row in rows for name in names]
    assert len(numbers) == 3005


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le"])
def test_rows_read_the_quick_way_are_exactly_those_read_with_care(tmp_path, peer, encoding):
    """Whatever is in a column of texts, a number under a changed declaration included."""
    path = tmp_path / "a.db"
    other = peer(path, sets=f"PRAGMA encoding = '{encoding}'")
    other.do("CREATE TABLE t (a TEXT COLLATE NOCASE, b text, c INTEGER, d, e TEXT COLLATE RTRIM)")
    cells = ("'x'", "''", "NULL", "7", "2.5", "x''", "x'00ff'", "CAST(x'c328' AS TEXT)", "'  '")
    others = " UNION ALL ".join(f"SELECT {cell} AS v" for cell in cells)
    for column in "abcde":
        other.do(f"INSERT INTO t ({column}) SELECT v FROM ({others})")
    other.do("CREATE TABLE n (a, b TEXT)")
    other.do(f"INSERT INTO n SELECT v, 'b' FROM ({others})")
    other.do("PRAGMA writable_schema = ON")
    other.do("UPDATE sqlite_schema SET sql = 'CREATE TABLE n (a TEXT, b TEXT)' WHERE name = 'n'")
    other.close()
    with open_database(path, None, write=False) as connection:
        for name in ("t", "n"):
            table = Table(connection, name, codec_of(connection))
            assert table._quick
            quick = [row for batch in table.raw_batches() for row in batch]
            careful = [row for batch in table.raw_batches(chosen=table._list) for row in batch]
            assert repr(quick) == repr(careful)
            assert {type(cell) for row in quick for cell in row[2:]} >= {bytes, float, int}


def test_a_row_has_one_print_however_it_is_read(tmp_path, peer):
    path = tmp_path / "a.db"
    other = peer(path)
    other.do("CREATE TABLE t (a TEXT, b TEXT)")
    other.do("INSERT INTO t VALUES ('x', NULL), ('', 'y'), (NULL, ''), ('x', 'y')")
    with open_database(path, None, write=False) as connection:
        table = Table(connection, "t", codec_of(connection))
        for odd in ("", "INSERT INTO t VALUES (x'78', NULL), (x'', 'y'), (x'', ''), ('x', x'79')"):
            if odd:
                other.do(odd)
            (rows,) = table.raw_batches()
            assert table.texts_alone is not bool(odd)
            numbers, prints = numbers_and_prints(rows, texts=table.texts_alone)
            single = [table.printed("rowid = ?", (number,))[0][1] for number in numbers]
            assert list(prints) == single
            assert len({print_of((0, *row[1:])) for row in rows}) == len(rows)
    other.close()
