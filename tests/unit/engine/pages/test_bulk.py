# SPDX-License-Identifier: MIT
"""What is read of many pages at once is what is read of each by itself."""

import random

import numpy as np
import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine.pages.btree import INDEX_LEAF, TABLE_LEAF, parse_page
from memory_gui.engine.pages.bulk import leaves, rows_that_may_have, varints
from memory_gui.engine.pages.record import decode_record
from memory_gui.engine.pages.survey import TREE, nonzero

KEY = "5a" * 32
KEYS = [None, KEY]


def leaf_pages(survey):
    header = survey.file.header
    numbers = [n for n in range(2, len(survey.role)) if survey.role[n] == TREE]
    pages = [(number, survey.file.page(number)) for number in numbers]
    kinds = (TABLE_LEAF, INDEX_LEAF)
    return [(n, page) for n, page in pages if page[0] in kinds], header.usable


def is_full(page, number, usable):
    found = parse_page(page, number, usable)
    unused = sum(nonzero(page, start, end) for start, end in found.gaps + found.fragments)
    inside = [
        gap for gap in found.gaps + found.fragments if gap[0] > min(c.start for c in found.cells)
    ]
    return not unused and not inside and page[1:3] == b"\0\0"


@pytest.mark.parametrize("secret", KEYS, ids=["readable", "encrypted"])
@pytest.mark.parametrize("then", ["", "VACUUM"], ids=["with-holes", "vacuumed"])
def test_full_leaves_have_the_cells_that_the_exact_reader_finds(
    tmp_path, mixed, peer, survey, secret, then
):
    path = tmp_path / "a.db"
    mixed(path, secret)
    if then:
        peer(path, secret).do(then)
    pages, usable = leaf_pages(survey(path, RawKey.from_hex(secret) if secret else None))
    found = leaves([page for _, page in pages], usable)
    cells: dict[int, list] = {}
    for at in range(len(found.page)):
        cells.setdefault(int(found.page[at]), []).append(found.cell(at))
    for place, (number, page) in enumerate(pages):
        exact = parse_page(page, number, usable)
        assert found.full[place] == is_full(page, number, usable), number
        if found.full[place]:
            assert cells[place] == exact.cells
    long = [cell for _, cell in found.long_cells()]
    assert all(cell.overflow for cell in long)
    assert found.full.sum() > (len(pages) // 2 if then else 0)


@pytest.mark.parametrize("at", [8, 20, 0.5, -300, -1], ids=str)
def test_a_page_with_one_byte_anywhere_outside_of_its_cells_is_not_full(
    tmp_path, mixed, peer, survey, at
):
    path = tmp_path / "a.db"
    mixed(path)
    peer(path).do("VACUUM")
    pages, usable = leaf_pages(survey(path))
    number, page = next(
        (n, p)
        for n, p in pages
        if is_full(p, n, usable)
        and (gap := parse_page(p, n, usable).gaps)
        and gap[-1][1] - gap[-1][0] > 400
    )
    start, end = parse_page(page, number, usable).gaps[-1]
    place = (
        start + int((end - start) * at)
        if isinstance(at, float)
        else (start if at >= 0 else end) + at
    )
    changed = bytearray(page)
    changed[place] = 1
    found = leaves([page, bytes(changed), page], usable)
    assert found.full.tolist() == [True, False, True]


def test_random_bytes_are_full_only_where_the_exact_reader_agrees():
    dice = random.Random(4)
    for _ in range(300):
        page = bytearray(512)
        count = dice.randint(1, 6)
        page[0] = dice.choice([TABLE_LEAF, INDEX_LEAF])
        page[3:5] = count.to_bytes(2, "big")
        at = 512
        for cell in range(count):
            size = dice.choice([0, 1, 5, 40, 60, 300])
            at -= dice.choice([size + 2, max(size + 2, 4), size + 3])
            at = max(at, 1)
            page[8 + 2 * cell : 10 + 2 * cell] = at.to_bytes(2, "big")
            page[at : at + 1] = bytes([min(size, 127)])
        pages = [bytes(page)]
        found = leaves(pages, 512)
        try:
            exact = parse_page(pages[0], 2, 512)
            full = is_full(pages[0], 2, 512)
        except ValueError:
            full = False
        assert found.full.tolist() == [full]
        if full:
            assert [found.cell(n) for n in range(len(found.page))] == exact.cells


def test_varints_of_every_length():
    values = [0, 1, 127, 128, 300, 16383, 16384, 2**21, 2**35 + 5, 2**56 - 1, 2**62, -1, -(2**62)]
    data = b""
    places = []
    for value in values:
        places.append(len(data))
        data += encoded(value % 2**64)
    found, ends = varints(np.frombuffer(data + bytes(64), np.uint8), np.array(places))
    assert found.tolist() == values
    assert ends.tolist() == [*places[1:], len(data)]


def encoded(value):
    """As sqlite.org/fileformat2.html, 1.6 says."""
    if value >= 1 << 56:
        rest, last = value >> 8, value & 0xFF
        return bytes(rest >> 7 * n & 0x7F | 0x80 for n in range(7, -1, -1)) + bytes([last])
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.append(value & 0x7F | 0x80)
    return bytes(reversed(parts))


def test_every_row_that_has_a_text_is_named_and_most_others_are_not(
    tmp_path, peer, survey, tree_of
):
    path = tmp_path / "a.db"
    other = peer(path)
    other.do("CREATE TABLE t (a, b, c, d)")
    dice = random.Random(9)
    values = [
        "",
        "x",
        "same",
        "same text",
        "记忆" * 3,
        "y" * 40,
        "z" * 5000,
        "12345678",
        12345678,
        None,
        3.5,
    ]
    rows = [
        [dice.choice([*values, f"key {dice.randint(0, 400)}"]) for _ in range(4)]
        for _ in range(3000)
    ]
    other.do("BEGIN")
    other.many("INSERT INTO t VALUES (?, ?, ?, ?)", rows)
    other.do("COMMIT")
    other.do("VACUUM")
    other.close()
    found_in = survey(path)
    (pages, usable), tree = leaf_pages(found_in), tree_of(found_in, "t")
    pages = [(n, page) for n, page in pages if found_in.owner[n] == tree]
    found = leaves([page for _, page in pages], usable)
    wanted = {b"", b"same text", "记忆".encode() * 3, b"z" * 5000, b"key 7", b"12345678"}
    for column in range(4):
        some = set(rows_that_may_have(found, column, wanted, ()))
        for at in range(len(found.page)):
            cell = found.cell(at)
            payload = found_in.payload(pages[int(found.page[at])][1], cell)
            value = decode_record(payload)[column]
            if isinstance(value, str) and value.encode() in wanted:
                assert at in some, value
            elif value in ("same", "x", "y" * 40) and not cell.overflow:
                assert at not in some, value
    numbers = [int(found.rowid[at]) for at in rows_that_may_have(found, None, (), {5, 77, 9999})]
    assert sorted(numbers) == [5, 77]
