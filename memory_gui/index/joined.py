# SPDX-License-Identifier: MIT
"""The contents of some stores as if they were one: a slot is an ordinal in one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from memory_gui.index.content import Content

Slots = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int64]
At = npt.NDArray[np.intp] | slice


class Joined:
    """Some contents, one after another; as many ordinals of each as there are now.

    Make it inside their guards. Of what is added later it knows nothing.
    """

    def __init__(self, contents: Sequence[Content]) -> None:
        self.contents = tuple(contents)
        self.begins = begins_of([one.columns.count for one in contents])
        """Where the slots of each content begin, and where those of the last one end."""

    def parts(self, slots: Slots) -> Iterator[tuple[Content, At, npt.NDArray[Any]]]:
        """For each content of which there are any: it, which of the slots, their ordinals."""
        if len(self.contents) == 1:
            yield self.contents[0], slice(None), slots
            return
        which = store_of(self.begins, slots)
        for number in np.unique(which).tolist():
            at = np.flatnonzero(which == number)
            yield self.contents[number], at, slots[at] - self.begins[number]

    def slots(self) -> Slots:
        """Those of all records that are there, ascending. Inside the guards."""
        return slots_of([one.refs.kinds != 0 for one in self.contents])

    def alive_of(self, slots: Slots) -> npt.NDArray[np.bool_]:
        """Which of some slots are. Inside the guards."""
        found = np.zeros(len(slots), np.bool_)
        for content, at, ordinals in self.parts(slots):
            found[at] = content.refs.kinds[ordinals] != 0
        return found


def end_to_end(parts: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """What each content has by ordinal, by slot; that of a single one itself."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts or [np.zeros(0, np.bool_)])


def slots_of(masks: Sequence[npt.NDArray[np.bool_]]) -> Slots:
    """The slots, ascending, that the contents' masks have."""
    return end_to_end(masks).nonzero()[0].astype(np.uint32)


def begins_of(counts: Sequence[int]) -> Numbers:
    """Where each of some parts begins that have so many slots, and where the last one ends."""
    return np.array([*accumulate(counts, initial=0)], np.int64)


def store_of(begins: Numbers, slots: Slots) -> npt.NDArray[np.intp]:
    """In which part each slot is."""
    return np.searchsorted(begins[1:-1], slots, "right")
