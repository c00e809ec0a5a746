# SPDX-License-Identifier: MIT
"""The sample's EXPECTED.json: each marker in its state, and after an erase in no byte."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_gui.domain.changes import Capability, Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref
from memory_gui.engine.connection import open_database
from memory_gui.engine.create import create_database
from memory_gui.services import Services
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.persistent_memory.schema import LAYOUT
from memory_gui.stores.formats.persistent_memory.store import PersistentMemoryStore
from memory_gui.stores.registry import Registry, formats

DATA = Path(__file__).parents[3] / "data" / "persistent-memory"
MARKERS = json.loads((DATA / "EXPECTED.json").read_text())["markers"]
FILES = sorted(str(p.relative_to(DATA)) for p in DATA.rglob("*.sqlite3"))
WORKSPACE = "workspace/state/memory.sqlite3"
Open = Callable[..., PersistentMemoryStore]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens by the registry; closes afterwards."""
    stores: list[PersistentMemoryStore] = []

    def open_one(path: Path, mode: Mode = Mode.LOOK) -> PersistentMemoryStore:
        registry = Registry(formats(None))
        store = registry.open(Location((path.resolve(),)), None, mode)
        assert isinstance(store, PersistentMemoryStore)
        stores.append(store)
        return store

    yield open_one
    for store in stores:
        store.close()


def copied(tmp_path: Path, name: str = WORKSPACE) -> Path:
    """A copy that may be changed."""
    path = tmp_path / "copy" / "memory.sqlite3"
    path.parent.mkdir(exist_ok=True)
    shutil.copyfile(DATA / name, path)
    return path


def records(store: PersistentMemoryStore) -> list[Record]:
    """All of them."""
    return [r for batch in store.scan() for r in batch]


@pytest.mark.parametrize("name", FILES)
def test_each_marker_is_in_its_state(tmp_path: Path, opened: Open, name: str) -> None:
    found = "\n".join(r.text for r in records(opened(copied(tmp_path, name))))
    for marker in MARKERS:
        live = f"{name}:memory.value" in marker["live_cells"]
        assert found.count(marker["marker"]) == (1 if live else 0), marker["marker"]
        assert live == (marker["state"] == "live")


def test_looking_leaves_every_byte(tmp_path: Path, opened: Open) -> None:
    for name in FILES:
        path = copied(tmp_path, name)
        before = path.read_bytes()
        store = opened(path)
        records(store)
        store.info()
        store.close()
        assert (path.read_bytes(), [p.name for p in path.parent.iterdir()]) == (
            before, ["memory.sqlite3"],
        )  # fmt: skip


def test_after_erasing_all_no_marker_is_in_a_byte(tmp_path: Path, services: Services) -> None:
    path = copied(tmp_path)
    size = path.stat().st_size
    assert any(marker["marker"].encode() in path.read_bytes() for marker in MARKERS)
    (store, *_) = services.library.open(path, pair=False)
    refs = _refs(services)
    result = services.erasing.run(services.erasing.plans.plan(refs))
    services.library.close_all()
    assert str(result.state) == "proved"
    raw = path.read_bytes()
    for marker in MARKERS:
        text = marker["marker"]
        for form in (text.encode(), text.upper().encode(), text.encode("utf-16-le")):
            assert form not in raw
    for name in ("lin-xiaoyu", "mateo-alvarez", "response_style", "session-5"):
        assert name.encode() not in raw
    assert path.stat().st_size <= size
    assert [p.name for p in path.parent.iterdir()] == ["memory.sqlite3"]
    assert store.info.journal_mode == "delete"


def test_one_is_erased_and_the_rest_stays(tmp_path: Path, services: Services) -> None:
    path = copied(tmp_path)
    services.library.open(path, pair=False)
    ref = next(r for r in _refs(services) if r.key[2] == "contact.pii")
    plan = services.erasing.plans.plan([ref])
    assert not plan.stores[0].opaque_ids
    result = services.erasing.run(plan)
    assert str(result.state) == "proved"
    assert len(_refs(services)) == 27
    services.library.close_all()
    assert b"4111 1111" not in path.read_bytes()
    assert b"contact.pii" not in path.read_bytes()
    assert b"lin-xiaoyu" in path.read_bytes()


