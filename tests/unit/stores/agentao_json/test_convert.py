# SPDX-License-Identifier: MIT
"""A database made of old JSON says the same, and nothing is put in anybody's place."""

import json

import pytest

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.formats.agentao_json import convert as module
from memory_gui.stores.registry import Registry, formats

WHEN, ELSEWHERE = "2026-05-01T10:11:12.5", "2026-05-02T10:11:12+08:00"
ENTRIES = [
    {"key": "user_language", "value": "Deutsch – bitte", "timestamp": WHEN, "tags": ["user"]},
    {"key": "城市", "value": "苏州", "timestamp": "no time", "tags": ["profile", " 个人 "]},
    {"key": "Build Command", "value": "x" * 5000, "timestamp": ELSEWHERE, "tags": []},
    {"key": "build command", "value": "", "timestamp": None, "tags": None, "mood": "odd"},
    "a bare text",
]


@pytest.fixture
def old(tmp_path):
    folder = tmp_path / "project" / ".agentao"
    folder.mkdir(parents=True)
    file = folder / "memory.json"
    file.write_text(json.dumps({"memories": ENTRIES}))
    return file


@pytest.fixture
def registry(tmp_path):
    return Registry(formats(tmp_path / "home"))


def opened(registry, path):
    return registry.open(Location((path.resolve(),)), None, Mode.LOOK)


def test_every_value_is_there(old, registry):
    store = opened(registry, old)
    made = store.convert(store.convert_place())
    assert (made.path, made.records, made.lost) == (str(old.with_name("memory.db")), 5, ("mood",))
    new = opened(registry, old.with_name("memory.db"))
    found = {r.title: r for batch in new.scan(["memory"]) for r in batch}
    new.close()
    assert {t: (r.text, r.tags, r.type, r.scope) for t, r in found.items()} == {
        "user_language": ("Deutsch – bitte", ("user",), "note", "project"),
        "城市": ("苏州", ("profile", "个人"), "profile", "project"),
        "Build Command": ("x" * 5000, (), "note", "project"),
        "build command": ("", (), "note", "project"),
        "memory 5": ("a bare text", (), "note", "project"),
    }
    assert found["user_language"].created_at == "2026-05-01T10:11:12"
    keys = {r.extra["key_normalized"] for r in found.values()}
    assert keys == {"user_language", "memory_2", "build_command", "build_command_2", "memory_5"}
    assert json.loads(old.read_text())["memories"] == ENTRIES


def test_nothing_is_written_over(old, registry):
    old.with_name("memory.db").write_bytes(b"another program's")
    store = opened(registry, old)
    with pytest.raises(UserError) as caught:
        store.convert(store.convert_place())
    assert caught.value.code == "store.exists"
    assert old.with_name("memory.db").read_bytes() == b"another program's"


def test_one_that_differs_is_not_used(old, registry, monkeypatch):
    monkeypatch.setattr(module, "_read", lambda _part: iter(()))
    store = opened(registry, old)
    with pytest.raises(IntegrityError):
        store.convert(store.convert_place())
    assert [file.name for file in old.parent.iterdir()] == ["memory.json"]


def test_older_names_lie_beside_the_folder(tmp_path, registry):
    file = tmp_path / ".chatagent_memory.json"
    file.write_text(json.dumps({"memories": ENTRIES[:1]}))
    store = opened(registry, file)
    made = store.convert(store.convert_place())
    assert made.path == str(tmp_path / ".agentao" / "memory.db")


def test_in_the_persons_home_it_is_about_them(tmp_path, registry):
    folder = tmp_path / "home" / ".agentao"
    folder.mkdir(parents=True)
    (folder / "memory.json").write_text(json.dumps({"memories": ENTRIES[:2]}))
    store = opened(registry, folder / "memory.json")
    store.convert(store.convert_place())
    new = opened(registry, folder / "memory.db")
    assert {r.scope for batch in new.scan(["memory"]) for r in batch} == {"user"}
    new.close()
