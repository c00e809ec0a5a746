# SPDX-License-Identifier: MIT
"""What an error is in words: a line that says what happened, and one that helps on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorWords:
    """Source texts with placeholders: one line that says what happened, and one that helps on."""

    title: str
    next: str = ""
