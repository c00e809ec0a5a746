# SPDX-License-Identifier: MIT
"""Every row of every sample shows, whatever a cell holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Edit, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.language import literal
from memory_gui.domain.queries import Query, select
from memory_gui.domain.records import Record, Ref, RefText, State
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.agentao import schema
from memory_gui.stores.formats.agentao.format import AgentaoFormat
from memory_gui.stores.formats.agentao.schema import TABLES
from memory_gui.stores.sql import table
from memory_gui.words import Words
from memory_gui.words.errors import ERRORS, explain

DATABASES = (
    "agentao/project-ginkgo/.agentao/memory.db",
    "agentao/project-wiped/.agentao/memory.db",
    "agentao/home/.agentao/memory.db",
    "agentao/home-second-user/.agentao/memory.db",
    "agentao-0.5.12/project/.agentao/memory.db",
    "agentao-0.5.12/home/.agentao/memory.db",
)
Opened = Callable[..., Any]
Outside = Callable[..., list[list[list[Any]]]]


def records(store: Any) -> list[Record]:
    return [record for batch in store.scan() for record in batch]


@pytest.mark.parametrize("name", DATABASES)
def test_counts_add_up_to_the_tables(
    samples: Path, opened: Opened, outside: Outside, name: str
) -> None:
    path = samples / name
    asked = outside(path, *(f"SELECT count(*) FROM {table}" for table in TABLES.values()))
    rows = dict(zip(TABLES, [answer[0][0] for answer in asked], strict=True))
    store = opened(path, Mode.LOOK)
    counts = store.info().counts
    assert {kind: sum(states.values()) for kind, states in counts.items()} == rows
    assert Counter(r.kind for r in records(store)) == {k: n for k, n in rows.items() if n}


def test_states_are_those_of_the_sample(samples: Path, opened: Opened, outside: Outside) -> None:
    path = samples / DATABASES[0]
    live, dead = outside(
        path,
        "SELECT count(*) FROM memories WHERE deleted_at IS NULL",
        "SELECT count(*) FROM memories WHERE deleted_at IS NOT NULL",
    )
    (status,) = outside(path, "SELECT status, count(*) FROM memory_review_queue GROUP BY 1")
    counts = opened(path, Mode.LOOK).info().counts
    assert counts["memory"] == {State.LIVE: live[0][0], State.TRASH: dead[0][0]}
    assert {str(state): n for state, n in counts["review"].items()} == dict(map(tuple, status))


def test_every_marker_of_the_samples_is_found_where_it_lives(samples: Path, opened: Opened) -> None:
    """EXPECTED.json says which cells hold which marker: the owner's word, not ours."""
    expected = json.loads((samples / "agentao" / "EXPECTED.json").read_text())["markers"]
    texts = {
        name.removeprefix("agentao/"): [
            "\n".join(r.searchable()) for r in records(opened(samples / name, Mode.LOOK))
        ]
        for name in DATABASES[:4]
    }
    checked = 0
    for marker in expected:
        for cell in marker["live_cells"]:
            file = cell.split(":")[0]
            assert any(marker["marker"] in text for text in texts[file]), marker
            checked += 1
    assert checked > 40


def test_looking_leaves_the_bytes_alone(samples: Path, opened: Opened) -> None:
    path = samples / DATABASES[0]
    before = path.read_bytes()
    store = opened(path, Mode.LOOK)
    records(store)
    store.info()
    store.close()
    assert path.read_bytes() == before


def test_a_memory_as_it_is_shown(samples: Path, opened: Opened) -> None:
    store = opened(samples / DATABASES[4], Mode.LOOK)
    record = next(r for r in records(store) if r.title == "串口速度 baud")
    assert record.text == "串口统一用 921600，旧板子用 115200。"
    assert (record.scope, record.type, record.tags) == (
        "project",
        "project_fact",
        ("project_fact",),
    )
    assert (record.source, record.state) == ("explicit", State.LIVE)
    assert record.extra["key_normalized"] == "baud"
    assert record.zone == "assumed local"


def test_the_ages_of_the_layout_are_told(samples: Path, opened: Opened) -> None:
    assert opened(samples / DATABASES[0], Mode.LOOK).info().agent_version == "0.5.13+"
    assert opened(samples / DATABASES[4], Mode.LOOK).info().agent_version == "0.2.6–0.5.12"


@pytest.mark.parametrize(
    ("name", "role"),
    list(zip(DATABASES, ["project", "project", "user", "user", "project", "user"], strict=True)),
)
def test_the_role_by_the_rows(samples: Path, opened: Opened, name: str, role: str) -> None:
    assert opened(samples / name, Mode.LOOK).info().role == role


