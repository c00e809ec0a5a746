# SPDX-License-Identifier: MIT
"""Reading a store by whole columns gives what reading it row by row gives, whatever is in it."""

import os
import random
import time
from pathlib import Path

import pytest

from memory_gui.domain.queries import Query
from memory_gui.domain.records import Ref
from memory_gui.domain.times import instant
from memory_gui.engine.connection import open_database
from memory_gui.index.content import Content
from memory_gui.index.whole import Shelved, Whole
from memory_gui.services.library.reading import read_all
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.agentao.columns import ColumnReader
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.stores.formats.agentao.rows import utc_of
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sql.instants import instants_of

TITLES = (
    "plain_title", "Groß ﬁne İ", "标题 中文", "", "a\x1eb", "Ａ①", "한글", "x\x00y", "e\u0301",
)  # fmt: skip
TEXTS = (
    "The service listens.", "数据库每晚重建。", "tab\tand\nline\n", "", "with \x1f inside", "ẞ ß ﬃ",
    "\x1e\x1e",
)  # fmt: skip
TAGS = (
    "[]", '["a", "b"]', '["b", "a"]', '["a", "a"]', '["\\u8bed\\u8a00"]', '[""]', "[1, null]",
    "not json", "", None, '["\\u001f"]', '["\\u001e"]', '{"a": 1}', '["half \\ud83d"]',
)  # fmt: skip
GOOD_TITLES = tuple(title for title in TITLES if "\x1e" not in title)
GOOD_TAGS = TAGS[:6]
GOOD_TEXTS = tuple(text for text in TEXTS if not {"\x1e", "\x1f"} & set(text))
TIMES = (
    "2026-10-03T08:30:00", "2026-10-03 08:30:59", "2026-03-29T02:30:00",
    "2026-10-25T02:59:59.250000", "2026-01-01T00:00:00", "2025-12-31T23:59:59.999999",
    "1969-12-31T23:00:00", "0001-01-01T00:00:00",
    "2026-10-03T08:30:00+02:00", "2026-10-03T08:30", "2026-10-03T08:30:61", "2026-13-03T08:30:00",
    "2026-10-03T08:30:00.25", "", "yesterday", "2026-10-03T08:30:00\n", "9999-12-31T23:59:59",
)  # fmt: skip
ODD = (7, 2.5, b"\x00\xffblob", None)
COLUMNS = 14


def memory(dice: random.Random, number: int, *, odd: bool) -> list[object]:
    created = dice.choice(TIMES)
    pools = (TITLES, TAGS, TEXTS) if odd else (GOOD_TITLES, GOOD_TAGS, GOOD_TEXTS)
    titles, tags, texts = pools
    row: list[object] = [
        f"{number:08x}", dice.choice(("user", "project", "")), dice.choice(("note", "决定", "")),
        f"key_{number}", dice.choice(titles), dice.choice(texts) * dice.randint(1, 3),
        dice.choice(tags), dice.choice(tags), "auto", dice.choice(("inferred", "")), "normal",
        created, dice.choice((created, dice.choice(TIMES))),
        dice.choice((None, None, "2026-01-01")),
    ]  # fmt: skip
    if dice.random() < 0.1:
        row[0] = dice.choice((f"with/slash {number}", f"中{number}", f"{number}%"))
    return row


def fill(path: Path, seed: int, *, odd: bool) -> None:
    create_store(path, None)
    dice = random.Random(seed)
    with open_database(path.resolve(), None, write=True) as connection, connection.writing():
        marks = ",".join("?" * COLUMNS)
        for number in range(400):
            row = memory(dice, number, odd=odd)
            casts = marks
            if odd and dice.random() < 0.1:
                row[dice.randrange(1, COLUMNS)] = dice.choice(ODD)
            if odd and dice.random() < 0.05:
                casts = ",".join("?" if n != 5 else "CAST(? AS TEXT)" for n in range(COLUMNS))
                row[5] = b"half \xe4\xb8"
            connection.change(f"INSERT OR IGNORE INTO memories VALUES ({casts})", row)
        for number in range(300):
            connection.change(
                "INSERT INTO memory_events (memory_id, event_type, timestamp, detail)"
                " VALUES (?, ?, ?, ?)",
                (f"{number:08x}", "update", dice.choice(TIMES), dice.choice((None, "why", 5))),
            )


def rows(content: Content) -> dict[Ref, object]:
    """All that is known of each record, except how it was read."""
    found = {}
    for ordinal in range(len(content.refs)):
        ref = content.ref(ordinal)
        row = content.columns.row(ordinal)
        assert ref is not None
        found[ref] = (
            content.arena.read(row["place"], row["length"]),
            *(row[name] for name in ("state", "created", "updated", "month", "title")),
            *(content.names[name].text(row[name]) for name in content.names),
            sorted(content.tags.tags(row["tags"])),
        )
    return found


