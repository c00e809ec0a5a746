# SPDX-License-Identifier: MIT
"""Settings, lock, protection, export, checks in memory."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fakes.records import PROJECT
from memory_gui.domain.changes import OpenBy
from memory_gui.domain.errors import UserError
from memory_gui.domain.queries import Query
from memory_gui.domain.records import StoreId
from memory_gui.ledger.keynotes import KeyNote
from memory_gui.services import CheckLine, OpenedStore
from memory_gui.services.editing.merging import Merged
from memory_gui.services.keys.protect import ProtectPlan, Stray
from memory_gui.services.keys.rotating import KeyDone, KeyNews, KeyPlan
from memory_gui.services.locking.drafts import OWN
from memory_gui.services.own.settings import SettingValues
from memory_gui.stores.format import Access
from memory_gui.words.rotation import Who

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeSettings:
    """Keeps values."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.values = SettingValues(appearance="light", language="en")
        self.problem: UserError | None = None

    def take_problem(self) -> UserError | None:
        problem, self.problem = self.problem, None
        return problem

    def change(self, **values: Any) -> SettingValues:
        self._fake.note("change", values)
        self.values = replace(self.values, **values)
        return self.values


class FakeDrafts:
    """Keeps drafts in the open."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.kept: list[Any] = []
        self.lost = 0

    def waiting(self) -> tuple[Any, ...]:
        there = (OWN, *self._fake.library.opened)
        return tuple(one for one in self.kept if one.store in there)

    def discard(self, ids: Collection[str]) -> None:
        self._fake.note("discard", frozenset(ids))
        self.kept = [one for one in self.kept if one.id not in ids]

    def take_lost(self) -> int:
        lost, self.lost = self.lost, 0
        return lost


class FakeLock:
    """Remembers that it was locked."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self._locked = False
        self._paths: list[str] = []

    def lock(self, drafts: Collection[Any] = ()) -> list[str]:
        self._fake.note("lock")
        self._fake.drafts.kept += [replace(one, id=f"d{n}") for n, one in enumerate(drafts)]
        self._locked = True
        paths = self._paths = [str(store) for store in self._fake.library.opened]
        self._fake.library.opened.clear()
        self._fake.editing.forget()
        return paths

    @property
    def is_locked(self) -> bool:
        return self._locked

    def unlock(self) -> list[str]:
        self._fake.note("unlock")
        self._locked = False
        if self._paths:
            self._fake.library.open(PROJECT)
        return []


@dataclass
class FakeProtect:
    """Notes the calls."""

    fake: FakeServices

    strange: tuple[Stray, ...] = ()
    open_by: tuple[OpenBy, ...] = ()

    def plan(self, store: StoreId) -> ProtectPlan:
        self.fake.note("protect_plan", store)
        info = self.fake.library.opened[store].info
        return ProtectPlan(
            info.path,
            info.agent,
            info.encrypted,
            Access.CONNECTOR,
            loses=("agentao", "agentao -p"),
            connect=("cd /home/ann/atlas && memory-cli agent agentao",),
            open_by=self.open_by,
            readable=("/home/ann/atlas/.agentao/memory.db.bak",),
        )

    def who(self, plan: ProtectPlan, *, keeps: bool) -> Who:
        return Who(plan.agent, plan.access.value, keeps, loses=plan.loses, readable=plan.readable)

    def strays(self) -> tuple[Stray, ...]:
        return self.strange

    def encrypt(self, store: StoreId, **kwargs: Any) -> OpenedStore:
        self.fake.note("encrypt", store)
        return self.fake.library.opened[store]

    def decrypt(self, store: StoreId, out: object = None, **kwargs: Any) -> OpenedStore | None:
        self.fake.note("decrypt", store, out)
        return self.fake.library.opened[store]


@dataclass
class FakeMerging:
    """Brings what a test says."""

    fake: FakeServices
    merged: Merged = field(default_factory=Merged)

    def merge(self, stray: StoreId, into: StoreId, **kwargs: Any) -> Merged:
        self.fake.note("merge", stray, into)
        return self.merged


@dataclass
class FakeRotating:
    """Changes no key; plans what a test wants."""

    fake: FakeServices
    others: tuple[str, ...] = ()
    paper: str = ""
    notes: tuple[KeyNote, ...] = ()
    old: str = "retired"
    told: tuple[KeyNews, ...] = ()

    def plan(self, store: StoreId) -> KeyPlan:
        self.fake.note("key_plan", store)
        place = self.fake.library.opened[store].key_place
        return KeyPlan(str(store), place, others=self.others, paper=self.paper)

    def rotate(self, store: StoreId, **kwargs: Any) -> KeyDone:
        kwargs.pop("tick", None)
        self.fake.note("rotate", store, kwargs)
        return KeyDone(self.fake.library.opened[store], self.old, self.others, self.paper)

    def waiting(self, path: object = None) -> tuple[KeyNote, ...]:
        return self.notes

    def recovery_given_up(self, path: object) -> None:
        self.fake.note("recovery_given_up", path)
        self.notes = ()

    def news(self) -> tuple[KeyNews, ...]:
        told, self.told = self.told, ()
        return told


class FakeExporting:
    """Notes what would be written."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake

    def export(self, query: Query, out: object, file_format: str = "json", **kwargs: Any) -> int:
        self._fake.note("export", query, out, file_format)
        if not isinstance(query, Query):
            return len(query)
        return self._fake.library.search(query).total


class FakeChecks:
    """Finds what a test puts into ``lines``."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.lines = [
            CheckLine("check.encrypted", ok=True),
            CheckLine("check.structure", ok=True, params={"count": 0}),
            CheckLine("check.private", ok=None, params={"mode": "0644"}),
            CheckLine("check.free_pages", ok=None, params={"count": 3, "pages": 40}),
            CheckLine("check.open_by", ok=None, params={"count": 1, "names": "agentao (4121)"}),
        ]

    def check(self, store: object) -> list[CheckLine]:
        self._fake.note("check", store)
        return list(self.lines)
