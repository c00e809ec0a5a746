# SPDX-License-Identifier: MIT
"""How many of the chosen records are kept by a case, before an act is refused for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QObject, Signal

from memory_gui.domain.errors import IntegrityError, UserError
from memory_gui.domain.work import CancelToken
from memory_gui.services import Services
from memory_gui.ui.context import Context
from memory_gui.ui.pages.asking import AskingSoon
from memory_gui.ui.records.bulk.chosen import Chosen, refs_of
from memory_gui.ui.records.editing.held import refused
from memory_gui.words import Words

MOST: Final = 20_000
"""So many are looked at one by one."""


@dataclass(frozen=True, slots=True)
class Held:
    """``count`` of the chosen, or None where they are too many to be looked at one by one."""

    count: int | None = 0
    chosen: int = 0
    cases: tuple[int, ...] = ()
    by_act: Mapping[str, int] = field(default_factory=dict, hash=False)

    def keeps_from(self, act: str) -> bool:
        """Whether the act is refused: an erase is one plan, the others leave what is kept."""
        kept = self.by_act.get(act, 0)
        return bool(kept) and (act == "erase" or kept == self.chosen)

    def refused(self, words: Words) -> tuple[frozenset[str], str]:
        """The acts that are refused, and why."""
        return frozenset(filter(self.keeps_from, self.by_act)), self.why(words)

    def told(self, words: Words) -> str:
        """What is said of them; empty where there is nothing to say."""
        if self.count is None:
            return words.say("Some of them may be kept by a case; those stay as they are.")
        if not self.count:
            return ""
        return words.many(
            "{n} of them is kept by a case ({cases}), and stays as it is.",
            "{n} of them are kept by a case ({cases}), and stay as they are.",
            self.count,
            cases=words.row(list(map(str, self.cases))),
        )

    def why(self, words: Words) -> str:
        """Why an act is refused."""
        return words.many(
            "{n} of them is kept by a case ({cases}): lift that there, or choose without it.",
            "{n} of them are kept by a case ({cases}): lift that there, or choose without them.",
            self.count or 0,
            cases=words.row(list(map(str, self.cases))),
        )


def held_among(services: Services, chosen: Chosen, *, cancel: CancelToken) -> Held:
    """Those of the chosen rows. In a thread of the bridge."""
    if not services.cases.holds():
        return Held()
    if chosen.count > MOST:
        return Held(None, chosen.count)
    kept = services.cases.kept_by(refs_of(services.library, chosen, cancel=cancel))
    acts = Counter(act for one in kept.values() for act in refused(one))
    cases = sorted({one.case for one in kept.values()})
    return Held(len(kept), chosen.count, tuple(cases), dict(acts))


class Holding(QObject):
    """Asks whenever other rows are chosen. GUI thread."""

    known = Signal(object)
    """A Held."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._asking = AskingSoon(context.bridge, self)

    def look(self, chosen: Chosen) -> None:
        """Other rows are chosen."""
        self.known.emit(Held())
        self._asking.drop()
        if chosen.count > 1:
            self._asking.soon(
                held_among,
                self._context.services,
                chosen,
                done=self.known.emit,
                failed=self._on_failed,
                cancellable=True,
            )

    def forget(self) -> None:
        """No answer is wanted any more."""
        self._asking.drop()

    def _on_failed(self, _error: UserError | IntegrityError) -> None:
        """The act itself says why it is refused."""
