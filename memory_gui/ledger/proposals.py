# SPDX-License-Identifier: MIT
"""Proposals for stores whose agent has no queue of its own, as rows of the ledger (encrypted)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from memory_gui.engine.connection import Connection
from memory_gui.ledger.schema import shown, stored

PENDING: Final = "pending"
_COLUMNS: Final = "id, store, status, fields, evidence, session, seen, created_at, updated_at"
_SAVING: Final = "\0saving"
"""Among the fields, where no agent has one of that name."""
_SAME: Final = "store = ? AND fields = ? AND status = 'pending'"

Values = Mapping[str, str | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposal. Times are ISO 8601 in UTC; ``status`` pending, approved or rejected.

    ``saving`` are the corrections with which it is being saved: a stop may have come into that.
    """

    id: str
    store: str
    status: str
    fields: Values = field(repr=False)
    evidence: str = field(repr=False, default="")
    session: str = ""
    seen: int = 1
    created_at: str = ""
    updated_at: str = ""
    saving: Values = field(default_factory=dict, repr=False)


class ProposalRows:
    """Reads and writes the table ``proposal`` of the ledger. Any thread, any process."""

    def __init__(self, connect: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._connect = connect

    def propose(self, store: str, fields: Values, evidence: str = "", session: str = "") -> str:
        """Keep one and give its id; the same that waits already is seen once more."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        given = {name: value for name, value in fields.items() if name != _SAVING}
        told = json.dumps(given, ensure_ascii=True, sort_keys=True)
        with self._connect() as connection, connection.writing():
            same = connection.execute(
                f"SELECT id FROM proposal WHERE {_SAME}",  # noqa: S608 - a constant
                (stored(store), told),
            )
            if same:
                connection.change(
                    "UPDATE proposal SET seen = seen + 1, updated_at = ?, evidence = ?, session = ?"
                    " WHERE id = ?",
                    (now, evidence, session, same[0][0]),
                )
                return str(same[0][0])
            ident = secrets.token_hex(6)
            connection.execute(
                f"INSERT INTO proposal ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                (ident, stored(store), PENDING, told, evidence, session, 1, now, now),
            )
        return ident

    def list(self, store: str) -> tuple[Proposal, ...]:
        """Those of a store, the oldest first."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM proposal WHERE store = ? ORDER BY created_at, id",  # noqa: S608 - a constant
                (stored(store),),
            )
        return tuple(_read(row) for row in rows)

    def one(self, store: str, ident: str) -> Proposal | None:
        """One of a store."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM proposal WHERE id = ? AND store = ?",  # noqa: S608 - a constant
                (ident, stored(store)),
            )
        return _read(rows[0]) if rows else None

    def set_status(self, ident: str, before: str, after: str) -> bool:
        """Decide; False when it is in another state by now, or gone."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._connect() as connection, connection.writing():
            changed = connection.change(
                "UPDATE proposal SET status = ?, updated_at = ? WHERE id = ? AND status = ?",
                (after, now, ident, before),
            )
            if changed:
                _keep(connection, ident, {})
        return changed > 0

    def begin(self, ident: str, corrections: Values) -> None:
        """It is about to be saved, so corrected: known until its state is set."""
        with self._connect() as connection, connection.writing():
            _keep(connection, ident, corrections)

    def remove(self, *idents: str) -> None:
        """Take some out."""
        with self._connect() as connection, connection.writing():
            for ident in idents:
                connection.change("DELETE FROM proposal WHERE id = ?", (ident,))


def _keep(connection: Connection, ident: str, corrections: Values) -> None:
    """Beside the values as they were proposed, which stay; without any nothing is kept."""
    for (told,) in connection.execute("SELECT fields FROM proposal WHERE id = ?", (ident,)):
        before = json.loads(told)
        fields = {name: value for name, value in before.items() if name != _SAVING}
        if corrections:
            fields[_SAVING] = dict(corrections)
        if fields != before:
            told = json.dumps(fields, ensure_ascii=True, sort_keys=True)  # noqa: PLW2901 - as changed
            connection.change("UPDATE proposal SET fields = ? WHERE id = ?", (told, ident))


def _read(row: tuple[Any, ...]) -> Proposal:
    ident, store, status, told, *rest = row
    fields = json.loads(told)
    saving = fields.pop(_SAVING, None)
    saving = saving if isinstance(saving, dict) else {}
    made = Proposal(ident, shown(store), status, _values(fields), *rest)
    return replace(made, saving=_values(saving))


def _values(told: dict[str, Any]) -> dict[str, str | tuple[str, ...]]:
    return {
        str(name): tuple(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in told.items()
        if value is not None
    }
