# SPDX-License-Identifier: MIT
"""Stores of Mem0 that somebody made to do harm: nothing is run, all is shown, and it ends soon."""

from __future__ import annotations

import base64
import json
import pickle
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import everything

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, State
from memory_gui.engine.connection import open_database
from memory_gui.stores.format import Mode
from memory_gui.stores.formats.mem0.format import Mem0Format
from memory_gui.stores.formats.mem0.qdrant import payload_of, unlinking
from memory_gui.stores.formats.mem0.store import Mem0Store

DATA = Path(__file__).parent.parent / "data" / "mem0"
UUID = "0fedcba9-0000-4000-8000-00000000000{}"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A copy with Qdrant's store beside its history."""
    folder = tmp_path.resolve() / "mem0"
    shutil.copytree(DATA / "home/.mem0", folder)
    shutil.copytree(DATA / "tmp-qdrant", folder / "qdrant")
    yield folder
    assert not (tmp_path / "made").exists()


def opened(path: Path) -> Mem0Store:
    """Open it."""
    known = Mem0Format()
    location = known.locate(path)
    assert location is not None
    return known.open(location, None, Mode.LOOK)


class Bomb:
    """Would make a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (Path.touch, (self._path,))


def put(folder: Path, number: int, point: bytes) -> str:
    """A row of that point; its id."""
    name = UUID.format(number)
    key = base64.b64encode(pickle.dumps(name)).decode()
    with open_database(folder / "qdrant/collection/mem0/storage.sqlite", None, write=True) as one:
        one.execute("INSERT INTO points VALUES (?, ?)", (key, point))
    return name


def test_rows_that_are_bombs_are_shown_as_unreadable_and_can_be_erased(folder: Path) -> None:
    bombs = (
        pickle.dumps(Bomb(folder.parent / "made")),
        b"\x80\x04" + b"(" * 900_000 + b".",
        b"\x80\x04]\x94h\x00a.",
        b"",
        b"not a pickle",
        pickle.dumps({"payload": Bomb(folder.parent / "made")}),
        b"x" * (2 << 20),
    )
    names = [put(folder, number, bomb) for number, bomb in enumerate(bombs)]
    begun = time.process_time()
    store = opened(folder / "history.db")
    found = everything(store)
    assert time.process_time() - begun < 5
    told = {one.code: one.values for one in store.told()}
    assert told["mem0.broken"] == {"n": len(bombs)}
    refs = [Ref(store.id, "memory", (name,)) for name in names]
    assert all(found[ref].told == ("mem0.unreadable",) for ref in refs)
    assert all(found[ref].state is State.LIVE for ref in refs)
    scope = store.erase_scope(refs)
    assert sum(rows.total for part in scope.parts for rows in part.rows) == len(bombs)
    store.close()


def test_a_payload_that_holds_code_shows_what_it_names(folder: Path) -> None:
    payload = {"data": "text", "hash": "x", "odd": Bomb(folder.parent / "made"), "deep": [[[1]]]}
    name = put(folder, 1, pickle.dumps({"payload": payload}))
    store = opened(folder / "history.db")
    (record,) = store.fetch([Ref(store.id, "memory", (name,))])
    assert record is not None
    assert record.text == "text"
    assert "touch" in (record.extra["odd"] or "")
    assert record.extra["deep"] == "1"
    store.close()


def test_a_key_that_is_no_id_names_its_row(folder: Path) -> None:
    with open_database(folder / "qdrant/collection/mem0/storage.sqlite", None, write=True) as one:
        for key in ("no base64!", base64.b64encode(b"garbage").decode(), ""):
            point = pickle.dumps({"payload": {"data": f"of {key}", "hash": ""}})
            one.execute("INSERT INTO points VALUES (?, ?)", (key, point))
    store = opened(folder / "history.db")
    texts = {r.text: r.ref for r in everything(store).values() if r.kind == "memory"}
    assert {"of no base64!", "of "} <= set(texts)
    scope = store.erase_scope([texts["of no base64!"]])
    keys = [key for part in scope.parts for rows in part.rows for key in rows.keys]
    assert keys == [("no base64!",)]
    store.close()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"docstore": ' + "[" * 60_000,
        '{"docstore": {"a": 1, "b": [], "c": null}, "index_to_id": {}}',
        '{"docstore": {}, "index_to_id": {"x": "a"}}',
        '{"docstore"',
    ],
)
def test_texts_that_are_no_texts_of_mem0_are_told(tmp_path: Path, text: str) -> None:
    shutil.copytree(DATA / "faiss", tmp_path / "faiss")
    (tmp_path / "faiss/mem0.json").write_text(text)
    begun = time.process_time()
    try:
        store = opened((tmp_path / "faiss/mem0.json").resolve())
    except UserError as error:
        assert error.code in ("store.damaged", "store.other_schema")  # noqa: PT017 - both will do
    else:
        everything(store)
        store.close()
    assert time.process_time() - begun < 3


def test_an_index_of_another_kind_is_refused_before_anything_is_erased(tmp_path: Path) -> None:
    shutil.copytree(DATA / "faiss", tmp_path / "faiss")
    index = tmp_path / "faiss/mem0.faiss"
    store = opened((tmp_path / "faiss/mem0.json").resolve())
    one = next(r.ref for r in everything(store).values() if r.kind == "memory")
    whole = index.read_bytes()
    for raw in (whole[:-4], b"IwFl" + whole[4:], whole[:8] + b"\xff" * 8 + whole[16:], b""):
        index.write_bytes(raw)
        with pytest.raises(UserError, match=r"mem0\.faiss_index"):
            store.erase_scope([one])
    index.write_bytes(whole)
    assert store.erase_scope([one]).files
    store.close()


def test_a_links_list_is_cut_only_where_nothing_else_changes() -> None:
    links = [UUID.format(n) for n in range(3)]
    point = {"id": "x", "payload": {"data": "name", "linked_memory_ids": links, "same": links[1]}}
    raw = pickle.dumps(point)
    assert unlinking(raw, frozenset({links[0]}))
    assert unlinking(raw, frozenset({links[1]})) == ()  # it is said elsewhere, too: left as it is
    assert unlinking(b"garbage", frozenset(links)) == ()
    puts = unlinking(raw, frozenset({links[0], links[2]}))
    after = bytearray(raw)
    for start, end, new in puts:
        after[start:end] = bytes.fromhex(new)
    assert len(after) == len(raw)
    assert pickle.loads(bytes(after)) == {
        **point,
        "payload": {"data": "name", "linked_memory_ids": [links[1]], "same": links[1]},
    }
    found = payload_of(bytes(after))
    assert found is not None
    assert found["linked_memory_ids"] == [links[1]]


def test_a_log_that_is_deep_or_broken_hides_no_row(tmp_path: Path) -> None:
    shutil.copytree(DATA / "chroma", tmp_path / "chroma")
    with open_database(tmp_path / "chroma/chroma.sqlite3", None, write=True) as one:
        for number, text in enumerate(("{" * 50_000, "[" * 50_000, "null", '{"a": NaN}')):
            one.execute(
                "UPDATE embeddings_queue SET metadata = ? WHERE seq_id = ?", (text, number + 1)
            )
    store = opened((tmp_path / "chroma/chroma.sqlite3").resolve())
    found = [r for r in everything(store).values() if r.kind == "memory"]
    assert len(found) >= 29
    assert json.dumps([r.text for r in found])
    store.close()
