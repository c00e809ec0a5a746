# SPDX-License-Identifier: MIT
"""The other running copies of the app, of the same person, on the same machine.

Each copy listens on a socket of its own in the runtime folder (0700; sockets 0600). One JSON
object a line, at most 64 KB, with a version; paths and numbers only, never memory text or keys.
Where there are no such sockets (Windows) or the folder is not ours alone there are no neighbours,
and ``why`` says so.
"""

from memory_gui.services.neighbours.client import (
    ANSWER_S,
    AnyNeighbours,
    Held,
    Neighbours,
    NoNeighbours,
    lent_to,
    neighbours_for,
)
from memory_gui.services.neighbours.server import Answers, Asker, Listener

__all__ = [
    "ANSWER_S",
    "Answers",
    "AnyNeighbours",
    "Asker",
    "Held",
    "Listener",
    "Neighbours",
    "NoNeighbours",
    "lent_to",
    "neighbours_for",
]
