# SPDX-License-Identifier: MIT
"""Every byte of a file is accounted for; the known answers are SQLite's."""

import os
import random
from pathlib import Path

import pytest

from memory_gui.domain.keys import RawKey
from memory_gui.engine.pages import survey as roles
from memory_gui.engine.pages.btree import local_bytes, varint
from memory_gui.engine.pages.record import decode_record

KEY = "5eed" * 16


def rows(found, tree):
    return sorted((rowid, decode_record(payload)[1]) for rowid, payload in found.rows(tree))


@pytest.mark.parametrize("size", [512, 1024, 4096, 32768, 65536])
def test_all_rows_are_read_with_their_overflow_chains(tmp_path, mixed, survey, tree_of, size):
    wanted = mixed(tmp_path / "a.db", sets=f"PRAGMA page_size={size}")
    found = survey(tmp_path / "a.db")
    assert found.file.header.page_size == size
    assert rows(found, tree_of(found, "notes")) == sorted(wanted)
    entries = [decode_record(p) for _, p in found.rows(tree_of(found, "by_body"))]
    assert sorted(entry[0] for entry in entries) == sorted(body for _, body in wanted)
    assert not found.residue.unreadable


@pytest.mark.parametrize("encoding", ["UTF-16le", "UTF-16be"])
def test_utf16_is_read(tmp_path, mixed, survey, tree_of, encoding):
    wanted = mixed(tmp_path / "a.db", sets=f"PRAGMA encoding='{encoding}'")
    found = survey(tmp_path / "a.db")
    name = {2: "utf-16-le", 3: "utf-16-be"}[found.file.header.encoding]
    values = [decode_record(p, name)[1] for _, p in found.rows(tree_of(found, "notes"))]
    assert sorted(values) == sorted(body for _, body in wanted)


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_every_page_has_one_role(tmp_path, mixed, survey, peer, mode):
    path = tmp_path / "a.db"
    mixed(path, sets=f"PRAGMA auto_vacuum={mode}; PRAGMA page_size=512; PRAGMA secure_delete=OFF")
    other = peer(path)
    ((free,),) = other.do("PRAGMA freelist_count")
    ((pages,),) = other.do("PRAGMA page_count")
    other.close()
    found = survey(path)
    assert found.free_pages == free
    assert len(found.role) == pages + 1
    assert set(found.role[1:]) <= {roles.TREE, roles.OVERFLOW, roles.FREE, roles.POINTER_MAP}
    assert (roles.POINTER_MAP in found.role) == bool(mode)


def test_a_pages_bytes_are_cells_gaps_and_heads_and_nothing_twice(tmp_path, mixed, survey):
    mixed(tmp_path / "a.db")
    found = survey(tmp_path / "a.db")
    for number in range(1, len(found.role)):
        if found.role[number] != roles.TREE:
            continue
        page = found.file.page(number)
        parts = found.map_of(page, number)
        owned = bytearray(len(page))
        for start, end in [(c.start, c.end) for c in parts.cells] + parts.gaps + parts.fragments:
            assert not any(owned[start:end])
            owned[start:end] = b"\1" * (end - start)
        head = (100 if number == 1 else 0) + (12 if parts.right else 8) + 2 * len(parts.cells)
        assert not any(owned[:head])
        # What is left over are the heads of free blocks, four bytes each.
        assert (len(page) - head - sum(owned)) % 4 == 0


def test_residue_is_seen_where_it_is(tmp_path, mixed, survey, peer):
    path = tmp_path / "a.db"
    mixed(path, sets="PRAGMA secure_delete=OFF")
    dirty = survey(path).residue.places
    assert dirty["free_pages"] > 1000
    assert dirty["gaps"] > 1000
    other = peer(path, sets="PRAGMA secure_delete=ON")
    other.do("VACUUM")
    other.close()
    clean = survey(path)
    assert clean.residue.places == {}
    assert clean.free_pages == 0


def test_one_byte_in_each_kind_of_nobodys_place_is_found(tmp_path, mixed, survey, peer):
    path = tmp_path / "a.db"
    mixed(path)
    other = peer(path, sets="PRAGMA secure_delete=ON")
    other.do("VACUUM")
    other.close()
    found = survey(path)
    chain = next(c for c in found.chains if (c.cell.size - c.cell.local) % 4092)
    number, size = chain.cell.overflow, found.file.header.page_size
    left = chain.cell.size - chain.cell.local
    while left > size - 4:
        number = int.from_bytes(found.file.page(number)[:4], "big")
        left -= size - 4
    leaf = next(
        (n, gap)
        for n in range(2, len(found.role))
        if found.role[n] == roles.TREE
        for gap in found.map_of(found.file.page(n), n).gaps
        if gap[1] - gap[0] > 8
    )
    places = {
        "overflow": (number - 1) * size + 4 + left,
        "gaps": (leaf[0] - 1) * size + leaf[1][1] - 1,
        "tail": found.file.size + 10,
    }
    for place, at in places.items():
        with path.open("r+b") as stream:
            before = os.pread(stream.fileno(), 1, at)
            os.pwrite(stream.fileno(), b"z", at)
        assert survey(path).residue.places == {place: 1}, place
        with path.open("r+b") as stream:
            if before:
                os.pwrite(stream.fileno(), before, at)
            else:
                stream.truncate(found.file.size)


