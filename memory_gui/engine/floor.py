# SPDX-License-Identifier: MIT
"""The oldest library that we dare to use."""

from __future__ import annotations

from typing import Final

import sqlcipher3

from memory_gui.domain.errors import UserError

SQLITE_FLOOR: Final = (3, 51, 3)
"""Before it, two writers of a WAL database can corrupt it (https://sqlite.org/wal.html#walresetbug)."""


def require_floor(
    sqlite: tuple[int, ...] = sqlcipher3.sqlite_version_info,
    cipher: str | None = None,
) -> None:
    """Refuse an old SQLite, or one without encryption.

    Raises:
        UserError: ``engine.too_old`` (found, wanted), ``engine.no_cipher``.
    """
    if tuple(sqlite) < SQLITE_FLOOR:
        raise UserError(
            "engine.too_old",
            found=".".join(map(str, sqlite)),
            wanted=".".join(map(str, SQLITE_FLOOR)),
        )
    if not (cipher_version() if cipher is None else cipher):
        raise UserError("engine.no_cipher")


def cipher_version() -> str:
    """SQLCipher's version, empty in a plain SQLite."""
    connection = sqlcipher3.connect(":memory:")
    try:
        row = connection.execute("PRAGMA cipher_version").fetchone()
    finally:
        connection.close()
    return str(row[0]) if row else ""
