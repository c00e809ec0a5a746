# SPDX-License-Identifier: MIT
"""The same bytes with a program's way of writing undone.

JSON escapes; those that Python writes where it shows a text or bytes; UTF-16 of plain ASCII.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

_ESCAPE: Final = re.compile(
    rb"\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|([\"\\/bfnrt]))"
)
_PYTHON: Final = re.compile(
    rb"\\(?:x([0-9a-f]{2})|u((?:000[1-9a-f]|0010)[0-9a-f]{4}|[0-9a-f]{4})|([\"'\\nrt]))"
)
"""``\\U0001f600`` is lower-case here, too: a control letter before four digits is rarer."""
_NO_JSON: Final = re.compile(rb"\\(?:x[0-9a-f]{2}|u(?:000[1-9a-f]|0010)[0-9a-f]{4}|')")
_PLAIN: Final = dict(zip(b"\"\\/bfnrt'", b"\"\\/\b\f\n\r\t'", strict=True))
_PAIRS: Final = re.compile(rb"\0[\x01-\x7f](?:\0[\x01-\x7f]){6,}")
"""UTF-16 of at least eight ASCII letters, of either byte order; the first may stand before it."""


@dataclass(slots=True)
class View:
    """Bytes, and where they were: ``points`` are (offset here, offset there), ascending."""

    data: bytes
    points: list[tuple[int, int]] = field(default_factory=list)
    under: View | None = None

    def place(self, at: int) -> int:
        """The offset in the data as it lies."""
        if self.points:
            here, there = self.points[bisect_right(self.points, (at, 1 << 62)) - 1]
            at = there + (at - here) * self._step()
        return self.under.place(at) if self.under is not None else at

    def _step(self) -> int:
        return 1


class _Squeezed(View):
    """Two bytes there for each byte here."""

    def _step(self) -> int:
        return 2


def has_views(low: bytes, starts: Sequence[int]) -> list[int]:
    """Which parts of the data say more than what stands there; they begin at ``starts``."""
    places = [found.start() for found in _PAIRS.finditer(low)]
    at = low.find(b"\\")
    while at >= 0:
        places.append(at)
        after = starts[bisect_right(starts, at)]
        at = low.find(b"\\", after)
    return sorted({bisect_right(starts, place) - 1 for place in places})


def views(low: bytes) -> Iterator[View]:
    """What the data says with escapes and NULs taken out. ``low`` is lower-case."""
    plain = View(low)
    for pairs in _PAIRS.finditer(low):
        first = pairs.start() - 1 if pairs.start() else pairs.start() + 1
        yield _Squeezed(low[first : pairs.end() : 2], [(0, first)])
    once = _unescaped(plain, _ESCAPE, _letter)
    if once is not None:
        yield once
        twice = _unescaped(once, _ESCAPE, _letter)
        if twice is not None:
            yield twice
    for under in (plain, once):
        if under is not None and _NO_JSON.search(under.data):
            for letter in (_of_text, _of_bytes):
                shown = _unescaped(under, _PYTHON, letter)
                inner = None if shown is None else _unescaped(shown, _ESCAPE, _letter)
                yield from (view for view in (shown, inner) if view is not None)


def _unescaped(
    view: View, escape: re.Pattern[bytes], letter_of: Callable[[re.Match[bytes]], bytes]
) -> View | None:
    """With escapes undone; None when there are none. Runs of backslashes lose half."""
    low = view.data
    if b"\\" not in low:
        return None
    parts: list[bytes] = []
    points = [(0, 0)]
    last = size = 0
    for found in escape.finditer(low):
        before, letter = low[last : found.start()], letter_of(found)
        size += len(before)
        points.append((size, found.start()))
        parts += (before, letter)
        size += len(letter)
        last = found.end()
        points.append((size, last))
    if not parts:
        return None
    parts.append(low[last:])
    return View(b"".join(parts), points, view)


def _letter(found: re.Match[bytes]) -> bytes:
    high, second, single, plain = found.groups()
    if plain:
        return bytes((_PLAIN[plain[0]],))
    if single:
        return chr(int(single, 16)).encode("utf-8", "surrogatepass").lower()
    number = 0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(second, 16) - 0xDC00)
    return chr(number).encode("utf-8")


def _of_text(found: re.Match[bytes]) -> bytes:
    """As Python shows a text: the number is a letter's."""
    byte, number, plain = found.groups()
    if plain:
        return bytes((_PLAIN[plain[0]],))
    return chr(int(byte or number, 16)).encode("utf-8", "surrogatepass").lower()


def _of_bytes(found: re.Match[bytes]) -> bytes:
    """As Python shows bytes: the number is one of them."""
    byte = found[1]
    return bytes((int(byte, 16),)).lower() if byte else _of_text(found)
