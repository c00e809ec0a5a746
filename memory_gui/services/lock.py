# SPDX-License-Identifier: MIT
"""Letting go of every key, text and connection at once."""

from __future__ import annotations


class Lock:
    """Locks and unlocks the app. Any thread may call."""

    def lock(self) -> list[str]:
        """Close every store, forget keys and undo; the paths that were open (project first)."""
        raise NotImplementedError

    @property
    def is_locked(self) -> bool:
        """Whether the app is locked."""
        raise NotImplementedError

    def unlock(self) -> list[str]:
        """Open again what was open, with keys from the keychain; the paths that need more.

        A store whose key is not in the keychain is left out and its path is returned.
        """
        raise NotImplementedError
