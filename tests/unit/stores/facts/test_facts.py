# SPDX-License-Identifier: MIT
"""Facts by their columns: the samples' EXPECTED.json, the rules, odd files, erasing."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_gui.domain.changes import Confidence, Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.services import Services
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.facts import rules
from memory_gui.stores.formats.facts.format import FactsFormat
from memory_gui.stores.formats.facts.store import FactsStore
from memory_gui.stores.sight import see
from memory_gui.terminal.names import changed

DATA = Path(__file__).parents[3] / "data" / "facts"
MARKERS = json.loads((DATA / "EXPECTED.json").read_text())["markers"]
SAMPLES = ("memory.db", "research.db", "with-vectors.db")
TABLE = (
    "CREATE TABLE facts (id INTEGER PRIMARY KEY, subject TEXT, fact TEXT, source TEXT,"
    " created REAL, UNIQUE(subject, fact))"
)
Open = Callable[..., FactsStore]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens; closes afterwards."""
    stores: list[FactsStore] = []

    def open_one(path: Path, mode: Mode = Mode.CHANGE) -> FactsStore:
        stores.append(
            FactsFormat(clock=lambda: 1_800_000_000.5).open(Location((path,)), None, mode)
        )
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


def records(store: FactsStore) -> list[Record]:
    """All of them."""
    return [r for batch in store.scan() for r in batch]


def copied(tmp_path: Path, name: str) -> Path:
    """A copy that may be changed."""
    return Path(shutil.copy(DATA / name, tmp_path / name))


def made(tmp_path: Path, *statements: str) -> Path:
    """A file of these statements."""
    path = tmp_path / "made.db"
    create_database(path, None, "; ".join(statements) + ";")
    return path


@pytest.mark.parametrize("name", SAMPLES)
def test_each_marker_is_in_its_state(tmp_path: Path, opened: Open, name: str) -> None:
    path = copied(tmp_path, name)
    assert FactsFormat().probe(see(Location((path,)))) is Confidence.CERTAIN
    found = "\n".join(r.text for r in records(opened(path, Mode.LOOK)))
    for marker in MARKERS:
        live = any(cell.startswith(f"{name}:") for cell in marker["live_cells"])
        assert found.count(marker["marker"]) == (1 if live else 0)
        if name in marker["found_in"]:
            assert marker["state"] == "live"


@pytest.mark.parametrize("name", SAMPLES)
def test_after_erasing_all_no_marker_is_in_a_byte(
    tmp_path: Path, services: Services, name: str
) -> None:
    path = copied(tmp_path, name)
    (store, *_) = services.library.open(path, pair=False)
    plan = services.erasing.plans.plan_query(Query())
    assert (plan.total, plan.stores[0].opaque_ids) == (29, True)
    assert str(services.erasing.run(plan).state) == "proved"
    services.library.close_all()
    raw = b"".join(p.read_bytes() for p in tmp_path.iterdir() if p.name.startswith(name))
    for marker in MARKERS:
        for form in (marker["marker"].encode(), marker["marker"].encode("utf-16-le")):
            assert form not in raw
    for told in ("lin-xiaoyu", "job:report-42", "turn-11", "example.com/a?3"):
        assert told.encode() not in raw
    assert store.info.journal_mode == ("wal" if name == "research.db" else "delete")


def test_an_erase_names_its_rows_by_number_and_when_they_were_made(
    tmp_path: Path, opened: Open
) -> None:
    store = opened(copied(tmp_path, "memory.db"))
    first = records(store)[0]
    (rows,) = store.erase_scope([first.ref]).rows
    assert (rows.key_columns, rows.keys, rows.owner) == (("id",), ((1,),), "created")
    assert rows.owners == {(1,): "1790003600.75"}
    assert rows.is_named


def test_when_it_was_made_is_a_moment_and_shown_by_this_computers_clock(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = records(opened(copied(tmp_path, "memory.db")))[0]
    assert first.created_at == "1790003600.75"
    assert first.created_at_utc == "2026-09-21T15:13:20.750000+00:00"
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        assert changed(first) == "2026-09-21 23:13:20"
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"text": "nine char"}, "facts.short"),
        ({"text": "ten  chars"}, ""),
        ({"text": "字" * 300}, ""),
        ({"text": "字" * 301}, "record.text_long"),
        ({"text": "  "}, "record.text_empty"),
        ({"text": "half \ud83d of a letter"}, "record.not_unicode"),
        ({"subject": ""}, "facts.whose"),
        ({"subject": "user:a\nb"}, "facts.subject"),
        ({"subject": "user:" + "a" * 200}, "facts.subject"),
        ({"text": "the key is " + "AKIA" + "Q" * 16}, "record.secret"),
        ({"tags": ("a",)}, "record.no_such_field"),
    ],
)
def test_what_is_refused_before_it_is_written(
    tmp_path: Path, opened: Open, fields: dict[str, str], code: str
) -> None:
    store = opened(copied(tmp_path, "memory.db"))
    whole = {"subject": "user:lin", "text": "a fact that is long enough", **fields}
    before = records(store)
    try:
        store.add(NewRecord("fact", whole))
        found = ""
    except UserError as error:
        found = error.code
    assert found == code
    assert len(records(store)) == len(before) + (not code)


