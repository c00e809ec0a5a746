# SPDX-License-Identifier: MIT
"""LangGraph's checkpoints: the sample's EXPECTED.json, what is hostile, erasing whole threads."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from memory_gui.domain.changes import Confidence
from memory_gui.domain.queries import Query
from memory_gui.domain.records import Record, Ref
from memory_gui.engine.connection import open_database
from memory_gui.services import Services
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.langgraph_checkpoints import values
from memory_gui.stores.formats.langgraph_checkpoints.format import CheckpointsFormat
from memory_gui.stores.formats.langgraph_checkpoints.store import CheckpointsStore
from memory_gui.stores.msgpack import Reader
from memory_gui.stores.sight import see
from memory_gui.words.formats import going

DATA = Path(__file__).parents[3] / "data" / "langgraph"
NAME = "checkpoints.sqlite"
MARKERS = [
    one
    for one in json.loads((DATA / "EXPECTED.json").read_text())["markers"]
    if NAME in one["found_in"]
]
Open = Callable[..., CheckpointsStore]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy of the sample that may be changed."""
    return Path(shutil.copy(DATA / NAME, tmp_path / NAME))


@pytest.fixture
def opened() -> Iterator[Open]:
    """Opens; closes afterwards."""
    stores: list[CheckpointsStore] = []

    def open_one(path: Path, mode: Mode = Mode.LOOK) -> CheckpointsStore:
        stores.append(CheckpointsFormat().open(Location((path,)), None, mode))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


def records(store: CheckpointsStore) -> list[Record]:
    """All of them."""
    return [r for batch in store.scan() for r in batch]


def put(path: Path, thread: str, values: dict[str, tuple[str, bytes]]) -> None:
    """Rows of another program: checkpoint ids, and (codec, bytes) of each."""
    with open_database(path, None, write=True) as connection, connection.writing():
        for name, (codec, data) in values.items():
            connection.execute(
                "INSERT INTO checkpoints (thread_id, checkpoint_id, type, checkpoint, metadata)"
                " VALUES (?, ?, ?, ?, ?)",
                (thread, name, codec, data, b'{"step": 1'),
            )


def test_every_marker_is_found_in_its_state(path: Path, opened: Open) -> None:
    found = records(opened(path))
    for one in MARKERS:
        holding = [r for r in found if one["marker"] in r.text]
        if one["state"] == "live":
            assert {r.kind for r in holding} == {"thread", "message"}, one
            human = [r for r in holding if r.type == "human"]
            assert len(human) == 1
            assert human[0].told == ()
        else:
            assert holding == [], one
    kinds = {kind: sum(r.kind == kind for r in found) for kind in ("thread", "message", "state")}
    assert kinds == {"thread": 3, "message": 27, "state": 6}
    roles = [r.type for r in found if r.kind == "message" and r.subject == "lin-xiaoyu:t-1"]
    assert roles == ["human", "ai", "tool"] * 3
    assert any("lin.xiaoyu@example.com" in text for r in found for text in r.searchable())


def test_a_message_takes_its_whole_thread_without_a_byte_left(
    path: Path, services: Services
) -> None:
    (store, *_) = services.library.open(path, pair=False)
    before = path.read_bytes()
    ids = services.library.search(Query("zqo-langgraph-002", frozenset({store.id}))).ids
    message = next(ref for ref in services.library.refs(ids) if ref.kind == "message")
    plan = services.erasing.plans.plan([message])
    assert dict(plan.counts) == {"checkpoints": 12, "writes": 21}
    told = [said for rows in plan.stores[0].rows for said in going(rows)]
    assert told == [("thread", 1), ("checkpoints", 12), ("writes", 21)]
    result = services.erasing.run(plan)
    assert str(result.state) == "proved"
    assert {name: one.erased for name, one in result.stores[0].counts.items()} == dict(plan.counts)
    left = {ref.key[0] for ref in services.library.refs(
        services.library.search(Query("", frozenset({store.id}))).ids)}  # fmt: skip
    assert left == {"lin-xiaoyu:t-2", "mateo-alvarez:t-1"}
    services.library.close_all()
    raw = path.read_bytes()
    for number, one in enumerate(MARKERS, 1):
        marker = one["marker"].encode()
        gone = number <= 3 or one["state"] != "live"
        assert (raw.count(marker) == 0) is gone, one
        assert gone or raw.count(marker) <= before.count(marker)
    assert not Path(f"{path}-wal").exists() or not Path(f"{path}-wal").read_bytes().strip(b"\0")


def test_all_threads_can_be_erased(path: Path, services: Services) -> None:
    (store, *_) = services.library.open(path, pair=False)
    plan = services.erasing.plans.plan_query(Query("", frozenset({store.id})))
    assert str(services.erasing.run(plan).state) == "proved"
    services.library.close_all()
    raw = path.read_bytes()
    for text in ("zqo-langgraph", "lin-xiaoyu", "简洁", "4111 1111", "HumanMessage"):
        assert text.encode() not in raw


RUN: Final = "touch /tmp/was-run-42"


def text(said: str) -> bytes:
    """A short text in MessagePack."""
    return bytes([0xA0 + len(said)]) + said.encode()


def ext(code: int, inner: bytes) -> bytes:
    """An extension."""
    return b"\xc9" + len(inner).to_bytes(4, "big") + bytes([code]) + inner


