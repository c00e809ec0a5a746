# SPDX-License-Identifier: MIT
"""Encrypt a store, make it readable, or copy it out, as the app does, in one process.

``encrypt_one.py (make|encrypt|decrypt|copy|start) FOLDER``. The keychain is a folder, and the
rotator's work is done here, so that a kill ends everything at once. ``start`` opens the store as
the next start does and prints what it was told, its texts, and how the file opens.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from contextlib import contextmanager
from pathlib import Path

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import MemoryGuiError
from memory_gui.domain.queries import Query
from memory_gui.rotation import rotate
from memory_gui.rotation.rotator import Rotator
from memory_gui.services import build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.words import Words

CANARY = "the canary sings at seven"
RECORDS = 40


class Inline:
    """The rotator without a process of its own."""

    def __init__(self) -> None:
        self._rotator = Rotator()

    @classmethod
    @contextmanager
    def start(cls, _worker: str):
        one = cls()
        try:
            yield one
        finally:
            one._rotator.close()

    def ask(self, message, **_more):
        return self._rotator.handle(message, lambda _: None)


def keychain(folder: Path):
    file = Path(__file__).parents[1] / "rig/keyfile.py"
    spec = importlib.util.spec_from_file_location("keyfile", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.FileKeychain(folder)


def main() -> int:
    act, name = sys.argv[1:]
    folder = Path(name)
    path = folder / "atlas/.agentao/memory.db"
    rotate.Child = Inline
    if act == "make":
        path.parent.mkdir(parents=True)
        create_store(path, None)
    services = build_services(
        words=Words(),
        home=folder / "home",
        data_dir=folder / "data",
        keychain=keychain(folder / "chain"),
    )
    try:
        (store,) = services.library.open(path)
        answer = ACTS[act](services, store, folder)
    except MemoryGuiError as error:
        print(json.dumps({"error": getattr(error, "code", type(error).__name__)}))
        return 1
    finally:
        services.close()
    print(json.dumps(answer))
    return 0


def make(services, store, _folder):
    for number in range(RECORDS):
        values = {"title": f"note {number}", "text": f"{CANARY} {number}", "scope": "project"}
        services.editing.add(store.id, NewRecord("memory", values))
    return {}


def start(services, store, _folder):
    listing = services.library.search(Query(stores=frozenset({store.id})))
    found = [one for one in services.library.window(listing.ids) if one is not None]
    return {
        "texts": sorted(one.text for one in found if one.kind == "memory"),
        "encrypted": store.info.encrypted,
        "news": [one.code for one in services.rotating.news()],
    }


ACTS = {
    "make": make,
    "start": start,
    "encrypt": lambda services, store, _folder: bool(services.protect.encrypt(store.id)),
    "decrypt": lambda services, store, _folder: bool(services.protect.decrypt(store.id)),
    "copy": lambda services, store, folder: bool(
        services.protect.decrypt(store.id, folder / "out.db")
    ),
}

if __name__ == "__main__":
    sys.exit(main())
