# SPDX-License-Identifier: MIT
"""The values of an entry."""

from __future__ import annotations

import json
from typing import Final

from memory_gui.stores.files.jsonspans import shown

KNOWN: Final = ("key", "value", "timestamp", "tags")
"""What agentao 0.2.5 wrote into an entry."""


def text_of(value: object) -> str:
    """A JSON value as a text."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shown(text)
