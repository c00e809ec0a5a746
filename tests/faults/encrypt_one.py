# SPDX-License-Identifier: MIT
"""Encrypt a store, make it readable, copy it out, erase from it, as the app does, in one process.

``encrypt_one.py (make|encrypt|decrypt|copy|erase|start) FOLDER``. The keychain is a folder, and the
rotator's and the eraser's work is done here, so that a kill ends everything at once. ``start``
finishes what was begun and opens the store, as the next start does, and prints what it was told,
its texts, and how the file opens. ``erase`` takes the records whose number is below ERASED.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path

from memory_gui.domain.changes import NewRecord
from memory_gui.domain.errors import MemoryGuiError
from memory_gui.domain.queries import Query
from memory_gui.erasure import work
from memory_gui.erasure.eraser import Eraser
from memory_gui.process.child import Child
from memory_gui.rotation import rotate
from memory_gui.rotation.rotator import Rotator
from memory_gui.services import build_services
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.words import Words

CANARY = "the canary sings at seven"
RECORDS = 40
ERASED = 5


class Inline:
    """The rotator without a process of its own."""

    make = Rotator

    def __init__(self) -> None:
        self._worker = self.make()

    @classmethod
    @contextmanager
    def start(cls, _worker: str):
        one = cls()
        try:
            yield one
        finally:
            one.close()

    def ask(self, message, **_more):
        return self._worker.handle(message, lambda _: None)

    def close(self):
        self._worker.close()


class InlineEraser(Inline):
    """The eraser without one; the prover keeps its own."""

    make = Eraser
    pid = os.getpid()

    @classmethod
    def start(cls, worker: str):
        return cls() if worker == "eraser" else Child.start(worker)


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
    work.Child = InlineEraser
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
        begun = [str(one.state) for one in services.erasing.finish_begun(path)]
        (store,) = services.library.open(path)
        answer = ACTS[act](services, store, folder)
    except MemoryGuiError as error:
        print(json.dumps({"error": getattr(error, "code", type(error).__name__)}))
        return 1
    finally:
        services.close()
    print(json.dumps({**answer, "begun": begun} if isinstance(answer, dict) else answer))
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


def erase(services, store, _folder):
    query = Query(stores=frozenset({store.id}), kinds=frozenset({"memory"}))
    found = services.library.window(services.library.search(query).ids)
    wanted = [one.ref for one in found if int(one.text.split()[-1]) < ERASED]
    result = services.erasing.run(services.erasing.plans.plan(wanted))
    return {"state": str(result.state), "key": result.key}


ACTS = {
    "erase": erase,
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
