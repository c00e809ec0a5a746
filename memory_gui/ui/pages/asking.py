# SPDX-License-Identifier: MIT
"""What a page asked about the thing that it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memory_gui.ui.bridge import Bridge, Handle


class Asking:
    """Calls about one thing. What comes back after another thing is shown is nobody's.

    Answers come in any order: those of the thing before may still be on their way when the next
    one is shown. GUI thread only.
    """

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._asked: list[Handle] = []

    def ask(self, fn: Callable[..., object], *args: object, **told: Any) -> Handle:
        """As ``Bridge.call``, until ``drop``."""
        handle = self._bridge.call(fn, *args, **told)
        self._asked = [one for one in self._asked if not one.finished]
        self._asked.append(handle)
        return handle

    def anew(self, fn: Callable[..., object], *args: object, **told: Any) -> Handle:
        """The same question once more: of all that was asked only this answer is wanted."""
        self.drop()
        return self.ask(fn, *args, **told)

    @property
    def busy(self) -> bool:
        """Whether an answer that is wanted is still on its way."""
        return any(not one.finished for one in self._asked)

    def drop(self) -> None:
        """Another thing is shown, or none: no answer that is still on its way is wanted."""
        for asked in self._asked:
            asked.cancel()
        self._asked.clear()
