# SPDX-License-Identifier: MIT
"""Plans and results of erasing are what a test puts here."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_gui.domain.records import Ref
from memory_gui.erasure.plan import ErasePlan
from memory_gui.erasure.receipt import receipt_of, unsigned, write_receipt
from memory_gui.erasure.run import accept

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeErasing:
    """Plans and results are what a test puts here."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.plan_value: object = None
        self.result: object = None
        self.results: list[object] = []
        self.holders: tuple[object, ...] = ()
        self.entries: tuple[object, ...] = ()
        self.held: tuple[tuple[str, int, float], ...] = ()
        self.free = False
        self.ticks: tuple[tuple[str, int, float], ...] = ()
        self.gate: threading.Event | None = None

    @property
    def plans(self) -> FakeErasing:
        return self

    def finish_begun(self, path: str, key: object = None) -> tuple[object, ...]:
        self._fake.note("finish_begun", path)
        return ()

    def plan(self, refs: Sequence[Ref]) -> object:
        self._fake.note("plan", tuple(refs))
        return self.plan_value

    def open_by(self, plan: object) -> tuple[object, ...]:
        return self.holders

    def held_for(self, plan: object) -> tuple[tuple[str, int, float], ...]:
        return self.held

    def is_free(self, paths: object) -> bool:
        self._fake.note("is_free", paths)
        return self.free

    def waiting(self) -> tuple[object, ...]:
        return self.entries if self.free else ()

    def finish_waiting(self) -> tuple[object, ...]:
        self._fake.note("finish_waiting")
        return (self.result,)

    def run(self, plan: object, **kwargs: Any) -> object:
        self._fake.note("run", plan, kwargs)
        return self._work(**kwargs)

    def accept(self, result: object, plan: object) -> object:
        self._fake.note("accept", result, plan)
        return accept(result)  # type: ignore[arg-type]  # tests put results here

    def pending(self, path: object = None) -> tuple[object, ...]:
        self._fake.note("pending")
        return self.entries

    def resume(self, entry: object, **kwargs: Any) -> object:
        self._fake.note("resume", entry, kwargs)
        return self._work(**kwargs)

    def save_receipt(self, result: object, path: Path) -> Path:
        self._fake.note("save_receipt", path)
        write_receipt(path, unsigned(receipt_of(result, ErasePlan(())), ""))  # type: ignore[arg-type]  # as above
        return path

    def _work(self, tick: Any = None, cancel: Any = None, **kwargs: Any) -> object:
        for step in self.ticks:
            if tick is not None:
                tick(*step)
        while self.gate is not None and not self.gate.wait(0.01):
            if cancel is not None:
                cancel.check()
        return self.results.pop(0) if self.results else self.result
