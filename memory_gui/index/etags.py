# SPDX-License-Identifier: MIT
"""Etags as numbers: nearly all are 16 hexadecimal digits; those that are not lie beside them."""

from __future__ import annotations

from typing import Final

_DIGITS: Final = 16


class Etags:
    """Call inside the guard of the content, which keeps the numbers by ordinal."""

    def __init__(self) -> None:
        self._odd: dict[int, str] = {}

    def number(self, ordinal: int, etag: str) -> int:
        """The number of an etag that a record has now; 0 of one that is no such digits."""
        try:
            number = int(etag, 16)
        except ValueError:
            number = -1
        if len(etag) == _DIGITS and f"{number:016x}" == etag and number:
            return number
        self._odd[ordinal] = etag
        return 0

    def text(self, ordinal: int, number: int) -> str | None:
        """The etag of a record by its number; None where it is not known yet."""
        return f"{number:016x}" if number else self._odd.get(ordinal)

    def forget(self, ordinal: int) -> None:
        """It has another one or is gone."""
        self._odd.pop(ordinal, None)

    def clear(self) -> None:
        """Forget them all."""
        self._odd.clear()
