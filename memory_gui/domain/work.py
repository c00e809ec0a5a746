# SPDX-License-Identifier: MIT
"""Progress, cancelling and tidying up, for everything that takes longer than a blink."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from memory_gui.domain.errors import Cancelled

Tick = Callable[[str, int, int], None]
"""Called as ``tick(step, done, total)`` from the working thread.

``step`` is a code; total 0 = unknown.
"""


def no_tick(step: str, done: int, total: int) -> None:
    """Progress that nobody looks at."""


def nobody_asks() -> None:
    """A check, called now and then by what may be stopped, that stops nothing."""


_LET_GO: Final = 1_000


def let_go(many: list[Any]) -> None:
    """Empty a list whose objects nobody else has, some at a time, so that others run in between.

    The refs of 100,000 records, freed in one piece, hold the interpreter for 30 to 45 ms: when an
    act on them ends they have long left the processor's cache.
    """
    while many:
        del many[-_LET_GO:]


class CancelToken:
    """A request to stop, readable from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._unheard = False

    def cancel(self, *, unheard: bool = False) -> None:
        """Ask the work to stop at its next chance.

        ``unheard``: nobody will hear how far it came (the window is locked, or closes).
        """
        self._unheard = self._unheard or unheard
        self._event.set()

    @property
    def unheard(self) -> bool:
        """Whether what was done until then must be told later."""
        return self._unheard

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise Cancelled when somebody asked."""
        if self.cancelled:
            raise Cancelled
