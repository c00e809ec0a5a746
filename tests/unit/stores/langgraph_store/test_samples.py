# SPDX-License-Identifier: MIT
"""LangGraph's store: the samples' EXPECTED.json, odd rows, vectors, erasing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_gui.domain.changes import Confidence, Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, State
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.services import Services
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.langgraph_store.format import LanggraphStoreFormat
from memory_gui.stores.formats.langgraph_store.store import LanggraphStore
from memory_gui.stores.sight import see

DATA = Path(__file__).parents[3] / "data" / "langgraph"
MARKERS = json.loads((DATA / "EXPECTED.json").read_text())["markers"]
SAMPLES = ("store.sqlite", "store-with-vectors.sqlite")
NOW = datetime(2026, 12, 1, tzinfo=UTC)
Open = Callable[..., LanggraphStore]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens; closes afterwards."""
    stores: list[LanggraphStore] = []

    def open_one(path: Path, mode: Mode = Mode.CHANGE) -> LanggraphStore:
        made = LanggraphStoreFormat(clock=lambda: NOW)
        stores.append(made.open(Location((path,)), None, mode))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


def copied(tmp_path: Path, name: str) -> Path:
    """A copy that may be changed."""
    return Path(shutil.copy(DATA / name, tmp_path / name))


def records(store: LanggraphStore) -> list[Record]:
    """All of them."""
    return [r for batch in store.scan() for r in batch]


def of(name: str) -> list[dict[str, object]]:
    """The markers of a sample; those that are nowhere belong to both."""
    return [m for m in MARKERS if name in m["found_in"] or not m["found_in"]]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_marker_is_found_in_its_state(tmp_path: Path, opened: Open, name: str) -> None:
    store = opened(copied(tmp_path, name))
    found = records(store)
    for one in of(name):
        holding = [r for r in found if str(one["marker"]) in r.text]
        states = {"live": [State.LIVE], "expired": [State.EXPIRED]}.get(str(one["state"]), [])
        assert [r.state for r in holding] == states, one
    left = [r for r in found if r.kind == "vector"]
    assert len(left) == (3 if "vectors" in name else 0)
    assert all(r.told == ("langgraph.alone",) and r.subject for r in left)
    told = {one.code: dict(one.values) for one in store.told()}
    assert told["langgraph.swept_late"] == {"n": 1}
    assert told.get("langgraph.left") == ({"n": 3} if left else None)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_erased_leaves_no_byte(tmp_path: Path, services: Services, name: str) -> None:
    path = copied(tmp_path, name)
    (store, *_) = services.library.open(path, pair=False)
    query = Query('subject:"memories.lin-xiaoyu"', frozenset({store.id}))
    gone = [services.library.record(ref) for ref in services.library.refs(
        services.library.search(query).ids)]  # fmt: skip
    plan = services.erasing.plans.plan_query(query)
    assert set(plan.counts) == ({"store", "store_vectors"} if "vectors" in name else {"store"})
    result = services.erasing.run(plan)
    assert str(result.state) == "proved"
    services.library.close_all()
    raw = path.read_bytes()
    for one in of(name):
        marker = str(one["marker"])
        erased = any(marker in r.text for r in gone if r is not None) or one["state"] not in (
            "live",
            "expired",
        )
        assert (marker.encode() in raw) is not erased, one
    with open_database(path, None, write=False) as connection:
        prefixes = {row[0] for row in connection.execute("SELECT DISTINCT prefix FROM store")}
        assert "memories.mateo-alvarez" in prefixes
        assert "memories.lin-xiaoyu" not in prefixes
        if "vectors" in name:
            left = connection.execute("SELECT DISTINCT prefix FROM store_vectors")
            assert ("memories.lin-xiaoyu",) not in left


def test_everything_of_a_file_can_be_erased(tmp_path: Path, services: Services) -> None:
    path = copied(tmp_path, "store-with-vectors.sqlite")
    (store, *_) = services.library.open(path, pair=False)
    plan = services.erasing.plans.plan_query(Query("", frozenset({store.id})))
    assert str(services.erasing.run(plan).state) == "proved"
    services.library.close_all()
    raw = path.read_bytes()
    for text in ("zqo-langgraph", "lin-xiaoyu", "简洁", "fact-00", "138 0000"):
        assert text.encode() not in raw


def test_a_broken_row_is_shown_and_repaired(tmp_path: Path, opened: Open) -> None:
    path = copied(tmp_path, "store.sqlite")
    with open_database(path, None, write=True) as connection, connection.writing():
        connection.execute(
            "INSERT INTO store (prefix, key, value) VALUES ('memories.x', 'bad', ?)",
            (b'{"text": "unfinished',),
        )
    store = opened(path)
    bad = next(r for r in records(store) if r.title == "bad")
    assert bad.text == '{"text": "unfinished'
    assert "langgraph.broken" in bad.told
    assert "langgraph.broken_rows" in {one.code for one in store.told()}
    with pytest.raises(UserError) as caught:
        store.apply(Edit(Target(bad.ref, bad.etag), {"text": '{"text": "still'}))
    assert (caught.value.code, caught.value.params["line"]) == ("json.broken", 1)
    store.apply(Edit(Target(bad.ref, bad.etag), {"text": '{"text": "finished", "n": 1.50}'}))
    row = store.connection.execute("SELECT value FROM store WHERE key = 'bad'")
    assert row == [(b'{"text":"finished","n":1.50}',)]
    assert "langgraph.broken_rows" not in {one.code for one in store.told()}