def test_the_role_by_the_path(fresh: Path, opened: Opened) -> None:
    home = fresh.parent.parent
    assert opened(fresh, Mode.LOOK).info().role == "project"
    assert opened(fresh, Mode.LOOK, home=home).info().role == "user"


def test_a_file_with_both_scopes_stands_alone(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    """Agentao started in the home folder writes both into one file."""
    path = samples / DATABASES[2]
    outside(path, "UPDATE memories SET scope = 'project' WHERE rowid = 1")
    for home in (path.parent.parent, None):
        assert opened(path, Mode.LOOK, home=home).info().role == "alone"


MALFORMED = {
    "NULL tags": ("tags_json", None),
    "bad JSON": ("tags_json", "[1, 2"),
    "deep JSON": ("tags_json", "[" * 100_000),
    "no list": ("tags_json", '{"a": 1}'),
    "odd items": ("tags_json", '[1, null, {"a": "é"}, ["x"], "\\ud800"]'),
    "a number as text": ("content", 12.5),
    "NUL": ("content", "before\x00after"),
    "a bad time": ("created_at", "yesterday"),
    "a time with a zone": ("created_at", "2026-05-01T10:00:00+08:00"),
    "an odd scope": ("scope", "galaxy"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_cell_shows(samples: Path, opened: Opened, outside: Outside, case: str) -> None:
    path = samples / DATABASES[0]
    column, value = MALFORMED[case]
    outside(path, *loosened(), (f"UPDATE memories SET {column} = ? WHERE rowid = 3", [value]))
    store = opened(path, Mode.LOOK)
    found = [r for r in records(store) if r.kind == "memory"]
    assert len(found) == 17
    assert len({r.ref for r in found}) == 17
    assert store.fetch([r.ref for r in found]) == tuple(found)


@pytest.mark.parametrize(
    "value", ["x'ff00fe'", "CAST(x'e4b8ffad' AS TEXT)", "zeroblob(3)", "x''", "1e999"]
)
@pytest.mark.parametrize("column", ["id", "title", "content", "tags_json", "created_at", "scope"])
def test_bytes_where_text_should_be_show_and_survive(
    samples: Path, opened: Opened, outside: Outside, column: str, value: str
) -> None:
    path = samples / DATABASES[0]
    outside(path, *loosened(), f"UPDATE memories SET {column} = {value} WHERE rowid = 3")
    before = outside(path, "SELECT hex(CAST(quote(content) AS BLOB)), hex(title) FROM memories")
    store = opened(path)
    found = [r for r in records(store) if r.kind == "memory"]
    assert len(found) == 17
    odd = found[2]
    for record in found:
        assert store.resolve(RefText.parse(record.ref.text, kinds=store.kinds)) == record.ref
    saved = store.snapshot([odd.ref])
    store.delete(Target(odd.ref, odd.etag))
    store.reinstate(saved)
    store.close()
    after = outside(path, "SELECT hex(CAST(quote(content) AS BLOB)), hex(title) FROM memories")
    assert sorted(map(tuple, after[0])) == sorted(map(tuple, before[0]))


def loosened() -> list[str]:
    """Rebuild ``memories`` without its promises, as careless tools do."""
    return [
        "CREATE TABLE loose AS SELECT * FROM memories",
        "DROP TABLE memories",
        "ALTER TABLE loose RENAME TO memories",
    ]


def test_rows_without_a_key_have_names_of_their_own(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    path = samples / DATABASES[0]
    outside(path, *loosened(), "UPDATE memories SET id = NULL WHERE rowid < 4")
    store = opened(path, Mode.LOOK)
    refs = [r.ref for r in records(store) if r.kind == "memory"]
    assert [ref.key for ref in refs[:3]] == [("rowid", "1"), ("rowid", "2"), ("rowid", "3")]
    assert all(store.fetch(refs))


def test_an_empty_id_has_a_name_to_write(samples: Path, opened: Opened, outside: Outside) -> None:
    path = samples / DATABASES[0]
    outside(path, "UPDATE memories SET id = '' WHERE rowid = 1")
    store = opened(path)
    ref = next(r.ref for r in records(store) if r.ref.key == ("",))
    assert store.resolve(RefText.parse(ref.text, kinds=store.kinds)) == ref
    store.delete(Target(ref))
    assert store.fetch([ref]) == (None,)


def rebuilt(columns: str, ending: str = "") -> list[str]:
    """``memories`` made anew with other or more columns."""
    return [
        f"CREATE TABLE other (id TEXT PRIMARY KEY, {columns}){ending}",
        f"INSERT INTO other ({NAMES}) SELECT {NAMES} FROM memories",
        "DROP TABLE memories",
        "ALTER TABLE other RENAME TO memories",
    ]


NAMES = ", ".join(schema.MEMORY_COLUMNS)
PLAIN = ", ".join(schema.MEMORY_COLUMNS[1:])


@pytest.mark.parametrize("more", ["rowid", "ROWID, oid", "_rowid_ TEXT, oid INT"])
def test_columns_may_have_the_names_of_row_numbers(
    samples: Path, opened: Opened, outside: Outside, more: str
) -> None:
    path = samples / DATABASES[0]
    outside(path, *rebuilt(f"{PLAIN}, {more}"))
    outside(path, "UPDATE memories SET id = NULL WHERE key_normalized LIKE 'a%'")
    store = opened(path)
    found = [r for r in records(store) if r.kind == "memory"]
    assert len({r.ref for r in found}) == 17
    assert store.fetch([r.ref for r in found]) == tuple(found)
    for record in found:
        store.delete(Target(record.ref, record.etag))
    assert not [r for r in records(store) if r.kind == "memory"]


@pytest.mark.parametrize(
    ("columns", "ending"), [(PLAIN, " WITHOUT ROWID"), (f"{PLAIN}, oid, rowid, _rowid_", "")]
)
def test_rows_without_numbers_are_refused_in_words(
    samples: Path, opened: Opened, outside: Outside, columns: str, ending: str
) -> None:
    path = samples / DATABASES[0]
    outside(path, *rebuilt(columns, ending))
    for mode in Mode:
        with pytest.raises(UserError) as caught:
            opened(path, mode)
        assert caught.value.code == "store.other_rows"
        assert explain(Words("en"), caught.value).code in ERRORS


def test_a_search_sees_what_lists_say_and_not_how_they_are_written(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    path = samples / DATABASES[0]
    tags, words = json.dumps(["语言", "a b"]), json.dumps(["关键词"])
    outside(
        path,
        ("UPDATE memories SET tags_json = ?, keywords_json = ? WHERE rowid = 1", [tags, words]),
        "UPDATE memories SET keywords_json = '[\"broken' WHERE rowid = 2",
    )
    found = [r for r in records(opened(path, Mode.LOOK)) if r.kind == "memory"]
    one, two = found[:2]
    assert "\\u5173" in (one.extra["keywords_json"] or "")
    for needle in ("语言", "关键词"):
        assert select(Query(text=literal(needle)), found) == [one]
    for needle in ("\\u", "8bed", "u8bed", '["', '"]', '", "'):
        assert one not in select(Query(text=literal(needle)), found)
    assert select(Query(text=literal('["broken')), found) == [two]


def test_unknown_columns_and_statuses_show(samples: Path, opened: Opened, outside: Outside) -> None:
    path = samples / DATABASES[0]
    outside(
        path,
        "ALTER TABLE memories ADD COLUMN pinned INTEGER DEFAULT 1",
        "ALTER TABLE memories ADD COLUMN “mood” TEXT",
        "UPDATE memory_review_queue SET status = 'parked' WHERE rowid = 1",
    )
    store = opened(path, Mode.LOOK)
    memory = next(r for r in records(store) if r.kind == "memory")
    assert memory.extra["pinned"] == "1"
    assert memory.extra["“mood”"] is None
    assert store.info().counts["review"][State.LIVE] == 1
    assert Counter(r.state for r in records(store) if r.kind == "review")[State.LIVE] == 1


def test_a_table_with_very_many_columns(samples: Path, opened: Opened, outside: Outside) -> None:
    """The BLOB masks hold 60 columns each."""
    path = samples / DATABASES[0]
    outside(path, *(f"ALTER TABLE memories ADD COLUMN c{i} DEFAULT x'ff'" for i in range(70)))
    record = next(r for r in records(opened(path, Mode.LOOK)) if r.kind == "memory")
    assert record.extra["c69"] == "\\xff"
    assert record.title


def test_utf16_databases(tmp_path: Path, opened: Opened, outside: Outside, samples: Path) -> None:
    (schema,) = outside(
        samples / DATABASES[0],
        "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    path = tmp_path / "utf16" / "memory.db"
    path.parent.mkdir()
    outside(path, "PRAGMA encoding = 'UTF-16le'", *(row[0] for row in schema))
    outside(
        path,
        (
            "INSERT INTO memories"
            "(id, scope, key_normalized, title, content, created_at, updated_at)"
            " VALUES ('ab', 'project', 'k', '标题', '内容 🙂', '', '')",
            [],
        ),
    )
    (record,) = [r for r in records(opened(path, Mode.LOOK)) if r.kind == "memory"]
    assert (record.title, record.text) == ("标题", "内容 🙂")


def test_missing_small_tables_are_no_reason_to_refuse(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    path = samples / DATABASES[0]
    outside(path, "DROP TABLE memory_events", "DROP TABLE session_summaries")
    store = opened(path)
    assert store.info().counts["event"] == {}
    record = next(r for r in records(store) if r.kind == "memory")
    store.apply(Edit(Target(record.ref), {"text": "still works"}))
    assert outside(path, "SELECT count(*) FROM sqlite_master WHERE name = 'memory_events'") == [
        [[0]]
    ]


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TABLE memories"],
        ["ALTER TABLE memories DROP COLUMN title"],
        ["ALTER TABLE memories RENAME TO m", "CREATE VIEW memories AS SELECT * FROM m"],
    ],
)
def test_another_schema(
    samples: Path, opened: Opened, outside: Outside, statements: list[str]
) -> None:
    path = samples / DATABASES[0]
    outside(path, *statements)
    with pytest.raises(UserError) as caught:
        AgentaoFormat().open(Location((path.resolve(),)), None, Mode.LOOK)
    assert caught.value.code == "store.other_schema"
    assert opened(path, Mode.LOOK).format == "sqlite", "as any database, to look at"


def test_a_newer_schema_can_only_be_looked_at(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    path = samples / DATABASES[0]
    outside(path, "UPDATE schema_meta SET value = '4' WHERE key = 'version'")
    store = opened(path, Mode.LOOK)
    assert "opened.newer_schema" in store.info().notes
    assert len(records(store)) == 52
    with pytest.raises(UserError) as caught:
        opened(path, Mode.CHANGE)
    assert caught.value.code == "store.newer_schema"
    assert (caught.value.params["found"], caught.value.params["known"]) == (4, 3)


def test_foreign_objects_are_named_with_their_statements(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    path = samples / DATABASES[0]
    assert opened(path, Mode.LOOK).info().foreign_sql == ()
    foreign = [
        "CREATE TRIGGER spy AFTER UPDATE ON memories BEGIN UPDATE schema_meta SET value = 1; END",
        "CREATE VIEW all_of_it AS SELECT content FROM memories",
        "CREATE TABLE notes (x)",
        "CREATE INDEX by_title ON memories(title)",
    ]
    outside(path, *foreign)
    info = opened(path, Mode.LOOK).info()
    assert set(info.foreign_sql) == set(foreign)
    assert "foreign.objects" in info.notes


def test_a_trigger_that_only_has_agentaos_name_is_foreign(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    path = samples / DATABASES[0]
    fake = (
        "CREATE TRIGGER trg_memories_change_upd AFTER UPDATE ON memories"
        " BEGIN DELETE FROM memories; END"
    )
    outside(path, "DROP TRIGGER trg_memories_change_upd", fake)
    assert opened(path, Mode.LOOK).info().foreign_sql == (fake,)


def test_a_key_that_two_kinds_have_is_ambiguous(
    samples: Path, opened: Opened, outside: Outside
) -> None:
    path = samples / DATABASES[0]
    outside(path, "UPDATE memories SET id = '5' WHERE rowid = 1")
    store = opened(path, Mode.LOOK)
    with pytest.raises(UserError) as caught:
        store.resolve(RefText(None, ("5",)))
    assert caught.value.code == "ref.ambiguous"
    assert store.resolve(RefText("memory", ("5",))) == Ref(store.id, "memory", ("5",))
    assert store.resolve(RefText("event", ("5",))) == Ref(store.id, "event", ("5",))


@pytest.mark.parametrize("took", [0.0, 1.0])
def test_a_long_scan_goes_on_where_it_stopped(
    fresh: Path, opened: Opened, outside: Outside, monkeypatch: pytest.MonkeyPatch, took: float
) -> None:
    """With gaps between rowids; in large batches on a fast disk, in small ones on a slow one."""
    outside(
        fresh,
        "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5200) INSERT INTO memories"
        " (id, scope, key_normalized, title, content, created_at, updated_at)"
        " SELECT i, 'project', i, 'title ' || i, 'text', '', '' FROM n",
        "DELETE FROM memories WHERE rowid % 7 = 0 OR rowid BETWEEN 900 AND 1400",
    )
    clock = iter(number * took for number in range(100_000))
    monkeypatch.setattr(table, "monotonic", lambda: next(clock))
    (ids,) = outside(fresh, "SELECT id FROM memories ORDER BY rowid")
    batches = list(opened(fresh, Mode.LOOK).scan(["memory"]))
    assert [r.ref.key for batch in batches for r in batch] == [(row[0],) for row in ids]
    sizes = [len(batch) for batch in batches]
    assert max(sizes) == (1000 if took == 0.0 else 500)
    assert len(sizes) > 50 or took == 0.0
