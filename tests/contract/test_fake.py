# SPDX-License-Identifier: MIT
"""The contract, kept by a store that has no file."""

from __future__ import annotations

import pytest
from fake_store import Backend, FakeStore
from store_contract import Bench, StoreContract

from memory_gui.stores.format import Mode


@pytest.fixture(params=["note", "link"])
def bench(request: pytest.FixtureRequest) -> Bench:
    """Keys with everything in them that a key part must not be mistaken for."""
    backend = Backend()
    backend.put("note", ("me", "shopping list"), "shopping list", "milk, bread")
    backend.put("note", ("a/b", "50 % off: now"), "50 % off: now", "not a separator")
    backend.put("note", ("note:odd", ""), "untitled", "an empty part of a key")
    backend.put("note", ("我", "旧的"), "旧的", "已删除", trashed=True)
    backend.put("link", ("https://example.org/?a=1&b=%2F",), "a link", "with a query")
    backend.put("link", ("link:note",), "kinds in keys", "both of them")
    backend.put("link", ("%",), "a lone %", "which stands for nothing at all elsewhere")
    backend.put("link", ("",), "empty", "no key at all")
    backend.put("link", ("note:gone",), "gone", "in the trash", trashed=True)
    return Bench(
        lambda mode: FakeStore(backend, mode),
        request.param,
        {"title": "new", "text": "brand new", "tags": ("x",)},
    )


class TestFakeStore(StoreContract):
    """All of it."""

    def test_modes_are_told_apart(self, bench: Bench) -> None:
        assert not bench.open(Mode.LOOK).info().writable
