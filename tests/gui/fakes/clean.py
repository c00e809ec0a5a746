# SPDX-License-Identifier: MIT
"""Erasing everything, keeping clean, and what is back: what a test puts here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memory_gui.domain.records import Ref, StoreId
from memory_gui.services.erasing.everything import Part
from memory_gui.services.erasing.standing import KeptClean

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeEverything:
    """Refs and parts."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.found: tuple[Ref, ...] = ()
        self.planned: tuple[Part, ...] = ()
        self.done: tuple[Part, ...] = ()

    def refs(self, store: StoreId, **kwargs: Any) -> tuple[Ref, ...]:
        self._fake.note("everything", store, kwargs)
        return self.found

    def parts(self, plan: object) -> tuple[Part, ...]:
        return self.planned

    def outcome(self, parts: Sequence[Part], result: object, plan: object) -> tuple[Part, ...]:
        return self.done


class FakeStanding:
    """One store that is kept or not."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.value = KeptClean("/home/ann/atlas/.agentao/memory.db", False, False, False, "wal")

    def state(self, store: StoreId) -> KeptClean:
        return self.value

    def turn_on(self, store: StoreId, **kwargs: Any) -> KeptClean:
        self._fake.note("turn_on", store, kwargs.get("change_journal"))
        self.value = KeptClean(self.value.path, self.value.encrypted, True, True, "persist")
        return self.value

    def turn_off(self, store: StoreId, **kwargs: Any) -> KeptClean:
        self._fake.note("turn_off", store)
        self.value = KeptClean(self.value.path, self.value.encrypted, False, False, "wal")
        return self.value


class FakeReturned:
    """Erased records that are back."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.back: tuple[Ref, ...] = ()

    def look(self, store: StoreId, cancel: object = None) -> tuple[Ref, ...]:
        self._fake.note("look_returned", store)
        return tuple(ref for ref in self.back if ref.store == store)

    def let_stay(self, refs: Iterable[Ref]) -> int:
        self._fake.note("let_stay", tuple(refs))
        self.back = ()
        return 1
