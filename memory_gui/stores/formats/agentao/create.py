# SPDX-License-Identifier: MIT
"""An empty store in Agentao's layout, for the sample and for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from memory_gui.domain.keys import RawKey
from memory_gui.engine.create import create_database
from memory_gui.stores.formats.agentao.schema import LAYOUT

SCRIPT: Final = ";\n".join(LAYOUT) + ";"


def create_store(path: Path, key: RawKey | None) -> None:
    """Make the file (0600; it must not exist yet) in Agentao's layout and its journal mode, WAL."""
    create_database(path, key, SCRIPT, journal_mode="wal")
