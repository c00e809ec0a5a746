# SPDX-License-Identifier: MIT
"""What a page asked about the thing that it shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

from memory_gui.ui.bridge import Bridge, Handle
from memory_gui.ui.context import Context

SOON_MS: Final = 200
"""After a record was chosen: who runs through a list with the arrow keys asks for none."""


def is_being_read(context: Context) -> bool:
    """Whether a store is being read into memory: what asks about all of it would wait for that."""
    return bool(context.services.library.progress())


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


class AskingSoon(Asking):
    """Asks about what is chosen once nothing else has been chosen for a moment. GUI thread only.

    ``not_yet``: whether an answer would have to wait, as for all of a store that is being read.
    Then it is asked later: threads that wait would keep the list from what is known already.
    """

    def __init__(
        self, bridge: Bridge, parent: QObject, not_yet: Callable[[], object] = bool
    ) -> None:
        super().__init__(bridge)
        self._not_yet = not_yet
        self._question: Callable[[], object] | None = None
        self._timer = QTimer(parent)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SOON_MS)
        self._timer.timeout.connect(self._on_timer_timeout)

    def soon(self, fn: Callable[..., object], *args: object, **told: Any) -> None:
        """As ``anew``, in a moment; of several such questions only the last one is asked."""
        self.drop()
        self._question = partial(self.ask, fn, *args, **told)
        self._timer.start()

    def drop(self) -> None:
        """Nothing is asked any more, and no answer is wanted."""
        self._timer.stop()
        self._question = None
        super().drop()

    @property
    def busy(self) -> bool:
        """Whether something is still to be asked or answered."""
        return self._question is not None or super().busy

    def _on_timer_timeout(self) -> None:
        if self._question is not None and self._not_yet():
            self._timer.start()
            return
        question, self._question = self._question, None
        if question is not None:
            question()
