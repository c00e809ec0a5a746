# SPDX-License-Identifier: MIT
"""Which secrets prove themselves: the check characters that their makers put into them.

Sources: GitHub's note on its token formats (CRC-32 of the random part in base 62, six characters;
npm's tokens are built alike), BIP-173 (bech32), Bitcoin's Base58Check, RFC 7515 (JWS header).
"""

from __future__ import annotations

import base64
import binascii
import json
import string
import zlib
from hashlib import sha256
from typing import Final

_BASE62: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32: Final = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_BECH32_STEPS: Final = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_CRC_DIGITS: Final = 6


def crc_token(token: str) -> bool:
    """``prefix_`` + random characters + their CRC-32 in six base-62 digits (GitHub, npm)."""
    body = token.partition("_")[2]
    random, check = body[:-_CRC_DIGITS], body[-_CRC_DIGITS:]
    value, digits = zlib.crc32(random.encode()), ""
    while value:
        value, digit = divmod(value, 62)
        digits = _BASE62[digit] + digits
    return bool(random) and digits.rjust(_CRC_DIGITS, "0") == check


def jwt(token: str) -> bool:
    """Whether its first part is the JSON header of a signed token."""
    head = token.partition(".")[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (binascii.Error, ValueError):
        return False
    return isinstance(header, dict) and "alg" in header


def bech32(text: str) -> bool:
    """A bech32 text with its six check characters (age's secret keys)."""
    low = text.lower()
    name, one, data = low.rpartition("1")
    if not one or any(char not in _BECH32 for char in data):
        return False
    values = [ord(char) >> 5 for char in name] + [0] + [ord(char) & 31 for char in name]
    check = 1
    for value in (*values, *(_BECH32.index(char) for char in data)):
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, step in enumerate(_BECH32_STEPS):
            check ^= step if top >> bit & 1 else 0
    return check == 1


def base58(text: str) -> bool:
    """Base58Check: the last four bytes are a hash of the others (Bitcoin's private keys)."""
    number = 0
    for char in text:
        number = number * 58 + _BASE58.index(char)
    data = number.to_bytes(max(5, (number.bit_length() + 7) // 8), "big")
    return sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]
