# SPDX-License-Identifier: MIT
"""What LangGraph's store takes, and how it reads what is there.

Source: langgraph-checkpoint-sqlite 3.1.2 (FORMATS 6, verified): a namespace is its labels joined
by dots, a value is a JSON object kept as a BLOB, times are UTC without a zone; the sweep compares
``expires_at`` with the present as texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from memory_gui.domain.errors import UserError
from memory_gui.stores import jsontext
from memory_gui.stores.sql.cells import Cell, Mangled, shown

TABLE: Final = "store"
VECTORS: Final = "store_vectors"
COLUMNS: Final = ("prefix", "key", "value", "created_at", "updated_at")
VECTOR_COLUMNS: Final = ("prefix", "key", "field_name", "embedding")
KEY_COLUMNS: Final = ("prefix", "key")
VECTOR_KEY: Final = ("prefix", "key", "field_name")
INDEXES: Final = frozenset({"store_prefix_idx", "idx_store_expires_at"})
FIELDS: Final = ("subject", "title", "text")
COLUMN_OF: Final = {"subject": "prefix", "title": "key", "text": "value"}
RESERVED: Final = "langgraph"
"""Namespaces that begin so are LangGraph's own: it refuses to write there."""

DIVIDER: Final = "."
_TIME: Final = "%Y-%m-%d %H:%M:%S"


def now_text(moment: datetime) -> str:
    """As SQLite's CURRENT_TIMESTAMP gives it."""
    return moment.astimezone(UTC).strftime(_TIME)


def is_expired(cell: Cell, now: str) -> bool:
    """Whether the next sweep takes a row: as SQLite orders values of any type."""
    match cell:
        case None:
            return False
        case str():
            return cell < now
        case Mangled():
            return bytes(cell) < now.encode()
        case bytes():
            return False
    return True


def moment_of(cell: Cell) -> str | None:
    """A stored time in ISO 8601; None where it is none."""
    if not isinstance(cell, str):
        return None
    try:
        moment = datetime.fromisoformat(cell)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def text_of(cell: Cell) -> str | None:
    """The value as JSON text; None where LangGraph cannot read it."""
    if isinstance(cell, Mangled) or not isinstance(cell, (str, bytes)):
        return None
    try:
        text = cell if isinstance(cell, str) else cell.decode()
        jsontext.value(text)
    except ValueError:
        return None
    return text


def shown_value(cell: Cell) -> str:
    """The value as a person reads it: laid out, or as it is stored where it is no JSON."""
    text = text_of(cell)
    return (shown(cell) or "") if text is None else jsontext.laid_out(text)


def stored_value(text: str, before: Cell) -> Cell:
    """What a person wrote, as it is stored: in the type that the cell had, else as a BLOB.

    Raises:
        UserError: ``json.broken``, ``json.refused``, ``langgraph.no_object``.
    """
    if not isinstance(jsontext.check(text), dict):
        raise UserError("langgraph.no_object")
    packed = jsontext.packed(text)
    return packed if isinstance(before, str) or type(before) is Mangled else packed.encode()


def check(cells: Mapping[str, Cell]) -> None:
    """Refuse a name that LangGraph would refuse, or could never ask for.

    Raises:
        UserError: ``langgraph.namespace``, ``langgraph.key``, ``record.not_unicode``.
    """
    prefix, key = cells["prefix"], cells["key"]
    if not isinstance(prefix, str) or not all(label.strip() for label in prefix.split(DIVIDER)):
        raise UserError("langgraph.namespace")
    if prefix.split(DIVIDER)[0] == RESERVED:
        raise UserError("langgraph.reserved", name=RESERVED)
    if not isinstance(key, str) or not key.strip():
        raise UserError("langgraph.key")
    try:
        f"{prefix}{key}".encode()
    except UnicodeEncodeError as error:
        raise UserError("record.not_unicode") from error
