# SPDX-License-Identifier: MIT
"""Which keychain has the ledger's key, beside the ledger: it must be known before that is open.

One line, ``class`` or ``class@program``, as in ``Present.place``. It names programs, nothing else.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from memory_gui.ledger.files import private_folder, read_small, write_whole

FILE: Final = "keychain"
_PLACE: Final = re.compile(r"[\w.@+-]{1,200}")


def read_place(data_dir: Path) -> str:
    """What was written down; empty where nothing was, or nothing that makes sense."""
    try:
        text = read_small(data_dir / FILE, 1024).decode().strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return text if _PLACE.fullmatch(text) else ""


def write_place(data_dir: Path, place: str) -> None:
    """Write it down where it changed; a folder that cannot be written is no obstacle."""
    if place and place != read_place(data_dir):
        with suppress(OSError):
            write_whole(private_folder(data_dir) / FILE, f"{place}\n".encode(), replace=True)
