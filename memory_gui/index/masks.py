# SPDX-License-Identifier: MIT
"""Answers of the last questions, as long as nothing changes: facets and sorts ask them again."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

import numpy as np
import numpy.typing as npt

_KEPT: Final = 3

Bools = npt.NDArray[np.bool_]


class Masks:
    """A few masks over all ordinals by what was asked; not to be changed by who gets them."""

    def __init__(self) -> None:
        self._version = -1
        self._masks: dict[Hashable, Bools] = {}

    def follow(self, version: int) -> None:
        """Forget them when the content has another version."""
        if version != self._version:
            self._version = version
            self._masks.clear()

    def get(self, key: Hashable) -> Bools | None:
        """The mask of a question, if it was asked lately."""
        return self._masks.get(key)

    def put(self, key: Hashable, mask: Bools) -> None:
        """Keep an answer; the oldest one goes."""
        while len(self._masks) >= _KEPT:
            del self._masks[next(iter(self._masks))]
        self._masks[key] = mask
