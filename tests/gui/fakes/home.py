# SPDX-License-Identifier: MIT
"""Home over the fake library, or exactly what a test puts into ``view``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_gui.domain.errors import UserError
from memory_gui.services.home.glances import Glance
from memory_gui.services.home.view import Card, HomeView
from memory_gui.services.own.known import last_seen

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeHome:
    """Every call is noted; ``failures`` are what was told of openings that failed."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.view: HomeView | None = None
        self.at_hand_view = HomeView()
        self.failures: dict[str, UserError] = {}

    def at_hand(self) -> HomeView:
        self._fake.note("at_hand")
        return self.at_hand_view

    def look(self) -> HomeView:
        self._fake.note("look")
        if self.view is not None:
            return self.view
        library = self._fake.library
        cards = [
            Card(
                one.info.path,
                one.name,
                one.info.agent,
                Glance(encrypted=one.info.encrypted, writable=True, changed_at=1_700_000_000.0),
                store=one.id,
                seen=last_seen(library.counts([one.id])),
                live=True,
            )
            for one in library.opened.values()
        ]
        opened = {card.path for card in cards}
        cards += [
            Card(one.path, one.name, "Agentao", Glance(encrypted=True, writable=True))
            for one in library.known_stores
            if one.path not in opened
        ]
        return HomeView(tuple(cards), whole=True)

    def failed(self, path: str, error: UserError) -> None:
        self.failures[path] = error

    def forget(self, path: str) -> None:
        self._fake.note("forget", path)
        known = self._fake.library.known_stores
        self._fake.library.known_stores = tuple(one for one in known if one.path != path)

    def write_down(self) -> None:
        self._fake.note("write_down")

    def try_ledger_again(self) -> None:
        self._fake.note("try_ledger_again")

    def apply_settings(self) -> None:
        self._fake.note("apply_settings")
