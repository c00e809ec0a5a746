# SPDX-License-Identifier: MIT
"""The ledger's tables. A newer ``user_version`` than VERSION is never opened."""

from __future__ import annotations

import os
from typing import Final

VERSION: Final = 1

SCHEMA: Final = f"""
CREATE TABLE store (
    path BLOB PRIMARY KEY,
    name BLOB NOT NULL,
    format TEXT NOT NULL,
    salt BLOB NOT NULL,
    last_opened TEXT NOT NULL,
    key_backend TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE pending_erase (
    id TEXT PRIMARY KEY,
    store_path BLOB NOT NULL UNIQUE,
    scheme TEXT NOT NULL,
    started_at TEXT NOT NULL,
    lease_pid INTEGER NOT NULL,
    lease_started REAL NOT NULL,
    state TEXT NOT NULL
) WITHOUT ROWID;
PRAGMA user_version = {VERSION};
"""


def stored(name: str) -> bytes:
    """A path or a name made of one: on POSIX it need not be text (PEP 383)."""
    return os.fsencode(name)


def shown(name: bytes) -> str:
    """The other way."""
    return os.fsdecode(name)
