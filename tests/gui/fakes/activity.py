# SPDX-License-Identifier: MIT
"""What happened, as a test says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_gui.domain.records import Ref
from memory_gui.services.activity.activity import Happening, Timeline, Wanted

if TYPE_CHECKING:
    from fake_services import FakeServices


class FakeActivity:
    """``happenings`` are all there are, the newest first."""

    def __init__(self, fake: FakeServices) -> None:
        self._fake = fake
        self.happenings: list[Happening] = []

    def list(
        self, wanted: Wanted | None = None, limit: int = 200, cancel: object = None
    ) -> Timeline:
        self._fake.note("activity", wanted, limit)
        wanted = wanted or Wanted()
        found = [
            one
            for one in self.happenings
            if (not wanted.who or one.who in wanted.who)
            and (wanted.record is None or wanted.record in [each.ref for each in one.about])
            and (not wanted.stores or one.store in wanted.stores)
        ]
        return Timeline(tuple(found[:limit]), len(found) > limit)

    def of_record(self, ref: Ref, limit: int = 5) -> Timeline:
        return self.list(Wanted(record=ref), limit)

    def forget_acts(self) -> None:
        self._fake.note("forget_acts")
        self.happenings.clear()
