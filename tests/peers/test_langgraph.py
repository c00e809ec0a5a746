# SPDX-License-Identifier: MIT
"""After each act of ours LangGraph's own saver and store find exactly what should be there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.records import Record, Ref, State
from memory_gui.services import Services
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.langgraph_checkpoints.format import CheckpointsFormat
from memory_gui.stores.formats.langgraph_store.format import LanggraphStoreFormat

from .conftest import PEER, Judge, JudgeError, not_there

DATA = Path(__file__).parent.parent / "data" / "langgraph"
VERSION = "langgraph-3.1.2"
MORE = re.compile(r"\n\n(?:artifact|additional_kwargs): ")
TURNS = (
    "Prefers concise answers, conclusion first",
    "喜欢简洁的回答，先给结论，再给理由。",
    "Allergic to peanuts 🥜, “always”",
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """LangGraph in its own environment, for all tests here."""
    judge = Judge(peer(), tmp_path_factory.mktemp("langgraph"), "langgraph_judge.py")
    yield judge
    judge.close()


@pytest.fixture
def judge(running: Judge) -> Iterator[Judge]:
    """With its connection closed afterwards."""
    yield running
    running("close")


def peer() -> Path:
    """The Python of LangGraph's environment, made when it is not there; or a named skip."""
    done = subprocess.run([PEER, VERSION], capture_output=True, text=True, check=False, timeout=240)
    not_there(done, VERSION)
    return Path(done.stdout.strip())


def records(store: Store) -> list[Record]:
    """All of ours."""
    return [r for batch in store.scan() for r in batch]


def items(store: Store) -> list[list[Any]]:
    """As the judge lists them."""
    mine = [r for r in records(store) if r.kind == "item"]
    return sorted([r.subject, r.title, json.loads(r.text)] for r in mine)


@pytest.mark.parametrize("name", ["store.sqlite", "store-with-vectors.sqlite"])
def test_each_act_on_a_store_is_what_langgraph_reads(
    tmp_path: Path, judge: Judge, name: str
) -> None:
    path = Path(shutil.copy(DATA / name, tmp_path / name))
    vectors = "vectors" in name
    judge("open_store", path=str(path), vectors=vectors)
    store = LanggraphStoreFormat().open(Location((path,)), None, Mode.CHANGE)
    assert judge("items") == items(store)
    told = {r.title for r in records(store) if r.state is State.EXPIRED}
    assert told == {"ttl-dead"}
    fields = {"subject": "memories.lin-xiaoyu", "title": "new", "text": '{"text": "一条 new"}'}
    (ref,) = store.add(NewRecord("item", fields)).added
    assert judge("get", namespace="memories.lin-xiaoyu", key="new") == {"text": "一条 new"}
    store.apply(Edit(Target(ref), {"text": '{"text": "other", "n": 1e3, "deep": [{"a": null}]}'}))
    wanted = {"text": "other", "n": 1e3, "deep": [{"a": None}]}
    assert judge("get", namespace="memories.lin-xiaoyu", key="new") == wanted
    one = next(r for r in records(store) if r.title == "fact-05" and "lin" in str(r.subject))
    store.apply(Edit(Target(one.ref), {"text": '{"text": "corrected"}'}))
    if vectors:
        like = {"namespace": "memories.lin-xiaoyu", "query": "corrected", "limit": 50}
        assert "fact-05" not in judge("like", **like)
        assert "fact-06" in judge("like", **like)
        judge("put", namespace="memories.lin-xiaoyu", key="fact-05", value={"text": "corrected"})
        assert "fact-05" in judge("like", **like)
        judge("delete", namespace="memories.lin-xiaoyu", key="fact-07")
        left = {r.title for r in records(store) if r.kind == "vector"}
        assert left == {"gone-0", "gone-1", "gone-2", "fact-07"}
    store.delete(Target(ref))
    assert judge("items") == items(store)
    assert judge("sweep") == 1
    assert not [r for r in records(store) if r.state is State.EXPIRED]
    assert judge("check") == "ok"
    store.close()


def test_a_broken_row_stops_it_until_it_is_repaired(tmp_path: Path, judge: Judge) -> None:
    path = Path(shutil.copy(DATA / "store.sqlite", tmp_path / "store.sqlite"))
    store = LanggraphStoreFormat().open(Location((path,)), None, Mode.CHANGE)
    with store.connection.writing():
        store.connection.execute("UPDATE store SET value = '{\"text\": ' WHERE key = 'card'")
    judge("open_store", path=str(path), vectors=False)
    with pytest.raises(JudgeError):
        judge("items")
    for bad in [r for r in records(store) if "langgraph.broken" in r.told]:
        store.apply(Edit(Target(bad.ref, bad.etag), {"text": '{"text": "repaired"}'}))
    assert judge("items") == items(store)
    assert judge("get", namespace="profile.lin-xiaoyu", key="card") == {"text": "repaired"}
    store.close()


