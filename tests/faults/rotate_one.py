# SPDX-License-Identifier: MIT
"""Change the key of a database as the app does, from a process of its own, with a folder as the
keychain; or finish what such a run left.

``rotate_one.py (rotate|finish) DATABASE DATA-FOLDER KEYCHAIN-FOLDER (child|inline) [REFUSE]``.
``inline`` does the eraser's work in this very process, so that a kill ends everything at once.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from contextlib import contextmanager
from pathlib import Path

from memory_gui.domain.errors import MemoryGuiError, UserError
from memory_gui.erasure.eraser import Eraser
from memory_gui.ledger.keynotes import KeyNotes
from memory_gui.rotation import rekeyfile
from memory_gui.rotation.rekey import KeyChanges, Wish, rotate_key
from memory_gui.vault.keychain import service_of


def keychain(folder: Path, refuse: int):
    file = Path(__file__).parents[1] / "rig/keyfile.py"
    spec = importlib.util.spec_from_file_location("keyfile", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.FileKeychain(folder, refuse=refuse)


class Inline:
    """The eraser without a process of its own."""

    def __init__(self) -> None:
        self._eraser = Eraser()

    @classmethod
    @contextmanager
    def start(cls, _worker: str):
        one = cls()
        try:
            yield one
        finally:
            one._eraser.close()

    def ask(self, message, **_more):
        return self._eraser.handle(message, lambda _: None)


def main() -> int:
    act, name, data, chain, how, *more = sys.argv[1:]
    if how == "inline":
        rekeyfile.Child = Inline
    path = Path(name).resolve()
    slots = keychain(Path(chain), int(more[0]) if more else 0)
    changes = KeyChanges(slots, KeyNotes(Path(data)))
    salt = path.read_bytes()[:16]
    if act == "finish":
        settled = changes.finish(path, salt)
        print(json.dumps({"said": settled.code if settled else None}))
        return 0
    old = slots.find_in(service_of(salt))[0].key
    slots.calls = 0
    try:
        change = rotate_key(changes, path, old, Wish(salt))
    except (MemoryGuiError, OSError) as error:
        print(json.dumps({"error": getattr(error, "code", type(error).__name__)}))
        return 1
    assert not isinstance(change.settled.problem, UserError) or more
    print(json.dumps({"said": change.settled.code, "calls": slots.calls}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