def test_an_encrypted_one_is_erased_and_proved(tmp_path: Path, services: Services) -> None:
    path, key = tmp_path / "memory.sqlite3", RawKey(bytes(range(32)))
    rows = "('a','preference','k','the first text of it','s',1), ('b','episode','k','v','s',1)"
    script = f"{LAYOUT}; INSERT INTO memory VALUES {rows}; PRAGMA user_version = 1;"
    create_database(path, key, script)
    services.library.open(path, key=key, pair=False)
    ref = next(r for r in _refs(services) if r.key[0] == "a")
    plan = services.erasing.plans.plan([ref], policy="keep")
    assert str(services.erasing.run(plan).state) == "proved"
    assert [r.key for r in _refs(services)] == [("b", "episode", "k")]


# ---- what its own class would refuse


def test_an_extra_column_is_kept_and_its_rows_can_be_mended(tmp_path: Path, opened: Open) -> None:
    store = opened(copied(tmp_path, "refused/extra-column/memory.sqlite3"), Mode.CHANGE)
    assert Capability.ADD not in store.capabilities
    with pytest.raises(UserError) as caught:
        store.add(NewRecord("memory", {"subject": "a", "title": "b", "text": "c"}))
    assert caught.value.params["why"] == "persistent.not_seen"
    one = records(store)[0]
    store.apply(Edit(Target(one.ref, one.etag), {"text": "changed"}))
    (now,) = store.fetch([one.ref])
    assert now is not None
    assert (now.text, now.extra) == ("changed", {"revision": "2", "updated_at": None})


def test_another_version_is_looked_at_only(tmp_path: Path, opened: Open) -> None:
    path = copied(tmp_path, "refused/user-version-2/memory.sqlite3")
    store = opened(path)
    assert len(records(store)) == 28
    assert store.reasons["edit"] == "persistent.other_version"
    with pytest.raises(UserError, match=r"persistent\.version"):
        opened(path, Mode.CHANGE)


def test_a_full_text_table_is_foreign_and_its_copies_make_it_not_proved(
    tmp_path: Path, services: Services
) -> None:
    path = copied(tmp_path, "refused/fts-table/memory.sqlite3")
    with open_database(path, None, write=True) as connection, connection.writing():
        connection.execute("INSERT INTO memory_fts SELECT value FROM memory")
    services.library.open(path, pair=False)
    ref = next(r for r in _refs(services) if r.key[2] == "contact.pii")
    plan = services.erasing.plans.plan([ref])
    assert plan.foreign_sql
    with pytest.raises(UserError, match=r"store\.foreign_objects"):
        services.erasing.run(plan)
    services.library.allow_writing(ref.store, despite_foreign=True)
    result = services.erasing.run(plan, despite_foreign=True)
    assert str(result.state) == "not-proved"


# ---- hostile files


TRIGGER = "CREATE TRIGGER steal AFTER UPDATE ON memory BEGIN DELETE FROM memory; END"


def test_a_foreign_trigger_waits_for_a_yes(tmp_path: Path, services: Services) -> None:
    path = tmp_path / "memory.sqlite3"
    script = f"{LAYOUT}; INSERT INTO memory VALUES ('a','preference','k','v','s',1); {TRIGGER};"
    create_database(path, None, f"{script} PRAGMA user_version = 1;")
    (store, *_) = services.library.open(path, pair=False)
    assert store.info.foreign_sql == (TRIGGER,)
    (ref,) = _refs(services)
    with pytest.raises(UserError, match=r"store\.foreign_objects"):
        services.editing.edit(Edit(Target(ref), {"text": "w"}))
    assert len(_refs(services)) == 1


