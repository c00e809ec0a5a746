# SPDX-License-Identifier: MIT
"""Labels for records that have no identity of their own, made of their texts.

A file of notes has no ids. Each record gets a short digest of its text as a label, so that another
process knows it by the same, and a label never means another text than the one it was read from.
While a store is open a record keeps its label although its text is edited: after a change the new
list is laid beside the old one. What is kept are keyed digests, never a text.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b


@dataclass(slots=True)
class _Group:
    prints: list[bytes] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)


class Labels:
    """The labels of one format's open stores. Any thread; forgotten when a store is let go of."""

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
        """One less; with the last one its labels are forgotten."""
        with self._guard:
            self._holders[store] -= 1
            if self._holders[store] <= 0:
                del self._holders[store]
                for name in [name for name in self._groups if name[0] == store]:
                    del self._groups[name]

    def give(self, store: str, group: str, texts: Sequence[bytes]) -> tuple[str, ...]:
        """The labels of records, in the order in which they stand now."""
        prints = [self._print(text) for text in texts]
        with self._guard:
            known = self._groups.setdefault((store, group), _Group())
            if prints != known.prints:
                known.labels = _matched(known, prints, texts)
                known.prints = prints
            return tuple(known.labels)

    def put(self, store: str, group: str, texts: Sequence[bytes], labels: Sequence[str]) -> None:
        """After a change of our own: which label each has is known."""
        prints = [self._print(text) for text in texts]
        with self._guard:
            known = self._groups.setdefault((store, group), _Group())
            known.prints, known.labels = prints, list(labels)

    def fresh(self, store: str, group: str, text: bytes) -> str:
        """A label for a new text that no record of the group has."""
        with self._guard:
            known = self._groups.setdefault((store, group), _Group())
            return _label(text, set(known.labels))

    def _print(self, text: bytes) -> bytes:
        return blake2b(text, digest_size=12, key=self._key).digest()


def _label(text: bytes, taken: Collection[str]) -> str:
    """Six hex digits; of a second record that says the same with a number behind them."""
    digest = blake2b(text, digest_size=3).hexdigest()
    label, number = digest, 2
    while label in taken:
        label, number = f"{digest}-{number}", number + 1
    return label


def _matched(known: _Group, prints: Sequence[bytes], texts: Sequence[bytes]) -> list[str]:
    """Old labels for what is the same; what was changed in its place keeps its label too."""
    old, labels = known.prints, known.labels
    shorter = min(len(old), len(prints))
    head = 0
    while head < shorter and old[head] == prints[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == prints[-1 - tail]:
        tail += 1
    last = len(prints) - tail
    was = labels[head : len(old) - tail]
    if len(was) == last - head:
        return list(labels)
    waiting: dict[bytes, deque[str]] = defaultdict(deque)
    for one, label in zip(old[head : len(old) - tail], was, strict=True):
        waiting[one].append(label)
    # What is still there keeps its label, and no new record gets it.
    kept = [waiting[one].popleft() if waiting[one] else "" for one in prints[head:last]]
    taken = {*labels[:head], *kept, *(labels[len(old) - tail :] if tail else ())}
    between = []
    for label, text in zip(kept, texts[head:last], strict=True):
        between.append(label or _label(text, taken))
        taken.add(between[-1])
    return [*labels[:head], *between, *(labels[len(old) - tail :] if tail else ())]
