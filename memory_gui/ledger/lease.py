# SPDX-License-Identifier: MIT
"""Who works on an erase: a process, known by its number and the time it started."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from memory_gui import lazy

_SLACK_S: Final = 2.0
"""A stepped clock shifts a computed start time; no number is used again as fast as this."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A process. Numbers are used again, so the start time belongs to it."""

    pid: int
    started: float
    """Unix time in s, as psutil gives it."""

    @classmethod
    def mine(cls) -> Lease:
        """This process."""
        pid = os.getpid()
        return cls(pid, float(lazy.psutil().Process(pid).create_time()))

    def is_held(self) -> bool:
        """Whether that very process is alive; one that cannot be looked at counts as alive."""
        psutil = lazy.psutil()
        try:
            process = psutil.Process(self.pid)
            if process.status() == psutil.STATUS_ZOMBIE:
                return False
            return abs(float(process.create_time()) - self.started) < _SLACK_S
        except psutil.NoSuchProcess:
            return False
        except psutil.AccessDenied:
            return True
