# SPDX-License-Identifier: MIT
"""Personal data in a text: where it stands and what kind it is. What was matched is never returned.

Numbers that carry check digits are told only when these are right (ISO 7064 for Chinese resident
ids, Luhn for cards, mod 97 for IBANs): an order number is no person.
Any thread; bounded by LONGEST.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final

from memory_gui.findings.secrets import LONGEST, Level


@dataclass(frozen=True, slots=True)
class Personal:
    """``text[start:end]``; ``kind`` has its words in ``ui.review.words``."""

    kind: str
    start: int
    end: int
    level: Level


_DIGITS: Final = re.compile(r"\d")
_ID_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS: Final = "10X98765432"
_LONGEST_IBAN: Final = 34


def resident_id(text: str) -> bool:
    """GB 11643: 17 digits with a date in them, and a check character (ISO 7064, mod 11-2)."""
    digits = text.upper()
    try:
        born = date(int(digits[6:10]), int(digits[10:12]), int(digits[12:14]))
    except ValueError:
        return False
    weighed = zip(digits[:17], _ID_WEIGHTS, strict=True)
    total = sum(int(digit) * weight for digit, weight in weighed)
    return 1890 <= born.year <= 2100 and _ID_CHECKS[total % 11] == digits[17]


def luhn(text: str) -> bool:
    """ISO/IEC 7812: the check digit of payment cards."""
    digits = [int(digit) for digit in _DIGITS.findall(text)]
    total = 0
    for at, digit in enumerate(reversed(digits)):
        total += digit if at % 2 == 0 else sum(divmod(digit * 2, 10))
    return len(set(digits)) > 1 and total % 10 == 0


def iban(text: str) -> bool:
    """ISO 13616: mod 97 of the rearranged number is 1."""
    bare = re.sub(r"\s", "", text).upper()
    turned = bare[4:] + bare[:4]
    return len(bare) <= _LONGEST_IBAN and int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _phone(text: str) -> bool:
    return 8 <= len(_DIGITS.findall(text)) <= 15


_Check = Callable[[str], bool]
_AT: Final = r"@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b"
_CARD: Final = r"(?:4\d|5[1-5]|2[2-7]|6[025]|3[47])\d\d(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\d-])"
_SHAPES: Final[tuple[tuple[str, str, str, _Check | None, Level], ...]] = (
    (
        "email",
        "@",
        rf"(?<![A-Za-z0-9_.+-])[A-Za-z0-9][A-Za-z0-9_.+-]{{0,63}}{_AT}",
        None,
        Level.CERTAIN,
    ),
    (
        "resident_id",
        "",
        r"(?<![\dA-Za-z])[1-9]\d{16}[\dXx](?![\dA-Za-z])",
        resident_id,
        Level.CERTAIN,
    ),
    ("card", "", rf"(?<![\d-]){_CARD}", luhn, Level.CERTAIN),
    (
        "iban",
        "",
        r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b",
        iban,
        Level.CERTAIN,
    ),
    (
        "phone",
        "",
        r"(?<![\d.+-])(?:\+?86[ -]?)?1[3-9]\d(?:[ -]?\d{4}){2}(?!\d)",
        None,
        Level.CERTAIN,
    ),
    (
        "phone",
        "+",
        r"(?<![\d.])\+[1-9]\d{0,2}(?:[ .-]?\(?\d{1,4}\)?){2,6}(?!\d)",
        _phone,
        Level.LIKELY,
    ),
    ("phone", "", r"(?<!\d)0\d{2,3}-\d{7,8}(?!\d)", None, Level.LIKELY),
    ("phone", "", r"(?<!\d)\(?[2-9]\d{2}\)?[ -][2-9]\d{2}-\d{4}(?!\d)", None, Level.LIKELY),
)
_COMPILED: Final = tuple(
    (kind, hint, re.compile(shape), check, level) for kind, hint, shape, check, level in _SHAPES
)


def personal_in(text: str) -> tuple[Personal, ...]:
    """The personal data of a text in order; of those that overlap the first and longest."""
    searched = text[:LONGEST]
    found = sorted(_matches(searched), key=lambda one: (one.start, -one.end, -one.level))
    kept: list[Personal] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def has_personal(text: str) -> bool:
    """Whether there is any."""
    return next(_matches(text[:LONGEST]), None) is not None


def _matches(text: str) -> Iterator[Personal]:
    if not ("@" in text or _DIGITS.search(text)):
        return
    for kind, hint, pattern, check, level in _COMPILED:
        if hint and hint not in text:
            continue
        for match in pattern.finditer(text):
            if check is None or check(match[0]):
                yield Personal(kind, *match.span(), level)