def test_a_loop_in_the_file_ends(tmp_path, mixed, survey, tree_of):
    path = tmp_path / "a.db"
    mixed(path, sets="PRAGMA page_size=512")
    found = survey(path)
    root = found.trees[tree_of(found, "notes")].root
    with path.open("r+b") as stream:
        # The right-most child of the root is the root.
        os.pwrite(stream.fileno(), root.to_bytes(4, "big"), (root - 1) * 512 + 8)
    assert root in survey(path).residue.unreadable


@pytest.mark.parametrize("seed", range(6))
def test_random_histories_agree_with_sqlite(tmp_path, survey, peer, tree_of, seed):
    choose = random.Random(seed)
    size = choose.choice([512, 1024, 4096])
    other = peer(tmp_path / "a.db", sets=f"PRAGMA page_size={size}; PRAGMA secure_delete=OFF")
    other.do("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)")
    for _ in range(12):
        number = choose.randrange(1, 40)
        other.do("BEGIN")
        other.many(
            "INSERT OR REPLACE INTO t VALUES (?, ?)",
            [(choose.randrange(500), "y" * choose.randrange(3000)) for _ in range(number)],
        )
        other.do("DELETE FROM t WHERE id % ? = 0", choose.randrange(2, 7))
        other.do("COMMIT")
    wanted = [(int(n), str(v)) for n, v in other.do("SELECT id, v FROM t")]
    ((free,),) = other.do("PRAGMA freelist_count")
    other.close()
    found = survey(tmp_path / "a.db")
    assert rows(found, tree_of(found, "t")) == sorted(wanted)
    assert found.free_pages == free
    assert not found.residue.unreadable


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"\x00", 0),
        (b"\x7f", 127),
        (b"\x81\x00", 128),
        (b"\x81\x80\x00", 16384),
        (b"\xff" * 9, -1),
        (b"\x80\x80\x80\x80\x80\x80\x80\x80\x05", 5),
    ],
)
def test_varints_of_the_file_format(data, value):
    assert varint(data, 0) == (value, len(data))


def test_local_bytes_by_the_formula_of_the_file_format():
    # fileformat2.html 1.6: U=4096, table leaf: X=4061, M=489.
    assert local_bytes(4061, 4096, table=True) == 4061
    assert local_bytes(4062, 4096, table=True) == 489
    assert local_bytes(9000, 4096, table=True) == 489 + (9000 - 489) % 4092
    assert local_bytes(1002, 4096, table=False) == 1002
    assert local_bytes(1003, 4096, table=False) == 489


def test_encrypted_pages_are_read_the_same(tmp_path, mixed, survey, tree_of):
    wanted = mixed(tmp_path / "a.db", KEY)
    found = survey(tmp_path / "a.db", RawKey.from_hex(KEY))
    assert rows(found, tree_of(found, "notes")) == sorted(wanted)
    assert not found.residue.unreadable


def test_an_empty_table_and_a_view_do_no_harm(tmp_path, survey, peer):
    other = peer(tmp_path / "a.db")
    other.do("CREATE TABLE t (x)")
    other.do("CREATE VIEW v AS SELECT x FROM t")
    other.close()
    found = survey(Path(tmp_path / "a.db"))
    assert [tree.name for tree in found.trees] == ["sqlite_schema", "t"]


def _page_of_kind(found, kind):
    """A page of ``notes`` of that kind with a wide gap: its number, its first cells, the gap."""
    for number in range(2, len(found.role)):
        if found.role[number] != roles.TREE or found.trees[found.owner[number]].name != "notes":
            continue
        page = found.file.page(number)
        there = found.map_of(page, number)
        wide = [gap for gap in there.gaps if gap[1] - gap[0] >= 32 and not any(page[slice(*gap)])]
        if page[0] == kind and wide and len(there.cells) > 3:
            first = min(cell.start for cell in there.cells)
            return number, page[first : first + 12], wide[0]
    raise AssertionError("no such page")


@pytest.mark.parametrize(
    ("kind", "planted", "counted"),
    [(5, "cells", "copy"), (5, "text", "gap"), (13, "cells", "gap")],
)
def test_in_a_tables_inner_pages_copies_of_row_numbers_are_passed_over_and_nothing_else(
    tmp_path, peer, survey, kind, planted, counted
):
    path = tmp_path / "a.db"
    other = peer(path, None, sets="PRAGMA page_size=512; PRAGMA secure_delete=ON")
    other.do("CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)")
    other.do("BEGIN")
    other.many("INSERT INTO notes VALUES (?, ?)", [(n * 5000, "a" * 90) for n in range(1, 3000)])
    other.do("COMMIT")
    other.do("VACUUM")
    other.close()
    before = survey(path)
    assert not before.residue.places
    number, cells, (_, end) = _page_of_kind(before, kind)
    left = {"cells": cells, "text": b"private"}[planted].strip(b"\0")
    data = bytearray(path.read_bytes())
    at = (number - 1) * 512 + end - 8 - len(left)
    data[at : at + len(left)] = left
    path.write_bytes(data)
    after = survey(path).residue
    grown = {
        "copy": after.copies - before.residue.copies,
        "gap": after.places.get("gaps", 0),
    }
    assert grown == {name: (len(left) - left.count(0)) * (name == counted) for name in grown}