def test_odd_cells_are_shown_bounded_and_can_be_erased(tmp_path: Path, services: Services) -> None:
    path = tmp_path / "memory.sqlite3"
    loose = LAYOUT.replace("CHECK(kind IN ('preference','episode'))", "")
    loose = loose.replace("CHECK(length(memory_key) BETWEEN 1 AND 64)", "")
    loose = loose.replace("CHECK(length(value) BETWEEN 1 AND 512)", "")
    rows = ", ".join(
        [
            "('a\x1b[31m', 'note', 'k' || char(0x202e), CAST(x'ff00fe' AS TEXT), 's', 1)",
            "(x'6162', 'preference', x'00', hex(zeroblob(100000)), '', 1)",
            "('b', 'preference', '../../etc', '=cmd()|x', 's', 9223372036854775807)",
        ]
    )
    create_database(path, None, f"{loose}; INSERT INTO memory VALUES {rows};")
    with open_database(path, None, write=True, maintain=True) as connection:
        connection.execute("PRAGMA user_version = 1")
    services.library.open(path, pair=False)
    refs = _refs(services)
    assert len(refs) == 3
    found = [services.library.record(ref) for ref in refs]
    assert all(one is not None and "persistent.malformed" in one.told for one in found[:2])
    result = services.erasing.run(services.erasing.plans.plan(refs))
    assert str(result.state) == "proved"
    assert not _refs(services)


def test_after_the_last_revision_it_begins_again(tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "memory.sqlite3"
    row = "INSERT INTO memory VALUES ('a','episode','k','v','s',9223372036854775807)"
    create_database(path, None, f"{LAYOUT}; {row}; PRAGMA user_version = 1;")
    store = opened(path, Mode.CHANGE)
    (one,) = records(store)
    store.apply(Edit(Target(one.ref), {"text": "another"}))
    (now,) = records(store)
    assert (now.text, now.extra["revision"], now.told) == ("another", "1", ())
    store.close()


def test_no_file_grows_above_the_apps_limit(tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "memory.sqlite3"
    filler = "INSERT INTO memory VALUES ('f','episode','filler',hex(zeroblob(8360000)),'s',1)"
    loose = LAYOUT.replace(" CHECK(length(value) BETWEEN 1 AND 512)", "")
    create_database(path, None, f"{loose}; {filler}; PRAGMA user_version = 1;")
    store = opened(path, Mode.CHANGE)
    refused = ""
    with store.together():
        for number in range(40):
            fields = {"subject": "a", "title": f"k{number}", "text": "字" * 512}
            try:
                store.add(NewRecord("memory", fields))
            except UserError as error:
                refused = error.code
                break
    assert refused == "persistent.file_full"
    one = next(r for r in records(store) if r.subject == "a")
    store.apply(Edit(Target(one.ref), {"text": "a change of what is there is taken"}))
    store.close()
    assert path.stat().st_size <= 16 << 20


def test_an_erase_does_not_grow_a_full_file(tmp_path: Path, services: Services) -> None:
    path = tmp_path / "memory.sqlite3"
    loose = LAYOUT.replace(" CHECK(length(value) BETWEEN 1 AND 512)", "")
    filler = "INSERT INTO memory VALUES ('f','episode','filler',hex(zeroblob(8370000)),'s',1)"
    small = "INSERT INTO memory VALUES ('f','episode','small','zq-small-text-of-it','s',1)"
    create_database(path, None, f"{loose}; {filler}; {small}; PRAGMA user_version = 1;")
    services.library.open(path, pair=False)
    ref = next(r for r in _refs(services) if r.key[2] == "small")
    assert str(services.erasing.run(services.erasing.plans.plan([ref])).state) == "proved"
    services.library.close_all()
    assert path.stat().st_size <= 16 << 20


def _refs(services: Services) -> list[Ref]:
    return services.library.refs(services.library.search(Query(), "created").ids)