def test_what_expires_is_what_the_sweep_takes(tmp_path: Path, judge: Judge) -> None:
    path = tmp_path / "ttl.db"
    judge("open_store", path=str(path), vectors=False)
    for number, ttl in enumerate((None, 0.0, 1e-9, 0.001, 10, 1e6)):
        judge("put", namespace="a", key=str(number), value={"n": number}, ttl=ttl)
    store = LanggraphStoreFormat().open(Location((path,)), None, Mode.LOOK)
    expired = {r.title for r in records(store) if r.state is State.EXPIRED}
    before = {r.title for r in records(store)}
    assert judge("sweep") >= len(expired)
    left = {r.title for r in records(store)}
    assert {"0", "4", "5"} <= left <= before - expired
    store.close()


def test_threads_are_what_langgraph_reads(tmp_path: Path, judge: Judge) -> None:
    path = Path(shutil.copy(DATA / "checkpoints.sqlite", tmp_path / "checkpoints.sqlite"))
    judge("open_saver", path=str(path))
    judge("say", thread="new:一", turns=TURNS)
    judge("say", thread="lin-xiaoyu:t-1", turns=TURNS[:1])
    store = CheckpointsFormat().open(Location((path,)), None, Mode.CHANGE)
    found = records(store)
    for thread, said in judge("threads").items():
        mine = [r for r in found if r.kind == "message" and r.subject == thread]
        now = [[r.type, MORE.split(r.text)[0]] for r in mine if not r.told]
        assert now == [[role, plain(content)] for role, content in said]
    everything = "\n".join(text for r in found if r.subject == "new:一" for text in r.searchable())
    for text in TURNS:
        for piece in (text, f"owner of {text}", f"one of {text}", f"bytes of {text}"):
            assert piece in everything
        assert f"deep {text}" in everything
    for piece in ("2026-10-03T08:30:00+00:00", "12.50", "a good mood today", "user of new:一"):
        assert piece in everything
    (thread,) = [r for r in found if r.ref.key == ("lin-xiaoyu:t-2",)]
    saved = store.snapshot([thread.ref])
    store.delete(Target(thread.ref, thread.etag))
    assert "lin-xiaoyu:t-2" not in judge("threads")
    store.reinstate(saved)
    assert sorted(judge("threads")) == sorted(r.title for r in records(store) if r.kind == "thread")
    assert judge("check") == "ok"
    store.close()


def plain(content: Any) -> str:
    """A message's content as one text."""
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content)


def test_after_an_erase_it_goes_on_with_the_others(
    tmp_path: Path, judge: Judge, services: Services
) -> None:
    path = Path(shutil.copy(DATA / "checkpoints.sqlite", tmp_path / "checkpoints.sqlite"))
    judge("open_saver", path=str(path))
    judge("say", thread="both", turns=[*TURNS, "kept in none"])
    judge("delete_thread", thread="mateo-alvarez:t-1")
    before = judge("threads")
    judge("close")
    judge("open_store", path=str(path), vectors=False)  # in the same file
    judge("put", namespace="memories.lin", key="same", value={"text": TURNS[2]})
    judge("put", namespace="memories.lin", key="other", value={"text": "another"})
    judge("close")
    (store, *_) = services.library.open(path, pair=False)
    assert store.info.format == "langgraph"
    refs = [Ref(store.id, "thread", ("both",)), Ref(store.id, "item", ("memories.lin", "same"))]
    alone = services.erasing.plans.plan(refs[1:]).stores[0]
    assert alone.still_in == (refs[0],)
    assert str(services.erasing.run(services.erasing.plans.plan(refs)).state) == "proved"
    services.library.close_all()
    judge("open_store", path=str(path), vectors=False)
    assert judge("items") == [["memories.lin", "other", {"text": "another"}]]
    judge("close")
    judge("open_saver", path=str(path))
    assert judge("threads") == {name: said for name, said in before.items() if name != "both"}
    assert judge("check") == "ok"
    raw = path.read_bytes()
    for text in (TURNS[2], "kept in none", "user of both", "mateo-alvarez:t-1", "女儿叫小满"):
        assert text.encode() not in raw
    judge("say", thread="lin-xiaoyu:t-1", turns=["and on"])
    assert judge("threads")["lin-xiaoyu:t-1"][-4] == ["human", "and on"]
