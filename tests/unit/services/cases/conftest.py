# SPDX-License-Identifier: MIT
"""A pair of real stores that name people, and cases over it, kept in a ledger of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from casedesk import Desk
from pairs import MemoryKeychain, Pair, store_in

from memory_gui.services import Services, build_services
from memory_gui.words import Words


@pytest.fixture
def make_desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Opens services over the same folder; called again it is another run of the app."""
    made: list[Services] = []
    keychain = MemoryKeychain()

    def build(*, open_stores: bool = True) -> Desk:
        if not (tmp_path / "atlas").exists():
            store_in(tmp_path / "home/.agentao")
            store_in(tmp_path / "atlas/.agentao")
        for old in made:
            old.close()
        made[:] = [
            build_services(
                words=Words(), home=tmp_path / "home", data_dir=tmp_path / "data", keychain=keychain
            )
        ]
        opened = made[0].library.open(tmp_path / "atlas")
        pair = Pair(tmp_path, made[0], opened[0], opened[1])
        if not open_stores:
            made[0].library.close_all()
        return Desk(tmp_path, made[0], pair, keychain)

    yield build
    for services in made:
        services.close()


@pytest.fixture
def desk(make_desk: Callable[..., Desk]) -> Desk:
    return make_desk()
