# SPDX-License-Identifier: MIT
"""The contract, kept by Agentao's databases: readable and encrypted, WAL and rollback journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from store_contract import Bench, ReadingContract, StoreContract

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey
from memory_gui.stores.contract import Store
from memory_gui.stores.format import Location, Mode
from memory_gui.stores.registry import Registry, formats
from memory_gui.stores.sample import HOME, make_sample

KEY = RawKey(bytes(range(32)))
FIELDS = {
    "title": "release checklist",
    "text": "Tag, build, sign, upload; see docs/release.md",
    "tags": ("workflow", "发布"),
}


def opener(location: Location, key: RawKey | None, home: Path) -> Iterator[Bench]:
    """A bench that closes what it opened."""
    opened: list[Store] = []

    def open_one(mode: Mode) -> Store:
        opened.append(Registry(formats(home)).open(location, key, mode))
        return opened[-1]

    yield Bench(open_one, "memory", FIELDS)
    for store in opened:
        store.close()


class TestReadable(StoreContract):
    """As Agentao writes it."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        yield from opener(make_sample(tmp_path, None), None, tmp_path / HOME)


class TestEncrypted(StoreContract):
    """With a key of ours."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        yield from opener(make_sample(tmp_path, KEY), KEY, tmp_path / HOME)


class TestOld(StoreContract):
    """Of agentao 0.5.12: no triggers, no counter."""

    @pytest.fixture
    def bench(self, tmp_path: Path, old_store: Path) -> Iterator[Bench]:
        yield from opener(Location((old_store,)), None, tmp_path)


class TestJson(ReadingContract):
    """The file of agentao 0.2.5, which can only be looked at."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Iterator[Bench]:
        data = Path(__file__).parent.parent / "data" / "agentao-0.2.5" / ".agentao" / "memory.json"
        copy = tmp_path / "memory.json"
        copy.write_bytes(data.read_bytes())
        yield from opener(Location((copy,)), None, tmp_path)

    def test_it_does_not_open_for_changing(self, bench: Bench) -> None:
        with pytest.raises(UserError, match=r"store\.old_format"):
            bench.open(Mode.CHANGE)


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A copy of the project database of 0.5.12."""
    data = Path(__file__).parent.parent / "data" / "agentao-0.5.12" / "project" / ".agentao"
    copy = tmp_path / "project" / ".agentao" / "memory.db"
    copy.parent.mkdir(parents=True)
    copy.write_bytes((data / "memory.db").read_bytes())
    return copy
