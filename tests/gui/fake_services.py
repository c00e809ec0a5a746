# SPDX-License-Identifier: MIT
"""Services without files: the same names and signatures, records in memory.

What a test wants to see is in attributes: ``calls`` (name, arguments), ``fail_next`` (errors to
raise, by method name). Pages may extend the parts they need.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fakes.activity import FakeActivity
from fakes.agent_view import FakeAgentViews
from fakes.cases import FakeCases
from fakes.clean import FakeEverything, FakeReturned, FakeStanding
from fakes.deciding import FakeReview
from fakes.discovery import FakeDiscovery
from fakes.editing import FakeEditing
from fakes.erasing import FakeErasing
from fakes.filters import fake_filters
from fakes.graphs import FakeGraphs
from fakes.home import FakeHome
from fakes.keys import FakeKeeper, FakeKeeping, FakeKeychain, FakeMigrating, FakeRecovery
from fakes.library import FakeLibrary
from fakes.others import (
    FakeChecks,
    FakeDrafts,
    FakeExporting,
    FakeLock,
    FakeMerging,
    FakeProtect,
    FakeRotating,
    FakeSettings,
)
from fakes.records import ALL, PROJECT, USER, record, some_records
from fakes.rules import FakeRules
from fakes.stopped import FakeStopped
from fakes.stories import FakeStories

from memory_gui.words import Words

__all__ = ["ALL", "PROJECT", "USER", "FakeServices", "record", "some_records"]


@dataclass
class FakeServices:
    """Stands where ``Services`` would."""

    words: Words = field(default_factory=Words)
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    fail_next: dict[str, Exception] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.library = FakeLibrary(self)
        self.graphs = FakeGraphs()
        self.filters = fake_filters()
        self.editing = FakeEditing(self)
        self.review = FakeReview(self)
        self.rules = FakeRules(self)
        self.stopped = FakeStopped(self)
        self.stories = FakeStories()
        self.erasing = FakeErasing(self)
        self.everything = FakeEverything(self)
        self.standing = FakeStanding(self)
        self.returned = FakeReturned(self)
        self.settings = FakeSettings(self)
        self.lock = FakeLock(self)
        self.drafts = FakeDrafts(self)
        self.protect = FakeProtect(self)
        self.rotating = FakeRotating(self)
        self.merging = FakeMerging(self)
        self.exporting = FakeExporting(self)
        self.checks = FakeChecks(self)
        self.home = FakeHome(self)
        self.discovery = FakeDiscovery(self)
        self.keychain = FakeKeychain(self)
        self.keeper = FakeKeeper(self)
        self.keys = FakeKeeping(self)
        self.recovery = FakeRecovery(self)
        self.migrating = FakeMigrating(self)
        self.activity = FakeActivity(self)
        self.agent_views = FakeAgentViews(self)
        self.cases = FakeCases(self)

    def note(self, name: str, *args: object) -> None:
        """Write a call down, or fail it when a test asked for that."""
        self.calls.append((name, *args))
        error = self.fail_next.pop(name, None)
        if error is not None:
            raise error

    def called(self, name: str) -> list[tuple[Any, ...]]:
        """The arguments of each call of that name."""
        return [args for called, *args in self.calls if called == name]  # type: ignore[misc]

    def close(self) -> None:
        self.note("close_services")
