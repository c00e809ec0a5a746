# SPDX-License-Identifier: MIT
"""A store of an agent, and a keychain that holds what a test puts into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import Absent, Present, RawKey
from memory_gui.stores.formats.agentao.create import create_store
from memory_gui.vault.keychain import Found, NoKeychain, service_of

KEY = RawKey(bytes(range(32)))
OTHER = RawKey(bytes(range(1, 33)))


class Chain(NoKeychain):
    """``keys``: salt -> slot -> key. ``asked`` counts the questions; ``answer`` overrides."""

    def __init__(self) -> None:
        self.keys: dict[str, dict[str, RawKey]] = {}
        self.answer: Found | UserError | None = None
        self.asked = 0

    def put(self, path: Path, key: RawKey, slot: str = "a") -> None:
        with path.open("rb") as stream:
            self.keys.setdefault(service_of(stream.read(16)), {})[slot] = key

    def find_in(self, service: str) -> Found:
        self.asked += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer is not None:
            return self.answer
        found = [Present(key, slot, "Fake") for slot, key in self.keys.get(service, {}).items()]
        return found or Absent("Fake")


@pytest.fixture
def chain() -> Chain:
    return Chain()


@pytest.fixture
def store(tmp_path: Path, chain: Chain) -> Path:
    """An encrypted store whose key is in the keychain."""
    path = tmp_path / "memory.db"
    create_store(path, KEY)
    chain.put(path, KEY)
    return path


@pytest.fixture
def readable(tmp_path: Path) -> Path:
    path = tmp_path / "readable.db"
    create_store(path, None)
    return path
