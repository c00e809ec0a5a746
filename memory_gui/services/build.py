# SPDX-License-Identifier: MIT
"""Composing the services; made once by a front door."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memory_gui.services.checks import Checks
from memory_gui.services.editing import Editing
from memory_gui.services.erasing import Erasing
from memory_gui.services.exporting import Exporting
from memory_gui.services.library import Library
from memory_gui.services.lock import Lock
from memory_gui.services.protect import Protect
from memory_gui.services.review import Review
from memory_gui.services.settings import Settings
from memory_gui.words import Words

if TYPE_CHECKING:
    from memory_gui.vault.keychain import Keychain, NoKeychain


@dataclass(frozen=True, slots=True)
class Services:
    """Everything window and terminal may ask for. ``close`` when done."""

    words: Words
    library: Library
    editing: Editing
    review: Review
    erasing: Erasing
    protect: Protect
    exporting: Exporting
    checks: Checks
    settings: Settings
    lock: Lock
    keychain: Keychain | NoKeychain

    def close(self) -> None:
        """Close every store and the keychain's helper."""


def build_services(
    *, words: Words, home: Path, data_dir: Path, keychain: Keychain | NoKeychain
) -> Services:
    """Compose. ``home`` is where agents keep user databases, ``data_dir`` the app's own."""
    raise NotImplementedError