def counts(content: Content) -> object:
    return Whole().facets([Shelved(0, content)], Query(), Query().parsed())


@pytest.fixture(params=["UTC", "Europe/Vienna", "Australia/Lord_Howe", "America/Sao_Paulo"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(os.environ, "TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_both_readings_give_the_same(tmp_path: Path, zone: str, seed: int, odd: bool):
    path = tmp_path / ".agentao" / "memory.db"
    path.parent.mkdir()
    fill(path, seed, odd=odd)
    store = Registry(formats(None)).open(Location((path,)), None, Mode.LOOK)
    by_columns, by_rows = Content(store.id), Content(store.id)
    assert read_all(by_columns, store)
    by_rows.begin()
    for batch in store.scan():
        by_rows.take(batch)
    by_rows.end()
    assert rows(by_columns) == rows(by_rows)
    assert by_columns.counts() == by_rows.counts()
    assert counts(by_columns) == counts(by_rows)
    assert not read_all(by_columns, store)  # the same again: nothing differs
    for ref, record in zip(rows(by_rows), store.fetch(list(rows(by_rows))), strict=True):
        assert record is not None
        assert by_columns.etag(ref) in (None, record.etag)
    # Taken out again, nothing is left of names and tags that they shared.
    by_columns.drop(list(rows(by_columns)))
    assert all(len(set(names.texts())) == 1 for names in by_columns.names.values())
    store.close()


def test_plain_rows_are_read_by_columns(tmp_path: Path):
    """Else the test above would hold two readings of the same kind against each other."""
    path = tmp_path / ".agentao" / "memory.db"
    path.parent.mkdir()
    fill(path, 1, odd=False)
    store = Registry(formats(None)).open(Location((path,)), None, Mode.LOOK)
    for batch in store.batches():
        if batch.kind in {"memory", "event"}:
            found = batch.columns(range(batch.size))
            assert found is not None
            assert len(found[0]) == len(found[1]) == batch.size
    store.close()


@pytest.mark.parametrize("odd", ["x'00ff'", "'a' || char(30) || 'b'", "'a' || char(31) || 'b'"])
def test_one_odd_row_leaves_the_others_to_the_columns(tmp_path: Path, odd: str):
    path = tmp_path / ".agentao" / "memory.db"
    path.parent.mkdir()
    fill(path, 1, odd=False)
    with open_database(path.resolve(), None, write=True) as connection, connection.writing():
        connection.change(f"UPDATE memories SET content = {odd} WHERE rowid = 7")
    store = Registry(formats(None)).open(Location((path,)), None, Mode.LOOK)
    batch = next(iter(store.batches()))
    found = batch.columns(range(batch.size))
    assert found is not None
    assert len(found[0].texts) == len(found[1]) == batch.size - 1
    assert 6 not in found[1]
    store.close()


WRITTEN = (
    "2026-10-03T08:30:00", "2026-10-03 23:59:59", "2026-10-25T02:30:00", "2026-03-29T01:59:59",
    "2026-03-29T03:00:00", "1969-12-31T23:00:00", "2026-04-05T01:45:00", "0001-01-01T00:00:00",
)  # fmt: skip
NOT_TIMES = (
    "2026-10-03T24:00:00", "2026-10-03T08:60:00", "2026-10-03T08:30:61", "2026-13-03T08:30:00",
    "2026-02-30T08:30:00", "2026-10-03x08:30:00", "2026-10-03T08-30-00", "2026-1o-03T08:30:00",
    "no time, 19 letters",
)  # fmt: skip


@pytest.mark.parametrize("fraction", ["", ".000000", ".250001"])
def test_times_of_one_width_are_read_together(zone: str, fraction: str):
    cells = [(text + fraction).encode() for text in WRITTEN for _ in range(3)]
    wanted = [instant(cell.decode(), utc_of(cell.decode())[0]) for cell in cells]
    assert list(ColumnReader()._times(cells)) == wanted
    plain = [cell for cell in cells if cell.startswith(b"2026-10-03")]
    days = {20261003: instant("2026-10-03T00:00:00", utc_of("2026-10-03T00:00:00")[0])}
    assert list(instants_of(plain, days.get)) == [
        one for one, cell in zip(wanted, cells, strict=True) if cell in plain
    ]


@pytest.mark.parametrize("odd", NOT_TIMES)
def test_one_that_is_no_time_is_left_to_the_reading_of_single_ones(zone: str, odd: str):
    cells = [b"2026-10-03T08:30:00", odd.encode()]
    assert instants_of(cells, {20261003: 0}.get) is None
    wanted = [instant(cell.decode(), utc_of(cell.decode())[0]) for cell in cells]
    assert list(ColumnReader()._times(cells)) == wanted