BOMBS: Final = {
    "nested": ("msgpack", b"\x91" * 1_000_000),
    "nested maps": ("msgpack", b"\x81\xa1a" * 400_000),
    "long promises": ("msgpack", b"\xdd\xff\xff\xff\xff" * 10),
    "a long text promised": (
        "msgpack",
        b"\x81\xaechannel_values\x81\xa1a\xdb\xff\xff\xff\xffab",
    ),
    "nested extensions": ("msgpack", b""),
    "many": ("msgpack", b"\xdd\x00\x20\x00\x00" + b"\xc0" * 0x200000),
    "deep json": ("json", b"[" * 1_000_000),
    "wide json": ("json", b'{"channel_values": {"a": [' + b"[]," * 50_000 + b"[]]}}"),
    "a pickle": ("pickle", b"cos\nsystem\n(S'touch /tmp/g10-was-run'\ntR."),
    "sealed": ("msgpack+aes", b"\x00\x01\x02"),
    "no codec": ("zip", b"PK"),
    "nothing": ("msgpack", b""),
    "a class": (
        "msgpack",
        b"\x81\xaechannel_values\x81\xa1a" + ext(0, b"\x93\xa2os\xa6system" + text(RUN)),
    ),
}


class TestHostile:
    """Nothing runs, and time and memory are bounded."""

    def test_it_is_shown_as_far_as_it_can_be_read(
        self, path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(values, "Reader", partial(Reader, 100_000))  # test_msgpack has it whole
        inner = b""
        for _ in range(300):  # an extension in an extension in an extension …
            inner = ext(5, inner)
        bombs = {**BOMBS, "nested extensions": ("msgpack", inner)}
        for name, value in bombs.items():
            put(path, f"bomb {name}", {"1": value})
        began = time.monotonic()
        found = {r.title: r for r in records(opened(path)) if r.kind == "thread"}
        assert time.monotonic() - began < 20
        told = {name: found[f"bomb {name}"].told for name in bombs}
        assert told["a pickle"] == told["no codec"] == ("langgraph.opaque_values",)
        assert told["sealed"] == ("langgraph.sealed_values",)
        for name in ("nested", "nested maps", "long promises", "many", "deep json", "nothing"):
            assert told[name] == ("langgraph.broken_values",), name
        assert len(found) == 3 + len(bombs)
        assert not Path("/tmp/g10-was-run").exists()

    def test_a_class_is_only_a_name(self, path: Path, opened: Open) -> None:
        put(path, "class", {"1": BOMBS["a class"]})
        store = opened(path)
        (state,) = store.fetch([Ref(store.id, "state", ("class", "", "a"))])
        assert state is not None
        assert state.text == RUN
        assert not Path("/tmp/was-run-42").exists()

    def test_they_are_erased_like_all_others(self, path: Path, services: Services) -> None:
        for name in ("nested", "a pickle", "sealed"):
            put(path, f"bomb {name}", {"1": BOMBS[name]})
        (store, *_) = services.library.open(path, pair=False)
        refs = [Ref(store.id, "thread", (f"bomb {name}",)) for name in ("nested", "a pickle")]
        result = services.erasing.run(services.erasing.plans.plan(refs))
        assert str(result.state) == "proved"
        services.library.close_all()
        assert b"system" not in path.read_bytes()


def test_what_was_taken_out_is_still_found(path: Path, opened: Open) -> None:
    """An earlier checkpoint has a message, a value and a wording that the newest has not."""

    def checkpoint(ts: str, channels: dict[str, object]) -> tuple[str, bytes]:
        return "json", json.dumps({"ts": ts, "channel_values": channels}).encode()

    def said(text: str, id_: str | None) -> dict[str, object]:
        path_ = ["langchain", "schema", "messages", "HumanMessage"]
        return {"lc": 1, "type": "constructor", "id": path_, "kwargs": {"content": text, "id": id_}}

    values = {
        "1": checkpoint(
            "2026-01-01T00:00:00+00:00", {"m": [said("trimmed away", "a")], "p": "old"}
        ),
        "2": checkpoint("2026-01-02T00:00:00+00:00", {"m": [said("first words", "b")], "p": "old"}),
        "3": checkpoint("2026-01-03T00:00:00+00:00", {"m": [said("last words", "b")], "p": "new"}),
    }
    put(path, "t", values)
    found = {r.ref.key[1:]: r for r in records(opened(path)) if r.ref.key[0] == "t"}
    assert (found["a",].text, found["a",].told) == ("trimmed away", ("langgraph.earlier",))
    assert (found["b",].text, found["b",].told) == ("last words", ())
    assert found["b",].created_at == "2026-01-02T00:00:00+00:00"
    assert found["", "p"].text == "new"
    assert found["earlier",].text.split("\n\n") == ["first words", "old"]
    assert found[()].text == "human: last words"


def test_an_unchanged_thread_is_not_read_again(path: Path, opened: Open) -> None:
    store = opened(path)
    first = [(b.kind, list(b.numbers), list(b.prints)) for b in store.batches() if b.size]
    reads: list[str] = []
    gather = store.source.gather
    store.source.gather = lambda thread, into: (reads.append(thread), gather(thread, into))[1]  # type: ignore[method-assign]
    assert [(b.kind, list(b.numbers), list(b.prints)) for b in store.batches() if b.size] == first
    assert reads == []
    put(path, "mateo-alvarez:t-1", {"9": ("json", b'{"channel_values": {"x": "new"}}')})
    assert [b.work for b in store.batches() if b.size] != []
    assert reads == ["mateo-alvarez:t-1"]


def test_it_is_known_by_its_columns(path: Path) -> None:
    assert CheckpointsFormat().probe(see(Location((path,)))) is Confidence.CERTAIN
