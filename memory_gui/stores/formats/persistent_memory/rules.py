# SPDX-License-Identifier: MIT
"""What the app takes, what it refuses to read, and how much it lets in.

Source: the app's own class, run on copies (FORMATS 2). It checks each row that a listing touches;
one that it does not take makes the whole listing fail with "malformed stored record".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.stores.sql.cells import Cell, Row

TABLE: Final = "memory"
KEY_COLUMNS: Final = ("user_id", "kind", "memory_key")
COLUMNS: Final = (*KEY_COLUMNS, "value", "source_session", "revision")
VERSION: Final = 1
"""``user_version`` of a file that the app opens."""

PREFERENCE: Final = "preference"
TYPES: Final = (PREFERENCE, "episode")
IN_PROMPT: Final = 5
"""Preferences of a user that a prompt gets by itself: the first ones by key."""

KEY_LIMIT: Final = 64
TEXT_LIMIT: Final = 512
PER_USER: Final = 64
IN_ALL: Final = 1024
FILE_LIMIT: Final = 16 << 20
"""Bytes. The app caps the page count at it and opens no larger file."""

WRITE_MS: Final = 200
"""The app gives up after 300 ms; we give up before it would."""

OUR_SESSION: Final = "memory-gui"
"""Where a value comes from that was written here, unless a person says another session."""

_KEY: Final = re.compile(r"[a-z][a-z0-9_.:-]{0,63}")
_SESSION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")

FIELDS: Final = ("subject", "type", "title", "text", "source")
"""What a person may give: user, kind, key, value, session."""
COLUMN_OF: Final = dict(
    zip(FIELDS, ("user_id", "kind", "memory_key", "value", "source_session"), strict=True)
)


def check(cells: Mapping[str, Cell], users: Iterable[str] = ()) -> None:
    """Refuse what would make the app refuse the row. ``users`` are those that have rows already.

    Raises:
        UserError: ``record.*``, ``persistent.*``: nothing of the values is in it.
    """
    user, kind, key = cells["user_id"], cells["kind"], cells["memory_key"]
    if not isinstance(user, str) or not (_SESSION.fullmatch(user) or user in set(users)):
        raise UserError("persistent.user")
    if kind not in TYPES:
        raise UserError("record.type_unknown", types=", ".join(TYPES))
    _check_key(key)
    _check_text(cells["value"])
    session = cells["source_session"]
    if not isinstance(session, str) or not _SESSION.fullmatch(session):
        raise UserError("persistent.session")


def _check_key(key: Cell) -> None:
    if not isinstance(key, str) or not key:
        raise UserError("record.title_empty")
    if len(key) > KEY_LIMIT:
        raise UserError("record.key_long", length=len(key), limit=KEY_LIMIT)
    if not _KEY.fullmatch(key):
        raise UserError("persistent.key")


def _check_text(text: Cell) -> None:
    if isinstance(text, bytes):
        raise UserError("record.not_unicode")
    if not isinstance(text, str) or not text.strip():
        raise UserError("record.text_empty")
    if len(text) > TEXT_LIMIT:
        raise UserError("record.text_long", length=len(text), limit=TEXT_LIMIT)
    if "\0" in text:
        raise UserError("persistent.nul")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UserError("record.not_unicode") from error


def faults(row: Row) -> tuple[str, ...]:
    """Codes of what makes the app refuse a stored row; empty for one that it reads."""
    cells = row.cells
    return tuple(code for code, column, is_good in _JUDGES if not is_good(cells.get(column)))


def _is_revision(cell: Cell) -> bool:
    return isinstance(cell, int) and cell > 0


def _is_text(cell: Cell) -> bool:
    return (
        isinstance(cell, str)
        and 0 < len(cell) <= TEXT_LIMIT
        and cell.strip() != ""
        and "\0" not in cell
    )


_JUDGES: Final = (
    ("persistent.odd_user", "user_id", lambda cell: isinstance(cell, str) and cell != ""),
    ("persistent.odd_kind", "kind", lambda cell: cell in TYPES),
    ("persistent.odd_key", "memory_key", lambda c: isinstance(c, str) and bool(_KEY.fullmatch(c))),
    ("persistent.odd_value", "value", _is_text),
    (
        "persistent.odd_session",
        "source_session",
        lambda cell: isinstance(cell, str) and bool(_SESSION.fullmatch(cell)),
    ),
    ("persistent.odd_revision", "revision", _is_revision),
)
