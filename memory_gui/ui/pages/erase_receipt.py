# SPDX-License-Identifier: MIT
"""The receipt of an erase, as it is shown and saved. It holds no content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_gui.erasure.result import EraseResult
from memory_gui.services import Services

Document = Mapping[str, Any]


def shown(document: Document) -> str:
    """The same as text, as it will stand in the file."""
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)


def save(services: Services, result: EraseResult, path: Path) -> Path:
    """Sign it and write it to a new file, 0600, and give its path. Any thread but the window's own.

    Raises:
        UserError: ``receipt.exists``, ``receipt.failed``.
    """
    return services.erasing.save_receipt(result, path.expanduser())
