# SPDX-License-Identifier: MIT
"""What is left of pointers in UTF-16 files is told from letters by the cells that were moved."""

import random
from pathlib import Path

import pytest
import sqlcipher3

from memory_gui.engine.pages import survey as roles
from memory_gui.engine.pages.btree import PageMap
from memory_gui.engine.pages.moved import are_of_moved
from memory_gui.engine.pages.repeats import Repeats

ENCODINGS = {"UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}
LENGTHS = [201, 102, 975, 89, 157, 1033, 135, 285, 317]
POINTERS = (1520, 352, 1385, 67)
"""Of the cells of 157 to 285 bytes, in a page whose first cell begins at 1677: as measured."""
WORDS = ("записка", "αβγδεζη", "note to", "zq!kv")


def make(path: Path, peer, encoding: str) -> None:
    """A schema of several pages, each of them divided while VACUUM writes it anew."""
    chance = random.Random(3)
    other = peer(path, sets=f"PRAGMA encoding='{encoding}'; PRAGMA secure_delete=ON")
    for number in range(26):
        columns = (f"c{i}_{'x' * chance.randrange(1, 12)} TEXT" for i in range(1 + number % 17))
        other.do(f"CREATE TABLE t{number}({', '.join(columns)})")
    other.do("INSERT INTO t0 VALUES ('first'), ('second')")
    other.do("VACUUM")
    other.close()


def leaf_with_room(found, tree: int) -> tuple[int, int]:
    """(page, where its array of pointers ends) of a leaf with room behind it, and nothing there."""
    for number in range(1, len(found.role)):
        if found.role[number] == roles.TREE and found.owner[number] == tree:
            page = found.file.page(number)
            parts = found.map_of(page, number)
            end = 8 + 2 * len(parts.cells)
            if parts.kind == 13 and not any(page[end : end + 100]):
                return number, end
    raise AssertionError


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_pointers_of_a_vacuum_do_not_count_and_letters_do(
    tmp_path, peer, survey, tree_of, encoding
):
    path = tmp_path / "a.db"
    make(path, peer, encoding)
    found = survey(path)
    pages = [n for n in range(2, len(found.role)) if found.role[n] == roles.TREE]
    doubted = [found.map_of(found.file.page(n), n).doubted for n in pages]
    assert max(map(len, doubted)) > 4  # else this shows nothing
    assert not found.residue.places
    assert not found.residue.unreadable
    clean = path.read_bytes()
    for tree in ("t0", "sqlite_schema"):
        number, end = leaf_with_room(found, tree_of(found, tree))
        at = (number - 1) * found.file.header.page_size + end
        for word in WORDS:
            text = word.encode(ENCODINGS[encoding])
            path.write_bytes(clean[:at] + text + clean[at + len(text) :])
            assert survey(path).residue.places.get("gaps", 0) > 0, (tree, word)


def test_pointers_to_cells_that_were_moved():
    assert are_of_moved(POINTERS, 1677, 4096, LENGTHS, schema=False)
    # The page's other cells were moved since: what they tell of the last one is gone.
    assert are_of_moved(POINTERS, 900, 4096, LENGTHS, schema=False)


@pytest.mark.parametrize(
    ("pointers", "lengths"),
    [
        (POINTERS, [157, 2000, 1033, 2000, 135, 2000, 285]),  # not one behind the other
        (tuple(reversed(POINTERS)), LENGTHS),
        (POINTERS, []),
        ((1520, 352, 1385, 1385), LENGTHS),
        (tuple(map(ord, "записка")), [20, 30, 40, 50, 60, 30, 20, 40]),
    ],
)
def test_others_are_none(pointers, lengths):
    assert not are_of_moved(pointers, 1677, 4096, lengths, schema=False)


def test_in_the_schema_rows_that_stood_for_others_are_passed_over():
    pointers = (1520, 352, 1385, 67, 59)
    assert are_of_moved(pointers, 1677, 4096, LENGTHS, schema=True)
    assert not are_of_moved(pointers, 1677, 4096, LENGTHS[:8], schema=False)


def random_schema(path: Path, seed: int, encoding: str) -> None:
    """Tables and triggers, some dropped again, rows, and a VACUUM: as an eraser leaves a file."""
    chance = random.Random(seed)
    connection = sqlcipher3.connect(path, isolation_level=None)
    for pragma in (f"encoding='{encoding}'", "secure_delete=ON", "journal_mode=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    for n in range(chance.randrange(5, 40)):
        names = [f"c{i}_{'x' * chance.randrange(1, 30)}" for i in range(1 + chance.randrange(25))]
        connection.execute(f"CREATE TABLE t{n}({', '.join(f'{name} TEXT' for name in names)})")
        chance.random()
        if chance.random() < 0.3:
            said = "y" * chance.randrange(300)
            connection.execute(
                f"CREATE TRIGGER g{n} AFTER DELETE ON t{n} BEGIN SELECT '{said}'; END"
            )
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
    for _ in range(chance.randrange(60)):
        table = chance.choice([name for (name,) in connection.execute(tables)])
        column = connection.execute(f"PRAGMA table_info({table})").fetchall()[0][1]
        text = "wort" * chance.randrange(400)
        connection.execute(f"INSERT INTO {table}({column}) VALUES (?)", (text,))
    for _ in range(chance.randrange(6)):
        names = [name for (name,) in connection.execute(tables)]
        connection.execute(f"DROP TABLE {chance.choice(names)}")
    connection.execute("VACUUM")
    connection.close()


@pytest.mark.parametrize(
    ("encoding", "seed"),
    [("UTF-16le", 24), ("UTF-16le", 243), ("UTF-8", 122), ("UTF-16le", 444), ("UTF-8", 893)],
)
def test_what_a_vacuum_leaves_of_its_own_schema_does_not_count(tmp_path, survey, encoding, seed):
    """A row that stood for another one; parts of two rows in the order that they once had."""
    random_schema(tmp_path / "a.db", seed, encoding)
    found = survey(tmp_path / "a.db")
    assert found.residue.fragments + found.residue.copies > 4  # else this shows nothing
    assert not found.residue.places


def test_the_pointer_of_a_row_that_stood_for_another_may_stay_behind_others():
    assert are_of_moved((161, 169, 161), 169, 4096, (), schema=True)
    assert not are_of_moved((161, 170, 161), 170, 4096, (), schema=True)
    assert not are_of_moved((161, 169, 161), 169, 4096, (), schema=False)


ROWS = (b"\x20\x01\x06table-one-CREATE TABLE one(a)", b"\x21\x02\x06table-two-CREATE TABLE two(b)")


@pytest.mark.parametrize(
    ("left", "repeats"),
    [
        (ROWS[1] + ROWS[0][:12], True),
        (ROWS[0][-9:] + ROWS[1] + ROWS[0][:7], True),
        (ROWS[1][-9:] + b"and no more", False),
        (b"said:" + ROWS[1], False),
        (ROWS[1] + b"zq!" + ROWS[0], False),
        (ROWS[1][:-3] + ROWS[0], False),
    ],
)
def test_parts_of_rows_repeat_them_where_each_part_ends_as_a_row_does(left, repeats):
    page, cells, at = b"", [], 0
    seen = Repeats(apart=True)
    for row in ROWS:
        page += row
        cells.append(type("Cell", (), {"start": at, "end": at + len(row)}))
        at += len(row)
    seen.cells_of(page, PageMap(13, cells))
    seen.left(b"\0" * 16 + left + b"\0" * 16, (16, 32 + len(left)), len(left))
    assert [one for one, _ in seen.judged()] == [repeats]
