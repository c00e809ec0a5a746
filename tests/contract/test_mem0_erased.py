# SPDX-License-Identifier: MIT
"""Erasing from Mem0's stores: no byte of what went is left in any file, and all else still is."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_gui.domain.records import Record, State, StoreId
from memory_gui.engine.connection import open_database
from memory_gui.erasure.result import EraseState
from memory_gui.services import Services, build_services
from memory_gui.stores.formats.mem0.faiss import Faiss
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

HOLD = """
import fcntl, sys
with open(sys.argv[1], "r+") as file:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    print("held", flush=True)
    sys.stdin.read()
"""
DATA = Path(__file__).parent.parent / "data" / "mem0"
EXPECTED = json.loads((DATA / "EXPECTED.json").read_text())["markers"]
STORES = {
    "qdrant": "home/.mem0/history.db",
    "faiss": "history-faiss.db",
    "chroma": "history-chroma.db",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Copies, with Qdrant's beside its history."""
    folder = tmp_path.resolve() / "samples"
    shutil.copytree(DATA, folder)
    shutil.move(folder / "tmp-qdrant", folder / "home/.mem0/qdrant")
    return folder


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Ours, in folders of the test's own and without a keychain."""
    made = build_services(
        words=Words("en"), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    yield made
    made.close()


@pytest.mark.parametrize(
    ("without", "main", "limit"),
    [
        ("home/.mem0/qdrant", "home/.mem0/history.db", "limit.mem0_vectors"),
        ("history-faiss.db", "faiss/mem0.json", "limit.mem0_history"),
    ],
)
def test_what_was_not_found_of_a_store_is_named_as_not_covered(
    folder: Path, services: Services, without: str, main: str, limit: str
) -> None:
    shutil.rmtree(folder / without) if (folder / without).is_dir() else (folder / without).unlink()
    (one,) = services.library.open(folder / main)
    ref = next(r.ref for r in records_of(services, one.id) if r.kind == "memory")
    plan = services.erasing.plans.plan([ref])
    assert limit in {one.code for one in plan.not_covered}
    result = services.erasing.run(plan)
    assert limit in {one.code for one in result.not_covered}


def test_a_vector_store_that_cannot_be_read_is_named_and_not_covered(
    folder: Path, services: Services
) -> None:
    broken = folder / "faiss" / "mem0_entities.json"
    broken.write_text("[" * 100_000)
    (one,) = services.library.open(folder / STORES["faiss"])
    told = {one.code: one.values for one in services.library.shelf(one.id).info.told}
    assert told["mem0.unread"] == {"places": str(broken)}
    ref = next(r.ref for r in records_of(services, one.id) if r.kind == "memory")
    result = services.erasing.run(services.erasing.plans.plan([ref]))
    limits = [one.params for one in result.not_covered if one.code == "limit.unread_file"]
    assert limits == [{"path": str(broken)}]


def records_of(services: Services, store: StoreId) -> list[Record]:
    """All of them."""
    return services.library.shelf(store).screen(
        lambda one: [r for some in one.scan() for r in some]
    )


def says(record: Record, marker: str) -> bool:
    """In any field."""
    return any(marker in text for text in record.searchable())


def left_in(folder: Path, markers: list[str]) -> set[tuple[str, str]]:
    """(file, marker) of all that is left in any byte, also in what JSON writes for it."""
    found = set()
    for path in folder.rglob("*"):
        if path.is_file() and path.name not in ("EXPECTED.json", "MADE.md"):
            raw = path.read_bytes().lower()
            found |= {(str(path), one) for one in markers if one.lower().encode() in raw}
    return found


@pytest.mark.parametrize("kind", sorted(STORES))
def test_nothing_of_what_was_erased_is_left(folder: Path, services: Services, kind: str) -> None:
    """Every second live memory, what was overwritten, all that was deleted, and a talk."""
    (opened,) = services.library.open(folder / STORES[kind])
    mine = [one for one in EXPECTED if one["note"].startswith(kind)]
    live = [one["marker"] for one in mine if one["state"] == "live"]
    gone = [one["marker"] for one in mine if one["state"] != "live"] + live[::2] + live[-1:]
    before = records_of(services, opened.id)
    chosen = [r for r in before if r.kind == "memory" and any(says(r, one) for one in gone)]
    chosen += [r for r in before if r.kind == "message"]
    plan = services.erasing.plans.plan([r.ref for r in chosen])
    result = services.erasing.run(plan)
    assert result.state is EraseState.PROVED, [s.proof for s in result.stores]
    assert {store.path for store in result.stores} == {s.path for s in plan.stores}
    assert len(result.stores) > 1
    assert not left_in(folder / ("home" if kind == "qdrant" else "."), gone)
    after = records_of(services, opened.id)
    kept = {r.ref: r.text for r in before if r.kind == "memory" and r not in chosen}
    assert {r.ref: r.text for r in after if r.kind == "memory"} == kept
    assert all(r.state is State.LIVE for r in after if r.kind == "memory")
    assert not any(says(r, one) for r in after for one in gone)
    assert not services.erasing.pending()
    told = {hit.ref for store in result.stores for hit in store.proof.kept_hits}  # type: ignore[union-attr]  # proved
    assert told
    assert told <= {r.ref.text for r in after}
    _is_sound(folder, kind)


def _is_sound(folder: Path, kind: str) -> None:
    """What Mem0 reads afterwards is whole."""
    if kind == "faiss":
        texts = json.loads((folder / "faiss/mem0.json").read_text())
        assert list(texts["index_to_id"].values()) == list(texts["docstore"])
        assert list(texts["index_to_id"]) == [str(n) for n in range(len(texts["docstore"]))]
        head = (folder / "faiss/mem0.faiss").read_bytes()
        assert int.from_bytes(head[8:16], "little") == len(texts["docstore"])
        assert len(head) == 45 + 4 * 32 * len(texts["docstore"])
        assert all(one.size == 128 for one in Faiss(folder / "faiss/mem0.json").read())
    if kind == "chroma":
        with open_database(folder / "chroma/chroma.sqlite3", None, write=False) as database:
            last = database.execute("SELECT max(seq_id) FROM embeddings_queue")
        assert last == [(42,)]  # else the next row would take a number that was read already


def test_the_last_row_of_chromas_log_stays_as_a_delete(folder: Path, services: Services) -> None:
    path = folder / "chroma/chroma.sqlite3"
    with open_database(path, None, write=True) as database:
        database.execute("DELETE FROM embeddings_queue WHERE seq_id = 42")
    (opened,) = services.library.open(folder / STORES["chroma"])
    (one,) = [
        r
        for r in records_of(services, opened.id)
        if says(r, "zqo-mem0-103-5d99b1") and r.kind == "memory"
    ]
    result = services.erasing.run(services.erasing.plans.plan([one.ref]))
    assert result.state is EraseState.PROVED
    with open_database(path, None, write=False) as database:
        row = database.execute(
            "SELECT operation, vector, encoding, metadata FROM embeddings_queue WHERE seq_id = 41"
        )
    assert row == [(3, None, None, "{}")]


def test_who_holds_qdrants_lock_is_said_and_nothing_is_changed(
    folder: Path, services: Services
) -> None:
    (opened,) = services.library.open(folder / STORES["qdrant"])
    one = next(r for r in records_of(services, opened.id) if r.kind == "memory")
    plan = services.erasing.plans.plan([one.ref])
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    command = [sys.executable, "-I", "-c", HOLD, str(folder / "home/.mem0/qdrant/.lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stdin is not None
        assert program.stdout.readline() == b"held\n"
        result = services.erasing.run(plan)
        assert result.state is EraseState.NOT_FINISHED
        assert program.pid in {who.pid for store in result.stores for who in store.open_by}
        assert {store.reason for store in result.stores} == {"erase.in_use"}
        program.stdin.close()
    assert {path: path.read_bytes() for path in before} == before
    for entry in services.erasing.pending():
        assert services.erasing.resume(entry).state is EraseState.PROVED
    assert not left_in(folder / "home", [one.text])
