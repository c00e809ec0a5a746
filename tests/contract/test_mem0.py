# SPDX-License-Identifier: MIT
"""Mem0's stores: the reading contract, and every marker of the samples in its state."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from store_contract import Bench, ReadingContract, everything

from memory_gui.domain.changes import Confidence
from memory_gui.domain.errors import UserError
from memory_gui.domain.kinds import without_repeats
from memory_gui.domain.records import Record, Ref, State
from memory_gui.engine.create import create_database
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.mem0.format import Mem0Format
from memory_gui.stores.sight import see

DATA = Path(__file__).parent.parent / "data" / "mem0"
EXPECTED = json.loads((DATA / "EXPECTED.json").read_text())["markers"]
STORES = {
    "qdrant": "home/.mem0/history.db",
    "faiss": "history-faiss.db",
    "chroma": "history-chroma.db",
}
DAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies that nothing is written to."""
    folder = tmp_path_factory.mktemp("mem0").resolve() / "samples"
    shutil.copytree(DATA, folder)
    return folder


def format_of(folder: Path) -> Mem0Format:
    """As it is for the person whose home the samples have."""
    return Mem0Format(folder / "home", shared=folder / "tmp-qdrant", day=lambda: DAY)


def opened(folder: Path, path: str) -> Store:
    """Open what a person named."""
    known = format_of(folder)
    location = known.locate((folder / path).resolve())
    assert location is not None
    return known.open(location, None, Mode.LOOK)


def states_of(store: Store, marker: str) -> set[tuple[str, State, bool]]:
    """(kind, state, whether it is the record's own text) of those that say a marker."""
    return {
        (r.kind, r.state, marker in r.text)
        for r in everything(store).values()
        if any(marker in text for text in r.searchable())
    }


