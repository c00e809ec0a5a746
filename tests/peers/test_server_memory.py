# SPDX-License-Identifier: MIT
"""After each of our acts the reference server reads its file, and finds exactly what should be.

The expected graph is a plain value that the test changes itself; where the server has the same act,
it does it on a copy and both files must say the same.
"""

from __future__ import annotations

import copy
import json
import os
import random
import shutil
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from graph_server import GraphServer, ServerError, start_file

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.records import Ref, StoreId
from memory_gui.services import Services, build_services
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.server_memory.format import GraphFormat
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words

SAMPLE = Path(__file__).parent.parent / "data" / "mcp-server-memory" / "memory.jsonl"
SOAK = bool(os.environ.get("MEMORY_GUI_SOAK"))
Graph = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphServer]:
    """One server for all tests; each puts its own file in its place."""
    running = GraphServer(start_file(), tmp_path_factory.mktemp("graph") / "memory.jsonl")
    yield running
    running.close()


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphServer]:
    """A second one, which does itself what we do."""
    running = GraphServer(start_file(), tmp_path_factory.mktemp("other") / "memory.jsonl")
    yield running
    running.close()


@pytest.fixture
def path(server: GraphServer) -> Path:
    shutil.copyfile(SAMPLE, server.path)
    return server.path


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    opened = GraphFormat().open(Location((path.resolve(),)), None, Mode.CHANGE)
    yield opened
    opened.close()


def of(graph: Graph, name: str) -> dict[str, Any]:
    return next(one for one in graph["entities"] if one["name"] == name)


def ref(store: Store, kind: str, *key: str) -> Ref:
    return Ref(store.id, kind, key)


def said(store_id: str, name: str, text: str) -> Ref:
    """An observation, which is called by a digest of its text."""
    label = blake2b(text.encode(), digest_size=3).hexdigest()
    return Ref(StoreId(store_id), "observation", (name, label))


def test_it_reads_every_act_of_ours(server: GraphServer, store: Store) -> None:
    graph = server.graph()
    lin = of(graph, "林晓雨")
    first = lin["observations"][0]

    def agree(act: str) -> None:
        assert server.graph() == graph, act

    store.add(NewRecord("entity", {"title": 'Bremen "Nord"', "type": "city"}))
    graph["entities"].append({"name": 'Bremen "Nord"', "entityType": "city", "observations": []})
    agree("add an entity")
    store.add(NewRecord("observation", {"subject": "林晓雨", "text": "zwei\nLinien 🌶️ \\ \u2028"}))
    lin["observations"].append("zwei\nLinien 🌶️ \\ \u2028".strip())
    agree("add an observation")
    store.add(NewRecord("relation", {"from": "林晓雨", "type": "lives in", "to": 'Bremen "Nord"'}))
    graph["relations"].append({"from": "林晓雨", "to": 'Bremen "Nord"', "relationType": "lives in"})
    agree("add a relation")
    second = said(store.id, "林晓雨", lin["observations"][1])
    store.apply(Edit(Target(second), {"text": "geändert"}))
    lin["observations"][1] = "geändert"
    agree("edit an observation")
    store.apply(Edit(Target(ref(store, "entity", "林晓雨")), {"type": "friend"}))
    lin["entityType"] = "friend"
    agree("edit a type")
    saved = store.snapshot([said(store.id, "林晓雨", first)])
    store.delete(Target(said(store.id, "林晓雨", first)))
    lin["observations"].remove(first)
    agree("delete an observation")
    store.reinstate(saved)
    lin["observations"].insert(0, first)
    agree("take that back")
    store.apply(Edit(Target(ref(store, "entity", "林晓雨")), {"title": "Lin"}))
    lin["name"] = "Lin"
    for one in graph["relations"]:
        one.update({end: "Lin" for end in ("from", "to") if one[end] == "林晓雨"})
    agree("rename an entity")
    relation = ref(store, "relation", "Lin", "lives in", 'Bremen "Nord"')
    store.delete(Target(relation))
    graph["relations"].pop()
    agree("delete a relation")
    saved = store.snapshot([ref(store, "entity", "Lin")])
    before = copy.deepcopy(graph)
    store.delete(Target(ref(store, "entity", "Lin")))
    graph["entities"] = [one for one in graph["entities"] if one["name"] != "Lin"]
    graph["relations"] = [r for r in graph["relations"] if "Lin" not in (r["from"], r["to"])]
    agree("delete an entity")
    store.reinstate(saved)
    graph = before
    agree("take that back, too")


def test_deleting_does_what_its_own_delete_does(
    server: GraphServer, other: GraphServer, store: Store
) -> None:
    for name in ("Mateo Álvarez", "Project Ginkgo 银杏", "empty entity"):
        shutil.copyfile(server.path, other.path)
        store.delete(Target(ref(store, "entity", name)))
        other.call("delete_entities", entityNames=[name])
        assert server.graph() == other.graph()
    shutil.copyfile(server.path, other.path)
    lin = of(server.graph(), "林晓雨")["observations"][2]
    store.delete(Target(said(store.id, "林晓雨", lin)))
    gone = [{"entityName": "林晓雨", "observations": [lin]}]
    other.call("delete_observations", deletions=gone)
    assert server.graph() == other.graph()


