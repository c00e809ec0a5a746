# SPDX-License-Identifier: MIT
"""Find the key of an existing store. Nothing here ever makes one."""

from __future__ import annotations

from collections.abc import Callable

from memory_gui.domain.keys import KeyResult, Mismatch, RawKey
from memory_gui.vault.keychain import AnyKeychain


def key_for(
    keychain: AnyKeychain, salt: bytes, proves: Callable[[RawKey], bool], recorded: str = ""
) -> KeyResult:
    """Present only with a key that opens the file; Mismatch when none of the slots' keys does.

    ``recorded`` is what had the key when the store was last opened (``Present.place``).

    ``proves`` opens the file with a key and says whether that worked; its errors about the file
    itself (damaged, locked) pass through, because they say nothing about the key.

    Raises:
        Cancelled: the keychain's question was cancelled.
    """
    found = keychain.find_recorded(salt, recorded)
    if not isinstance(found, list):
        return found
    for present in found:
        if proves(present.key):
            return present
    return Mismatch(found[0].backend, tuple(present.slot for present in found))
