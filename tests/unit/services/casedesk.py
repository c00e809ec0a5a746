# SPDX-License-Identifier: MIT
"""Cases over a pair of real stores: what their tests share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pairs import HOLD, MemoryKeychain, Pair

from memory_gui.cases.case import Case, NewCase
from memory_gui.cases.finds import CaseFind, Finds
from memory_gui.cases.names import Subject
from memory_gui.services import Services
from memory_gui.services.cases.cases import Cases
from memory_gui.services.cases.finding.places import Where


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


@contextmanager
def held(path: Path) -> Iterator[int]:
    """Another program, not of our family, has a store open; gives its pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.communicate(timeout=60)
