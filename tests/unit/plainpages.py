# SPDX-License-Identifier: MIT
"""What an encrypted file holds, deleted rows included, as its key shows it."""

from memory_gui.domain.keys import RawKey
from memory_gui.engine.pages.cipher import find_cipher

PAGE = 4096


def plain_pages(data: bytes, key: RawKey) -> bytes:
    """Every page but the first, of a file of whole pages."""
    cipher = find_cipher(key, data[:PAGE])
    assert cipher is not None
    starts = range(PAGE, len(data), PAGE)
    return b"".join(cipher.decrypt(data[at : at + PAGE], at // PAGE + 1) for at in starts)
