# SPDX-License-Identifier: MIT
"""The kinds of a store's records as numbers, and how many of each there are in which state."""

from __future__ import annotations

from memory_gui.domain.records import State


class Kinds:
    """Change it inside the guard of the content; what it counts is told to any thread."""

    def __init__(self) -> None:
        self.names: list[str] = [""]
        """By number; 0 stands for none."""
        self._numbers: dict[str, int] = {}
        self._counts: dict[tuple[int, int], int] = {}

    def known(self, name: str) -> int:
        """The number of a kind; 0 where no record ever was of it."""
        return self._numbers.get(name, 0)

    def number(self, name: str) -> int:
        """The number of a kind, a new one where it has none."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.names)
            self.names.append(name)
        return number

    def count(self, kind: int, state: int, by: int) -> None:
        """So many more records of a kind are in a state; both are numbers."""
        self._counts[kind, state] = self._counts.get((kind, state), 0) + by

    def counts(self) -> dict[str, dict[State, int]]:
        """Kind -> state -> number."""
        states = list(State)
        counts: dict[str, dict[State, int]] = {}
        for (kind, state), number in list(self._counts.items()):
            if number:
                counts.setdefault(self.names[kind], {})[states[state]] = number
        return counts

    def total(self) -> int:
        """How many records there are."""
        return sum(list(self._counts.values()))

    def clear(self) -> None:
        """There are no records; kinds keep their numbers."""
        self._counts.clear()
