# SPDX-License-Identifier: MIT
"""The recovery key: a store's key as text on paper, and back.

14 groups of 5 characters from an alphabet without I, L, O and U (Crockford's base32), readable in
any language. 13 groups hold 4 bits of version and the 256 bits of the key, 20 bits each; the 14th
holds 20 bits of SHA-256 over them. The last character of each group checks the group and its
place: any one wrong character, any two swapped ones and any two swapped groups are noticed and
the group is named; what slips through a group (1 in 32 of the wilder errors) meets the last one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.domain.keys import RawKey

GROUPS: Final = 14
GROUP_LENGTH: Final = 5

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES: Final = {
    **{letter: value for value, letter in enumerate(_ALPHABET)},
    **{"O": 0, "I": 1, "L": 1},
}
_VERSION: Final = 0
_DATA: Final = GROUP_LENGTH - 1
_SUM_BITS: Final = 20
_FIELD: Final = 0b100101  # x^5 + x^2 + 1, primitive: GF(32)
_SEPARATORS: Final = re.compile(r"[\s\-–—_.,:;|/·]+")
_HEX: Final = re.compile(r"[0-9a-fA-F]{64}")


def recovery_text(key: RawKey) -> str:
    """The 14 groups, joined by spaces."""
    return " ".join(recovery_groups(key))


def recovery_groups(key: RawKey) -> tuple[str, ...]:
    """The 14 groups, for a page that lays them out in lines."""
    number = _VERSION << 256 | int.from_bytes(bytes(key), "big")
    full = number << _SUM_BITS | _sum(number)
    groups = []
    for place in range(GROUPS):
        bits = full >> (_SUM_BITS * (GROUPS - 1 - place))
        data = [bits >> (5 * (_DATA - 1 - i)) & 31 for i in range(_DATA)]
        groups.append("".join(_ALPHABET[v] for v in [*data, _check(data, place)]))
    return tuple(groups)


def read_recovery_text(text: str) -> RawKey:
    """A recovery key as a person typed or pasted it; 64 hex digits are taken as the key itself.

    Spaces, dashes and lines may stand anywhere, letters may be small or full-width, O is 0, I and
    L are 1.

    Raises:
        UserError: ``recovery.empty``; ``recovery.letter`` (``group``, ``place``: 1-based);
            ``recovery.group_length`` (``group``, ``count``); ``recovery.length`` (``count``);
            ``recovery.group`` (``group``), ``recovery.groups`` (the first, ``count``);
            ``recovery.sum``; ``recovery.version``.
    """
    parts = [p for p in _SEPARATORS.split(unicodedata.normalize("NFKC", text).upper()) if p]
    joined = "".join(parts)
    if _HEX.fullmatch(joined):
        return RawKey.from_hex(joined)
    if not joined:
        raise UserError("recovery.empty")
    groups = _groups(parts, joined)
    _check_letters(groups)
    _check_lengths(groups, len(joined))
    wrong = [place for place, group in enumerate(groups) if not _holds(group, place)]
    if len(wrong) > 1:
        raise UserError("recovery.groups", group=wrong[0] + 1, count=len(wrong))
    if wrong:
        raise UserError("recovery.group", group=wrong[0] + 1)
    return _decode(groups)


def looks_like_recovery(text: str) -> bool:
    """Whether a text was meant as a recovery key: in about 14 short groups, or 70 letters.

    A slip is then told as one, and not taken for a passphrase that does not fit.
    """
    parts = [p for p in _SEPARATORS.split(unicodedata.normalize("NFKC", text).upper()) if p]
    letters = "".join(parts)
    if not all(letter.isascii() and letter.isalnum() for letter in letters):
        return False
    if len(parts) == 1:
        return len(letters) == GROUPS * GROUP_LENGTH
    short = sum(len(part) in (GROUP_LENGTH - 1, GROUP_LENGTH, GROUP_LENGTH + 1) for part in parts)
    digits = sum(letter.isdecimal() for letter in letters)
    return GROUPS - 2 <= short <= GROUPS + 2 and digits > len(letters) // 10


def _groups(parts: Sequence[str], joined: str) -> Sequence[str]:
    """The groups as they were written where there are 14, else every five characters."""
    if len(parts) == GROUPS:
        return parts
    return [joined[i : i + GROUP_LENGTH] for i in range(0, len(joined), GROUP_LENGTH)]


def _check_letters(groups: Sequence[str]) -> None:
    for number, group in enumerate(groups, 1):
        for place, letter in enumerate(group, 1):
            if letter not in _VALUES:
                raise UserError("recovery.letter", group=number, place=place)


def _check_lengths(groups: Sequence[str], count: int) -> None:
    if len(groups) == GROUPS:
        for number, group in enumerate(groups, 1):
            if len(group) != GROUP_LENGTH:
                raise UserError("recovery.group_length", group=number, count=len(group))
    if count != GROUPS * GROUP_LENGTH:
        raise UserError("recovery.length", count=count)


def _holds(group: str, place: int) -> bool:
    *data, check = (_VALUES[letter] for letter in group)
    return _check(data, place) == check


def _decode(groups: Sequence[str]) -> RawKey:
    full = 0
    for group in groups:
        for letter in group[:_DATA]:
            full = full << 5 | _VALUES[letter]
    number, checksum = full >> _SUM_BITS, full & (1 << _SUM_BITS) - 1
    if _sum(number) != checksum:
        raise UserError("recovery.sum")
    if number >> 256 != _VERSION:
        raise UserError("recovery.version")
    return RawKey((number & (1 << 256) - 1).to_bytes(32, "big"))


def _sum(number: int) -> int:
    digest = sha256(b"memory-gui recovery key" + number.to_bytes(33, "big")).digest()
    return int.from_bytes(digest[:3], "big") >> 4


def _check(data: Sequence[int], place: int) -> int:
    """Each character weighs its own power of x in GF(32), the group's place one more."""
    total = _power(place + 5)
    for i, value in enumerate(data, 1):
        total ^= _times(value, _power(i))
    return total


def _power(exponent: int) -> int:
    value = 1
    for _ in range(exponent % 31):
        value = _times(value, 2)
    return value


def _times(a: int, b: int) -> int:
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 32:
            a ^= _FIELD
        b >>= 1
    return product
