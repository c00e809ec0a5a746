# SPDX-License-Identifier: MIT
"""After a taken key was settled, Agentao reads what the person chose, and goes on with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memory_gui.domain.changes import Edit, NewRecord, Target
from memory_gui.domain.records import Record, Ref
from memory_gui.services import Services, build_services
from memory_gui.services.editing.clashes import Choice, Way
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import NoKeychain
from memory_gui.words import Words


@dataclass
class Pair:
    """Two empty stores under our services; ``ask`` closes ours and lets Agentao read."""

    services: Services
    ask: Callable[[], dict[str, Any]]

    def add(self, title: str, text: str) -> Record:
        fields = {"title": title, "text": text, "scope": "project"}
        project = self.services.library.stores()[0].id
        done = self.services.editing.add(project, NewRecord("memory", fields))
        return self.read(done.changes.added[0])

    def read(self, ref: Ref) -> Record:
        record = self.services.library.record(ref)
        assert record is not None
        return record


@pytest.fixture
def pair(tmp_path: Path, judge: Any) -> Iterator[Pair]:
    home, project = tmp_path / "home", tmp_path / "atlas"
    for folder in (home, project):
        (folder / ".agentao").mkdir(parents=True)
        create_store(folder / ".agentao/memory.db", None)
    services = build_services(
        words=Words(), home=home, data_dir=tmp_path / "data", keychain=NoKeychain()
    )
    services.library.open(project)

    def ask() -> dict[str, Any]:
        services.library.close_all()
        judge(
            "open",
            project=str(project / ".agentao/memory.db"),
            user=str(home / ".agentao/memory.db"),
        )
        state: dict[str, Any] = judge("state")
        assert state["problems"] == []
        return state

    yield Pair(services, ask)
    judge("close")
    services.close()


@pytest.fixture
def clash(pair: Pair) -> tuple[Pair, Record, Record, Any]:
    old = pair.add("Deploy Port!", "8080")
    pair.services.editing.trash([old.ref])
    new = pair.add("deploy port", "9090")
    (found,) = pair.services.editing.clashes([old.ref])
    return pair, old, new, found


def live(state: dict[str, Any]) -> dict[str, str]:
    return {entry["key_normalized"]: entry["content"] for entry in state["entries"]}


def test_the_key_and_the_free_one_are_agentaos_own(clash: Any, judge: Any) -> None:
    _pair, old, new, found = clash
    assert judge("rules", title=old.title, tags=[], text="x")["key"] == found.key
    assert judge("rules", title=new.title, tags=[], text="x")["key"] == found.key
    assert judge("rules", title=found.free, tags=[], text="x")["key"] == found.free


def test_swapped(clash: Any, judge: Any) -> None:
    pair, old, new, found = clash
    pair.services.editing.settle([(found, Choice(Way.SWAP))])
    state = pair.ask()
    assert live(state) == {"deploy_port": "8080"}
    assert [entry["id"] for entry in state["entries"]] == list(old.ref.key)
    saved = judge("save", key="Deploy Port", value="7070")
    assert saved["id"] == old.ref.key[0], "Agentao goes on with the one that came back"
    assert judge("delete", ident=new.ref.key[0]) is False


def test_both_kept(clash: Any, judge: Any) -> None:
    pair, old, new, found = clash
    pair.services.editing.settle([(found, Choice(Way.BOTH))])
    state = pair.ask()
    assert live(state) == {"deploy_port": "9090", "deploy_port_2": "8080"}
    assert judge("save", key="deploy_port_2", value="x")["id"] == old.ref.key[0]
    assert judge("save", key="deploy port", value="y")["id"] == new.ref.key[0]


def test_swapped_and_taken_back(clash: Any) -> None:
    pair, _old, new, found = clash
    pair.services.editing.settle([(found, Choice(Way.SWAP))])
    pair.services.editing.undo()
    state = pair.ask()
    assert live(state) == {"deploy_port": "9090"}
    assert [entry["id"] for entry in state["entries"]] == list(new.ref.key)


def test_in_its_place(pair: Pair) -> None:
    old, one = pair.add("tea", "green"), pair.add("coffee", "strong")
    edit = Edit(Target(one.ref, one.etag), {"title": "Tea"})
    pair.services.editing.edit(edit, instead=Target(old.ref, old.etag))
    assert live(pair.ask()) == {"tea": "strong"}


def test_merged_by_hand(clash: Any) -> None:
    pair, _old, new, found = clash
    text = f"{found.holder.text}\n{found.fields['text']}"
    pair.services.editing.edit(Edit(Target(new.ref, new.etag), {"text": text}))
    assert live(pair.ask()) == {"deploy_port": "9090\n8080"}
