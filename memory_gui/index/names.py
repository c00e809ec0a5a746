# SPDX-License-Identifier: MIT
"""Texts that many records share, as numbers: each text is kept once, as long as a record has it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

_PIECE: Final = 5_000
"""So many texts are sorted in one call, which holds the interpreter's lock."""

_FEW: Final = 4_096
"""So many numbers are counted sooner in a list of all of them than by sorting a batch's."""

Numbers = npt.NDArray[np.uint32]
Value = TypeVar("Value")


class Names:
    """Texts and their numbers; 0 is the empty text, and stands for none."""

    def __init__(self) -> None:
        self._texts: list[str] = [""]
        self._numbers: dict[str, int] = {"": 0}
        self._uses: list[int] = [1]
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._texts)

    def take(self, text: str | None) -> int:
        """The number of a text that one more record has."""
        number = self._numbers.get(text or "")
        if number is None:
            number = self._new(text or "")
        self._uses[number] += 1
        return number

    def take_all(self, texts: Sequence[str]) -> Numbers | int:
        """The numbers of the texts of some more records, in their order; or the one of them all."""
        if _all_one(texts):
            number = self.take(texts[0])
            self._uses[number] += len(texts) - 1
            return number
        return _taken(texts, self._numbers, self._new, self._uses)

    def _new(self, text: str) -> int:
        if self._free:
            number = self._free.pop()
            self._texts[number] = text
            self._uses[number] = 0
        else:
            number = len(self._texts)
            self._texts.append(text)
            self._uses.append(0)
        self._numbers[text] = number
        return number

    def release(self, number: int) -> None:
        """A record that had it has it no longer; the last one takes the text with it."""
        self._uses[number] -= 1
        if number and not self._uses[number]:
            del self._numbers[self._texts[number]]
            self._texts[number] = ""
            self._free.append(number)

    def text(self, number: int) -> str:
        """The text of a number."""
        return self._texts[number]

    def texts(self) -> Sequence[str]:
        """By number. Numbers that are not in use have the empty text."""
        return self._texts

    def number(self, text: str) -> int | None:
        """The number of a text, if a record has it."""
        return self._numbers.get(text)

    def clear(self) -> None:
        """Forget every text."""
        self.__init__()  # type: ignore[misc]  # the same object, as new


def _taken(
    values: Sequence[Value], known: dict[Value, int], new: Callable[[Value], int], uses: list[int]
) -> Numbers:
    """The numbers of the values that some more records have; ``new`` makes unknown ones known."""
    try:
        numbers = np.fromiter(map(known.__getitem__, values), np.uint32, len(values))
    except KeyError:
        for value in set(values).difference(known):
            new(value)
        numbers = np.fromiter(map(known.__getitem__, values), np.uint32, len(values))
    if len(uses) <= _FEW:
        every = np.bincount(numbers)
        found = every.nonzero()[0]
        times = every[found]
    else:
        found, times = np.unique(numbers, return_counts=True)
    for number, more in zip(found.tolist(), times.tolist(), strict=True):
        uses[number] += more
    return numbers


def _all_one(values: Sequence[object]) -> bool:
    return len(values) > 0 and values.count(values[0]) == len(values)


def ranks_of(groups: Sequence[Sequence[str]]) -> list[Numbers]:
    """For each group of texts, the place of each text in the order of all of them."""
    union = sorted_in_pieces(set(chain.from_iterable(groups)))
    places = {text: place for place, text in enumerate(union)}
    return [np.fromiter((places[text] for text in group), "u4", len(group)) for group in groups]


def sorted_in_pieces(texts: Iterable[str]) -> list[str]:
    """Sorted by code points, without holding the interpreter's lock for long."""
    every = list(texts)
    pieces = [sorted(every[at : at + _PIECE]) for at in range(0, len(every), _PIECE)]
    return pieces[0] if len(pieces) == 1 else list(heapq.merge(*pieces))


class TagSets:
    """Sets of tags as numbers, because most records share theirs with others. 0 is no tag."""

    def __init__(self) -> None:
        self.names = Names()
        """Each set in use has its tags once, however many records have the set."""
        self._numbers: dict[tuple[int, ...], int] = {(): 0}
        self._by_texts: dict[tuple[str, ...], int] = {(): 0}
        self._uses: list[int] = [1]
        self._members: list[int] = []
        self._bounds: list[int] = [0, 0]
        self._arrays: tuple[Numbers, npt.NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        return len(self._uses)

    def take(self, tags: Sequence[str]) -> int:
        """The number of a set that one more record has."""
        key = tuple(tags)
        number = self._by_texts.get(key)
        if number is None:
            number = self._new(key)
        self._uses[number] += 1
        return number

    def _new(self, tags: tuple[str, ...]) -> int:
        number = self._by_texts[tags] = self._set(set(tags))
        return number

    def _set(self, tags: Collection[str]) -> int:
        members = tuple(sorted(map(self.names.take, tags)))
        number = self._numbers.get(members)
        if number is not None:
            for tag in members:
                self.names.release(tag)
            return number
        number = self._numbers[members] = len(self._uses)
        self._uses.append(0)
        self._members.extend(members)
        self._bounds.append(len(self._members))
        self._arrays = None
        return number

    def take_all(self, sets: Sequence[tuple[str, ...]]) -> Numbers:
        """The numbers of the sets of some more records, in their order."""
        return _taken(sets, self._by_texts, self._new, self._uses)

    def release(self, number: int) -> None:
        """A record that had it has it no longer."""
        self._uses[number] -= 1
        if number and not self._uses[number]:
            at = slice(self._bounds[number], self._bounds[number + 1])
            members = tuple(self._members[at])
            for tag in members:
                self.names.release(tag)
            del self._numbers[members]
            self._by_texts = {k: n for k, n in self._by_texts.items() if n != number}
            self._members[at] = [0] * len(members)
            self._arrays = None

    def tags(self, number: int) -> tuple[str, ...]:
        """The tags of a set."""
        at = slice(self._bounds[number], self._bounds[number + 1])
        return tuple(self.names.text(tag) for tag in self._members[at])

    def holding(self, wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Which sets have one of the tags, given by a mask over their numbers."""
        members, sets = self._flat()
        found = np.zeros(len(self._uses), np.bool_)
        found[sets[wanted[members]]] = True
        return found

    def counts(self, by_set: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """How often each tag occurs, from how often each set does."""
        members, sets = self._flat()
        weights = by_set[sets].astype(np.float64)
        return np.bincount(members, weights, len(self.names)).astype(np.int64)

    def _flat(self) -> tuple[Numbers, npt.NDArray[np.int64]]:
        """Tag and set of each membership."""
        if self._arrays is None:
            bounds = np.array(self._bounds, np.int64)
            sets = np.repeat(np.arange(len(self._uses)), np.diff(bounds))
            self._arrays = np.array(self._members, np.uint32), sets
        return self._arrays

    def clear(self) -> None:
        """Forget every tag."""
        self.__init__()  # type: ignore[misc]  # the same object, as new
