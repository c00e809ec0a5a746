# SPDX-License-Identifier: MIT
"""Finding pieces of many texts in many other texts, in time that does not multiply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, Final

from memory_gui import lazy
from memory_gui.domain.work import nobody_asks

WINDOW: Final = 32
"""Bytes: what of an erased text must not be found anywhere (the whole text when it is shorter)."""
_BETWEEN: Final = b"\xff"
"""Stands in no text in UTF-8, so that nothing is found that lies over the end of one."""


class Windows:
    """Finds any window of the texts in other texts, letter case aside.

    The other texts had best come many at once: each call costs as much as some hundred of them.
    """

    def __init__(self, texts: Iterable[str], check: Callable[[], object] = nobody_asks) -> None:
        """``check`` is called while much is made ready for the first call, and may raise."""
        self._check = check
        self._names: dict[bytes, list[str]] = {}
        for text in texts:
            if raw := _folded(text.strip()):
                self._names.setdefault(raw, []).append(text)
        self._long = [raw for raw in self._names if len(raw) >= WINDOW]
        self._whole = [raw for raw in self._names if len(raw) < WINDOW]
        self._needles: Any = None
        self._told: set[int] = set()

    def in_text(self, text: str) -> bool:
        """Whether the text holds a short text as a whole, or 32 bytes of a long one."""
        return bool(self.in_texts([text]))

    def in_texts(self, texts: Sequence[str]) -> set[int]:
        """The places of those that hold something."""
        return self.in_folded(fold(texts))

    def in_folded(self, raws: Sequence[bytes]) -> set[int]:
        """The same of texts that ``fold`` has made."""
        if not self._names:
            return set()
        found = self._find(_BETWEEN.join(raws))
        starts = [0, *accumulate(len(raw) + 1 for raw in raws)]
        return set(lazy.needles().parts_of(found.starts, starts))

    def newly_held(self, raws: Sequence[bytes]) -> set[str]:
        """Of which texts those (of ``fold``) hold something, each told at least the first time."""
        if not self._names:
            return set()
        found = self._find(_BETWEEN.join(raws))
        new = set(found.groups.tolist()) - self._told
        self._told |= new
        owners = self._needles.owners(new)
        strings = [*self._long, *self._whole]
        return {name for number in owners for name in self._names[strings[number]]}

    def _find(self, data: bytes) -> Any:
        if self._needles is None:
            self._needles = lazy.needles().Needles(self._long, self._whole, self._check)
        return self._needles.find(data)


def fold(texts: Iterable[str | bytes]) -> list[bytes]:
    """Texts, or their bytes in UTF-8, the way they are compared: letter case aside."""
    return [
        text.lower() if isinstance(text, bytes) and text.isascii() else _folded(text)
        for text in texts
    ]


def _folded(text: str | bytes) -> bytes:
    shown = text if isinstance(text, str) else text.decode(errors="backslashreplace")
    return shown.casefold().encode(errors="backslashreplace")