def test_a_value_keeps_its_type_its_numbers_and_its_time(tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "app.db"
    create_database(
        path,
        None,
        "CREATE TABLE store (prefix text NOT NULL, key text NOT NULL, value text NOT NULL,"
        " created_at TIMESTAMP, updated_at TIMESTAMP, PRIMARY KEY (prefix, key));"
        "INSERT INTO store VALUES"
        " ('a', 'text', '{\"n\": 1.10, \"n\": 90071992547409931}', 'x', 'y');",
    )
    store = opened(path)
    (one,) = records(store)
    assert "90071992547409931" in one.text
    assert "1.10" in one.text
    assert "langgraph.as_text" in one.told
    text = one.text.replace("1.10", "1.20")
    store.apply(Edit(Target(one.ref, one.etag), {"text": text}))
    row = store.connection.execute("SELECT typeof(value), value, created_at, updated_at FROM store")
    assert row == [("text", '{"n":1.20,"n":90071992547409931}', "x", "2026-12-01 00:00:00")]


def test_vectors_go_with_the_words_and_along_to_another_key(tmp_path: Path, opened: Open) -> None:
    store = opened(copied(tmp_path, "store-with-vectors.sqlite"))

    def vectors(key: str) -> int:
        sql = "SELECT count(*) FROM store_vectors WHERE prefix = 'memories.lin-xiaoyu' AND key = ?"
        return int(store.connection.execute(sql, (key,))[0][0])

    one = next(
        r for r in records(store) if r.extra.get("vectors") == "$ (32)" and r.title == "fact-05"
    )
    store.apply(Edit(Target(one.ref, one.etag), {"title": "renamed"}))
    assert (vectors("fact-05"), vectors("renamed")) == (0, 1)
    (ref,) = [r.ref for r in records(store) if r.title == "renamed"]
    store.apply(Edit(Target(ref), {"text": '{"text": "other words"}'}))
    assert vectors("renamed") == 0
    before = records(store)
    two = next(r for r in before if r.title == "fact-06" and r.subject == one.subject)
    saved = store.snapshot([two.ref])
    store.delete(Target(two.ref, two.etag))
    assert vectors("fact-06") == 0
    store.reinstate(saved)
    assert records(store) != before  # rowids moved; the same records
    assert {r.ref: r for r in records(store)} == {r.ref: r for r in before}
    left = next(r for r in before if r.kind == "vector")
    saved = store.snapshot([left.ref])
    store.delete(Target(left.ref, left.etag))
    assert store.fetch([left.ref]) == (None,)
    assert store.reinstate(saved).added == (left.ref,)
    assert store.fetch([left.ref]) == (left,)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"subject": "", "title": "k", "text": "{}"}, "langgraph.namespace"),
        ({"subject": "a..b", "title": "k", "text": "{}"}, "langgraph.namespace"),
        ({"subject": "langgraph.x", "title": "k", "text": "{}"}, "langgraph.reserved"),
        ({"subject": "a", "title": "k", "text": "[]"}, "langgraph.no_object"),
        ({"subject": "a", "title": "k", "text": ""}, "json.broken"),
        ({"subject": "a", "title": "k", "text": '{"a": NaN}'}, "json.refused"),
        ({"subject": "a", "title": "k", "text": '{"a": "\\ud800"}'}, "json.refused"),
        ({"subject": "a", "title": "k", "text": "[" * 100_000}, "json.refused"),
    ],
)
def test_what_langgraph_would_refuse_is_refused(
    tmp_path: Path, opened: Open, fields: dict[str, str], code: str
) -> None:
    store = opened(copied(tmp_path, "store.sqlite"))
    before = records(store)
    for act in (lambda: store.classify(fields), lambda: store.add(NewRecord("item", fields))):
        with pytest.raises(UserError) as caught:
            act()
        assert caught.value.code == code
    assert records(store) == before


def test_it_is_known_by_its_columns(tmp_path: Path) -> None:
    sight = see(Location((copied(tmp_path, "store.sqlite"),)))
    assert LanggraphStoreFormat().probe(sight) is Confidence.CERTAIN
    other = tmp_path / "other.db"
    create_database(other, None, "CREATE TABLE store (prefix TEXT, key TEXT);")
    assert LanggraphStoreFormat().probe(see(Location((other,)))) is Confidence.NO
