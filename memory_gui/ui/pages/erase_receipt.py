# SPDX-License-Identifier: MIT
"""The receipt of an erase, as it is shown and saved. It holds no content."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_gui.erasure.receipt import refuse_receipt, write_new
from memory_gui.erasure.result import EraseResult
from memory_gui.services import Services
from memory_gui.ui.receipt_pdf import receipt_pdf
from memory_gui.words import Words

Document = Mapping[str, Any]


def shown(document: Document) -> str:
    """The same as text, as it will stand in the file."""
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)


def save(services: Services, words: Words, result: EraseResult, path: Path) -> Path:
    """Sign it and write it to a new file, 0600, with a PDF of it beside; gives the first path.

    Any thread but the window's own.

    Raises:
        UserError: ``receipt.exists``, ``receipt.failed``.
    """
    whole = path.expanduser()
    printed = whole.with_suffix(".pdf")
    if printed == whole:
        whole = whole.with_suffix(".json")
    refuse_receipt(printed)
    services.erasing.save_receipt(result, whole)
    document = json.loads(whole.read_text("utf-8", "surrogatepass"))
    write_new(printed, receipt_pdf(words, document))
    return whole
