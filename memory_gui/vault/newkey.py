# SPDX-License-Identifier: MIT
"""Make a key. The only place in the app where one comes into being."""

from __future__ import annotations

import secrets

from memory_gui.domain.keys import RawKey


def new_key() -> RawKey:
    """32 random bytes from the operating system.

    Only for a file that does not exist yet or is not encrypted yet. A store that is encrypted
    never leads here, whatever a keychain answers (a test holds the callers to a list).
    """
    return RawKey(secrets.token_bytes(32))
