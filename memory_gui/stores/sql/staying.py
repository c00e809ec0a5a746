# SPDX-License-Identifier: MIT
"""Which keys a table has when an erase is done: told by one number that names none of them.

It is written down where rows can be named nowhere. When the table's keys give it again, exactly
those are there that were to stay, and the others are gone.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from memory_gui.domain.erasing import EraseRows
from memory_gui.engine.database import Connection
from memory_gui.engine.sql import quote
from memory_gui.stores.sql.table import codec_of

_BYTES: Final = 32


def staying(connection: Connection, rows: EraseRows, secret: bytes) -> str:
    """Of all keys in a table but those of ``rows``, as hex digits: the same in any order.

    ``secret``: at most 64 bytes. Reads no column but those of the key.
    """
    codec = codec_of(connection)
    going = {tuple(_cell(part, codec) for part in key) for key in rows.keys}
    names = [quote(name) for name in rows.key_columns]
    cells = ", ".join(f"typeof({name}), CAST({name} AS BLOB)" for name in names)
    asked = f"SELECT DISTINCT {cells} FROM {quote(rows.table)}"  # noqa: S608 - names are quoted
    total = 0
    for batch in connection.rows(asked):
        for row in batch:
            key = tuple((str(kind), raw) for kind, raw in zip(row[::2], row[1::2], strict=True))
            if key not in going:
                said = blake2b(repr(key).encode(), digest_size=_BYTES, key=secret).digest()
                total += int.from_bytes(said, "big")
    return f"{total % (1 << 8 * _BYTES):0{2 * _BYTES}x}"


def _cell(part: str | int, codec: str) -> tuple[str, bytes]:
    if isinstance(part, int):
        return "integer", str(part).encode(codec)
    return "text", part.encode(codec, "surrogatepass")
