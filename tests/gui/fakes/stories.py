# SPDX-License-Identifier: MIT
"""What became of proposals, as a test tells it."""

from __future__ import annotations

from memory_gui.domain.changes import ReviewPreview
from memory_gui.domain.records import Ref, State
from memory_gui.services.reviewing.story import Story


class FakeStories:
    """``told`` has those that a test gives; of others the times beside the item."""

    def __init__(self) -> None:
        self.told: dict[Ref, Story] = {}

    def of(self, seen: ReviewPreview) -> Story:
        item = seen.item
        if item.ref in self.told:
            return self.told[item.ref]
        when = item.updated_at_utc or item.updated_at
        return Story(when) if item.state is State.PENDING else Story(decided=when)
