# SPDX-License-Identifier: MIT
"""Which of a store's records are no longer what they were at an earlier moment."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

_MOST: Final = 1 << 17
"""So many changes at least are known, and at most twice as many."""

Ordinals = npt.NDArray[np.uint32]
_NONE: Final = np.zeros(0, np.uint32)


class Life:
    """Stands for the content of a store until that is cleared: each one is another."""


class Moment(NamedTuple):
    """A state of a content: so many ordinals were given, so many changes made to given ones."""

    life: Life
    size: int
    changes: int


class Changes:
    """The ordinals that changed, one after another. Call inside the guard of the content."""

    def __init__(self) -> None:
        self._life = Life()
        self._log = array("I")
        self._before = 0
        """So many came before those that are known."""
        self._tell: list[Callable[[int], object]] = []

    def note(self, ordinal: int) -> None:
        """A record that was there has changed or is gone."""
        if len(self._log) >= 2 * _MOST:
            del self._log[:_MOST]
            self._before += _MOST
        self._log.append(ordinal)
        for told in self._tell:
            told(ordinal)

    def tell(self, told: Callable[[int], object]) -> None:
        """Call it with each ordinal that changes from now on, at once."""
        self._tell.append(told)

    def moment(self, count: int) -> Moment:
        """Now; ``count`` ordinals were given."""
        return Moment(self._life, count, self._before + len(self._log))

    def number(self, then: Moment, count: int) -> int | None:
        """How many are new or have changed, at most; None where that is not known."""
        if then.life is not self._life or then.changes < self._before:
            return None
        return count - then.size + self._before + len(self._log) - then.changes

    def since(self, then: Moment, count: int) -> Ordinals:
        """What is new or has changed, each once, ascending; where ``number`` knows how many."""
        if not self.number(then, count):
            return _NONE
        log = np.array(self._log[then.changes - self._before :], np.uint32)
        known = np.unique(log[log < then.size])
        return np.concatenate([known, np.arange(then.size, count, dtype=np.uint32)])

    def clear(self) -> None:
        """Forget them: moments until now are of another life."""
        self.__init__()  # type: ignore[misc]  # the same object, as new
