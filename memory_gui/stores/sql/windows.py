# SPDX-License-Identifier: MIT
"""Finding pieces of many texts in many other texts, in time that does not multiply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

WINDOW: Final = 32
"""Bytes: what of an erased text must not be found anywhere (the whole text when it is shorter)."""
_STRIDE: Final = 8
_BLOCK: Final = WINDOW - _STRIDE + 1
_HEAD: Final = 8


class Windows:
    """Finds any window of the texts in other texts, letter case aside.

    Each window of 32 bytes covers a whole block of 25 that begins at a multiple of 8 of its text.
    So the blocks of all texts are looked up at each place of another one; where one is met, the
    windows around it are. Short texts are found as a whole, by their first bytes. Texts that are
    much alike, such as letters with another number each, cost no more than others.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._raw: list[bytes] = []
        self._blocks: dict[bytes, list[tuple[int, int]]] = {}
        self._around: dict[bytes, dict[bytes, set[int]]] = {}
        self._heads: dict[int, dict[bytes, _Short]] = {}
        self._names: list[list[str]] = []
        known: dict[bytes, int] = {}
        for text in texts:
            raw = _raw(text.strip())
            if raw and raw not in known:
                known[raw] = len(self._raw)
                self._add(raw)
            if raw:
                self._names[known[raw]].append(text)

    def _add(self, raw: bytes) -> None:
        number = len(self._raw)
        self._raw.append(raw)
        self._names.append([])
        if len(raw) >= WINDOW:
            for start in range(0, len(raw) - _BLOCK + 1, _STRIDE):
                self._blocks.setdefault(raw[start : start + _BLOCK], []).append((number, start))
        else:
            size = min(len(raw), _HEAD)
            short = self._heads.setdefault(size, {}).setdefault(raw[:size], _Short())
            short.lengths.add(len(raw))
            short.numbers[raw] = number

    def in_text(self, text: str) -> bool:
        """Whether the text holds a short text as a whole, or 32 bytes of a long one."""
        return next(self._found(_raw(text)), None) is not None

    def newly_held(self, text: str) -> set[str]:
        """The texts of which it holds something, each told at least the first time."""
        found: set[int] = set()
        for numbers in self._found(_raw(text)):
            found |= numbers
            numbers.clear()
        return {name for number in found for name in self._names[number]}

    def _found(self, raw: bytes) -> Iterator[set[int]]:
        for size, heads in self._heads.items():
            for at in range(len(raw) - size + 1):
                short = heads.get(raw[at : at + size])
                for length in short.lengths if short is not None else ():
                    number = short.numbers.get(raw[at : at + length]) if short else None
                    if number is not None:
                        yield {number}
        if self._blocks and len(raw) >= WINDOW:
            blocks = self._blocks
            for at in range(len(raw) - _BLOCK + 1):
                block = raw[at : at + _BLOCK]
                if block in blocks:
                    around = self._windows(block)
                    for window in _windows_at(raw, at):
                        if window in around:
                            yield around[window]

    def _windows(self, block: bytes) -> dict[bytes, set[int]]:
        """The windows around a block in all texts that have it; found when it is first met."""
        around = self._around.get(block)
        if around is None:
            around = self._around[block] = {}
            for number, start in self._blocks[block]:
                for window in _windows_at(self._raw[number], start):
                    around.setdefault(window, set()).add(number)
        return around


@dataclass(slots=True)
class _Short:
    """Short texts that begin alike."""

    lengths: set[int] = field(default_factory=set)
    numbers: dict[bytes, int] = field(default_factory=dict)


def _raw(text: str) -> bytes:
    return text.casefold().encode(errors="backslashreplace")


def _windows_at(raw: bytes, block: int) -> Iterator[bytes]:
    """The windows of a text that cover its block at a place."""
    for start in range(max(0, block + _BLOCK - WINDOW), min(block, len(raw) - WINDOW) + 1):
        yield raw[start : start + WINDOW]
