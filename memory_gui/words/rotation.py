# SPDX-License-Identifier: MIT
"""The words of changing keys and encryption, for window and terminal alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memory_gui.words.catalogue import N_

OLD_KEY: Final[Mapping[str, str]] = {
    "retired": N_("The old key was destroyed."),
    "not-ours": N_("The old key was not in the keychain; it opens nothing here any more."),
    "kept-files": N_("The old key is kept for the files that need it."),
    "kept-recovery": N_("The old key is kept until the new recovery key is confirmed."),
    "retiring": N_("The keychain did not remove the old key yet; that is tried again."),
}
"""What became of the old key, by ``KeyDone.old``."""

NEWS: Final[Mapping[str, str]] = {
    "finished": N_("A change of the key of {path} had been stopped. It was finished now."),
    "taken-back": N_(
        "A change of the key of {path} had been stopped. It was taken back: its old key opens it."
    ),
    "encryption-finished": N_(
        "A change of the encryption of {path} had been stopped. It was finished now, and no second "
        "copy is left."
    ),
    "encryption-taken-back": N_(
        "A change of the encryption of {path} had been stopped. The store is as it was, and the "
        "half-made copy is gone."
    ),
}
"""What an opening did with what a stop had left, by ``KeyNews.code``."""
