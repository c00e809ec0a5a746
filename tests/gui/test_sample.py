# SPDX-License-Identifier: MIT
"""The sample of a run leaves no file, no key and no name behind, however it was left."""

from pathlib import Path

import pytest

from memory_gui.domain.keys import Absent, Present
from memory_gui.domain.queries import Query
from memory_gui.services import KeyPlace, build_services
from memory_gui.services.activity.activity import Wanted, Who
from memory_gui.ui.shell.sample import SampleSession
from memory_gui.vault.keychain import BackendInfo, NoKeychain
from memory_gui.words import Words


class MemoryKeychain(NoKeychain):
    """A trusted keychain in memory."""

    def __init__(self):
        self.keys = {}

    def find_in(self, service):
        found = [
            Present(key, slot, "memory")
            for (name, slot), key in self.keys.items()
            if name == service
        ]
        return found or Absent("memory")

    def store_in(self, service, slot, key):
        self.keys[service, slot] = key

    def retire_in(self, service, slot):
        self.keys.pop((service, slot), None)

    def backend(self):
        return BackendInfo("memory", trusted=True, locked=False)


@pytest.fixture
def keychain():
    return MemoryKeychain()


@pytest.fixture
def services(tmp_path, keychain, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = build_services(
        words=Words("en"), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=keychain
    )
    yield made
    made.close()


def of_stores(keychain):
    return [name for name, _ in keychain.keys if len(name) == len("memory-gui/") + 32]


@pytest.mark.parametrize("left", ["open", "closed", "locked"])
def test_nothing_is_left(services, keychain, tmp_path, left):
    session = SampleSession(services)
    stores = session.open()
    assert {store.key_place for store in stores} == {KeyPlace.KEYCHAIN}
    assert len(of_stores(keychain)) == 2
    assert [p for p in tmp_path.iterdir() if "sample" in p.name]
    if left == "closed":
        services.library.close_all()
    elif left == "locked":
        services.lock.lock()
    session.end()
    assert of_stores(keychain) == []
    assert [p for p in tmp_path.iterdir() if "sample" in p.name] == []
    assert services.library.known() == ()
    session.end()


@pytest.mark.parametrize("left", ["open", "closed", "locked"])
def test_what_was_done_in_it_goes_with_it(services, tmp_path, left):
    session = SampleSession(services)
    store = session.open()[0]
    wanted = Query(stores=frozenset({store.id}), kinds=frozenset({"memory"}))
    listing = services.library.search(wanted)
    record = services.library.window(listing.ids[:1])[0]
    services.editing.trash([record.ref])
    assert [one.code for one in services.activity.list(Wanted(who=frozenset({Who.YOU}))).happenings]
    if left == "closed":
        services.library.close_all()
    elif left == "locked":
        services.lock.lock()
    session.end()
    assert services.activity.list().happenings == ()
    assert not list(tmp_path.glob("data/acts*"))


def test_asking_again_shows_the_same_one(services):
    session = SampleSession(services)
    first = session.open()
    assert [one.id for one in session.open()] == [one.id for one in first]
    services.library.close_all()
    assert Path(first[0].info.path).exists()
    assert session.open()[0].id != first[0].id, "a closed one is made anew"
    assert not Path(first[0].info.path).exists()
    session.end()
