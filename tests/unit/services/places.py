# SPDX-License-Identifier: MIT
"""A store that is open, with a keychain that is a folder: what its key and its encryption go by."""

from __future__ import annotations

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.queries import Query
from memory_gui.services import build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.words import Words


class Place:
    """Services over one store below ``folder``; with a ``key`` it is encrypted, in slot a."""

    def __init__(self, folder, keychain, project, key=None):
        self.folder, self.keychain = folder, keychain
        self.path = folder / project / ".agentao/memory.db"
        self.path.parent.mkdir(parents=True)
        create_store(self.path, key)
        self.salt = self.path.read_bytes()[:16]
        if key is not None:
            keychain.store(self.salt, "a", key)
        self.services = self.start()
        (self.store,) = self.services.library.open(self.path)

    def start(self):
        return build_services(
            words=Words(),
            home=self.folder / "home",
            data_dir=self.folder / "data",
            keychain=self.keychain,
        )

    def again(self):
        self.services.close()
        self.services = self.start()
        (self.store,) = self.services.library.open(self.path)

    def add(self, title="port", text="The service listens on 8080.", store=None):
        values = {"title": title, "text": text, "scope": "project"}
        store = (store or self.store).id
        return self.services.editing.add(store, NewRecord("memory", values)).changes.added[0]

    def records(self, store=None):
        query = Query(stores=frozenset({(store or self.store).id}), kinds=frozenset({"memory"}))
        found = self.services.library.window(self.services.library.search(query).ids)
        return [one for one in found if one is not None]

    def titles(self):
        return [one.title for one in self.records()]

    def texts(self, store=None):
        return sorted(one.text for one in self.records(store))

    def slots(self):
        return {p.slot: p.key for p in self.keychain.find_all(self.salt)}
