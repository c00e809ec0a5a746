# SPDX-License-Identifier: MIT
"""How texts are made comparable for searching."""

from __future__ import annotations

import unicodedata


def fold(text: str) -> str:
    """Normalise for searching: NFKC, then case-folded."""
    if text.isascii():
        return text.lower()  # the same, and most of what a scan folds
    return unicodedata.normalize("NFKC", text).casefold()
