# SPDX-License-Identifier: MIT
"""Numbers for records that have no identity of their own: their places when they were first seen.

A file of notes has no ids. Each record gets its place as a number, and keeps it while the store is
open although others come and go before it: after a change the new list is laid beside the old one.
What is kept are keyed digests, never a text.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b


@dataclass(slots=True)
class _Group:
    prints: list[bytes] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    next: int = 1


class Numbers:
    """The numbers of one format's open stores. Any thread; forgotten when a store is let go of."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._key = os.urandom(16)
        self._groups: dict[tuple[str, str], _Group] = {}
        self._holders: dict[str, int] = defaultdict(int)

    def hold(self, store: str) -> None:
        """One more Store of this name is open."""
        with self._guard:
            self._holders[store] += 1

    def release(self, store: str) -> None:
        """One less; with the last one its numbers are forgotten."""
        with self._guard:
            self._holders[store] -= 1
            if self._holders[store] <= 0:
                del self._holders[store]
                for name in [name for name in self._groups if name[0] == store]:
                    del self._groups[name]

    def give(self, store: str, group: str, texts: Sequence[bytes]) -> tuple[int, ...]:
        """The numbers of records, in the order in which they stand now."""
        prints = [self._print(text) for text in texts]
        with self._guard:
            known = self._groups.setdefault((store, group), _Group())
            if prints != known.prints:
                known.numbers = _matched(known, prints)
                known.prints = prints
            return tuple(known.numbers)

    def put(self, store: str, group: str, texts: Sequence[bytes], numbers: Sequence[int]) -> None:
        """After a change of our own: which number each has is known."""
        prints = [self._print(text) for text in texts]
        with self._guard:
            known = self._groups.setdefault((store, group), _Group())
            known.prints, known.numbers = prints, list(numbers)
            known.next = max([known.next, *(number + 1 for number in numbers)])

    def fresh(self, store: str, group: str) -> int:
        """A number that no record of the group had."""
        with self._guard:
            known = self._groups.setdefault((store, group), _Group())
            known.next += 1
            return known.next - 1

    def _print(self, text: bytes) -> bytes:
        return blake2b(text, digest_size=12, key=self._key).digest()


def _matched(known: _Group, prints: Sequence[bytes]) -> list[int]:
    """Old numbers for what is the same; what was changed in its place keeps its number too."""
    old, numbers = known.prints, known.numbers
    head = 0
    while head < min(len(old), len(prints)) and old[head] == prints[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(prints)) - head and old[-1 - tail] == prints[-1 - tail]:
        tail += 1
    middle = prints[head : len(prints) - tail]
    was = numbers[head : len(old) - tail]
    if len(middle) == len(was):
        between = list(was)
    else:
        waiting: dict[bytes, deque[int]] = defaultdict(deque)
        for one, number in zip(old[head : len(old) - tail], was, strict=True):
            waiting[one].append(number)
        between = []
        for one in middle:
            if waiting[one]:
                between.append(waiting[one].popleft())
            else:
                between.append(known.next)
                known.next += 1
    return [*numbers[:head], *between, *(numbers[len(old) - tail :] if tail else ())]
