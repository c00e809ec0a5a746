# SPDX-License-Identifier: MIT
"""What a record is related to, for stores whose format declares relations."""

from __future__ import annotations

from memory_gui.domain.graphs import Graph
from memory_gui.domain.records import Ref
from memory_gui.services.library.library import Library

STEPS = 2
MOST = 200


class Graphs:
    """Any thread may call."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def around(self, ref: Ref, steps: int = STEPS, most: int = MOST) -> Graph:
        """The record in the middle and what is reached from it.

        Raises:
            UserError: ``store.cannot``: no relations there; ``record.gone``; ``store.*``.
        """
        shelf = self._library.shelf(ref.store)
        return shelf.screen(lambda store: store.graph(ref, steps, most))
