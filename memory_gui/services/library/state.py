# SPDX-License-Identifier: MIT
"""What is kept of an open store while it is open: which file it is, and when to compare it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_gui.domain.errors import UserError
from memory_gui.domain.records import StoreId
from memory_gui.stores.format import Location, Mode

_COMPARE_SHARE = 20
"""A full comparison may take one twentieth of the time, and is due after 30 s at the latest."""
_COMPARE_LATEST = 30.0
_COMPARE_QUICK = 0.1
_COMPARE_SLOW = 1.0
"""Comparing that takes less than this many seconds is done whenever something changed."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """Which file lies at a path: device and inode."""

    device: int
    inode: int

    @classmethod
    def of(cls, location: Location) -> FileIdentity | None:
        """By ``stat``, which opens nothing; None when there is no file."""
        try:
            found = location.main.stat()
        except OSError:
            return None
        return cls(found.st_dev, found.st_ino)


@dataclass(slots=True)
class Pace:
    """When the store was last compared as a whole, and how long that took (seconds).

    ``worked`` is the processor's part of it: a small store stays quick on a busy machine.
    """

    last: float = 0.0
    took: float = 0.0
    worked: float = 0.0
    wanted: bool = False

    def due(self) -> bool:
        """Whether a comparison is wanted and may be made now."""
        wait = min(_COMPARE_LATEST, self.took * _COMPARE_SHARE)
        if self.worked < _COMPARE_QUICK and self.took < _COMPARE_SLOW:
            wait = 0.0
        return self.wanted and time.monotonic() - self.last >= wait


@dataclass(slots=True)
class ShelfState:
    """What changes while a store is open."""

    mode: Mode = Mode.LOOK
    foreign_accepted: bool = False
    token: int | None = None
    seen: Mapping[str, int] = field(default_factory=dict)
    """What of it was followed, as its format tells (``Store.changes_since``)."""
    shown: bool = False
    """Whether the comparison that is due was put off, so that what is known is shown first."""
    partner: StoreId | None = None
    problem: UserError | None = None
    stale: bool = False
    trouble: bool = False
    news: bool = False
    follows: bool = False
    """Its files are read by their paths: another one there is an ordinary change."""
