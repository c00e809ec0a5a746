# SPDX-License-Identifier: MIT
"""Unfinished erasures as rows of the ledger, and the files that a run without it left."""

from __future__ import annotations

import json
from typing import Any, Final

from memory_gui.domain.errors import UserError
from memory_gui.ledger.entries import DONE, PendingErase
from memory_gui.ledger.known import Connect
from memory_gui.ledger.pendingfiles import PendingFiles, name_of
from memory_gui.ledger.schema import shown, stored

_COLUMNS: Final = "id, store_path, scheme, started_at, lease_pid, lease_started, state"


class PendingRows:
    """Writes the table ``pending_erase``; lists and removes what is in ``files`` as well.

    ``synchronous=EXTRA`` (engine) makes a committed row survive a power cut.
    """

    def __init__(self, connect: Connect, files: PendingFiles) -> None:
        self._connect = connect
        self._files = files

    def put(self, entry: PendingErase) -> None:
        """As Pending."""
        beside = self._files.beside_ledger(entry.store_path)
        if any(other.id == entry.id for other in beside):
            self._files.put(entry)  # it began without the ledger and ends where it began
            return
        scheme = json.dumps(dict(entry.scheme), sort_keys=True)
        with self._connect() as connection, connection.writing():
            others = connection.execute(
                "SELECT 1 FROM pending_erase WHERE store_path = ? AND id <> ?",
                (stored(entry.store_path), entry.id),
            )
            if others or beside:
                raise UserError("pending.other", path=entry.store_path)
            if entry.state != DONE:  # first: never an unfinished row without its marker
                self._files.mark(entry.store_path)
            connection.execute(
                f"INSERT OR REPLACE INTO pending_erase ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - a constant
                (
                    entry.id,
                    stored(entry.store_path),
                    scheme,
                    entry.started_at,
                    entry.lease_pid,
                    entry.lease_started,
                    entry.state,
                ),
            )
        if entry.state == DONE:
            self._sweep()

    def list(self, path: str | None = None) -> tuple[PendingErase, ...]:
        """As Pending."""
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM pending_erase WHERE ?1 IS NULL OR store_path = ?1",  # noqa: S608 - a constant
                (None if path is None else stored(path),),
            )
        unfinished = sum(1 for row in rows if row[-1] != DONE)
        if path is None and unfinished != len(self._files.marked()):
            self._sweep()
        entries = [*(_entry(row) for row in rows), *self._files.beside_ledger(path)]
        return tuple(sorted(entries, key=lambda entry: entry.started_at))

    def remove(self, id: str) -> None:  # noqa: A002 - the field's own name
        """As Pending."""
        self._files.remove(id)
        with self._connect() as connection, connection.writing():
            connection.execute("DELETE FROM pending_erase WHERE id = ?", (id,))
        self._sweep()

    def _sweep(self) -> None:
        """Take away the markers of what is finished or gone; a kill may have left some."""
        with self._connect() as connection, connection.writing():
            rows = connection.execute(
                "SELECT store_path FROM pending_erase WHERE state <> ?", (DONE,)
            )
            self._files.unmark(self._files.marked() - {name_of(shown(path)) for (path,) in rows})


def _entry(row: tuple[Any, ...]) -> PendingErase:
    id_, store_path, scheme, started_at, lease_pid, lease_started, state = row
    return PendingErase(
        id_, shown(store_path), json.loads(scheme), started_at, lease_pid, lease_started, state
    )
