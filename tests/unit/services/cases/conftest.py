# SPDX-License-Identifier: MIT
"""A pair of real stores that name people, and cases over it, kept in a ledger of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import MemoryKeychain, Pair, store_in

from memory_gui.cases.case import Case, NewCase
from memory_gui.cases.finds import CaseFind, Finds
from memory_gui.cases.names import Subject
from memory_gui.services import Services, build_services
from memory_gui.services.cases.cases import Cases
from memory_gui.services.cases.places import Where
from memory_gui.words import Words


@dataclass
class Desk:
    """Services over a folder in which one agent's pair lies, and its cases."""

    folder: Path
    services: Services
    pair: Pair
    keychain: MemoryKeychain

    @property
    def cases(self) -> Cases:
        return self.services.cases

    @property
    def log(self) -> Path:
        return self.folder / "atlas/agentao.log"

    def new(self, name: str = "李雷", *also: str, **more: object) -> Case:
        return self.cases.new(NewCase(Subject.of(name, also), **more))

    def where(self) -> Where:
        return self.cases.where()

    def find(self, case: Case) -> Finds:
        return self.cases.find(case, self.where())

    def run(self, case: Case, finds: Finds | None = None, **more: object):
        plan = self.cases.plan(case, finds or self.find(case), self.where())
        return self.cases.run(plan, typed=plan.word, **more)


def by_title(finds: Finds, title: str) -> CaseFind:
    (one,) = [one for one in finds.finds if one.title == title]
    return one


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
