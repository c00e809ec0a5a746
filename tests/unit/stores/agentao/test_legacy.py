# SPDX-License-Identifier: MIT
"""The JSON file of agentao 0.2.5 is looked at and erased, and says why it cannot be changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_gui.domain.changes import Capability, Edit, NewRecord, Target
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.domain.records import RefText, State
from memory_gui.stores.format import Mode
from memory_gui.stores.registry import Registry, formats

REGISTRY = Registry(formats(None))


def code(act: object) -> str:
    with pytest.raises(UserError) as caught:
        act()  # type: ignore[operator]
    return caught.value.code


@pytest.mark.parametrize(
    "name", [".agentao/memory.json", ".agentao_memory.json", ".chatagent_memory.json"]
)
def test_every_name_it_had(samples: Path, name: str) -> None:
    path = samples / "agentao-0.2.5" / name
    store = REGISTRY.open(REGISTRY.locate(path), None, Mode.LOOK)
    found = {r.title: r for batch in store.scan() for r in batch}
    entries = json.loads(path.read_text("utf-8"))["memories"]
    assert {t: (r.text, r.tags, r.updated_at) for t, r in found.items()} == {
        e["key"]: (e["value"], tuple(e["tags"]), e["timestamp"]) for e in entries
    }
    info = store.info()
    assert (info.format, info.writable, info.capabilities) == (
        "agentao-json",
        False,
        Capability.WATCH | Capability.ERASE | Capability.CONVERT,
    )
    assert info.notes == ("opened.old_format",)
    assert info.counts == {"memory": {State.LIVE: len(entries)}}


def test_the_reason_is_given_whatever_is_tried(samples: Path) -> None:
    location = REGISTRY.locate(samples / "agentao-0.2.5")
    assert code(lambda: REGISTRY.open(location, None, Mode.CHANGE)) == "store.old_format"
    store = REGISTRY.open(location, None, Mode.LOOK)
    ref = store.resolve(RefText(None, ("城市",)))
    assert ref is not None
    assert store.fetch([ref])[0] is not None
    for act in (
        lambda: store.trash(Target(ref)),
        lambda: store.apply(Edit(Target(ref), {"text": "x"})),
        lambda: store.add(NewRecord("memory", {"title": "x", "text": "y"})),
        lambda: store.delete(Target(ref)),
    ):
        assert code(act) == "store.old_format"


def test_a_foreign_change_is_noticed(samples: Path) -> None:
    path = samples / "agentao-0.2.5" / ".agentao" / "memory.json"
    store = REGISTRY.open(REGISTRY.locate(path), None, Mode.LOOK)
    before = store.change_token()
    path.write_text(json.dumps({"memories": [{"key": "k", "value": "v"}]}))
    assert store.change_token() != before
    assert [r.text for batch in store.scan() for r in batch] == ["v"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("{broken", "file.not_json"),
        ('{"memories": 5}', "file.other_json"),
        ('{"other": []}', "file.other_json"),
    ],
)
def test_bad_files(tmp_path: Path, content: str, expected: str) -> None:
    path = tmp_path / "memory.json"
    path.write_text(content)
    location = REGISTRY.locate(path)
    assert code(lambda: REGISTRY.open(location, None, Mode.LOOK)) == expected


def test_odd_entries_show(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    entries = ["just text", {"key": "twice", "value": 1}, {"key": "twice", "tags": "x"}, None, {}]
    path.write_text(json.dumps({"memories": [*entries, {"key": "half \ud800", "new": [1]}]}))
    store = REGISTRY.open(REGISTRY.locate(path), None, Mode.LOOK)
    records = [r for batch in store.scan() for r in batch]
    assert len({r.ref for r in records}) == 6
    assert records[1].ref.key == ("twice",)
    assert records[2].ref.key == ("twice", "2")
    assert records[5].extra == {"new": "[1]"}
    "".join(r.title for r in records).encode()


def test_a_key_is_not_for_it(samples: Path) -> None:
    location = REGISTRY.locate(samples / "agentao-0.2.5")
    key = RawKey(bytes(32))
    assert code(lambda: REGISTRY.open(location, key, Mode.LOOK)) == "key.not_encrypted"