class TestReading(ReadingContract):
    """All three vector stores."""

    @pytest.fixture(params=sorted(STORES))
    def bench(self, samples: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
        opened_: list[Store] = []

        def open_one(_mode: Mode) -> Store:
            opened_.append(opened(samples, STORES[request.param]))
            return opened_[-1]

        yield Bench(open_one, "memory", {"text": "another text"})
        for store in opened_:
            store.close()


LIVE = ("memory", State.LIVE, True)
LEFT = ("memory", State.TRASH, True)
BEFORE = ("memory", State.LIVE, False)
SAID = ("message", State.LIVE, True)
EVENT = ("history", State.LIVE, True)


@pytest.mark.parametrize("kind", sorted(STORES))
def test_every_marker_is_in_its_state(samples: Path, kind: str) -> None:
    store = opened(samples, STORES[kind])
    wanted = {"live": LIVE, "deleted": LEFT, "overwritten": BEFORE, "raw-message": SAID}
    mine = [one for one in EXPECTED if one["note"].startswith(kind)]
    assert len(mine) > 30
    for one in mine:
        found = states_of(store, one["marker"])
        assert wanted[one["state"]] in found, one
        if one["state"] != "live":
            assert LIVE not in found, one
    others = [one for one in EXPECTED if one not in mine]
    assert not any(states_of(store, one["marker"]) for one in others[:5])
    store.close()


@pytest.mark.parametrize(
    ("kind", "kinds"),
    [("faiss", {"history"}), ("qdrant", {"history"}), ("chroma", {"history", "memory"})],
)
def test_who_is_named_in_the_history_alone_is_found_there_alone(
    samples: Path, kind: str, kinds: set[str]
) -> None:
    """A log of Chroma's keeps the old text as well, and goes with its memory only."""
    store = opened(samples, STORES[kind])
    marks = [
        one["marker"]
        for one in EXPECTED
        if one["note"].startswith(kind) and one["state"] == "overwritten"
    ]
    assert marks
    for mark in marks:
        own = (without_repeats(record, store.declared) for record in everything(store).values())
        assert {r.kind for r in own if any(mark in text for text in r.searchable())} == kinds
    store.close()


def test_what_was_deleted_and_is_still_here_is_told(samples: Path) -> None:
    store = opened(samples, STORES["qdrant"])
    told = {one.code: one.values for one in store.told()}
    assert told["mem0.left"] == {"n": 2}
    left = [r for r in everything(store).values() if r.state is State.TRASH]
    assert [r.told for r in left] == [("mem0.deleted",)] * 2
    names = [set((r.extra.get("entities") or "").split(", ")) for r in left]
    assert {"zqo-mem0-03-ent", "Dr. 34d525", "Ginkgo"} in names
    store.close()


def test_a_history_that_is_elsewhere_has_the_vectors_of_the_usual_place(samples: Path) -> None:
    """Only where they have memories in common: the folder is everybody's."""
    elsewhere = samples / "work" / "history.db"
    elsewhere.parent.mkdir(exist_ok=True)
    shutil.copy(samples / STORES["qdrant"], elsewhere)
    store = opened(samples, "work/history.db")
    assert "mem0.places" in {one.code for one in store.told()}
    store.close()
    other = opened(samples, STORES["faiss"])
    (places,) = [one.values["places"] for one in other.told() if one.code == "mem0.places"]
    assert "tmp-qdrant" not in str(places)
    other.close()


def test_a_memory_is_shown_once_with_all_its_copies(samples: Path) -> None:
    store = opened(samples, STORES["qdrant"])
    records = [r for r in everything(store).values() if r.kind == "memory"]
    (one,) = [r for r in records if "zqo-mem0-027-1ddc36" in r.text]
    copies = (one.extra["copies"] or "").split("; ")
    assert copies == [
        "Qdrant mem0",
        "Qdrant mem0_entities (link) ×3",
        "history.db: history",
        "history.db: messages ×6",
    ]
    assert one.subject == "lin-xiaoyu"
    store.close()


@pytest.mark.parametrize(
    ("path", "main"),
    [
        ("home/.mem0", "home/.mem0/history.db"),
        ("tmp-qdrant", "home/.mem0/history.db"),
        ("tmp-qdrant/collection/mem0/storage.sqlite", "home/.mem0/history.db"),
        ("faiss", "faiss/mem0.json"),
        ("faiss/mem0_entities.json", "faiss/mem0_entities.json"),
        ("chroma", "chroma/chroma.sqlite3"),
    ],
)
def test_whichever_file_is_named_all_of_them_are_opened(
    samples: Path, path: str, main: str
) -> None:
    store = opened(samples, path)
    assert store.id == str(samples / main)
    history = [one for one in (store.id, *store.info().parts) if "history" in one]
    assert len(history) == 1
    assert {State.LIVE, State.TRASH} <= set(store.info().counts["memory"])
    store.close()


def test_whose_a_memory_or_an_entity_is_beside_the_user_is_told(
    samples: Path, tmp_path: Path
) -> None:
    shutil.copytree(samples / "faiss", tmp_path / "faiss")
    file = tmp_path / "faiss" / "mem0.json"
    content = json.loads(file.read_text())
    name = next(iter(content["docstore"]))
    content["docstore"][name]["actor_id"] = "Zofia"
    file.write_text(json.dumps(content))
    store = opened(tmp_path, "faiss")
    records = everything(store)
    assert records[Ref(store.id, "memory", (name,))].extra["actor_id"] == "Zofia"
    entities = [one for one in records.values() if one.kind == "entity"]
    assert {one.extra["run_id"] for one in entities} == {"session-1"}
    store.close()


def test_a_history_alone_tells_by_its_last_entry(samples: Path, tmp_path: Path) -> None:
    shutil.copy(samples / STORES["faiss"], tmp_path / "history.db")
    store = opened(tmp_path, "history.db")
    assert store.info().counts["memory"] == {State.LIVE: 29, State.TRASH: 1}
    assert "mem0.no_vectors" in [one.code for one in store.told()]
    store.close()


def test_a_vector_store_of_other_memories_is_not_taken_along(samples: Path, tmp_path: Path) -> None:
    shutil.copy(samples / STORES["faiss"], tmp_path / "history.db")
    shutil.copytree(samples / "tmp-qdrant", tmp_path / "qdrant")
    store = opened(tmp_path, "history.db")
    assert store.info().parts == ()
    store.close()


def test_vectors_of_another_program_are_none_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "collection" / "docs"
    folder.mkdir(parents=True)
    create_database(
        folder / "storage.sqlite",
        None,
        "CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB);"
        "INSERT INTO points VALUES ('gASVBAAAAAAAAABLAS4=', x'80047d2e')",
    )
    known = format_of(tmp_path)
    location = known.locate((folder / "storage.sqlite").resolve())
    assert location is not None
    assert known.probe(see(location)) is Confidence.MAYBE
    with pytest.raises(UserError, match=r"store\.other_schema"):
        known.open(location, None, Mode.LOOK)


def test_another_text_is_refused_with_the_reason(samples: Path) -> None:
    store = opened(samples, STORES["qdrant"])
    record = next(iter(everything(store).values()))
    error = store.cannot("edit")
    assert error.params["why"] == "mem0.needs_vector"
    assert "edit" in next(one for one in store.declared if one.name == record.kind).acts
    store.close()


class TestEraseScope:
    """What goes of each file."""

    def scope_of(self, store: Store, marker: str, kind: str = "memory") -> Any:
        records = [r for r in everything(store).values() if r.kind == kind]
        (one,) = [r for r in records if marker in r.text]
        return store.erase_scope([one.ref])

    @pytest.fixture
    def store(self, samples: Path) -> Iterator[Store]:
        store = opened(samples, STORES["qdrant"])
        yield store
        store.close()

    def test_a_memory_goes_with_history_talk_row_and_links(self, store: Store) -> None:
        scope = self.scope_of(store, "zqo-mem0-027-1ddc36")
        assert {rows.table: rows.total for rows in scope.rows} == {"history": 1, "messages": 6}
        points, entities = scope.parts
        assert [rows.total for rows in points.rows] == [1]
        assert (len(entities.rows), len(entities.cells)) == (0, 3)
        assert scope.locks == ()
        assert points.locks == entities.locks != ()
        assert any("zqo-mem0-027-1ddc36" in text for text in scope.texts)

    def test_what_was_deleted_goes_with_the_names_left_behind(self, store: Store) -> None:
        scope = self.scope_of(store, "zqo-mem0-035-34d525")
        assert {rows.table: rows.total for rows in scope.rows} == {"history": 2, "messages": 1}
        assert [rows.total for part in scope.parts for rows in part.rows] == [3]

    def test_an_older_text_goes_alone(self, store: Store) -> None:
        scope = self.scope_of(store, "zqo-mem0-032-75344f", "history")
        assert {rows.table: (rows.key_columns, rows.total) for rows in scope.rows} == {
            "history": (("id",), 1)
        }
        assert not any(part.rows or part.cells for part in scope.parts)
        assert all("Helix" not in text for text in scope.texts)

    def test_what_is_missing_is_named(self, store: Store) -> None:
        ref = Ref(store.id, "memory", ("no such",))
        assert store.erase_scope([ref]).missing == (ref,)

    def test_a_row_of_a_vector_store_stands_for_its_memory(self, store: Store) -> None:
        scope = self.scope_of(store, "zqo-mem0-001-e87b37")
        (key,) = [key for part in scope.parts for rows in part.rows for key in rows.keys]
        ref = Ref(store.id, "embedding", key)
        (record,) = store.fetch([ref])
        assert isinstance(record, Record)
        assert "zqo-mem0-001-e87b37" in record.text
        assert store.erase_scope([ref]).texts == scope.texts


def test_location_of_any_other_file_is_that_file(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    file.write_bytes(b"x")
    assert format_of(tmp_path).locate(file) == Location((file,))
