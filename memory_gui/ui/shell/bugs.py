# SPDX-License-Identifier: MIT
"""What may be said of an exception nobody expected: where, never with which values."""

from __future__ import annotations

import traceback
from pathlib import PurePath


def describe(error: BaseException) -> str:
    """Its class and the places it came through. Messages may quote memory text: left out."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"  {PurePath(f.filename).name}:{f.lineno} {f.name}" for f in frames]
    return "\n".join([type(error).__name__, *places])