def test_a_second_one_is_said_and_not_silently_lost(tmp_path: Path, opened: Open) -> None:
    store = opened(copied(tmp_path, "memory.db"))
    first, second = records(store)[:2]
    same = {"subject": str(first.subject), "text": first.text}
    with pytest.raises(UserError, match=r"facts\.same"):
        store.add(NewRecord("fact", same))
    with pytest.raises(UserError, match=r"facts\.same"):
        store.apply(Edit(Target(second.ref), {"text": first.text}))
    store.add(NewRecord("fact", {**same, "subject": "user:somebody-else"}))


def test_another_subject_has_to_be_meant(tmp_path: Path, opened: Open) -> None:
    store = opened(copied(tmp_path, "memory.db"))
    first = records(store)[0]
    fields = {"subject": "user:mateo"}
    with pytest.raises(UserError, match=r"record\.subject_change"):
        store.apply(Edit(Target(first.ref), fields))
    store.apply(Edit(Target(first.ref), fields, frozenset({"subject"})))
    (now,) = store.fetch([first.ref])
    assert now is not None
    assert (now.subject, now.text, now.created_at) == ("user:mateo", first.text, first.created_at)


def test_a_vector_that_may_not_be_empty_keeps_its_words(tmp_path: Path, opened: Open) -> None:
    table = TABLE.replace("created REAL,", "created REAL, embedding BLOB NOT NULL,")
    row = "INSERT INTO facts VALUES (1, 'user:a', 'the words of the vector', 't', 1.5, x'0102')"
    store = opened(made(tmp_path, table, row))
    (only,) = records(store)
    assert only.extra["embedding"] == "BLOB, 2"
    with pytest.raises(UserError, match=r"facts\.vector_fixed"):
        store.apply(Edit(Target(only.ref), {"text": "other words than those"}))
    store.apply(Edit(Target(only.ref), {"source": "turn-2"}))
    assert len(store.fetch([only.ref])[0].extra["embedding"] or "") > 0  # type: ignore[union-attr]


def test_a_number_that_came_again_is_another_fact(tmp_path: Path, services: Services) -> None:
    """An erase that was stopped and goes on later takes no row that was made since."""
    path = copied(tmp_path, "memory.db")
    services.library.open(path, pair=False)
    refs = services.library.refs(services.library.search(Query(), "created").ids)
    plan = services.erasing.plans.plan([max(refs, key=lambda ref: int(ref.key[0]))])
    services.library.close_all()
    with open_database(path, None, write=True) as connection, connection.writing():
        connection.execute("DELETE FROM facts WHERE id = 29")
        connection.execute(
            "INSERT INTO facts VALUES (29, 'a', 'made since then', 's', 2000000000.25)"
        )
    services.library.open(path, pair=False)
    services.erasing.run(plan)
    found = services.library.record(Ref(plan_store(plan), "fact", ("29",)))
    assert found is not None
    assert found.text == "made since then"


def plan_store(plan: object) -> str:
    """The one store of a plan."""
    return plan.stores[0].path  # type: ignore[attr-defined,no-any-return]


# ---- hostile files


def test_odd_cells_are_shown_and_can_be_erased(tmp_path: Path, services: Services) -> None:
    path = made(
        tmp_path,
        TABLE,
        "INSERT INTO facts VALUES (1, CAST(x'ff41' AS TEXT), CAST(x'fe42' AS TEXT), x'00', 'soon')",
        "INSERT INTO facts VALUES (2, NULL, NULL, NULL, NULL)",
        "INSERT INTO facts VALUES (3, 'a' || char(10) || 'b', hex(zeroblob(50000)), '', 1e300)",
        "INSERT INTO facts VALUES (-4, 'user:x', '\x1b]0;t\x07 and more', 's', -1.5)",
    )
    services.library.open(path, pair=False)
    refs = services.library.refs(services.library.search(Query(), "created").ids)
    found = {ref.key: services.library.record(ref) for ref in refs}
    assert {key[0] for key in found} == {"1", "2", "3", "-4"}
    odd = found[("1",)]
    assert odd is not None
    assert (odd.created_at, odd.created_at_utc, odd.text) == ("soon", None, "\\xfeB")
    assert str(services.erasing.run(services.erasing.plans.plan(refs)).state) == "proved"


def test_a_trigger_waits_for_a_yes_and_other_tables_do_not(
    tmp_path: Path, services: Services
) -> None:
    trigger = "CREATE TRIGGER more AFTER INSERT ON facts BEGIN DELETE FROM facts; END"
    path = made(tmp_path, TABLE, "CREATE TABLE settings (name, value)", trigger)
    (store, *_) = services.library.open(path, pair=False)
    assert store.info.foreign_sql == (trigger,)
    new = NewRecord("fact", {"subject": "user:a", "text": "a fact that is long enough"})
    with pytest.raises(UserError, match=r"store\.foreign_objects"):
        services.editing.add(store.id, new)
    services.library.allow_writing(store.id, despite_foreign=True)
    with pytest.raises(UserError, match=r"record\.not_kept"):
        services.editing.add(store.id, new)


def test_what_only_looks_alike_is_not_taken(tmp_path: Path) -> None:
    columns = "subject TEXT, fact TEXT, source TEXT, created REAL"
    without = made(tmp_path, f"CREATE TABLE facts ({columns}, PRIMARY KEY(subject)) WITHOUT ROWID")
    with pytest.raises(UserError, match=r"store\.other_schema"):
        FactsFormat().open(Location((without,)), None, Mode.LOOK)


def test_words_that_recall_compares() -> None:
    assert rules.has_word("只有 A 一个")
    assert rules.has_word("第7条")
    assert not rules.has_word("喜欢简洁的回答，先给结论。Ä é 🎹")