def test_what_it_cannot_read_is_mended(server: GraphServer, path: Path) -> None:
    good = server.graph()
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b'\n{"type":"entity","na\nnull\n')
    with pytest.raises(ServerError):
        server.graph()
    store = GraphFormat().open(Location((path.resolve(),)), None, Mode.CHANGE)
    broken = [r for batch in store.scan(["line"]) for r in batch]
    assert len(broken) == 3
    for record in broken:
        store.delete(Target(record.ref))
    store.close()
    assert server.graph() == good


def test_what_it_would_drop_we_keep(server: GraphServer, path: Path) -> None:
    extra = b'{"type":"event","text":"unknown"}'
    path.write_bytes(path.read_bytes() + b"\n" + extra)
    store = GraphFormat().open(Location((path.resolve(),)), None, Mode.CHANGE)
    store.add(NewRecord("observation", {"subject": "林晓雨", "text": "new"}))
    store.close()
    assert extra in path.read_bytes()
    server.call("delete_relations", relations=[])
    assert extra not in path.read_bytes()


def test_both_write_and_nobody_loses(server: GraphServer, path: Path, store: Store) -> None:
    """The server rewrites the whole file between our acts; we read it anew before each."""
    rounds = 60 if SOAK else 8
    for number in range(rounds):
        mine = [{"entityName": "林晓雨", "contents": [f"theirs {number}"]}]
        server.call("add_observations", observations=mine)
        store.add(NewRecord("observation", {"subject": "林晓雨", "text": f"ours {number}"}))
    found = of(server.graph(), "林晓雨")["observations"]
    assert {f"{who} {n}" for who in ("ours", "theirs") for n in range(rounds)} <= set(found)


@pytest.mark.parametrize("seed", range(40 if SOAK else 2))
def test_random_acts(server: GraphServer, path: Path, seed: int) -> None:
    """Random graphs and acts; the server reads what a model says, after every act."""
    chance = random.Random(seed)
    names = [f"{word} {n}" for n in range(6) for word in ("节点", 'q"', "b\\")]
    graph: Graph = {"entities": [], "relations": []}
    path.write_bytes(b"")
    store = GraphFormat().open(Location((path.resolve(),)), None, Mode.CHANGE)
    for _ in range(60 if SOAK else 25):
        _act(store, graph, names, chance)
        assert server.graph() == graph
    store.close()


def _act(store: Store, graph: Graph, names: list[str], chance: random.Random) -> None:
    act = chance.choice(["entity", "observe", "observe", "relate", "relate", "drop", "forget"])
    name, second = chance.choice(names), chance.choice(names)
    known = {one["name"]: one for one in graph["entities"]}
    try:
        if act == "entity":
            store.add(NewRecord("entity", {"title": name, "type": "t"}))
            graph["entities"].append({"name": name, "entityType": "t", "observations": []})
        elif act == "observe":
            text = f"{chance.random()} 文字"
            store.add(NewRecord("observation", {"subject": name, "text": text}))
            known[name]["observations"].append(text)
        elif act == "relate":
            store.add(NewRecord("relation", {"from": name, "type": "r", "to": second}))
            graph["relations"].append({"from": name, "to": second, "relationType": "r"})
        elif act == "drop":
            store.delete(Target(ref(store, "entity", name)))
            graph["entities"] = [one for one in graph["entities"] if one["name"] != name]
            graph["relations"] = [r for r in graph["relations"] if name not in (r["from"], r["to"])]
        else:
            records = [r for batch in store.scan(["observation"]) for r in batch]
            if records:
                record = chance.choice(records)
                store.delete(Target(record.ref, record.etag))
                known[str(record.subject)]["observations"].remove(record.text)
    except UserError as error:
        assert error.code in {"record.key_taken", "record.no_entity", "record.gone"}  # noqa: PT017 - each act may be one that cannot be


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    made = build_services(
        words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    yield made
    made.close()


def test_it_reads_what_an_erase_leaves(server: GraphServer, path: Path, services: Services) -> None:
    graph = server.graph()
    (opened,) = services.library.open(path)
    first = of(graph, "林晓雨")["observations"][0]
    mateo = Ref(opened.id, "entity", ("Mateo Álvarez",))
    for chosen in (said(opened.id, "林晓雨", first), mateo):
        assert services.erasing.run(services.erasing.plans.plan([chosen])).state == "proved"
    del of(graph, "林晓雨")["observations"][0]
    name = "Mateo Álvarez"
    graph["entities"] = [one for one in graph["entities"] if one["name"] != name]
    graph["relations"] = [r for r in graph["relations"] if name not in (r["from"], r["to"])]
    assert server.graph() == graph
    assert all(map(json.loads, path.read_text("utf-8").split("\n")))
