# SPDX-License-Identifier: MIT
"""A pair of real Agentao stores, services over it, and a keychain in memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, Present, RawKey
from memory_gui.domain.records import Record, Ref, StoreId
from memory_gui.engine.connection import open_database
from memory_gui.services import OpenedStore, Services, build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import AnyKeychain, BackendInfo, Found, NoKeychain
from memory_gui.words import Words


@dataclass
class Pair:
    """A project's and a person's database, open as one agent."""

    folder: Path
    services: Services
    project: OpenedStore
    user: OpenedStore | None

    @property
    def project_file(self) -> Path:
        return self.folder / "atlas/.agentao/memory.db"

    @property
    def user_file(self) -> Path:
        return self.folder / "home/.agentao/memory.db"

    def add(self, title: str, text: str = "some text", **fields: object) -> Record:
        values = {"title": title, "text": text, "scope": "project", **fields}
        result = self.services.editing.add(self.project.id, NewRecord("memory", values))
        return self.read(result.changes.added[0])

    def read(self, ref: Ref) -> Record:
        record = self.services.library.record(ref)
        assert record is not None
        return record

    def rows(self, store: StoreId, key: RawKey | None = None) -> list[tuple[object, ...]]:
        """What a connection of its own sees."""
        with open_database(Path(store), key, write=False) as connection:
            return connection.execute("SELECT id, title, content FROM memories ORDER BY id")


def services_for(folder: Path) -> Services:
    return build_services(
        words=Words(),
        home=folder / "home",
        data_dir=folder / "data",
        keychain=NoKeychain(),
    )


def store_in(folder: Path, key: RawKey | None = None) -> Path:
    folder.mkdir(parents=True)
    create_store(folder / "memory.db", key)
    return folder / "memory.db"


HOLD = """
import os
import sys
if os.fork():
    os._exit(0)  # the child of a child is not of this family
from pathlib import Path
from memory_gui.engine.connection import open_database
connection = open_database(Path(sys.argv[1]), None, write=False)
connection.execute("SELECT count(*) FROM memories")
print(os.getpid(), flush=True)
sys.stdin.read()
"""
"""A program, not of this process's family, that has the store of its argument open."""


class MemoryKeychain(AnyKeychain):
    """Keeps keys in a dict; ``answer`` overrides what looking says, ``asked`` counts."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, str], RawKey] = {}
        self.answer: Found | None = None
        self.asked = 0

    def find_in(self, service: str) -> Found:
        self.asked += 1
        if self.answer is not None:
            return self.answer
        found = [
            Present(key, slot, "M") for (name, slot), key in self.keys.items() if name == service
        ]
        return found or Absent("M")

    def store_in(self, service: str, slot: str, key: RawKey) -> None:
        if (service, slot) in self.keys:
            raise UserError("vault.slot_taken", slot=slot)
        self.keys[service, slot] = key

    def retire_in(self, service: str, slot: str) -> None:
        self.keys.pop((service, slot), None)

    def backend(self) -> BackendInfo:
        return BackendInfo("M", trusted=True, locked=False)

    def cancel(self) -> None:
        pass

    def close(self) -> None:
        pass
